/* SPDX-License-Identifier: BSD-3-Clause
 *
 * target.h - what an encoder in front of the sender is told: how many bits of datagrams it may produce a
 * second so that all of them arrive within the latency budget.
 *
 * Pure. A value of its own: keep it, pass it on. */
#ifndef LIVE_TARGET_H
#define LIVE_TARGET_H

#include <jansson.h>
#include <stdint.h>

#include <usrsctp_cmt_event.h>

struct live_target {
	uint64_t target_bps;  /* what to produce; 0 = nothing is known, or there is no connection */
	uint64_t carried_bps; /* delivered in the last 0.4 s */
	uint64_t limit_bps;   /* what the paths carry; 0 = not measured */
	int direction;        /* against the one before: 1 up, -1 down, 0 as before */
	enum sctp_cmt_certainty certainty;
	uint32_t latency_ms;
};

/* Of datagrams, as parts of the user data that SCTP carries. */
struct target_share {
	uint64_t datagram_bytes, message_bytes; /* sent so far */
};

/* What SCTP says of all user data, for datagrams. */
struct live_target live_target_of(const struct usrsctp_cmt_capacity_change *change,
                                  const struct target_share *share);

/* As docs/cmt-live.md has it, "A bit rate for the encoder". The caller's; NULL without memory. */
json_t *live_target_json(const struct live_target *t);

#endif
