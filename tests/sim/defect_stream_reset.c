/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Stream reset (RFC 6525) by a peer that chooses its moment: requests while the application has closed its
 * socket and data are still on their way, and answers that move the TSNs further than any window allows. And
 * an answer goes where its request came from. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/raw.h"
#include "support/variant.h"

/* RFC 6525, section 4. */
enum { SSN_TSN_RESET_REQUEST = 15, RESPONSE = 16, ADD_OUTGOING_STREAMS_REQUEST = 17 };
enum { PERFORMED = 1 };

static struct raw r;

static void configure(struct socket *so)
{
	static const uint16_t events[] = {SCTP_STREAM_RESET_EVENT, SCTP_ASSOC_RESET_EVENT,
	                                  SCTP_STREAM_CHANGE_EVENT};
	const struct sctp_assoc_value all = {.assoc_value = SCTP_ENABLE_VALUE_MASK};

	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_ENABLE_STREAM_RESET, &all, sizeof(all)) == 0);
	for (unsigned i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		const struct sctp_event event = {
		    .se_assoc_id = SCTP_FUTURE_ASSOC, .se_type = events[i], .se_on = 1};

		REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_EVENT, &event, sizeof(event)) == 0);
	}
}

static const struct raw_options styles[] = {
    {.parameters = {0x80, 0x08, 0, 5, CHUNK_RECONFIG}, .parameters_bytes = 8, .configure = configure},
    {.parameters = {0x80, 0x08, 0, 5, CHUNK_RECONFIG},
     .parameters_bytes = 8,
     .configure = configure,
     .one_to_many = true},
};
enum { STYLES = sizeof(styles) / sizeof(styles[0]) };

struct job {
	const struct raw_options *options;
	uint16_t type; /* of the request */
	bool closed;   /* by the application, with data that nobody acknowledges */
	uint32_t jump; /* by which the answer raises the peer's next TSN */
};

struct outcome {
	unsigned answers, aborts;
};

/* A RE-CONFIG with one parameter of `n` 32-bit numbers. */
static void send_reconfig_on(int path, uint16_t type, const uint32_t *numbers, unsigned n)
{
	uint8_t parameter[4 + 16];
	struct packet_draft d;

	packet_put16(parameter, type);
	packet_put16(parameter + 2, (uint16_t)(4 + 4 * n));
	for (unsigned i = 0; i < n; i++)
		packet_put32(parameter + 4 + 4 * i, numbers[i]);
	raw_begin(&r, &d);
	packet_add(&d, CHUNK_RECONFIG, (uint16_t)(8 + 4 * n), parameter, 4 + 4 * n);
	raw_send(&r, path, &d);
}

static void send_reconfig(uint16_t type, const uint32_t *numbers, unsigned n)
{
	send_reconfig_on(0, type, numbers, n);
}

static void tell(struct outcome *o, unsigned since)
{
	o->answers = raw_count(&r, since, CHUNK_RECONFIG);
	o->aborts = raw_count(&r, since, CHUNK_ABORT);
	raw_run(&r, 1000000);
	raw_close(&r);
}

static void request(const void *job, void *outcome)
{
	const struct job *j = job;
	const uint32_t numbers[] = {r.tsn + RAW_TSN, 5 << 16};
	unsigned since;

	raw_accepted(&r, j->options);
	if (j->type != SSN_TSN_RESET_REQUEST) /* which is denied while data are outstanding */
		raw_write(&r, 5);
	raw_run(&r, 1000);
	raw_close_socket(&r);
	since = r.n_heard;
	send_reconfig(j->type, numbers, j->type == SSN_TSN_RESET_REQUEST ? 1 : 2);
	tell(outcome, since);
}

static void a_request_to_a_closed_socket_is_answered(void **state)
{
	static const uint16_t types[] = {SSN_TSN_RESET_REQUEST, ADD_OUTGOING_STREAMS_REQUEST};

	(void)state;
	for (unsigned i = 0; i < 2 * STYLES; i++) {
		const struct job job = {.options = &styles[i % STYLES], .type = types[i / STYLES]};
		struct outcome o;

		assert_int_equal(isolate_survives(request, &job, &o, sizeof(o)), CMT_TEST_FIXED);
		if (!CMT_TEST_FIXED)
			continue;
		assert_int_equal(o.answers, 1);
		assert_int_equal(o.aborts, 0);
	}
}

/* The application asks for new TSNs, and the peer's next one is far ahead. */
static void answer(const void *job, void *outcome)
{
	const struct job *j = job;
	struct chunk c;
	sctp_assoc_t association;
	uint32_t numbers[] = {0, PERFORMED, RAW_TSN + j->jump, 0};
	unsigned since;

	raw_accepted(&r, j->options);
	association = raw_association(&r);
	since = r.n_heard;
	REQUIRE(usrsctp_setsockopt(r.so, IPPROTO_SCTP, SCTP_RESET_ASSOC, &association, sizeof(association)) ==
	        0);
	raw_run(&r, 1000);
	REQUIRE(raw_hear(&r, &since, CHUNK_RECONFIG, &c));
	numbers[0] = packet_get32(c.bytes + 8);
	numbers[3] = r.stack_tsn;
	if (j->closed) {
		raw_write(&r, 5);
		raw_close_socket(&r);
		raw_run(&r, 1000);
	}
	since = r.n_heard;
	send_reconfig(RESPONSE, numbers, 4);
	tell(outcome, since);
}

static void an_answer_beyond_every_window_ends_the_association(void **state)
{
	(void)state;
	for (unsigned i = 0; i < STYLES; i++) {
		const struct job job = {.options = &styles[i], .jump = 0x1000000};
		struct outcome o;
		const bool survives = isolate_survives(answer, &job, &o, sizeof(o));

		/* Elsewhere nobody sees what is done with the freed association. */
		if (CMT_TEST_FIXED || ISOLATE_WATCHES_MEMORY)
			assert_int_equal(survives, CMT_TEST_FIXED);
		if (survives)
			assert_int_equal(o.aborts, 1);
	}
}

static void a_closed_socket_has_no_window(void **state)
{
	(void)state;
	for (unsigned i = 0; i < STYLES; i++) {
		const struct job job = {.options = &styles[i], .closed = true, .jump = 1000};
		struct outcome o;

		assert_int_equal(isolate_survives(answer, &job, &o, sizeof(o)), CMT_TEST_FIXED);
		if (CMT_TEST_FIXED)
			assert_int_equal(o.aborts, 1);
	}
}

static void request_from_second_path(const void *job, void *outcome)
{
	static const struct raw_options two_paths = {
	    .n_paths = 2,
	    .parameters = {RAW_ADDRESS(0), RAW_ADDRESS(1), 0x80, 0x08, 0, 5, CHUNK_RECONFIG},
	    .parameters_bytes = 24,
	    .configure = configure};
	struct outcome *o = outcome;
	uint32_t numbers[2];
	struct chunk unused;
	unsigned since;

	(void)job;
	raw_accepted(&r, &two_paths);
	raw_run(&r, 1000000);
	raw_answer_heartbeats(&r, r.heard_before);
	since = r.n_heard;
	numbers[0] = r.tsn;
	numbers[1] = 5 << 16;
	send_reconfig_on(1, ADD_OUTGOING_STREAMS_REQUEST, numbers, 2);
	while (raw_hear(&r, &since, CHUNK_RECONFIG, &unused))
		o->answers += r.heard[since - 1].path == 1;
	raw_close(&r);
}

static void an_answer_goes_where_its_request_came_from(void **state)
{
	struct outcome o;

	(void)state;
	isolate_run(request_from_second_path, NULL, &o, sizeof(o));
	assert_int_equal(o.answers, CMT_TEST_FIXED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_answer_goes_where_its_request_came_from),
	    cmocka_unit_test(a_request_to_a_closed_socket_is_answered),
	    cmocka_unit_test(an_answer_beyond_every_window_ends_the_association),
	    cmocka_unit_test(a_closed_socket_has_no_window),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
