/* SPDX-License-Identifier: BSD-3-Clause */
#include "paths/cmt_flow.h"

#include "util/cmt_time.h"

/* A flow is FLOW_PACKETS with less than FLOW_ENDS_US between each. A gap of the past is forgotten over some
 * GAP_FADES packets, so that frames of a film, bursts with 40 ms between them, are no silence. */
enum { FLOW_PACKETS = 8, GAP_FADES = 64, ASKED_MAX = 3 };
enum { FLOW_ENDS_US = 1000000, LEAST_SILENCE_US = 30000, ASK_AGAIN_US = 200000 };

void cmt_flow_on_data(struct cmt_flow *f, uint64_t now_us)
{
	const uint64_t gap_us = now_us - f->last_us;

	f->last_us = now_us;
	f->asked = 0;
	if (f->n == 0 || gap_us >= FLOW_ENDS_US) {
		f->n = 1;
		f->gap_us = 0;
		return;
	}
	if (f->n < FLOW_PACKETS)
		f->n++;
	f->gap_us -= f->gap_us / GAP_FADES;
	if (gap_us > f->gap_us)
		f->gap_us = (uint32_t)gap_us;
}

uint64_t cmt_flow_due_us(const struct cmt_flow *f)
{
	if (f->n < FLOW_PACKETS || f->asked == ASKED_MAX)
		return CMT_NEVER_US;
	if (f->asked > 0)
		return f->asked_us + ((uint64_t)ASK_AGAIN_US << (f->asked - 1));
	return f->last_us + f->gap_us + f->gap_us / 4 + LEAST_SILENCE_US;
}

void cmt_flow_on_asked(struct cmt_flow *f, uint64_t now_us)
{
	f->asked_us = now_us;
	f->asked++;
}
