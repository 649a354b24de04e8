/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Stream reset (RFC 6525) comes to an end: requests that had to wait for data are answered, a reset that was
 * denied or done makes room for the next, and data flow behind it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/content.h"
#include "support/isolate.h"
#include "support/pair.h"
#include "support/raw.h"
#include "support/variant.h"

/* RFC 6525, section 4. */
enum { OUTGOING_REQUEST = 13, INCOMING_REQUEST = 14, RESPONSE = 16, ADD_OUTGOING = 17 };
enum { PERFORMED = 1, DENIED = 2, ERROR_IN_PROGRESS = 4, IN_PROGRESS = 6, NO_ANSWER = 99 };
enum { REQUESTS = 20, SEEDS = 4, MESSAGE_BYTES = 100 };

static struct raw r;

static void enable(struct socket *so)
{
	const struct sctp_assoc_value all = {.assoc_value = SCTP_ENABLE_VALUE_MASK};

	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_ENABLE_STREAM_RESET, &all, sizeof(all)) == 0);
}

static const struct raw_options options = {
    .parameters = {0x80, 0x08, 0, 5, CHUNK_RECONFIG}, .parameters_bytes = 8, .configure = enable};

/* Appends a parameter of `n` numbers; the new length. */
static size_t add(uint8_t *body, size_t len, uint16_t type, const uint32_t *numbers, unsigned n)
{
	packet_put16(body + len, type);
	packet_put16(body + len + 2, (uint16_t)(4 + 4 * n));
	for (unsigned i = 0; i < n; i++)
		packet_put32(body + len + 4 + 4 * i, numbers[i]);
	return len + 4 + 4 * n;
}

static void send_reconfig(const uint8_t *body, size_t len)
{
	struct packet_draft d;

	raw_begin(&r, &d);
	packet_add(&d, CHUNK_RECONFIG, (uint16_t)(4 + len), body, len);
	raw_send(&r, 0, &d);
}

static uint32_t answer_in(const struct chunk *c, uint32_t request)
{
	for (size_t at = 4; at + 12 <= c->len; at += (packet_get16(c->bytes + at + 2) + 3U) & ~3U) {
		if (packet_get16(c->bytes + at) == RESPONSE && packet_get32(c->bytes + at + 4) == request)
			return packet_get32(c->bytes + at + 8);
	}
	return NO_ANSWER;
}

/* What the stack answered to the peer's request, in packets from `since` on. */
static uint32_t answer_to(uint32_t request, unsigned since)
{
	uint32_t answer = NO_ANSWER;

	for (unsigned i = since; i < r.n_heard && answer == NO_ANSWER; i++) {
		size_t offset = 0;
		struct chunk c;

		while (answer == NO_ANSWER &&
		       packet_next_chunk(r.heard[i].bytes, r.heard[i].len, &offset, &c)) {
			if (c.type == CHUNK_RECONFIG)
				answer = answer_in(&c, request);
		}
	}
	return answer;
}

/* Two requests in one chunk, the first of which has to wait for a message. */
static void both_directions(const void *job, void *outcome)
{
	const uint32_t outgoing[] = {RAW_TSN, 0, RAW_TSN}, incoming[] = {RAW_TSN + 1};
	uint32_t *answers = outcome;
	uint8_t body[24];
	struct packet_draft d;
	unsigned since;
	size_t len;

	(void)job;
	raw_accepted(&r, &options);
	since = r.n_heard;
	len = add(body, 0, OUTGOING_REQUEST, outgoing, 3);
	len = add(body, len, INCOMING_REQUEST, incoming, 1);
	send_reconfig(body, len);
	answers[0] = answer_to(RAW_TSN, since);
	raw_begin(&r, &d);
	raw_add_data(&r, &d, 0, 0, 100);
	raw_send(&r, 0, &d);
	since = r.n_heard;
	send_reconfig(body, len);
	answers[1] = answer_to(RAW_TSN, since);
	raw_close(&r);
}

static void a_request_that_waited_for_data_is_done_behind_them(void **state)
{
	uint32_t answers[2];

	(void)state;
	isolate_run(both_directions, NULL, answers, sizeof(answers));
	assert_int_equal(answers[0], IN_PROGRESS);
	assert_int_equal(answers[1], CMT_TEST_FIXED ? PERFORMED : IN_PROGRESS);
}

/* The message that is missing is not the last one before the reset. */
static void close_a_gap(const void *job, void *outcome)
{
	const uint32_t outgoing[] = {RAW_TSN, 0, RAW_TSN + 1};
	uint32_t *answers = outcome;
	uint8_t body[16];
	struct packet_draft first, second;
	unsigned since;
	size_t len;

	(void)job;
	raw_accepted(&r, &options);
	raw_begin(&r, &first);
	raw_add_data(&r, &first, 0, 0, 100);
	raw_begin(&r, &second);
	raw_add_data(&r, &second, 0, 1, 100);
	raw_send(&r, 0, &second);
	len = add(body, 0, OUTGOING_REQUEST, outgoing, 3);
	since = r.n_heard;
	send_reconfig(body, len);
	answers[0] = answer_to(RAW_TSN, since);
	since = r.n_heard;
	raw_send(&r, 0, &first);
	answers[1] = answer_to(RAW_TSN, since);
	since = r.n_heard;
	send_reconfig(body, len);
	answers[2] = answer_to(RAW_TSN, since);
	raw_close(&r);
}

static void a_reset_is_done_with_the_data_that_close_the_last_gap(void **state)
{
	uint32_t answers[3];

	(void)state;
	isolate_run(close_a_gap, NULL, answers, sizeof(answers));
	assert_int_equal(answers[0], IN_PROGRESS);
	assert_int_equal(answers[1], CMT_TEST_FIXED ? PERFORMED : NO_ANSWER);
	assert_int_equal(answers[2], CMT_TEST_FIXED ? PERFORMED : IN_PROGRESS);
}

static void many_requests(const void *job, void *outcome)
{
	uint32_t *answers = outcome;

	(void)job;
	raw_accepted(&r, &options);
	for (uint32_t i = 0; i < REQUESTS; i++) {
		const uint32_t request[] = {RAW_TSN + i, 0, RAW_TSN + 1000};
		const unsigned since = r.n_heard;
		uint8_t body[16];

		send_reconfig(body, add(body, 0, OUTGOING_REQUEST, request, 3));
		answers[i] = answer_to(RAW_TSN + i, since);
	}
	raw_close(&r);
}

static void one_request_waits_at_a_time(void **state)
{
	uint32_t answers[REQUESTS];

	(void)state;
	isolate_run(many_requests, NULL, answers, sizeof(answers));
	assert_int_equal(answers[0], IN_PROGRESS);
	for (unsigned i = 1; i < REQUESTS; i++)
		assert_int_equal(answers[i], CMT_TEST_FIXED ? ERROR_IN_PROGRESS : IN_PROGRESS);
}

static bool ask_new_tsns(struct socket *so)
{
	const sctp_assoc_t unused = 0;

	return usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_RESET_ASSOC, &unused, sizeof(unused)) == 0;
}

static void deny(const void *job, void *outcome)
{
	const unsigned n_numbers = *(const unsigned *)job;
	uint32_t numbers[] = {0, DENIED, 0, 0};
	uint8_t body[20];
	struct chunk c;
	unsigned since;

	raw_accepted(&r, &options);
	since = r.n_heard;
	REQUIRE(ask_new_tsns(r.so));
	raw_run(&r, 1000);
	REQUIRE(raw_hear(&r, &since, CHUNK_RECONFIG, &c));
	numbers[0] = packet_get32(c.bytes + 8);
	send_reconfig(body, add(body, 0, RESPONSE, numbers, n_numbers));
	*(bool *)outcome = ask_new_tsns(r.so);
	raw_close(&r);
}

static void a_reset_that_was_denied_is_over(void **state)
{
	/* The TSNs are in answers to what was done only, or in all. */
	static const unsigned n_numbers[] = {2, 4};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		bool again;

		isolate_run(deny, &n_numbers[i], &again, sizeof(again));
		assert_int_equal(again, CMT_TEST_FIXED);
	}
}

/* The application writes before the answer comes. */
static void write_meanwhile(const void *job, void *outcome)
{
	uint32_t numbers[] = {0, PERFORMED, RAW_TSN, 0};
	uint8_t body[20];
	struct chunk c;
	unsigned since;

	(void)job;
	raw_accepted(&r, &options);
	since = r.n_heard;
	REQUIRE(ask_new_tsns(r.so));
	raw_run(&r, 1000);
	REQUIRE(raw_hear(&r, &since, CHUNK_RECONFIG, &c));
	raw_write(&r, 5);
	raw_run(&r, 1000);
	numbers[0] = packet_get32(c.bytes + 8);
	numbers[3] = r.stack_tsn + 4096;
	since = r.n_heard;
	send_reconfig(body, add(body, 0, RESPONSE, numbers, 4));
	*(unsigned *)outcome = raw_count(&r, since, CHUNK_ABORT);
	raw_close(&r);
}

static void new_tsns_under_outstanding_data_end_the_association(void **state)
{
	unsigned aborts;

	(void)state;
	isolate_run(write_meanwhile, NULL, &aborts, sizeof(aborts));
	assert_int_equal(aborts, CMT_TEST_FIXED);
}

/* What the application asks for, and what the peer answers; the answer is lost at first. */
struct lost_answer {
	uint16_t request; /* OUTGOING_REQUEST, INCOMING_REQUEST, ADD_OUTGOING */
	uint32_t answer;  /* NO_ANSWER: none but the peer's request */
};

struct believed {
	bool wrote_before; /* the answer came: a stream that is being reset takes nothing */
	unsigned number;   /* SSN of the second message */
	unsigned streams;
	bool again; /* the application may ask for something else */
};

static bool ask(const struct lost_answer *job)
{
	const struct sctp_add_streams more = {.sas_outstrms = 2};
	struct sctp_reset_streams all = {.srs_flags = job->request == INCOMING_REQUEST
	                                                  ? SCTP_STREAM_RESET_INCOMING
	                                                  : SCTP_STREAM_RESET_OUTGOING};

	if (job->request == ADD_OUTGOING)
		return usrsctp_setsockopt(r.so, IPPROTO_SCTP, SCTP_ADD_STREAMS, &more, sizeof(more)) == 0;
	return usrsctp_setsockopt(r.so, IPPROTO_SCTP, SCTP_RESET_STREAMS, &all, sizeof(all)) == 0;
}

static bool writes(void)
{
	return usrsctp_sendv(r.so, "again", 5, NULL, 0, NULL, 0, SCTP_SENDV_NOINFO, 0) == 5;
}

static unsigned streams(void)
{
	struct sctp_status status = {.sstat_assoc_id = raw_association(&r)};
	socklen_t bytes = sizeof(status);

	REQUIRE(usrsctp_getsockopt(r.so, IPPROTO_SCTP, SCTP_STATUS, &status, &bytes) == 0);
	return status.sstat_outstrms;
}

static void answer_is_lost(const void *job, void *outcome)
{
	const struct lost_answer *lost = job;
	struct believed *b = outcome;
	uint32_t request[] = {RAW_TSN, 0, RAW_TSN - 1}, answer[] = {0, lost->answer};
	uint8_t body[16];
	struct chunk c;
	unsigned since;

	raw_accepted(&r, &options);
	raw_write(&r, 5);
	raw_run(&r, 1000);
	raw_acknowledge(&r);
	b->streams = streams();
	since = r.n_heard;
	REQUIRE(ask(lost));
	raw_run(&r, 1000);
	REQUIRE(raw_hear(&r, &since, CHUNK_RECONFIG, &c));
	request[1] = answer[0] = packet_get32(c.bytes + 8);
	send_reconfig(body, add(body, 0, OUTGOING_REQUEST, request, 3));
	since = r.n_heard;
	b->wrote_before = writes();
	b->streams = streams() - b->streams;
	if (lost->answer != NO_ANSWER)
		send_reconfig(body, add(body, 0, RESPONSE, answer, 2));
	REQUIRE(b->wrote_before || writes());
	raw_run(&r, 1000);
	REQUIRE(raw_hear(&r, &since, CHUNK_DATA, &c));
	b->number = packet_get16(c.bytes + 10);
	b->again = ask(lost);
	raw_close(&r);
}

/* RFC 6525, section 4.1: it says which requests the peer has seen. */
static void the_peers_own_request_grants_none_of_ours(void **state)
{
	static const struct lost_answer jobs[] = {
	    {OUTGOING_REQUEST, DENIED}, {OUTGOING_REQUEST, PERFORMED}, {ADD_OUTGOING, DENIED}};

	(void)state;
	for (unsigned i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		const bool resets = jobs[i].request == OUTGOING_REQUEST;
		struct believed b;

		isolate_run(answer_is_lost, &jobs[i], &b, sizeof(b));
		assert_int_equal(b.wrote_before, !resets || !CMT_TEST_FIXED);
		assert_int_equal(b.number,
		                 resets && (jobs[i].answer == PERFORMED || !CMT_TEST_FIXED) ? 0 : 1);
		assert_int_equal(b.streams, resets || CMT_TEST_FIXED ? 0 : 2);
		assert_true(b.again);
	}
}

static void the_peers_own_request_answers_one_for_incoming_streams(void **state)
{
	static const struct lost_answer job = {INCOMING_REQUEST, NO_ANSWER};
	struct believed b;

	(void)state;
	isolate_run(answer_is_lost, &job, &b, sizeof(b));
	assert_int_equal(b.number, 1);
	assert_true(b.again);
}

static void enable_at(struct socket *so, int host, void *arg)
{
	(void)host;
	(void)arg;
	enable(so);
}

/* The client asks, and sends what makes the transfer complete. */
static void new_tsns_amid_a_transfer(const void *job, void *outcome)
{
	const struct usrsctp_cmt_sim_link link = {.rate_bps = 1000000, .delay_us = 10000};
	struct pair_options o = *(const struct pair_options *)job;
	struct pair pair;

	o.n_paths = 2;
	for (unsigned i = 0; i < 2; i++)
		o.forward[i] = o.backward[i] = link;
	o.bytes = 20000;
	o.configure = enable_at;
	pair_open(&pair, &o);
	pair_run(&pair, 5000000);
	REQUIRE(pair.complete);
	pair_linger(&pair, 6000000);
	REQUIRE(ask_new_tsns(pair.client));
	pair_linger(&pair, 7000000);
	for (unsigned i = 0; i < 20; i++) {
		REQUIRE(usrsctp_sendv(pair.client, content_of_stream(pair.received_bytes, MESSAGE_BYTES),
		                      MESSAGE_BYTES, NULL, 0, NULL, 0, SCTP_SENDV_NOINFO,
		                      0) == MESSAGE_BYTES);
		pair_linger(&pair, 7000000 + (i + 1) * 1000000);
	}
	*(bool *)outcome = pair.received_bytes == o.bytes + 20 * MESSAGE_BYTES && ask_new_tsns(pair.client);
	pair_close(&pair);
}

static unsigned transfers_that_go_on(const char *scheduler)
{
	unsigned n = 0;

	for (unsigned seed = 0; seed < SEEDS; seed++) {
		const struct pair_options o = {.seed = seed, .scheduler = scheduler};
		bool goes_on = false;

		isolate_run(new_tsns_amid_a_transfer, &o, &goes_on, sizeof(goes_on));
		n += goes_on;
	}
	return n;
}

static void data_flow_behind_new_tsns(void **state)
{
	const unsigned n = transfers_that_go_on(NULL);

	(void)state;
	if (CMT_TEST_FIXED)
		assert_int_equal(n, SEEDS);
	else
		assert_true(n < SEEDS);
}

static void data_flow_behind_new_tsns_with_a_scheduler(void **state)
{
	(void)state;
	if (!CMT_TEST_FIXED)
		return; /* schedulers are the fork's */
	assert_int_equal(transfers_that_go_on("arrival"), SEEDS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_request_that_waited_for_data_is_done_behind_them),
	    cmocka_unit_test(a_reset_is_done_with_the_data_that_close_the_last_gap),
	    cmocka_unit_test(one_request_waits_at_a_time),
	    cmocka_unit_test(a_reset_that_was_denied_is_over),
	    cmocka_unit_test(new_tsns_under_outstanding_data_end_the_association),
	    cmocka_unit_test(the_peers_own_request_grants_none_of_ours),
	    cmocka_unit_test(the_peers_own_request_answers_one_for_incoming_streams),
	    cmocka_unit_test(data_flow_behind_new_tsns),
	    cmocka_unit_test(data_flow_behind_new_tsns_with_a_scheduler),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
