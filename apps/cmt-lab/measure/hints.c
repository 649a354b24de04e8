/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/hints.h"

#include <math.h>
#include <stdlib.h>

#include "base/samples.h"

void lab_hints_add(struct lab_hints *h, uint64_t at_us, uint64_t bps)
{
	if (h->n == h->room) {
		h->room = h->room == 0 ? 1024 : 2 * h->room;
		h->list = lab_grow(h->list, h->room, sizeof(*h->list));
	}
	h->list[h->n++] = (struct lab_hint){at_us, bps};
}

void lab_hints_free(struct lab_hints *h)
{
	free(h->list);
	*h = (struct lab_hints){.n = 0};
}

struct judge {
	const struct lab_hints *h;
	const struct lab_scenario *s;
	bool extension;
};

static double ceiling_bps(const struct judge *j, uint64_t from_us, uint64_t until_us)
{
	return lab_ceiling_over_bps(j->s, -1, j->extension, (struct lab_span){from_us, until_us});
}

/* Of the hints in the span. */
static void judge_height(const struct judge *j, struct lab_span span, struct lab_hints_verdict *out)
{
	double sum = 0, ceiling_sum = 0;
	uint64_t above_since_us = 0;

	for (size_t i = 0; i < j->h->n; i++) {
		const struct lab_hint *hint = &j->h->list[i];
		double bps;

		if (hint->at_us < span.from_us + LAB_HINTS_MEAN_US ||
		    hint->at_us + LAB_HINTS_MEAN_US > span.until_us) {
			continue;
		}
		bps = ceiling_bps(j, hint->at_us - LAB_HINTS_MEAN_US, hint->at_us + LAB_HINTS_MEAN_US);
		sum += (double)hint->bps;
		ceiling_sum += bps;
		if ((double)hint->bps <= bps) {
			above_since_us = 0;
			continue;
		}
		above_since_us = above_since_us == 0 ? hint->at_us : above_since_us;
		if (hint->at_us - above_since_us > out->above_longest_us) {
			out->above_longest_us = hint->at_us - above_since_us;
		}
	}
	out->of_ceiling = ceiling_sum > 0 ? sum / ceiling_sum : 0;
}

/* From a change until the hints are close to the ceiling and stay there; UINT64_MAX = not before the end. */
static uint64_t settling_us(const struct judge *j, uint64_t from_us, uint64_t until_us)
{
	const double bps = ceiling_bps(j, from_us, until_us);
	uint64_t close_since_us = 0;

	for (size_t i = 0; i < j->h->n && j->h->list[i].at_us < until_us; i++) {
		const struct lab_hint *hint = &j->h->list[i];

		if (hint->at_us < from_us) {
			continue;
		}
		if (fabs((double)hint->bps - bps) > LAB_HINTS_CLOSE * bps) {
			close_since_us = 0;
			continue;
		}
		close_since_us = close_since_us == 0 ? hint->at_us : close_since_us;
		if (hint->at_us - close_since_us >= LAB_HINTS_SETTLE_US) {
			return close_since_us - from_us;
		}
	}
	return UINT64_MAX;
}

static void judge_changes(const struct judge *j, struct lab_span span, struct lab_hints_verdict *out)
{
	for (unsigned i = 0; i < j->s->n_changes; i++) {
		const uint64_t at_us = j->s->changes[i].at_us;
		uint64_t next_us = span.until_us, us;

		if (at_us <= span.from_us || at_us + LAB_HINTS_SETTLE_US >= span.until_us) {
			continue;
		}
		for (unsigned k = 0; k < j->s->n_changes; k++) {
			if (j->s->changes[k].at_us > at_us && j->s->changes[k].at_us < next_us) {
				next_us = j->s->changes[k].at_us;
			}
		}
		us = settling_us(j, at_us, next_us);
		out->changes++;
		out->not_settled += us == UINT64_MAX;
		if (us != UINT64_MAX && us > out->settled_us) {
			out->settled_us = us;
		}
	}
}

struct lab_hints_verdict lab_hints_judge(const struct lab_hints *h, const struct lab_scenario *s,
                                         bool extension, struct lab_span span)
{
	const struct judge j = {.h = h, .s = s, .extension = extension};
	struct lab_hints_verdict out = {.changes = 0};

	judge_height(&j, span, &out);
	judge_changes(&j, span, &out);
	return out;
}
