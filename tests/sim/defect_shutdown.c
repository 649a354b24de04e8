/* SPDX-License-Identifier: BSD-3-Clause
 *
 * SHUTDOWN and SHUTDOWN-ACK that should not count: with a wrong verification tag, or while DATA of the peer
 * are missing (RFC 9260, sections 8.5 and 9.2). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "support/isolate.h"
#include "support/raw.h"
#include "support/variant.h"

static struct raw r;
static const struct raw_options options = {.n_paths = 1};

struct outcome {
	unsigned answers, aborts, shutdowns;
	size_t received_bytes;
	bool alive;
};

static void wrong_tag(const void *job, void *outcome)
{
	struct outcome *o = outcome;
	struct packet_draft d;
	unsigned since;

	(void)job;
	raw_accepted(&r, &options);
	since = r.n_heard;
	raw_begin_tagged(&r, &d, r.stack_tag + 1);
	packet_add(&d, CHUNK_SHUTDOWN_ACK, 4, NULL, 0);
	raw_send(&r, 0, &d);
	o->answers = r.n_heard - since;
	/* The same for an association that waits for a SHUTDOWN-ACK. */
	o->alive = raw_alive(&r);
	REQUIRE(usrsctp_shutdown(r.so, SHUT_WR) == 0);
	raw_run(&r, 1000);
	REQUIRE(raw_count(&r, since, CHUNK_SHUTDOWN) == 1);
	since = r.n_heard;
	raw_send(&r, 0, &d);
	o->answers += r.n_heard - since;
	raw_begin(&r, &d);
	packet_add(&d, CHUNK_SHUTDOWN_ACK, 4, NULL, 0);
	raw_send(&r, 0, &d);
	REQUIRE(raw_count(&r, since, CHUNK_SHUTDOWN_COMPLETE) > 0);
	raw_close(&r);
}

static void a_shutdown_ack_with_a_wrong_tag_is_dropped(void **state)
{
	struct outcome o;

	(void)state;
	isolate_run(wrong_tag, NULL, &o, sizeof(o));
	assert_true(o.alive);
	assert_int_equal(o.answers, CMT_TEST_FIXED ? 0 : 2);
}

/* A chunk that may carry the peer's own tag, and DATA behind it, which may not. */
static void reflected_tag(const void *job, void *outcome)
{
	struct outcome *o = outcome;
	const uint8_t body[12] = {0};
	struct packet_draft d;

	(void)job;
	raw_accepted(&r, &options);
	raw_begin_tagged(&r, &d, r.tag);
	packet_add(&d, CHUNK_PACKET_DROPPED, 16, body, sizeof(body));
	d.bytes[COMMON_HEADER_BYTES + 1] = 1;
	raw_add_data(&r, &d, 0, 0, 100);
	raw_send(&r, 0, &d);
	o->received_bytes = r.received_bytes;
	raw_close(&r);
}

static void a_reflected_tag_is_good_for_one_chunk(void **state)
{
	struct outcome o;

	(void)state;
	isolate_run(reflected_tag, NULL, &o, sizeof(o));
	assert_int_equal(o.received_bytes, CMT_TEST_FIXED ? 0 : 100);
}

static void shut_down_with_a_gap(const void *job, void *outcome)
{
	const bool stack_begins = *(const bool *)job;
	struct outcome *o = outcome;
	struct packet_draft d;
	uint8_t cumulative[4];
	unsigned since;

	raw_accepted(&r, &options);
	if (stack_begins) {
		REQUIRE(usrsctp_shutdown(r.so, SHUT_WR) == 0);
		raw_run(&r, 1000);
	}
	r.tsn++;
	raw_begin(&r, &d);
	raw_add_data(&r, &d, 0, 0, 100);
	raw_send(&r, 0, &d);
	since = r.n_heard;
	raw_begin(&r, &d);
	packet_put32(cumulative, r.stack_tsn - 1);
	if (stack_begins)
		packet_add(&d, CHUNK_SHUTDOWN_ACK, 4, NULL, 0);
	else
		packet_add(&d, CHUNK_SHUTDOWN, 8, cumulative, sizeof(cumulative));
	raw_send(&r, 0, &d);
	o->aborts = raw_count(&r, since, CHUNK_ABORT);
	o->answers = raw_count(&r, since, stack_begins ? CHUNK_SHUTDOWN_COMPLETE : CHUNK_SHUTDOWN_ACK);
	raw_close(&r);
}

static void an_end_with_data_missing_is_no_good_end(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		const bool stack_begins = i == 1;
		struct outcome o;

		isolate_run(shut_down_with_a_gap, &stack_begins, &o, sizeof(o));
		assert_int_equal(o.aborts, CMT_TEST_FIXED);
		assert_int_equal(o.answers, !CMT_TEST_FIXED);
	}
}

/* Both sides begin at once; nobody answers the stack's SHUTDOWN-ACK. */
static void begin_on_two_paths(const void *job, void *outcome)
{
	static const struct raw_options two_paths = {
	    .n_paths = 2, .parameters = {RAW_ADDRESS(0), RAW_ADDRESS(1)}, .parameters_bytes = 16};
	struct outcome *o = outcome;
	struct packet_draft d;
	uint8_t cumulative[4];
	unsigned since;

	(void)job;
	raw_accepted(&r, &two_paths);
	raw_run(&r, 1000000);
	raw_answer_heartbeats(&r, r.heard_before);
	REQUIRE(usrsctp_shutdown(r.so, SHUT_WR) == 0);
	raw_run(&r, 1000);
	since = r.n_heard;
	packet_put32(cumulative, r.stack_tsn - 1);
	raw_begin(&r, &d);
	packet_add(&d, CHUNK_SHUTDOWN, 8, cumulative, sizeof(cumulative));
	raw_send(&r, 1, &d);
	raw_run(&r, 20000000);
	o->answers = raw_count(&r, since, CHUNK_SHUTDOWN_ACK);
	o->shutdowns = raw_count(&r, since, CHUNK_SHUTDOWN);
	raw_close(&r);
}

static void a_shutdown_ack_is_repeated_whatever_path_the_shutdown_took(void **state)
{
	struct outcome o;

	(void)state;
	isolate_run(begin_on_two_paths, NULL, &o, sizeof(o));
	if (CMT_TEST_FIXED)
		assert_in_range(o.answers, 4, 10);
	assert_int_equal(o.shutdowns > 0, !CMT_TEST_FIXED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_shutdown_ack_with_a_wrong_tag_is_dropped),
	    cmocka_unit_test(a_reflected_tag_is_good_for_one_chunk),
	    cmocka_unit_test(an_end_with_data_missing_is_no_good_end),
	    cmocka_unit_test(a_shutdown_ack_is_repeated_whatever_path_the_shutdown_took),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
