/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_return_delay.h"

#include "../util/cmt_time.h"
#include "../util/cmt_tuned.h"

void cmt_return_delay_init(struct cmt_return_delay *r)
{
	cmt_winfilter_init(&r->base, CMT_BASE_BUCKET_US);
	r->smoothed_us = CMT_UNKNOWN_US;
	r->at_us = r->silent_us = 0;
}

void cmt_return_delay_add(struct cmt_return_delay *r, uint64_t now_us, int64_t sample_us)
{
	cmt_winfilter_add(&r->base, now_us, sample_us);
	if (r->smoothed_us == CMT_UNKNOWN_US)
		r->smoothed_us = sample_us;
	else
		r->smoothed_us += (sample_us - r->smoothed_us) / CMT_SMOOTHING;
	r->at_us = now_us;
	r->silent_us = 0;
}

void cmt_return_delay_be_silent(struct cmt_return_delay *r, uint64_t since_us)
{
	if (r->silent_us == 0)
		r->silent_us = since_us;
}

void cmt_return_delay_leave(struct cmt_return_delay *r)
{
	r->silent_us = 0;
}

void cmt_return_delay_tilt(struct cmt_return_delay *r, uint64_t now_us, int64_t ppb)
{
	cmt_winfilter_tilt(&r->base, now_us, ppb);
}

int64_t cmt_return_delay_queue_us(const struct cmt_return_delay *r, uint64_t now_us)
{
	int64_t queue_us;

	if (r->smoothed_us == CMT_UNKNOWN_US)
		return 0;
	queue_us = r->smoothed_us - cmt_winfilter_min(&r->base) - (int64_t)(now_us - r->at_us);
	return queue_us > 0 ? queue_us : 0;
}

int64_t cmt_return_delay_expected_us(const struct cmt_return_delay *r, uint64_t now_us)
{
	const int64_t base_us = cmt_winfilter_min(&r->base);
	const int64_t overdue_us = r->silent_us != 0 ? (int64_t)(now_us - r->silent_us) : 0;

	return base_us == CMT_UNKNOWN_US ? base_us
	                                 : base_us + cmt_return_delay_queue_us(r, now_us) + overdue_us;
}
