/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Packets with the tag of an association from an address that is not the peer's: they end nothing, they move
 * nothing before the address has answered, and what goes there is no more than what came. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/raw.h"

enum { HOME, ELSEWHERE, N_PLACES };

static const struct raw_options speaks_ours = {
    .n_paths = N_PLACES, .parameters = {RAW_SPEAKS_OURS}, .parameters_bytes = RAW_SPEAKS_OURS_BYTES};
static const struct raw_options speaks_plainly = {.n_paths = N_PLACES};

struct seen {
	unsigned aborts, heartbeats, acks_of_heartbeats, sacks, packets; /* sent to ELSEWHERE */
	size_t bytes_there, bytes_from_there;
	unsigned unconfirmed_sacks; /* before it answered */
	bool alive;
};

static struct raw r;
static size_t from_there;

static void say(uint8_t type, uint16_t number)
{
	static const uint8_t information[8] = {0, 1, 0, 8, 'm', 'i', 'n', 'e'};
	/* Of an address behind a NAT. */
	static const uint8_t serial_and_address[12] = {0, 0, 0, 1, 0, 5, 0, 8, 192, 168, 1, 2};
	struct packet_draft d;

	raw_begin(&r, &d);
	if (type == CHUNK_DATA)
		raw_add_data(&r, &d, 1, number, 100);
	else if (type == CHUNK_ASCONF)
		packet_add(&d, type, 4 + sizeof(serial_and_address), serial_and_address,
		           sizeof(serial_and_address));
	else
		packet_add(&d, type, 4 + sizeof(information), information, sizeof(information));
	from_there += d.len;
	raw_send(&r, ELSEWHERE, &d);
	raw_run(&r, 1000);
}

static unsigned count_there(uint8_t type)
{
	struct chunk c;
	unsigned n = 0;

	for (unsigned i = 0; i < r.n_heard; i++)
		n += r.heard[i].path == ELSEWHERE && packet_find(r.heard[i].bytes, r.heard[i].len, type, &c);
	return n;
}

static void look(struct seen *s)
{
	s->aborts = raw_count(&r, 0, CHUNK_ABORT);
	s->heartbeats = count_there(CHUNK_HEARTBEAT);
	s->acks_of_heartbeats = count_there(CHUNK_HEARTBEAT_ACK);
	s->sacks = count_there(CHUNK_SACK);
	s->bytes_there = 0;
	s->packets = 0;
	for (unsigned i = 0; i < r.n_heard; i++) {
		s->bytes_there += r.heard[i].path == ELSEWHERE ? r.heard[i].len : 0;
		s->packets += r.heard[i].path == ELSEWHERE;
	}
	s->bytes_from_there = from_there;
	s->alive = !r.ended && raw_alive(&r);
}

/* What stands first in a packet, but for a HEARTBEAT. */
static const uint8_t types[] = {
    CHUNK_DATA,       CHUNK_ABORT,         CHUNK_SHUTDOWN, CHUNK_SHUTDOWN_ACK, CHUNK_ERROR, CHUNK_SACK,
    CHUNK_COOKIE_ACK, CHUNK_HEARTBEAT_ACK, CHUNK_INIT_ACK, CHUNK_ASCONF,       0xc7};

static void speak_at_once(const void *job, void *outcome)
{
	raw_accepted(&r, *(const struct raw_options *const *)job);
	for (unsigned i = 0; i < sizeof(types); i++) {
		say(types[i], 0);
		r.tsn -= types[i] == CHUNK_DATA;
	}
	look(outcome);
	raw_close(&r);
}

/* A peer that speaks the extension may have moved: it is asked. */
static void nothing_but_a_question_comes_of_what_a_stranger_says(void **state)
{
	const struct raw_options *const peers[] = {&speaks_ours, &speaks_plainly};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct seen s;

		isolate_run(speak_at_once, &peers[i], &s, sizeof(s));
		assert_true(s.alive);
		assert_int_equal(s.aborts, 0);
		assert_int_equal(s.packets, i == 0 ? 1 : 0);
		assert_int_equal(s.heartbeats, s.packets);
		assert_in_range(s.bytes_there, 0, s.bytes_from_there);
	}
}

static void join_first(const void *job, void *outcome)
{
	const bool answer = *(const bool *)job;
	struct seen *s = outcome;

	raw_accepted(&r, &speaks_ours);
	say(CHUNK_HEARTBEAT, 0);
	if (answer)
		raw_answer_heartbeats(&r, 0);
	for (unsigned i = 0; i < sizeof(types); i++) {
		if (types[i] == CHUNK_DATA || !answer)
			say(types[i], 0);
		r.tsn -= types[i] == CHUNK_DATA && !answer;
	}
	look(s);
	raw_close(&r);
}

static void a_path_that_answers_carries_data(void **state)
{
	const bool answer = true;
	struct seen s;

	(void)state;
	isolate_run(join_first, &answer, &s, sizeof(s));
	assert_true(s.alive);
	assert_int_equal(s.acks_of_heartbeats, 1);
	assert_in_range(s.sacks, 1, 3);
}

enum { FIRST_FLIGHT = 10 };

static void begin_with_data(const void *job, void *outcome)
{
	struct seen *s = outcome;

	(void)job;
	raw_accepted(&r, &speaks_ours);
	for (unsigned i = 0; i < FIRST_FLIGHT; i++)
		say(CHUNK_DATA, (uint16_t)i);
	raw_run(&r, 300000);
	s->unconfirmed_sacks = raw_count(&r, 0, CHUNK_SACK);
	raw_answer_heartbeats(&r, 0);
	raw_run(&r, 300000);
	look(s);
	raw_close(&r);
}

/* Who is alive acknowledges all that was sent. */
static void what_came_before_the_answer_is_taken_when_it_is_there(void **state)
{
	struct seen s;

	(void)state;
	isolate_run(begin_with_data, NULL, &s, sizeof(s));
	assert_int_equal(s.unconfirmed_sacks, 0);
	assert_int_equal(s.heartbeats, 1);
	assert_int_equal(s.aborts, 0);
	assert_true(s.alive);
}

static void one_that_does_not_answer_carries_nothing_and_ends_nothing(void **state)
{
	const bool answer = false;
	struct seen s;

	(void)state;
	isolate_run(join_first, &answer, &s, sizeof(s));
	assert_true(s.alive);
	assert_int_equal(s.aborts, 0);
	assert_int_equal(s.sacks, 0);
	assert_int_equal(s.acks_of_heartbeats, 1);
	assert_in_range(s.heartbeats, 1, 2);
}

enum { N_ASKS = 900 };

static void ask_for_ever(const void *job, void *outcome)
{
	(void)job;
	raw_accepted(&r, &speaks_ours);
	for (unsigned i = 0; i < N_ASKS; i++)
		say(CHUNK_HEARTBEAT, 0);
	look(outcome);
	raw_close(&r);
}

/* RFC 9000, section 8.1, is the model. */
static void no_more_than_three_times_what_came_goes_to_who_does_not_answer(void **state)
{
	struct seen s;

	(void)state;
	isolate_run(ask_for_ever, NULL, &s, sizeof(s));
	print_message("%zu bytes came, %zu went\n", s.bytes_from_there, s.bytes_there);
	assert_true(s.alive);
	assert_in_range(s.bytes_there, 1, 3 * s.bytes_from_there);
	assert_in_range(s.heartbeats, 1, 5);
}

/* HEARTBEATs and their answers come in from anywhere; not what stands behind them in the same packet. */
static void bundle(const void *job, void *outcome)
{
	static const uint8_t information[8] = {0, 1, 0, 8, 'm', 'i', 'n', 'e'};
	static const uint8_t behind[] = {CHUNK_ABORT, CHUNK_SHUTDOWN_ACK, CHUNK_IDATA, CHUNK_SHUTDOWN};
	const uint8_t probe = *(const uint8_t *)job;
	uint8_t body[20] = {0};
	struct packet_draft d;

	raw_accepted(&r, &speaks_ours);
	for (unsigned i = 0; i < sizeof(behind); i++) {
		const size_t bytes = behind[i] == CHUNK_SHUTDOWN ? 4 : behind[i] == CHUNK_IDATA ? 20 : 0;

		packet_put32(body, behind[i] == CHUNK_IDATA ? r.tsn : r.stack_tsn - 1);
		raw_begin(&r, &d);
		packet_add(&d, probe, 4 + sizeof(information), information, sizeof(information));
		packet_add(&d, behind[i], (uint16_t)(4 + bytes), body, bytes);
		from_there += d.len;
		raw_send(&r, ELSEWHERE, &d);
		raw_run(&r, 1000);
	}
	/* One that does not fit into the packet, and one behind another. */
	for (unsigned i = 0; i < 2; i++) {
		raw_begin(&r, &d);
		if (i == 1)
			packet_add(&d, probe, 4 + sizeof(information), information, sizeof(information));
		packet_add(&d, probe, 100, information, sizeof(information));
		from_there += d.len;
		raw_send(&r, ELSEWHERE, &d);
		raw_run(&r, 1000);
	}
	/* Less than a chunk, as well as nothing: AddressSanitizer says when it is read. */
	raw_begin(&r, &d);
	packet_add(&d, probe, 4 + sizeof(information), information, sizeof(information));
	d.len += 2;
	from_there += d.len;
	raw_send(&r, ELSEWHERE, &d);
	raw_run(&r, 1000);
	look(outcome);
	raw_close(&r);
}

static void what_stands_behind_a_question_or_an_answer_waits_as_well(void **state)
{
	static const uint8_t probes[] = {CHUNK_HEARTBEAT, CHUNK_HEARTBEAT_ACK};

	(void)state;
	for (unsigned i = 0; i < sizeof(probes); i++) {
		struct seen s;

		isolate_run(bundle, &probes[i], &s, sizeof(s));
		assert_true(s.alive);
		assert_int_equal(s.aborts, 0);
		assert_int_equal(s.sacks, 0);
		assert_int_equal(s.acks_of_heartbeats, probes[i] == CHUNK_HEARTBEAT ? 6 : 0);
		assert_in_range(s.bytes_there, 0, 3 * s.bytes_from_there);
	}
}

/* The answer to the stack's question, and data in the same packet. */
static void answer_with_data(const void *job, void *outcome)
{
	const bool damaged = *(const bool *)job;
	struct seen *s = outcome;
	unsigned since = 0;
	struct packet_draft d;
	struct chunk question;

	raw_accepted(&r, &speaks_ours);
	say(CHUNK_HEARTBEAT, 0);
	do
		REQUIRE(raw_hear(&r, &since, CHUNK_HEARTBEAT, &question));
	while (r.heard[since - 1].path != ELSEWHERE);
	raw_begin(&r, &d);
	packet_add(&d, CHUNK_HEARTBEAT_ACK, (uint16_t)question.len, question.bytes + 4, question.len - 4);
	raw_add_data(&r, &d, 1, 0, 100);
	packet_finish(&d);
	d.bytes[d.len - 1] ^= damaged ? 1 : 0;
	REQUIRE(usrsctp_cmt_sim_inject(r.sim, ELSEWHERE, 1, d.bytes, d.len) == 0);
	raw_run(&r, 300000);
	s->sacks = raw_count(&r, 0, CHUNK_SACK);
	r.tsn -= damaged ? 1 : 0;
	s->alive = raw_alive(&r);
	raw_close(&r);
}

static void data_behind_the_answer_are_taken_in_with_it(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		const bool damaged = i == 1;
		struct seen s;

		isolate_run(answer_with_data, &damaged, &s, sizeof(s));
		assert_int_equal(s.sacks, !damaged);
		assert_true(s.alive);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(nothing_but_a_question_comes_of_what_a_stranger_says),
	    cmocka_unit_test(a_path_that_answers_carries_data),
	    cmocka_unit_test(what_came_before_the_answer_is_taken_when_it_is_there),
	    cmocka_unit_test(one_that_does_not_answer_carries_nothing_and_ends_nothing),
	    cmocka_unit_test(what_stands_behind_a_question_or_an_answer_waits_as_well),
	    cmocka_unit_test(data_behind_the_answer_are_taken_in_with_it),
	    cmocka_unit_test(no_more_than_three_times_what_came_goes_to_who_does_not_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
