/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ends.h - where a packet comes from and goes to: addresses, and the UDP ports of packets in UDP. Two paths
 * may have the same addresses and other ports: what a NAT makes of two uplinks. */
#ifndef CMT_WS_ENDS_H
#define CMT_WS_ENDS_H

#include "compat.h"

struct cmt_ends {
	address src, dst;
	uint16_t src_udp, dst_udp; /* 0 = not in UDP */
};

bool cmt_ends_equal(const struct cmt_ends *a, const struct cmt_ends *b);

/* The other direction. The addresses stay those of `e`. */
struct cmt_ends cmt_ends_mirrored(const struct cmt_ends *e);

/* With addresses that belong to the capture file. */
struct cmt_ends cmt_ends_copy(const struct cmt_ends *e);

guint cmt_ends_hash(const struct cmt_ends *e, guint seed);

/* "10.1.0.1", in UDP "10.1.0.1:9899" or "[fd00::1]:9899". For wmem_free(NULL, ). */
char *cmt_ends_source_name(const struct cmt_ends *e);
char *cmt_ends_destination_name(const struct cmt_ends *e);

#endif
