/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_nat.h - whether a NAT stands between us and the peer, and what follows (docs/paths.md).
 *
 * A HEARTBEAT of this stack carries the address that it goes to. One that comes in at another address went
 * through a NAT in front of us. Mappings there end after 30 s of silence on common ones, so a path keeps
 * its own alive; one of which nobody has told us anything does, too.
 *
 * Pure: no clock, no allocation, no stack type. */
#ifndef CMT_NAT_H
#define CMT_NAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* So that 20 s are kept however a timer fires. */
#define CMT_KEEP_ALIVE_US UINT64_C(18000000)

enum cmt_nat {
	CMT_NAT_UNKNOWN, /* no HEARTBEAT has come */
	CMT_NAT_NONE,    /* the peer sends to the address that we have */
	CMT_NAT_BETWEEN  /* it sends to another one */
};

/* What the first HEARTBEAT among the chunks of a packet, `len` bytes behind its common header, says of the
 * local address at which it came in, 4 or 16 bytes. */
enum cmt_nat cmt_nat_of_chunks(const uint8_t *chunks, size_t len, const uint8_t *local, size_t local_bytes);

/* When a path on which the last packet left then needs another one; CMT_NEVER_US: need not. */
uint64_t cmt_nat_keep_alive_us(enum cmt_nat nat, uint64_t last_sent_us);

#endif
