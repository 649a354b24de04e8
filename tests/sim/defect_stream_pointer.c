/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A sender waits for room in its buffer, and meanwhile another one adds streams: all streams move. Upstream
 * went on with the place where the stream had been: it wrote to freed memory, and the stream kept the mark
 * that its last message is not complete, so that the next message became a part of that.
 *
 * A thread that waits calls pthread_cond_wait(). Here the test does meanwhile what other threads would. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "support/isolate.h"
#include "support/raw.h"
#include "support/variant.h"

enum { SEND_BUFFER_BYTES = 20000, STREAM = 1, MESSAGES = 3, MORE_STREAMS = 1000 };
/* The second one finds room for a part of it, and the rest stays in the buffer when the first one has gone:
 * the window is closed then. */
static const size_t message_bytes[MESSAGES] = {15000, 18000, 100};

static struct raw r;
static const struct raw_options options = {.parameters = {0x80, 8, 0, 5, CHUNK_RECONFIG, 0, 0, 0},
                                           .parameters_bytes = 8};
static _Thread_local bool sending;
static unsigned waits;

struct outcome {
	unsigned waits, begins, ends;
	size_t bytes;
};

/* What was heard of the messages, each chunk once. */
static void take_stock(struct outcome *o)
{
	bool heard[1000] = {false};

	*o = (struct outcome){.waits = waits};
	for (unsigned i = 0; i < r.n_heard; i++) {
		size_t offset = 0;
		struct chunk c;

		while (packet_next_chunk(r.heard[i].bytes, r.heard[i].len, &offset, &c)) {
			uint32_t number = chunk_is_data(&c) ? chunk_tsn(&c) - r.stack_tsn : 0;

			REQUIRE(number < sizeof(heard));
			if (!chunk_is_data(&c) || heard[number])
				continue;
			heard[number] = true;
			o->begins += c.bytes[1] >> 1 & 1;
			o->ends += c.bytes[1] & 1;
			o->bytes += c.len - 16u;
		}
	}
}

static void add_streams(void)
{
	const struct sctp_add_streams more = {.sas_outstrms = MORE_STREAMS};

	REQUIRE(usrsctp_setsockopt(r.so, IPPROTO_SCTP, SCTP_ADD_STREAMS, &more, sizeof(more)) == 0);
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
	int (*wait)(pthread_cond_t *, pthread_mutex_t *);
	struct outcome o;

	if (!sending) {
		*(void **)&wait = dlsym(RTLD_NEXT, "pthread_cond_wait");
		return wait(condition, mutex);
	}
	pthread_mutex_unlock(mutex);
	if (waits++ == 0)
		add_streams();
	take_stock(&o);
	raw_acknowledge_within(&r, o.bytes < message_bytes[0] ? RAW_WINDOW_BYTES : 0);
	raw_run(&r, 10000);
	pthread_mutex_lock(mutex);
	return 0;
}

static void send_messages(void)
{
	static uint8_t bytes[SEND_BUFFER_BYTES];
	struct sctp_sndinfo info = {.snd_sid = STREAM, .snd_flags = SCTP_EOR};

	for (unsigned i = 0; i < MESSAGES; i++) {
		sending = true;
		REQUIRE(usrsctp_sendv(r.so, bytes, message_bytes[i], NULL, 0, &info, sizeof(info),
		                      SCTP_SENDV_SNDINFO, 0) == (ssize_t)message_bytes[i]);
		sending = false;
	}
}

static void add_streams_while_a_sender_waits(const void *job, void *outcome)
{
	const int buffer_bytes = SEND_BUFFER_BYTES, on = 1;
	struct outcome *o = outcome;

	(void)job;
	raw_accepted(&r, &options);
	REQUIRE(usrsctp_set_non_blocking(r.so, 0) == 0);
	REQUIRE(usrsctp_setsockopt(r.so, SOL_SOCKET, SO_SNDBUF, &buffer_bytes, sizeof(buffer_bytes)) == 0);
	/* Messages need not fit into what is left of the buffer. */
	REQUIRE(usrsctp_setsockopt(r.so, IPPROTO_SCTP, SCTP_EXPLICIT_EOR, &on, sizeof(on)) == 0);
	send_messages();
	for (unsigned i = 0; i < 20; i++) {
		raw_acknowledge(&r);
		raw_run(&r, 10000);
	}
	take_stock(o);
	raw_close(&r);
}

static void the_next_message_is_one_of_its_own(void **state)
{
	struct outcome o;
	bool survived = isolate_survives(add_streams_while_a_sender_waits, NULL, &o, sizeof(o));

	(void)state;
	printf("%d, %u waits, %u begins, %u ends, %zu octets\n", survived, o.waits, o.begins, o.ends,
	       o.bytes);
	assert_int_equal(survived && o.begins == MESSAGES && o.ends == MESSAGES, CMT_TEST_FIXED);
	if (survived)
		assert_true(o.waits > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_next_message_is_one_of_its_own)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
