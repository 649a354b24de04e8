/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_bottlenecks.h"

#include <stdbool.h>
#include <stddef.h>

#include "../util/cmt_time.h"
#include "../util/cmt_tuned.h"

#define MOST_CHANGE_US (INT64_C(1) << 28) /* squares and their sums fit */

/* The queue is somewhere on the way; by the offset of delays spans begin elsewhere, on all paths. Never 0. */
static int64_t span_at(uint64_t sent_us, int64_t delay_us)
{
	const int64_t middle_us = (int64_t)sent_us + delay_us / 2;

	return middle_us / CMT_DELAY_SPAN_US + (middle_us < 0 ? -1 : 1);
}

static struct cmt_delay_pair *pair(struct cmt_bottlenecks *b, unsigned i, unsigned k)
{
	return i < k ? &b->pairs[i][k] : &b->pairs[k][i];
}

static const struct cmt_delay_span *ended(const struct cmt_delay_track *t, int64_t span)
{
	const struct cmt_delay_span *s = &t->ended[(uint64_t)span % CMT_BOTTLENECK_SPANS];

	return s->number == span ? s : NULL;
}

/* By how much the delay has changed up to a span; CMT_UNKNOWN_US: not known. */
static int64_t change_us(const struct cmt_delay_track *t, int64_t span)
{
	const struct cmt_delay_span *now = ended(t, span), *then = ended(t, span - CMT_DELAY_CHANGE_SPANS);

	if (now == NULL || then == NULL)
		return CMT_UNKNOWN_US;
	return cmt_max_us(-MOST_CHANGE_US, cmt_min_us(now->mean_us - then->mean_us, MOST_CHANGE_US));
}

static int64_t squared(int64_t us)
{
	return us * us;
}

/* The mean of the last n. */
static void take_in(int64_t *mean, int64_t value, uint32_t n)
{
	*mean += (value - *mean) / n;
}

static void compare(struct cmt_delay_pair *p, int64_t a_us, int64_t b_us)
{
	if (a_us == CMT_UNKNOWN_US || b_us == CMT_UNKNOWN_US)
		return;
	if (p->n < CMT_MEMORY_SAMPLES)
		p->n++;
	take_in(&p->apart_us2, squared(a_us) + squared(b_us), p->n);
	take_in(&p->difference_us2, squared(a_us - b_us), p->n);
}

/* Of one queue's delays the difference varies little. */
static bool is_shared(struct cmt_bottlenecks *b, unsigned i, unsigned k)
{
	const struct cmt_delay_pair *p = pair(b, i, k);

	return p->n == CMT_MEMORY_SAMPLES && p->difference_us2 < p->apart_us2 / CMT_LARGE_SHARE &&
	       b->paths[k].span > b->paths[i].span - CMT_MEMORY_SAMPLES;
}

static void end_span(struct cmt_bottlenecks *b, unsigned i)
{
	struct cmt_delay_track *t = &b->paths[i];

	t->ended[(uint64_t)t->span % CMT_BOTTLENECK_SPANS] =
	    (struct cmt_delay_span){.number = t->span, .mean_us = t->sum_us / t->n};
	t->shared_with = 0;
	for (unsigned k = 0; k < CMT_MAX_PATHS; k++) {
		if (k == i)
			continue;
		compare(pair(b, i, k), change_us(t, t->span), change_us(&b->paths[k], t->span));
		if (is_shared(b, i, k))
			t->shared_with |= (uint8_t)(1u << k);
	}
	t->sum_us = 0;
	t->n = 0;
}

void cmt_bottlenecks_on_echo(struct cmt_bottlenecks *b, unsigned i, uint64_t sent_us, int64_t delay_us)
{
	struct cmt_delay_track *t = &b->paths[i];
	const int64_t span = span_at(sent_us, delay_us);

	if (t->n > 0 && span < t->span)
		return;
	if (t->n > 0 && span > t->span)
		end_span(b, i);
	t->span = span;
	t->sum_us += delay_us;
	t->n++;
}

void cmt_bottlenecks_forget(struct cmt_bottlenecks *b, unsigned i)
{
	b->paths[i] = (struct cmt_delay_track){.n = 0};
	for (unsigned k = 0; k < CMT_MAX_PATHS; k++) {
		if (k != i)
			*pair(b, i, k) = (struct cmt_delay_pair){.n = 0};
	}
}
