/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_flow.h - whether data flow in on a path, and when their silence is abrupt (docs/paths.md).
 *
 * A host that only receives has nothing to send when nothing arrives. Where a NAT in front of it has given
 * out another port, nothing will: what the peer sends goes where nobody is. So who is behind a NAT and hears
 * nothing for longer than the flow explains says something on that path. An application that has stopped
 * sending looks the same; it costs a few small packets.
 *
 * Pure: no clock, no allocation, no stack type. */
#ifndef CMT_FLOW_H
#define CMT_FLOW_H

#include <stdint.h>

struct cmt_flow {
	uint64_t last_us;  /* the newest packet with data */
	uint64_t asked_us; /* when something was said last because of a silence */
	uint32_t gap_us;   /* between packets, the longest of late */
	uint8_t n;         /* packets in a row, as far as they count */
	uint8_t asked;     /* how often in this silence */
};

/* A packet with data has come in. */
void cmt_flow_on_data(struct cmt_flow *f, uint64_t now_us);
/* When something is to be said, unless data come before; CMT_NEVER_US: nothing flows, or enough was said. */
uint64_t cmt_flow_due_us(const struct cmt_flow *f);
/* It was said. */
void cmt_flow_on_asked(struct cmt_flow *f, uint64_t now_us);

#endif
