/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The chunk by which a path is to be measured is acknowledged sooner than that path can deliver, because a
 * copy on another path came first: then it is no sample. The next packet has to be one, or the path's round
 * trip and RTO stay what they were for good. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "support/isolate.h"
#include "support/policy.h"
#include "support/raw.h"
#include "wire/cmt_wire.h"

#include <usrsctp_cmt_sched.h>

/* Not so much longer that the sender would probe. */
enum { MESSAGE_BYTES = 1000, ROUNDS = 20, ROUND_TRIP_US = 100000, COPY_US = 20000, LONGER_US = 160000 };

struct outcome {
	uint32_t srtt_before_us, srtt_behind_us; /* the copy */
	uint32_t srtt_longer_us;                 /* after ROUNDS round trips of LONGER_US */
	unsigned copies;
};

/* In the child process that runs the job. */
static bool copying;

/* All on the first path. */
static struct cmt_decision next(const void *st, const struct cmt_view *v)
{
	const struct cmt_decision send = {.verdict = CMT_SEND, .tsn = cmt_units_first(v->units)};

	(void)st;
	return cmt_sched_legal(v, &send)
	           ? send
	           : (struct cmt_decision){.verdict = CMT_WAIT, .wake_us = CMT_NEVER_US};
}

static struct cmt_decision copy(const void *st, const struct cmt_view *v)
{
	(void)st;
	for (unsigned i = 0; i < v->n_paths; i++) {
		const struct cmt_path_view *p = &v->paths[i];

		if (copying && p->id != 0 && p->usable && p->room_bytes > 0 && p->has_copy)
			return (struct cmt_decision){
			    .verdict = CMT_SEND, .path_id = p->id, .tsn = p->copy_tsn};
	}
	return (struct cmt_decision){.verdict = CMT_WAIT, .wake_us = CMT_NEVER_US};
}

static const struct cmt_sched_ops copies = {
    .size = CMT_SCHED_CONTRACT_BYTES, .name = "copies", .next = next, .copy = copy};

static void choose(struct socket *so)
{
	const int on = 1;

	policy_choose(so, SCTP_CMT_SCHEDULER, copies.name);
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_NODELAY, &on, sizeof(on)) == 0);
}

static uint32_t srtt_us(const struct raw *r)
{
	struct sctp_cmt_path_stats paths[2] = {{.size = sizeof(paths[0])}};
	socklen_t len = sizeof(paths);

	REQUIRE(usrsctp_getsockopt(r->so, IPPROTO_SCTP, SCTP_CMT_PATH_STATS, paths, &len) == 0);
	REQUIRE(len == sizeof(paths));
	return paths[0].srtt_us;
}

/* The echo of the newest packet on the first path, which has just come. */
static void add_echo(const struct raw *r, unsigned since, struct packet_draft *d)
{
	struct cmt_timestamp ts;
	uint8_t bytes[CMT_ECHO_MAX_BYTES];
	struct chunk c;

	REQUIRE(raw_hear(r, &since, CHUNK_TIMESTAMP, &c));
	REQUIRE(r->heard[since - 1].path == 0 && cmt_timestamp_decode(c.bytes, c.len, &ts) == 0);
	(void)cmt_echo_encode(&(struct cmt_echo){.tr_us = (uint32_t)usrsctp_cmt_sim_now_us(r->sim),
	                                         .n_entries = 1,
	                                         .entries = {{.path_id = ts.path_id,
	                                                      .packets = (uint16_t)ts.path_packet_number,
	                                                      .ts_us = ts.ts_us,
	                                                      .path_packet_number = ts.path_packet_number}}},
	                      bytes);
	packet_add(d, CHUNK_ECHO, 24, bytes + 4, 20);
}

/* A message, acknowledged after `us`; how many of its packets were heard. */
static unsigned round_trip(struct raw *r, uint64_t us, bool with_echo)
{
	static uint32_t n;
	uint8_t body[12] = {0};
	struct packet_draft d;
	unsigned since = r->n_heard, packets;

	raw_write(r, MESSAGE_BYTES);
	raw_run(r, us);
	packets = raw_count(r, since, CHUNK_DATA);
	packet_put32(body, r->stack_tsn + n++);
	packet_put32(body + 4, RAW_WINDOW_BYTES);
	raw_begin(r, &d);
	packet_add(&d, CHUNK_SACK, 16, body, sizeof(body));
	if (with_echo)
		add_echo(r, since, &d);
	raw_send(r, 0, &d);
	raw_run(r, 1000);
	return packets;
}

static void let_a_copy_come_first(const void *job, void *outcome)
{
	static struct raw r;
	const struct raw_options options = {
	    .n_paths = 2,
	    .parameters = {0x80, 0x08, 0, 6, CHUNK_TIMESTAMP, CHUNK_ECHO, 0, 0, RAW_ADDRESS(1)},
	    .parameters_bytes = 16,
	    .configure = choose};
	struct outcome *o = outcome;

	(void)job;
	raw_accepted(&r, &options);
	raw_run(&r, 3000000);
	raw_answer_heartbeats(&r, 0);
	for (int i = 0; i < ROUNDS; i++)
		(void)round_trip(&r, ROUND_TRIP_US, true);
	o->srtt_before_us = srtt_us(&r);
	copying = true;
	o->copies = round_trip(&r, COPY_US, false) - 1;
	copying = false;
	o->srtt_behind_us = srtt_us(&r);
	for (int i = 0; i < ROUNDS; i++)
		(void)round_trip(&r, LONGER_US, true);
	o->srtt_longer_us = srtt_us(&r);
	raw_close(&r);
}

static void a_path_is_measured_behind_a_copy_that_came_first(void **state)
{
	struct outcome o;

	(void)state;
	isolate_run(let_a_copy_come_first, NULL, &o, sizeof(o));
	printf("smoothed round trip %u us, %u us behind %u copies, then %u us\n", o.srtt_before_us,
	       o.srtt_behind_us, o.copies, o.srtt_longer_us);
	assert_int_equal(o.copies, 1);
	assert_in_range(o.srtt_before_us, ROUND_TRIP_US * 9 / 10, ROUND_TRIP_US + 10000);
	assert_int_equal(o.srtt_behind_us, o.srtt_before_us);
	assert_in_range(o.srtt_longer_us, LONGER_US * 9 / 10, LONGER_US + 10000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_path_is_measured_behind_a_copy_that_came_first),
	};

	if (usrsctp_cmt_register_scheduler(&copies) != 0)
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
