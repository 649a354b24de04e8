/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_winfilter.h"

#include "cmt_time.h"

static void find_least(struct cmt_winfilter *f)
{
	f->least = INT64_MAX;
	for (unsigned i = 0; i < CMT_WINFILTER_BUCKETS; i++) {
		if (f->min[i] < f->least)
			f->least = f->min[i];
	}
}

void cmt_winfilter_init(struct cmt_winfilter *f, uint64_t bucket_us)
{
	*f = (struct cmt_winfilter){.bucket_us = bucket_us, .least = INT64_MAX};
	for (unsigned i = 0; i < CMT_WINFILTER_BUCKETS; i++)
		f->min[i] = INT64_MAX;
}

void cmt_winfilter_add(struct cmt_winfilter *f, uint64_t now_us, int64_t sample)
{
	uint64_t bucket = now_us / f->bucket_us;

	if (f->least == INT64_MAX)
		f->current = bucket;
	if (bucket > f->current) {
		uint64_t steps = bucket - f->current;

		if (steps > CMT_WINFILTER_BUCKETS)
			steps = CMT_WINFILTER_BUCKETS;
		for (uint64_t i = 0; i < steps; i++)
			f->min[(bucket - i) % CMT_WINFILTER_BUCKETS] = INT64_MAX;
		f->current = bucket;
		find_least(f);
	}
	if (sample < f->least)
		f->least = sample;
	if (sample < f->min[f->current % CMT_WINFILTER_BUCKETS]) {
		f->min[f->current % CMT_WINFILTER_BUCKETS] = sample;
		f->min_at_ms[f->current % CMT_WINFILTER_BUCKETS] = (uint32_t)(now_us / 1000);
	}
}

int64_t cmt_winfilter_min(const struct cmt_winfilter *f)
{
	return f->least == INT64_MAX ? CMT_UNKNOWN_US : f->least;
}

void cmt_winfilter_tilt(struct cmt_winfilter *f, uint64_t now_us, int64_t ppb)
{
	for (unsigned i = 0; i < CMT_WINFILTER_BUCKETS; i++) {
		if (f->min[i] != INT64_MAX)
			f->min[i] += (int64_t)((uint32_t)(now_us / 1000) - f->min_at_ms[i]) * ppb / 1000000;
	}
	find_least(f);
}

void cmt_winfilter_raise(struct cmt_winfilter *f, int64_t by)
{
	for (unsigned i = 0; i < CMT_WINFILTER_BUCKETS; i++) {
		if (f->min[i] != INT64_MAX)
			f->min[i] += by;
	}
	find_least(f);
}
