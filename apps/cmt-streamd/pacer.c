/* SPDX-License-Identifier: BSD-3-Clause */
#include "pacer.h"

#define UNITS_PER_BYTE UINT64_C(8000000) /* bits times 1e-6 */

void pacer_start(struct pacer *p, uint64_t rate_bps, uint64_t burst_bytes, uint64_t least_bytes,
                 uint64_t now_us)
{
	uint64_t cap_bytes = burst_bytes < PACER_BURST_MAX_BYTES ? burst_bytes : PACER_BURST_MAX_BYTES;

	cap_bytes = cap_bytes > least_bytes ? cap_bytes : least_bytes;
	*p = (struct pacer){
	    .rate_bps = rate_bps, .level_bytes = cap_bytes, .cap_bytes = cap_bytes, .at_us = now_us};
}

/* Until the level has risen by `bytes`. */
static uint64_t wait_us(const struct pacer *p, uint64_t bytes)
{
	const uint64_t units = bytes * UNITS_PER_BYTE;

	return units <= p->carry ? 0 : (units - p->carry + p->rate_bps - 1) / p->rate_bps;
}

uint64_t pacer_ready_us(const struct pacer *p, uint64_t bytes, uint64_t now_us)
{
	uint64_t at_us;

	if (p->rate_bps == 0 || bytes <= p->level_bytes) {
		return now_us;
	}
	at_us = p->at_us + wait_us(p, bytes - p->level_bytes);
	return at_us > now_us ? at_us : now_us;
}

static void fill(struct pacer *p, uint64_t now_us)
{
	const uint64_t passed_us = now_us - p->at_us;

	if (passed_us >= wait_us(p, p->cap_bytes - p->level_bytes)) {
		p->level_bytes = p->cap_bytes;
		p->carry = 0;
	} else {
		const uint64_t units = passed_us * p->rate_bps + p->carry;

		p->level_bytes += units / UNITS_PER_BYTE;
		p->carry = units % UNITS_PER_BYTE;
	}
	p->at_us = now_us;
}

uint64_t pacer_level_bytes(const struct pacer *p, uint64_t now_us)
{
	struct pacer then = *p;

	if (p->rate_bps == 0) {
		return UINT64_MAX;
	}
	fill(&then, now_us);
	return then.level_bytes;
}

uint64_t pacer_lead_us(const struct pacer *p, uint64_t now_us)
{
	struct pacer then = *p;

	if (p->rate_bps == 0) {
		return 0;
	}
	fill(&then, now_us);
	return wait_us(&then, then.cap_bytes - then.level_bytes);
}

void pacer_spend(struct pacer *p, uint64_t bytes, uint64_t now_us)
{
	if (p->rate_bps != 0) {
		fill(p, now_us);
		p->level_bytes -= bytes;
	}
}
