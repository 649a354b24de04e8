/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The peer waits for what was never sent, and its window is full of what comes behind that: schedulers send
 * ahead, and a window may turn out smaller than it was said to be. The peer does as RFC 9260, section 6.2,
 * wants: without room it drops what lies above the highest TSN that it has, and takes what lies below. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "support/head_last.h"
#include "support/isolate.h"
#include "support/raw.h"

enum {
	MESSAGES = 60,
	SMALL_BYTES = 300,
	LARGE_BYTES = 1100,
	SMALL_PATHMTU_BYTES = 600,
	ROOM = 22, /* chunks, that is to say not all of the second flight */
	STEP_US = 10000,
	BLOCKS_MAX = 20,
	DATA_HEADER_BYTES = 16
};

struct job {
	uint32_t message_bytes; /* one chunk */
	bool counts;            /* the peer's window stays open in bytes: it has no room for more chunks */
	bool mtu_falls;         /* to SMALL_PATHMTU_BYTES, while the window closes */
	bool many;              /* every second chunk is a gap, not only the first */
};

struct outcome {
	uint64_t filled_us;    /* from then on, until the lowest TSN, or of many gaps all, came; 0 = never */
	uint32_t came_with_it; /* chunks of that packet, or of many */
	uint32_t above;        /* packets with new data above the highest TSN while the window was closed */
	uint64_t done_us;      /* everything came, after the window was opened; 0 = never */
	uint32_t illegal;
};

/* --- the stack's side -------------------------------------------------------------------------------------
 */

/* Sends odd TSNs, and even ones when no odd one is left. */
static struct cmt_decision odd_first_next(const void *st, const struct cmt_view *v)
{
	struct cmt_decision send = {.verdict = CMT_SEND, .path_id = v->paths[0].id, .wake_us = CMT_NEVER_US};
	uint64_t at_bytes = 0, before_bytes;

	(void)st;
	while (cmt_units_at(v->units, at_bytes, &send.tsn, &before_bytes) && send.tsn % 2 == 0)
		at_bytes += LARGE_BYTES;
	if (send.tsn % 2 == 0)
		send.tsn = cmt_units_first(v->units);
	return send_if_legal(v, send);
}

static uint64_t odd_first_look_ahead(const void *st, const struct cmt_view *v)
{
	(void)st;
	return MESSAGES * (uint64_t)v->packet_bytes;
}

static const struct cmt_sched_ops odd_first = {.size = CMT_SCHED_CONTRACT_BYTES,
                                               .name = "odd-first",
                                               .next = odd_first_next,
                                               .look_ahead = odd_first_look_ahead};

static void odd_first_choose(struct socket *so)
{
	policy_choose(so, SCTP_CMT_SCHEDULER, odd_first.name);
	policy_begin_with_four(so);
}

static void hand_over(struct socket *so, uint32_t message_bytes)
{
	static const uint8_t message[LARGE_BYTES];
	struct sctp_sndinfo info = {.snd_sid = 0};

	for (int i = 0; i < MESSAGES; i++)
		REQUIRE(usrsctp_sendv(so, message, message_bytes, NULL, 0, &info, sizeof(info),
		                      SCTP_SENDV_SNDINFO, 0) == (ssize_t)message_bytes);
}

/* --- the peer ---------------------------------------------------------------------------------------------
 */

struct peer {
	const struct job *job;
	struct raw r;
	struct outcome *o;
	bool has[MESSAGES];   /* by TSN, from the first one on */
	uint32_t n_has, next; /* the lowest that it does not have */
	int highest;
	bool closed;
	uint32_t came;  /* chunks since then */
	unsigned since; /* of what was heard */
};

static void take(struct peer *p, const struct raw_packet *packet)
{
	size_t offset = 0;
	struct chunk c;
	bool above = false;

	while (packet_next_chunk(packet->bytes, packet->len, &offset, &c)) {
		uint32_t at = chunk_is_data(&c) ? chunk_tsn(&c) - p->r.stack_tsn : MESSAGES;

		if (at >= MESSAGES)
			continue;
		above = above || (int)at > p->highest;
		if (p->has[at] || (p->closed && (int)at > p->highest))
			continue;
		p->has[at] = true;
		p->highest = (int)at > p->highest ? (int)at : p->highest;
		p->came += p->closed;
		if (++p->n_has == ROOM)
			p->closed = true;
	}
	p->o->above += p->closed && above;
	while (p->next < MESSAGES && p->has[p->next])
		p->next++;
}

static void acknowledge(struct peer *p)
{
	uint8_t body[12 + 4 * BLOCKS_MAX] = {0};
	struct packet_draft d;
	uint16_t n = 0;

	for (int at = (int)p->next; at <= p->highest && n < BLOCKS_MAX; at++) {
		int from = at;

		while (at <= p->highest && p->has[at])
			at++;
		if (at == from)
			continue;
		packet_put16(body + 12 + 4 * n, (uint16_t)(from - (int)p->next + 1));
		packet_put16(body + 14 + 4 * n++, (uint16_t)(at - (int)p->next));
	}
	packet_put32(body, p->r.stack_tsn + p->next - 1);
	packet_put32(body + 4, p->closed && !p->job->counts ? 0 : RAW_WINDOW_BYTES);
	packet_put16(body + 8, n);
	raw_begin(&p->r, &d);
	packet_add(&d, CHUNK_SACK, (uint16_t)(16 + 4 * n), body, 12u + 4 * n);
	raw_send(&p->r, 0, &d);
}

/* Takes what came in the next moments and answers. */
static void step(struct peer *p)
{
	bool any = false, was_closed = p->closed;
	unsigned from = p->since, to;

	raw_run(&p->r, STEP_US);
	for (to = p->r.n_heard; p->since < to; p->since++) {
		const struct raw_packet *packet = &p->r.heard[p->since];

		any = any || packet_has(packet->bytes, packet->len, CHUNK_DATA);
		take(p, packet);
	}
	if (p->closed && !was_closed && p->job->mtu_falls)
		raw_set_path_mtu(&p->r, SMALL_PATHMTU_BYTES);
	if (any)
		acknowledge(p);
	raw_answer_heartbeats(&p->r, from);
}

static void fill_window(const void *job, void *outcome)
{
	static struct peer p;
	const struct job *const j = job;
	/* To a single address of a peer without the extension nothing is scheduled. */
	const struct raw_options options = {.n_paths = 2,
	                                    .parameters = {RAW_ADDRESS(0), RAW_ADDRESS(1)},
	                                    .parameters_bytes = 16,
	                                    .configure = j->many ? odd_first_choose : head_last_choose};
	struct sctp_cmt_stats stats = {.size = sizeof(stats)};
	socklen_t len = sizeof(stats);
	uint64_t from_us;
	uint32_t gap, last;

	p = (struct peer){.job = j, .o = outcome, .highest = -1};
	raw_accepted(&p.r, &options);
	p.since = p.r.n_heard;
	hand_over(p.r.so, j->message_bytes);
	while (!p.closed)
		step(&p);
	gap = p.next;
	REQUIRE(gap < ROOM);
	last = j->many ? (uint32_t)p.highest - 1 : gap;
	from_us = usrsctp_cmt_sim_now_us(p.r.sim);
	for (int i = 0; i < 6000 && p.next <= last; i++)
		step(&p);
	if (p.next > last) {
		p.o->filled_us = usrsctp_cmt_sim_now_us(p.r.sim) - from_us;
		p.o->came_with_it = p.came;
	}
	/* The application reads. */
	p.closed = false;
	acknowledge(&p);
	for (int i = 0; i < 1000 && p.next < MESSAGES; i++)
		step(&p);
	if (p.next == MESSAGES)
		p.o->done_us = usrsctp_cmt_sim_now_us(p.r.sim) - from_us;
	REQUIRE(usrsctp_getsockopt(p.r.so, IPPROTO_SCTP, SCTP_CMT_STATS, &stats, &len) == 0);
	p.o->illegal = (uint32_t)stats.illegal_decisions;
	raw_close(&p.r);
}

static struct outcome run(struct job job)
{
	struct outcome o;

	isolate_run(fill_window, &job, &o, sizeof(o));
	printf("filled after %llu us by %u chunks, %u packets above, done after %llu us\n",
	       (unsigned long long)o.filled_us, o.came_with_it, o.above, (unsigned long long)o.done_us);
	assert_in_range(o.done_us, 1, 5000000);
	assert_int_equal(o.illegal, 0);
	return o;
}

static void what_the_peer_waits_for_is_sent_though_its_window_is_closed(void **state)
{
	struct outcome o;

	(void)state;
	o = run((struct job){.message_bytes = SMALL_BYTES});
	assert_in_range(o.filled_us, 1, 100000);
	assert_in_range(o.came_with_it, 3, 4);
}

/* That shows by nothing else than losses: two, a retransmission timeout apart. */
static void it_is_sent_too_when_a_peer_with_an_open_window_takes_nothing_else(void **state)
{
	struct outcome o;

	(void)state;
	o = run((struct job){.message_bytes = SMALL_BYTES, .counts = true});
	assert_in_range(o.filled_us, 1, 1500000);
	assert_in_range(o.came_with_it, 3, 4);
}

/* Cut before the MTU fell, it is larger than a packet: IP fragments it. */
static void it_is_sent_too_when_it_is_larger_than_the_mtu(void **state)
{
	struct outcome o;

	(void)state;
	o = run((struct job){.message_bytes = LARGE_BYTES, .mtu_falls = true});
	assert_in_range(o.filled_us, 1, 100000);
	assert_int_equal(o.came_with_it, 1);
}

/* If only the lowest outstanding one may go, they take 209 ms. */
static void many_gaps_do_not_wait_for_each_other(void **state)
{
	struct outcome o;

	(void)state;
	o = run((struct job){.message_bytes = LARGE_BYTES, .many = true});
	assert_in_range(o.came_with_it, ROOM / 2, ROOM);
	assert_in_range(o.filled_us, 1, 100000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_the_peer_waits_for_is_sent_though_its_window_is_closed),
	    cmocka_unit_test(it_is_sent_too_when_a_peer_with_an_open_window_takes_nothing_else),
	    cmocka_unit_test(it_is_sent_too_when_it_is_larger_than_the_mtu),
	    cmocka_unit_test(many_gaps_do_not_wait_for_each_other),
	};

	if (usrsctp_cmt_register_scheduler(&head_last) != 0 ||
	    usrsctp_cmt_register_scheduler(&odd_first) != 0)
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
