/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cc_events.h - literal events on one path of 1000-byte packets, with the control `uncoupled`. */
#ifndef CC_EVENTS_H
#define CC_EVENTS_H

#include "cc/cmt_cc.h"

enum { MSS = 1000, SRTT_US = 100000 };

static inline struct cmt_cc new_cc(const char *options, uint32_t cwnd_bytes)
{
	struct cmt_cc cc = {.ops = NULL};

	assert_int_equal(cmt_cc_set(&cc, cmt_cc_find("uncoupled"), options), 0);
	cmt_cc_open(&cc, 0, cwnd_bytes, MSS);
	return cc;
}

/* In congestion avoidance, with a round trip. */
static inline struct cmt_cc avoiding(uint32_t cwnd_bytes)
{
	struct cmt_cc cc = new_cc("", cwnd_bytes);

	cc.paths[0].ssthresh_bytes = cwnd_bytes;
	cc.paths[0].srtt_us = SRTT_US;
	return cc;
}

/* The window after an acknowledgement of `bytes`; 100 packets are in flight. */
static inline uint32_t acked(struct cmt_cc *cc, uint32_t bytes, uint32_t number)
{
	cmt_cc_on_ack(cc, 0,
	              &(struct cmt_cc_ack){.bytes = bytes,
	                                   .number = number,
	                                   .next_number = number + 100,
	                                   .delay_us = CMT_UNKNOWN_US,
	                                   .cwnd_limited = true});
	return cc->paths[0].cwnd_bytes;
}

static inline uint32_t lost(struct cmt_cc *cc, uint32_t number, uint32_t next_number)
{
	cmt_cc_on_loss(cc, 0,
	               &(struct cmt_cc_loss){.bytes = MSS, .number = number, .next_number = next_number});
	return cc->paths[0].cwnd_bytes;
}

static inline uint32_t timed_out(struct cmt_cc *cc, uint32_t number, uint32_t next_number)
{
	cmt_cc_on_timeout(cc, 0,
	                  &(struct cmt_cc_loss){.bytes = MSS, .number = number, .next_number = next_number});
	return cc->paths[0].cwnd_bytes;
}

#endif
