/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_return_path.h"

#include <stddef.h>

#include "../util/cmt_penalty.h"
#include "../util/cmt_time.h"
#include "../util/cmt_tuned.h"

static void raise_bar(struct cmt_return_bar *b, uint64_t now_us)
{
	b->length_us = cmt_penalty_next_us(b->length_us);
	b->until_us = now_us + b->length_us;
}

/* What another path must save so that SACKs change over to it. Less would make them overtake each other for
 * nothing. */
static int64_t worth_moving_us(const struct cmt_return_path *p)
{
	return p->min_rtt_us > 0 ? p->min_rtt_us / CMT_LARGE_SHARE : 0;
}

/* SACKs leave the path for one that is better. */
static void leave(const struct cmt_return_path *p, uint64_t now_us)
{
	if (p->delay->silent_us != 0)
		p->bar->until_us = now_us + CMT_PENALTY_US;
	else if (cmt_return_delay_queue_us(p->delay, now_us) > worth_moving_us(p))
		raise_bar(p->bar, now_us);
	cmt_return_delay_leave(p->delay);
}

/* The rate of a path that could carry everyone's SACKs, which with echoes take up to a tenth of what the data
 * take, if its return path is as wide as its forward path. */
static uint64_t narrow_bps(const struct cmt_return_path *paths, unsigned n)
{
	uint64_t sum_bps = 0;

	for (unsigned i = 0; i < n; i++)
		sum_bps += paths[i].usable ? paths[i].rate_bps : 0;
	return sum_bps / CMT_LITTLE_SHARE;
}

static bool is_open(const struct cmt_return_path *p, uint64_t least_bps, uint64_t now_us)
{
	return p->usable && (p->starting || p->rate_bps >= least_bps) && now_us >= p->bar->until_us;
}

uint16_t cmt_return_path_choose(const struct cmt_return_path *paths, unsigned n, uint16_t asked,
                                uint64_t now_us)
{
	const struct cmt_return_path *best = NULL, *before = NULL;
	uint64_t least_bps = narrow_bps(paths, n);
	int64_t best_us = INT64_MAX;

	for (unsigned i = 0; i < n; i++) {
		const struct cmt_return_path *p = &paths[i];
		int64_t back_us = is_open(p, least_bps, now_us)
		                      ? cmt_return_delay_expected_us(p->delay, now_us)
		                      : CMT_UNKNOWN_US;

		if (p->id == asked)
			before = p;
		if (back_us == CMT_UNKNOWN_US)
			continue;
		if (p == before)
			back_us -= worth_moving_us(p);
		if (back_us < best_us) {
			best_us = back_us;
			best = p;
		}
	}
	if (best != NULL && before != NULL && best != before)
		leave(before, now_us);
	return best != NULL ? best->id : 0;
}

uint16_t cmt_return_path_soonest(const struct cmt_return_path *paths, unsigned n, uint16_t asked)
{
	const struct cmt_return_path *best = NULL;

	if (asked != 0)
		return asked;
	for (unsigned i = 0; i < n; i++) {
		if (paths[i].usable && paths[i].srtt_us > 0 &&
		    (best == NULL || paths[i].srtt_us < best->srtt_us))
			best = &paths[i];
	}
	return best != NULL ? best->id : 0;
}

uint16_t cmt_return_path_for_packet(const struct cmt_return_path *own, const struct cmt_return_path *asked,
                                    uint64_t now_us)
{
	int64_t own_us, asked_us;

	if (!is_open(own, 0, now_us))
		return asked->id;
	own_us = cmt_return_delay_expected_us(own->delay, now_us);
	asked_us = cmt_return_delay_expected_us(asked->delay, now_us);
	if (own_us == CMT_UNKNOWN_US)
		return own->id;
	if (asked_us == CMT_UNKNOWN_US)
		return asked->id;
	return asked_us - own_us > worth_moving_us(asked) ? own->id : asked->id;
}
