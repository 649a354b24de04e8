/* SPDX-License-Identifier: BSD-3-Clause
 *
 * batches.h - packets that wait for a back end's `output`, by path: copied once, then given out in order.
 *
 * Not thread safe. While batches are given out, packets may be added. */
#ifndef CMT_BATCHES_H
#define CMT_BATCHES_H

#include <usrsctp_cmt_packets.h>

#define CMT_BATCHES_PACKETS 1024
#define CMT_BATCHES_BYTES   1048576

struct cmt_batches;

typedef size_t cmt_batches_fn(void *arg, const struct usrsctp_cmt_packet *packets, size_t n);

/* NULL: no memory. */
struct cmt_batches *cmt_batches_new(void);
void cmt_batches_free(struct cmt_batches *batches);

/* Room for the `len` bytes of a packet, which is the next one of its path; `bytes` and `content` do not
 * count. NULL: full. */
void *cmt_batches_add(struct cmt_batches *batches, const struct usrsctp_cmt_packet *packet);

/* Calls `fn` for each path that has packets, until it takes fewer than it was given. */
void cmt_batches_give(struct cmt_batches *batches, cmt_batches_fn *fn, void *arg);

/* Whether there are some that `fn` has not refused. */
bool cmt_batches_are_ready(const struct cmt_batches *batches);

#endif
