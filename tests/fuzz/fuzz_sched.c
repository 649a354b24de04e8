/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fuzz_sched.c - libFuzzer target: snapshots and events of any kind into built-in schedulers: the one that
 * the first byte names, or, where it is 0xf0 or more, each of them.
 *
 * Oracles: every decision is legal, in the future, and the same when asked again; asking changes nothing;
 * with a path free and nothing in flight nobody waits for ever. Networks of extreme delays and rates (LCM)
 * come out of the same bytes: bounded time is libFuzzer's -timeout. runs: 40000, edges: 700 */
#include <string.h>

#include "cmt_sched.h"
#include "support/fuzz.h"

enum { INDEX_CAPACITY = 256, ROUNDS_MAX = 24, ALL = 0xf0 };
#define CENTURY_US INT64_C(1500000000000000)
#define MINUTE_US  UINT64_C(60000000)

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
	p->srtt_us = (uint32_t)fuzz_take_size(in, MINUTE_US);
	p->loop_us = (what & 32) != 0 ? p->srtt_us : (uint32_t)fuzz_take_size(in, MINUTE_US);
	p->room_at_us = CMT_NEVER_US;
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
	struct cmt_view *v = &s->view;

	*v = (struct cmt_view){.units = &s->units, .paths = s->paths, .now_us = now_us};
	v->packet_bytes = 1 + (uint32_t)fuzz_take_size(in, 65534);
	v->wire_bytes = v->packet_bytes + (uint32_t)fuzz_take(in, 1);
	v->peer_rwnd_bytes = (uint32_t)fuzz_take_size(in, UINT32_MAX);
	v->more_follows = present & 2;
	v->head_since_us = now_us - fuzz_take_size(in, now_us);
	v->window_packet_bytes = v->packet_bytes + (uint32_t)fuzz_take(in, 2);
	v->window_unit_bytes = 1 + (uint32_t)fuzz_take_size(in, v->window_packet_bytes - 1);
	v->window_reserve_bytes = v->window_packet_bytes + (uint32_t)fuzz_take(in, 1);
	v->limit_tsn = cmt_units_first(&s->units) - 10 + (uint32_t)fuzz_take(in, 2);
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

static void check_decision(const struct cmt_view *v, const struct cmt_decision *d)
{
	REQUIRE(cmt_sched_legal(v, d));
	if (d->verdict == CMT_SEND)
		return;
	REQUIRE(d->wake_us > v->now_us);
	for (unsigned i = 0; i < v->n_paths; i++)
		REQUIRE(v->total_flight_bytes != 0 || d->wake_us != CMT_NEVER_US || !v->paths[i].usable ||
		        v->paths[i].room_bytes == 0);
}

static void check_retransmission(const struct subject *s)
{
	struct cmt_decision d;
	bool found = false;

	if (s->ops->retransmit == NULL)
		return;
	d = s->ops->retransmit(s->state, &s->view, s->paths[0].id);
	for (unsigned i = 0; i < s->view.n_paths; i++)
		found |= s->paths[i].id == d.path_id && s->paths[i].usable;
	REQUIRE(d.verdict == CMT_WAIT || found);
}

static void check_copy(const struct subject *s)
{
	struct cmt_decision d, again;

	if (s->ops->copy == NULL)
		return;
	d = s->ops->copy(s->state, &s->view);
	again = s->ops->copy(s->state, &s->view);
	REQUIRE(cmt_sched_copy_legal(&s->view, &d));
	REQUIRE(d.verdict == CMT_SEND || d.wake_us > s->view.now_us);
	REQUIRE(d.verdict == again.verdict && d.path_id == again.path_id && d.tsn == again.tsn &&
	        d.wake_us == again.wake_us);
}

static void ask(struct subject *s)
{
	struct cmt_decision d, again;

	memcpy(s->before, s->state, s->ops->state_bytes);
	d = s->ops->next(s->state, &s->view);
	if (s->ops->look_ahead != NULL)
		(void)s->ops->look_ahead(s->state, &s->view);
	again = s->ops->next(s->state, &s->view);
	check_decision(&s->view, &d);
	check_retransmission(s);
	check_copy(s);
	REQUIRE(memcmp(s->before, s->state, s->ops->state_bytes) == 0);
	REQUIRE(d.verdict == again.verdict && d.path_id == again.path_id && d.tsn == again.tsn &&
	        d.wake_us == again.wake_us);
}

static void run(const struct cmt_sched_ops *ops, struct fuzz_bytes in)
{
	uint64_t now_us = fuzz_take_size(&in, UINT64_C(1) << 50);
	static struct subject s;

	memset(&s, 0, sizeof(s));
	s.ops = ops;
	REQUIRE(ops->init == NULL || ops->init(s.state, NULL) == 0);
	for (unsigned i = 0; i < ROUNDS_MAX && in.left > 0; i++) {
		if (i % 8 == 0)
			take_units(&s, &in);
		/* Mostly the same network goes on. */
		if (i % 4 == 0 || fuzz_take(&in, 1) < 64)
			take_view(&s, &in, now_us);
		for (uint64_t k = fuzz_take(&in, 1) % 8; k > 0; k--)
			send_event(&s, &in);
		ask(&s);
		now_us += fuzz_take_size(&in, MINUTE_US);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_bytes in = {data, size};
	unsigned which = (unsigned)fuzz_take(&in, 1);
	size_t n = 0;

	while (cmt_sched_builtin(n) != NULL)
		n++;
	for (size_t i = 0; i < n; i++) {
		if (which >= ALL || which % n == i)
			run(cmt_sched_builtin(i), in);
	}
	return 0;
}
