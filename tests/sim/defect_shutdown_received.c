/* SPDX-License-Identifier: BSD-3-Clause
 *
 * SHUTDOWN comes while data wait or are out: they go, and are acknowledged, before SHUTDOWN-ACK (RFC 9260,
 * section 9.2), whatever stands behind it in its packet and whatever the peer had acknowledged before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "support/isolate.h"
#include "support/raw.h"
#include "support/variant.h"

enum { MESSAGE_BYTES = 1000, SOON_US = 2000, TIMEOUT_US = 4000000, PATIENCE_US = 20000000 };

static struct raw r;
static struct raw_options options;

struct outcome {
	unsigned data, aborts, answers; /* SHUTDOWN-ACKs */
};

/* Everything up to the TSN `n_messages` from the first. */
static void add_shutdown(struct packet_draft *d, unsigned n_messages)
{
	uint8_t cumulative[4];

	packet_put32(cumulative, r.stack_tsn + n_messages - 1);
	packet_add(d, CHUNK_SHUTDOWN, 8, cumulative, sizeof(cumulative));
}

static void shut_down(unsigned n_messages)
{
	struct packet_draft d;

	raw_begin(&r, &d);
	add_shutdown(&d, n_messages);
	raw_send(&r, 0, &d);
	raw_run(&r, SOON_US);
}

static void count(struct outcome *o, unsigned since)
{
	o->data = raw_count(&r, since, CHUNK_DATA);
	o->aborts = raw_count(&r, since, CHUNK_ABORT);
}

/* --- a SHUTDOWN-ACK that nobody has asked for --- */

static void shut_down_with_unasked_shutdown_ack(const void *job, void *outcome)
{
	struct outcome *o = outcome;
	struct packet_draft d;
	unsigned since;

	(void)job;
	raw_accepted(&r, &options);
	raw_write(&r, MESSAGE_BYTES);
	raw_write(&r, MESSAGE_BYTES); /* less than a packet: waits (Nagle) */
	raw_run(&r, SOON_US);
	REQUIRE(raw_count(&r, 0, CHUNK_DATA) == 1);
	since = r.n_heard;
	raw_begin(&r, &d);
	add_shutdown(&d, 1);
	packet_add(&d, CHUNK_SHUTDOWN_ACK, 4, NULL, 0);
	raw_send(&r, 0, &d);
	raw_run(&r, SOON_US);
	count(o, since);
	shut_down(2);
	o->answers = raw_count(&r, since, CHUNK_SHUTDOWN_ACK);
	raw_close(&r);
}

static void data_wait_for_nothing_when_a_shutdown_ack_is_ignored(void **state)
{
	struct outcome o = {.data = 0};
	bool survived;

	(void)state;
	options = (struct raw_options){.n_paths = 1};
	survived = isolate_survives(shut_down_with_unasked_shutdown_ack, NULL, &o, sizeof(o));
	printf("%s, DATA %u\n", survived ? "survives" : "crashes", o.data);
	assert_int_equal(survived && o.data == 1 && o.answers == 1, CMT_TEST_FIXED);
	assert_int_equal(o.aborts, 0);
}

/* --- what a gap ack block had acknowledged --- */

/* Of two messages the second, by a gap ack block or by one of those that cannot be taken back. */
static void acknowledge_second(uint8_t type)
{
	static const uint8_t one_block[4] = {0, 2, 0, 2};
	uint8_t body[20] = {0};
	struct packet_draft d;
	const size_t head = type == CHUNK_NR_SACK ? 16 : 12;

	packet_put32(body, r.stack_tsn - 1);
	packet_put32(body + 4, RAW_WINDOW_BYTES);
	body[type == CHUNK_NR_SACK ? 11 : 9] = 1;
	memcpy(body + head, one_block, sizeof(one_block));
	raw_begin(&r, &d);
	packet_add(&d, type, (uint16_t)(4 + head + 4), body, head + 4);
	raw_send(&r, 0, &d);
}

static void send_at_once(struct socket *so)
{
	const int on = 1;

	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_NODELAY, &on, sizeof(on)) == 0);
}

static void write_two(void)
{
	raw_accepted(&r, &options);
	raw_write(&r, MESSAGE_BYTES);
	raw_write(&r, MESSAGE_BYTES);
	raw_run(&r, SOON_US);
	REQUIRE(raw_count(&r, 0, CHUNK_DATA) == 2);
}

/* The peer drops the second message, which it may, takes the first when it comes again, and shuts down. */
static void renege_and_shut_down(const void *job, void *outcome)
{
	struct outcome *o = outcome;
	unsigned since;

	(void)job;
	write_two();
	acknowledge_second(CHUNK_SACK);
	shut_down(1);
	since = r.n_heard;
	raw_run(&r, TIMEOUT_US);
	count(o, since);
	shut_down(2);
	o->answers = raw_count(&r, since, CHUNK_SHUTDOWN_ACK);
	raw_close(&r);
}

static void what_the_peer_took_back_is_sent_again(void **state)
{
	struct outcome o = {.data = 0};
	bool survived;

	(void)state;
	options = (struct raw_options){.n_paths = 1, .configure = send_at_once};
	survived = isolate_survives(renege_and_shut_down, NULL, &o, sizeof(o));
	printf("%s, DATA %u\n", survived ? "survives" : "crashes", o.data);
	assert_int_equal(survived && o.data > 0, CMT_TEST_FIXED);
	if (CMT_TEST_FIXED)
		assert_int_equal(o.answers, 1);
}

static void want_nr_sack(struct socket *so)
{
	struct sctp_assoc_value on = {.assoc_id = SCTP_FUTURE_ASSOC, .assoc_value = 1};

	send_at_once(so);
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_NRSACK_SUPPORTED, &on, sizeof(on)) == 0);
}

/* In SACK or SHUTDOWN the peer denies what it had said it delivered. */
static void deny_delivery(const void *job, void *outcome)
{
	const bool in_shutdown = *(const bool *)job;
	struct outcome *o = outcome;
	unsigned since;

	write_two();
	since = r.n_heard;
	acknowledge_second(CHUNK_NR_SACK);
	if (in_shutdown) {
		shut_down(1);
	} else {
		uint8_t body[12] = {0};
		struct packet_draft d;

		packet_put32(body, r.stack_tsn);
		packet_put32(body + 4, RAW_WINDOW_BYTES);
		raw_begin(&r, &d);
		packet_add(&d, CHUNK_SACK, 16, body, sizeof(body));
		raw_send(&r, 0, &d);
	}
	raw_run(&r, PATIENCE_US);
	count(o, since);
	raw_close(&r);
}

static void who_denies_a_delivery_is_aborted(void **state)
{
	static const uint8_t knows_nr_sack[] = {0x80, 0x08, 0, 5, CHUNK_NR_SACK, 0, 0, 0};

	(void)state;
	options = (struct raw_options){
	    .n_paths = 1, .parameters_bytes = sizeof(knows_nr_sack), .configure = want_nr_sack};
	memcpy(options.parameters, knows_nr_sack, sizeof(knows_nr_sack));
	for (unsigned i = 0; i < 2; i++) {
		const bool in_shutdown = i == 1;
		struct outcome o = {.data = 0};
		bool survived = isolate_survives(deny_delivery, &in_shutdown, &o, sizeof(o));

		printf("%s, ABORT %u\n", survived ? "survives" : "crashes", o.aborts);
		assert_int_equal(survived && o.aborts == 1, CMT_TEST_FIXED);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(data_wait_for_nothing_when_a_shutdown_ack_is_ignored),
	    cmocka_unit_test(what_the_peer_took_back_is_sent_again),
	    cmocka_unit_test(who_denies_a_delivery_is_aborted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
