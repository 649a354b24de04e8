/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_skew.h"

enum { SLOPES_MAX = CMT_SKEW_POINTS * (CMT_SKEW_POINTS - 1) / 2 };

void cmt_skew_init(struct cmt_skew *s)
{
	*s = (struct cmt_skew){.interval_us = CMT_SKEW_INTERVAL_US};
}

/* Keeps the smaller of each two neighbours and doubles the interval. */
static void halve(struct cmt_skew *s)
{
	for (uint32_t i = 0; i < s->n_points / 2; i++) {
		const struct cmt_skew_point *a = &s->points[2 * i], *b = &s->points[2 * i + 1];

		s->points[i] = a->return_us <= b->return_us ? *a : *b;
	}
	s->n_points /= 2;
	s->interval_us *= 2;
}

static void open_interval(struct cmt_skew *s, uint64_t now_us, int64_t return_us)
{
	s->open = true;
	s->started_us = now_us;
	s->current = (struct cmt_skew_point){.at_us = now_us, .return_us = return_us};
}

bool cmt_skew_add(struct cmt_skew *s, uint16_t path_id, uint64_t now_us, int64_t return_us)
{
	if (s->open && path_id != s->path_id) {
		if (now_us - s->current.at_us < 2 * s->interval_us)
			return false;
		cmt_skew_init(s);
	}
	s->path_id = path_id;
	if (!s->open) {
		open_interval(s, now_us, return_us);
		return false;
	}
	if (now_us - s->started_us < s->interval_us) {
		if (return_us < s->current.return_us)
			s->current = (struct cmt_skew_point){.at_us = now_us, .return_us = return_us};
		return false;
	}
	if (s->n_points == CMT_SKEW_POINTS)
		halve(s);
	s->points[s->n_points++] = s->current;
	open_interval(s, now_us, return_us);
	return true;
}

static void insert_sorted(int64_t *sorted, uint32_t n, int64_t value)
{
	for (; n > 0 && sorted[n - 1] > value; n--)
		sorted[n] = sorted[n - 1];
	sorted[n] = value;
}

int64_t cmt_skew_ppb(const struct cmt_skew *s, int64_t believed_ppb)
{
	int64_t slopes[SLOPES_MAX];
	int64_t low, high, nearest;
	uint32_t n = 0;

	if (s->n_points < CMT_SURE_SAMPLES)
		return believed_ppb;
	for (uint32_t i = 0; i < s->n_points; i++) {
		for (uint32_t j = i + 1; j < s->n_points; j++) {
			int64_t run_us = (int64_t)(s->points[j].at_us - s->points[i].at_us);
			int64_t fall_us = s->points[i].return_us - s->points[j].return_us;

			if (run_us > 0 && fall_us < run_us && fall_us > -run_us)
				insert_sorted(slopes, n++, fall_us * 1000000 / (run_us / 1000 + 1));
		}
	}
	if (n == 0)
		return believed_ppb;
	low = slopes[n / 4];
	high = slopes[n - 1 - n / 4];
	if (believed_ppb >= low && believed_ppb <= high)
		return believed_ppb;
	nearest = believed_ppb < low ? low : high;
	return nearest > CMT_SKEW_MAX_PPB || nearest < -CMT_SKEW_MAX_PPB ? believed_ppb : nearest;
}
