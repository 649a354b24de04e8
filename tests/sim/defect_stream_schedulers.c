/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Upstream's stream schedulers, when streams are added or priorities changed while messages are queued: every
 * message is sent, the fragments of each in a row (RFC 9260, section 6.9), in the order of the priorities. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "support/isolate.h"
#include "support/raw.h"
#include "support/variant.h"

enum { MESSAGE_BYTES = 1000, MESSAGES = 40, LONG_BYTES = 30000, TSNS_MAX = 200 };

/* What was sent, by TSN. */
struct outcome {
	unsigned n;
	uint16_t streams[TSNS_MAX];
	uint8_t flags[TSNS_MAX];
};

static struct raw r;
static struct raw_options options = {.parameters = {0x80, 8, 0, 5, CHUNK_RECONFIG}, .parameters_bytes = 8};

static void open_with(uint32_t scheduler)
{
	const int buffer_bytes = 1000000;
	struct sctp_assoc_value value = {.assoc_id = SCTP_CURRENT_ASSOC, .assoc_value = scheduler};

	raw_accepted(&r, &options);
	REQUIRE(usrsctp_setsockopt(r.so, SOL_SOCKET, SO_SNDBUF, &buffer_bytes, sizeof(buffer_bytes)) == 0);
	REQUIRE(usrsctp_setsockopt(r.so, IPPROTO_SCTP, SCTP_PLUGGABLE_SS, &value, sizeof(value)) == 0);
	value.assoc_value = SCTP_ENABLE_CHANGE_ASSOC_REQ;
	REQUIRE(usrsctp_setsockopt(r.so, IPPROTO_SCTP, SCTP_ENABLE_STREAM_RESET, &value, sizeof(value)) == 0);
}

static void queue(uint16_t stream, size_t bytes)
{
	static const uint8_t message[LONG_BYTES];
	struct sctp_sndinfo info = {.snd_sid = stream};

	REQUIRE(usrsctp_sendv(r.so, message, bytes, NULL, 0, &info, sizeof(info), SCTP_SENDV_SNDINFO, 0) ==
	        (ssize_t)bytes);
}

static void add_streams(void)
{
	struct sctp_add_streams add = {.sas_outstrms = 20};

	REQUIRE(usrsctp_setsockopt(r.so, IPPROTO_SCTP, SCTP_ADD_STREAMS, &add, sizeof(add)) == 0);
}

/* Acknowledges until nothing more comes. */
static void drain(struct outcome *o)
{
	for (unsigned i = 0; i < MESSAGES + 20; i++)
		raw_acknowledge(&r);
	for (unsigned i = 0; i < r.n_heard; i++) {
		size_t offset = 0;
		struct chunk c;

		while (packet_next_chunk(r.heard[i].bytes, r.heard[i].len, &offset, &c)) {
			uint32_t at = chunk_tsn(&c) - r.stack_tsn;

			if (!chunk_is_data(&c))
				continue;
			REQUIRE(at < TSNS_MAX);
			o->n = at >= o->n ? at + 1 : o->n;
			o->streams[at] = packet_get16(c.bytes + 8);
			o->flags[at] = c.bytes[1];
		}
	}
	raw_close(&r);
}

static const uint32_t schedulers[] = {SCTP_SS_DEFAULT,  SCTP_SS_ROUND_ROBIN,   SCTP_SS_ROUND_ROBIN_PACKET,
                                      SCTP_SS_PRIORITY, SCTP_SS_FAIR_BANDWITH, SCTP_SS_FIRST_COME};
enum { N_SCHEDULERS = sizeof(schedulers) / sizeof(schedulers[0]) };

static void add_amid_messages(const void *job, void *outcome)
{
	open_with(*(const uint32_t *)job);
	for (uint16_t i = 0; i < MESSAGES; i++)
		queue(i % 5, MESSAGE_BYTES);
	add_streams();
	drain(outcome);
}

static void all_queued_messages_are_sent(void **state)
{
	(void)state;
	for (unsigned i = 0; i < N_SCHEDULERS; i++) {
		struct outcome o;

		isolate_run(add_amid_messages, &schedulers[i], &o, sizeof(o));
		printf("scheduler %u: %u of %u messages\n", schedulers[i], o.n, MESSAGES);
		assert_int_equal(o.n == MESSAGES, CMT_TEST_FIXED || schedulers[i] != SCTP_SS_FIRST_COME);
	}
}

static void add_amid_a_message(const void *job, void *outcome)
{
	open_with(*(const uint32_t *)job);
	queue(1, LONG_BYTES);
	queue(2, LONG_BYTES);
	queue(3, MESSAGE_BYTES);
	add_streams();
	drain(outcome);
}

static void fragments_stand_in_a_row(void **state)
{
	unsigned torn = 0;

	(void)state;
	for (unsigned i = 0; i < N_SCHEDULERS; i++) {
		struct outcome o;
		bool amid = false;

		isolate_run(add_amid_a_message, &schedulers[i], &o, sizeof(o));
		for (unsigned at = 0; at < o.n; at++) {
			bool first = (o.flags[at] & 2) != 0, last = (o.flags[at] & 1) != 0;

			torn += first == amid || (amid && o.streams[at] != o.streams[at - 1]);
			amid = !last;
		}
		printf("scheduler %u: %u TSNs, %u torn so far\n", schedulers[i], o.n, torn);
	}
	assert_int_equal(torn > 0, !CMT_TEST_FIXED);
}

static void change_priority(const void *job, void *outcome)
{
	struct sctp_stream_value later = {.assoc_id = SCTP_CURRENT_ASSOC, .stream_id = 2, .stream_value = 5};

	(void)job;
	open_with(SCTP_SS_PRIORITY);
	for (unsigned i = 0; i < 20; i++)
		queue(1, MESSAGE_BYTES);
	for (unsigned i = 0; i < 20; i++)
		queue(2, MESSAGE_BYTES);
	raw_run(&r, 1000);
	REQUIRE(usrsctp_setsockopt(r.so, IPPROTO_SCTP, SCTP_SS_VALUE, &later, sizeof(later)) == 0);
	drain(outcome);
}

static void a_changed_priority_counts_at_once(void **state)
{
	struct outcome o;
	unsigned last_of_1 = 0, first_of_2 = UINT_MAX;

	(void)state;
	isolate_run(change_priority, NULL, &o, sizeof(o));
	assert_int_equal(o.n, 40);
	for (unsigned at = 0; at < o.n; at++) {
		if (o.streams[at] == 1)
			last_of_1 = at;
		else if (first_of_2 == UINT_MAX)
			first_of_2 = at;
	}
	printf("stream 1 ends at %u, stream 2 begins at %u\n", last_of_1, first_of_2);
	assert_int_equal(last_of_1 < first_of_2, CMT_TEST_FIXED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(all_queued_messages_are_sent),
	    cmocka_unit_test(fragments_stand_in_a_row),
	    cmocka_unit_test(a_changed_priority_counts_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
