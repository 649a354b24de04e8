/* SPDX-License-Identifier: BSD-3-Clause
 *
 * back_end.h - which sockets a connection uses. Those with the same addresses and UDP port share them: a
 * process has few back ends, but may have many connections. The loop's thread only. */
#ifndef CMT_BLOCKING_BACK_END_H
#define CMT_BLOCKING_BACK_END_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "addresses.h"

struct usrsctp_cmt_event;
struct blk_back_end;

struct blk_back_end_key {
	struct blk_addresses addresses; /* none: all of the host */
	uint16_t udp_port;              /* 0 = a free one */
	bool listens; /* those who listen on free ports, and those who connect, have sockets of their own */
};

/* 0, or -errno with a sentence in `error`. */
int blk_back_end_get(struct blk_back_end **out, const struct blk_back_end_key *key, char *error,
                     size_t error_bytes);
struct blk_back_end *blk_back_end_retain(struct blk_back_end *b);
void blk_back_end_release(struct blk_back_end *b); /* NULL: nothing happens */

struct usrsctp_cmt_event *blk_back_end_event(const struct blk_back_end *b);

#endif
