/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_in_time.h"

#include "../recovery/cmt_late.h"
#include "../util/cmt_time.h"

/* What is kept for what was not seen yet: of the most that the peer had, and of what went over the costly
 * paths since they are in use. */
enum { KEEP_PCT = 30, KEEP_SPENT_PCT = 15 };

/* Of the paths that cost less than the one that is to take over. */
struct cheap {
	bool any;
	uint64_t flight_bytes;
};

static struct cheap look_at_cheap(const struct cmt_view *v, const struct cmt_path_view *path)
{
	struct cheap c = {.any = false};

	for (unsigned i = 0; i < v->n_paths; i++) {
		const struct cmt_path_view *p = &v->paths[i];

		if (p->cost >= path->cost)
			continue;
		c.any = true;
		c.flight_bytes += p->flight_bytes;
	}
	return c;
}

/* For how long the peer can go on with what it has, and what is under way on other paths than the cheap. */
static int64_t left_us(const struct cmt_view *v, const struct cheap *c)
{
	return v->needed_us - (int64_t)v->now_us - cmt_transmission_us(c->flight_bytes, v->needed_bps);
}

/* Slow start doubles what a round trip carries. */
static int64_t ramp_us(const struct cmt_view *v, const struct cmt_path_view *p)
{
	const uint64_t wanted_bytes = v->needed_bps * p->min_rtt_us / CMT_BPS_PER_BYTE_PER_US;
	int64_t us = 0;

	for (uint64_t bytes = p->cwnd_bytes; bytes > 0 && bytes < wanted_bytes; bytes *= 2)
		us += p->min_rtt_us;
	return us;
}

/* Until the path has taken over, copies of what the others failed to deliver included. */
static int64_t takes_us(const struct cmt_view *v, const struct cmt_path_view *path)
{
	return CMT_LATE_URGENT_RTTS * (int64_t)path->min_rtt_us + ramp_us(v, path);
}

static int64_t reserve_us(const struct cmt_in_time *t, const struct cmt_view *v,
                          const struct cmt_path_view *path)
{
	const int64_t spent_us = cmt_transmission_us(t->spent_bytes, v->needed_bps);

	return takes_us(v, path) + cmt_max_us(t->drop_us, cmt_max_us(t->most_us * KEEP_PCT / 100,
	                                                             spent_us * KEEP_SPENT_PCT / 100));
}

int64_t cmt_in_time_left_us(const struct cmt_view *v, const struct cmt_path_view *path)
{
	const struct cheap c = look_at_cheap(v, path);

	return left_us(v, &c);
}

int64_t cmt_in_time_spare_us(const struct cmt_in_time *t, const struct cmt_view *v,
                             const struct cmt_path_view *path)
{
	const struct cheap c = look_at_cheap(v, path);

	return c.any ? left_us(v, &c) - reserve_us(t, v, path) : 0;
}

void cmt_in_time_on_sent(struct cmt_in_time *t, const struct cmt_sent *e)
{
	if ((t->costly & UINT32_C(1) << e->path_id) != 0)
		t->spent_bytes += e->bytes;
}

void cmt_in_time_look(struct cmt_in_time *t, const struct cmt_view *v)
{
	int64_t least_spare_us = INT64_MAX, left = INT64_MAX;

	t->costly = 0;
	for (unsigned i = 0; i < v->n_paths; i++) {
		const struct cmt_path_view *p = &v->paths[i];
		const struct cheap c = look_at_cheap(v, p);

		if (c.any)
			t->costly |= UINT32_C(1) << p->id;
		if (!p->usable || !c.any)
			continue;
		left = cmt_min_us(left, left_us(v, &c));
		least_spare_us = cmt_min_us(least_spare_us, cmt_in_time_spare_us(t, v, p));
	}
	if (left == INT64_MAX)
		return;
	t->most_us = cmt_max_us(t->most_us, left);
	if (least_spare_us > left / 2)
		t->spent_bytes = 0;
	if (!t->is_short && least_spare_us <= 0) {
		t->began_left_us = left;
		t->began_at_us = v->now_us;
	}
	t->is_short = least_spare_us <= 0;
	/* No more than the time that has passed: more is another place or rate that the application told. */
	if (t->is_short)
		t->drop_us = cmt_max_us(
		    t->drop_us, cmt_min_us(t->began_left_us - left, (int64_t)(v->now_us - t->began_at_us)));
}

bool cmt_in_time_by(const struct cmt_view *v, const struct cmt_path_view *path)
{
	const int64_t arrives_us = path->start_us - path->base_us + path->delay_us +
	                           cmt_transmission_us(v->wire_bytes, path->rate_bps);

	for (unsigned i = 0; i < v->n_paths; i++) {
		const struct cmt_path_view *p = &v->paths[i];

		if (p->usable && p->cost > path->cost && v->needed_us - arrives_us < takes_us(v, p))
			return false;
	}
	return true;
}
