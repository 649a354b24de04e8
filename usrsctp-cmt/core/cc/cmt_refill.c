/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_refill.h"

#include "../util/cmt_serial.h"
#include "../util/cmt_tuned.h"

void cmt_refill_begin(struct cmt_refill *r, uint32_t next_number, uint32_t min_rtt_us,
                      uint32_t ssthresh_bytes)
{
	*r = (struct cmt_refill){.active = true,
	                         .had_room = true,
	                         .round_end = next_number,
	                         .min_rtt_us = min_rtt_us,
	                         .ssthresh_bytes = r->active ? r->ssthresh_bytes : ssthresh_bytes};
}

bool cmt_refill_on_ack(struct cmt_refill *r, uint32_t number, uint32_t next_number, uint32_t min_rtt_us,
                       bool has_queue)
{
	r->had_room = r->had_room || !has_queue;
	if (cmt_serial_ge(number, r->round_end)) {
		r->active = r->had_room;
		r->had_room = false;
		r->round_end = next_number;
	}
	if (min_rtt_us < r->min_rtt_us - r->min_rtt_us / CMT_LITTLE_SHARE)
		r->active = false;
	return r->active;
}
