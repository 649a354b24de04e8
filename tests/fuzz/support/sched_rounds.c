/* SPDX-License-Identifier: BSD-3-Clause */
#include "sched_rounds.h"

#include <string.h>

enum { INDEX_CAPACITY = 256, ROUNDS_MAX = 12, MANY_UNITS = 224, FEW_UNITS = 32 };
#define CENTURY_US INT64_C(1500000000000000)
#define MINUTE_US  UINT64_C(60000000)

/* A scheduler and what it sees. */
struct subject {
	const struct cmt_sched_ops *ops;
	uint64_t state[CMT_SCHED_STATE_MAX / sizeof(uint64_t)],
	    before[CMT_SCHED_STATE_MAX / sizeof(uint64_t)];
	struct cmt_units units;
	uint32_t memory[INDEX_CAPACITY * 2];
	struct cmt_path_view paths[CMT_SCHED_MAX_PATHS];
	struct cmt_view view;
};

static void take_units(struct subject *s, struct fuzz_bytes *in)
{
	uint32_t tsn = (uint32_t)fuzz_take(in, 4), n = 1 + (uint32_t)fuzz_take(in, 1);
	uint32_t bytes = 1 + (uint32_t)fuzz_take_size(in, CMT_UNITS_MAX_UNIT_BYTES - 1);

	/* Mostly few: they are what costs. */
	if (n <= MANY_UNITS)
		n = 1 + n % FEW_UNITS;
	cmt_units_init(&s->units, INDEX_CAPACITY, tsn, s->memory);
	for (uint32_t i = 0; i < n; i++) {
		(void)cmt_units_add(&s->units, tsn, bytes);
		tsn += 1 + (i % 8 == 7 ? (uint32_t)fuzz_take(in, 1) % 5 : 0);
	}
}

/* Estimates are known together or not at all; delays up to a minute, clocks anywhere within a century. */
static void take_path(struct subject *s, struct fuzz_bytes *in, struct cmt_path_view *p, int64_t offset_us)
{
	unsigned what = (unsigned)fuzz_take(in, 1);

	p->usable = (what & 7) != 7;
	p->has_copy = (what & 1) != 0;
	p->copy_tsn = cmt_units_first(&s->units) - 1 - (what & 7);
	p->cwnd_bytes = 1 + (uint32_t)fuzz_take_size(in, UINT32_MAX - 1);
	p->flight_bytes = (what & 8) != 0 ? (uint32_t)fuzz_take_size(in, UINT32_MAX / 16) : 0;
	p->rate_bps = fuzz_take_size(in, UINT64_C(100000000000));
	p->rate_measured = p->rate_bps > 0 && (what & 16) != 0;
	p->sent_pkts = what;
	p->acked_at_us = (what & 2) != 0 ? s->view.now_us + what * UINT64_C(1000) : 0;
	p->ssthresh_bytes = (what & 4) != 0 ? UINT32_MAX : 0;
	p->srtt_us = (uint32_t)fuzz_take_size(in, MINUTE_US);
	p->min_rtt_us = (what & 32) != 0 ? p->srtt_us : (uint32_t)fuzz_take_size(in, MINUTE_US);
	p->room_at_us = CMT_NEVER_US;
	p->ready_at_us = (what & 4) != 0 ? s->view.now_us + p->srtt_us : 0;
	p->base_us = p->start_us = p->delay_us = CMT_UNKNOWN_US;
	if ((what & 0xc0) == 0xc0)
		return;
	p->delay_us = (int64_t)fuzz_take_size(in, MINUTE_US) - (what == 0 ? 1000000 : 0);
	p->queue_us = (int64_t)fuzz_take_size(in, MINUTE_US);
	p->jitter_us = (int64_t)fuzz_take_size(in, MINUTE_US);
	p->base_us = p->delay_us + offset_us;
	p->start_us = (int64_t)s->view.now_us + p->base_us + p->queue_us;
}

static void take_view(struct subject *s, struct fuzz_bytes *in, uint64_t now_us)
{
	int64_t offset_us = (int64_t)fuzz_take_size(in, 2 * (uint64_t)CENTURY_US) - CENTURY_US;
	unsigned present = (unsigned)fuzz_take(in, 1) | 1, room = (unsigned)fuzz_take(in, 1);
	uint32_t reach;
	struct cmt_view *v = &s->view;

	*v = (struct cmt_view){.units = &s->units, .paths = s->paths, .now_us = now_us};
	v->packet_bytes = 1 + (uint32_t)fuzz_take_size(in, 65534);
	v->wire_bytes = v->packet_bytes + (uint32_t)fuzz_take(in, 1);
	v->peer_rwnd_bytes = (uint32_t)fuzz_take_size(in, UINT32_MAX);
	v->more_follows = present & 2;
	v->copies = present & 4;
	v->has_unordered = present & 8;
	v->unordered_tsn = cmt_units_last(&s->units);
	v->window_packet_bytes = v->packet_bytes + (uint32_t)fuzz_take(in, 2);
	v->window_unit_bytes = 1 + (uint32_t)fuzz_take_size(in, v->window_packet_bytes - 1);
	v->window_reserve_bytes = v->window_packet_bytes + (uint32_t)fuzz_take(in, 1);
	reach = (uint32_t)fuzz_take(in, 2);
	v->limit_tsn = cmt_units_first(&s->units) - 10 + (present & 4 ? reach : reach % INDEX_CAPACITY);
	for (unsigned id = 0; id < CMT_SCHED_MAX_PATHS; id++) {
		struct cmt_path_view *p = &s->paths[v->n_paths];

		if ((present >> id & 1) == 0)
			continue;
		*p = (struct cmt_path_view){.id = (uint8_t)id};
		take_path(s, in, p, offset_us);
		v->total_flight_bytes += p->flight_bytes;
		v->n_paths++;
	}
	for (unsigned i = 0; i < v->n_paths; i++) {
		/* With nothing in flight every usable path has room, as in the stack. */
		if ((s->paths[i].usable && v->total_flight_bytes == 0) || (room >> i & 1) != 0)
			s->paths[i].room_bytes = v->packet_bytes;
	}
}

static void send_event(struct subject *s, struct fuzz_bytes *in)
{
	unsigned what = (unsigned)fuzz_take(in, 1);
	const uint8_t path_id = s->paths[(what >> 3) % s->view.n_paths].id;
	const uint32_t tsn = cmt_units_first(&s->units) - 1 - (uint32_t)fuzz_take(in, 1);
	const uint32_t bytes = (uint32_t)fuzz_take(in, 2);
	const struct cmt_lost lost = {s->view.now_us, path_id, tsn, bytes};
	const struct cmt_sched_ops *ops = s->ops;

	switch (what & 7) {
	case 0:
		if (ops->on_acked != NULL)
			ops->on_acked(s->state, &(struct cmt_acked){s->view.now_us, path_id, tsn, bytes});
		break;
	case 1:
		if (ops->on_lost != NULL)
			ops->on_lost(s->state, &lost);
		break;
	case 2:
		if (ops->on_spurious != NULL)
			ops->on_spurious(s->state, &lost);
		break;
	case 3:
		if (ops->on_path != NULL)
			ops->on_path(s->state, path_id, bytes & 1, s->view.now_us);
		break;
	case 4:
	case 5:
		if (ops->on_sent != NULL)
			ops->on_sent(s->state, &(struct cmt_sent){.now_us = s->view.now_us,
			                                          .path_id = path_id,
			                                          .first_tsn = tsn,
			                                          .chunks = 1,
			                                          .bytes = bytes,
			                                          .retransmission = (what & 7) == 5});
		break;
	default:
		if (ops->plan != NULL)
			ops->plan(s->state, &s->view);
	}
}

static bool same(const struct cmt_decision *a, const struct cmt_decision *b)
{
	return a->verdict == b->verdict && a->path_id == b->path_id && a->tsn == b->tsn &&
	       a->wake_us == b->wake_us;
}

static const char *judge(const struct cmt_view *v, const struct cmt_decision *d)
{
	if (!cmt_sched_legal(v, d))
		return "illegal decision";
	if (d->verdict == CMT_SEND)
		return NULL;
	if (d->wake_us <= v->now_us)
		return "wakes in the past";
	for (unsigned i = 0; i < v->n_paths; i++) {
		if (cmt_sched_stalls(v, d) && v->paths[i].usable && v->paths[i].room_bytes > 0)
			return "waits for ever";
	}
	return NULL;
}

static const char *judge_retransmission(const struct subject *s)
{
	struct cmt_decision d;

	if (s->ops->retransmit == NULL)
		return NULL;
	d = s->ops->retransmit(s->state, &s->view, s->paths[0].id);
	if (d.verdict == CMT_WAIT)
		return NULL;
	for (unsigned i = 0; i < s->view.n_paths; i++) {
		if (s->paths[i].id == d.path_id && s->paths[i].usable)
			return NULL;
	}
	return "retransmits on a path that is not usable";
}

static const char *judge_copy(const struct subject *s)
{
	struct cmt_decision d, again;

	if (s->ops->copy == NULL)
		return NULL;
	d = s->ops->copy(s->state, &s->view);
	again = s->ops->copy(s->state, &s->view);
	if (!cmt_sched_copy_legal(&s->view, &d))
		return "illegal copy";
	if (d.verdict == CMT_WAIT && d.wake_us <= s->view.now_us)
		return "wakes in the past";
	return same(&d, &again) ? NULL : "asked twice, answered differently";
}

static const char *ask(struct subject *s)
{
	const char *broken;
	struct cmt_decision d, again;

	memcpy(s->before, s->state, sizeof(s->state));
	d = s->ops->next(s->state, &s->view);
	if (s->ops->look_ahead != NULL)
		(void)s->ops->look_ahead(s->state, &s->view);
	again = s->ops->next(s->state, &s->view);
	broken = judge(&s->view, &d);
	if (broken == NULL)
		broken = judge_retransmission(s);
	if (broken == NULL)
		broken = judge_copy(s);
	if (memcmp(s->before, s->state, sizeof(s->state)) != 0)
		return "a question changed the state";
	return !same(&d, &again) ? "asked twice, answered differently" : broken;
}

const char *sched_rounds(const struct cmt_sched_ops *ops, struct fuzz_bytes in)
{
	uint64_t now_us = fuzz_take_size(&in, UINT64_C(1) << 50);
	const char *broken = NULL;
	static struct subject s;

	memset(&s, 0, sizeof(s));
	s.ops = ops;
	if (ops->init != NULL && ops->init(s.state, NULL) != 0)
		return "refuses to work without options";
	for (unsigned i = 0; i < ROUNDS_MAX && in.left > 0 && broken == NULL; i++) {
		if (i % 8 == 0)
			take_units(&s, &in);
		/* Mostly the same network goes on. */
		if (i % 4 == 0 || fuzz_take(&in, 1) < 64)
			take_view(&s, &in, now_us);
		for (uint64_t k = fuzz_take(&in, 1) % 8; k > 0; k--)
			send_event(&s, &in);
		broken = ask(&s);
		now_us += fuzz_take_size(&in, MINUTE_US);
	}
	return broken;
}
