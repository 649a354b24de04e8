/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages: what they carry, back pressure, several threads.
 *
 * cost: 1 s */
#include "support/pair.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define MESSAGES        400
#define STREAMS         4
#define LARGE_BYTES     200000u
#define PAIR_BULK_BYTES 60000u
#define PAIR_BULK_MAX   200 /* messages until everything is full */
#define THREADS         4
#define PER_THREAD      500
#define SHORT_WAIT_MS   50

static uint8_t content(size_t at)
{
	return (uint8_t)(at * 7 + at / 251);
}

static size_t length_of(size_t i)
{
	return i % 50 == 7 ? LARGE_BYTES : 1 + i * 13 % 3000;
}

static void *send_numbered(void *arg)
{
	static uint8_t bytes[LARGE_BYTES];

	for (size_t i = 0; i < MESSAGES; i++) {
		const struct usrsctp_cmt_message how = {.stream_id = (uint16_t)(i % STREAMS),
		                                        .ppid = (uint32_t)i};

		for (size_t at = 0; at < length_of(i); at++) {
			bytes[at] = content(i + at);
		}
		assert_worked(cmt_send(arg, bytes, length_of(i), &how, PAIR_TIMEOUT_MS));
	}
	return NULL;
}

static void messages_arrive_whole_and_in_the_order_of_their_stream(void **state)
{
	static uint8_t bytes[LARGE_BYTES];
	size_t next[STREAMS] = {0, 1, 2, 3};
	struct usrsctp_cmt_message how;
	struct pair p;
	pthread_t sender;

	(void)state;
	pair_init(&p);
	pair_open(&p);
	assert_int_equal(pthread_create(&sender, NULL, send_numbered, p.client), 0);
	for (size_t i = 0; i < MESSAGES; i++) {
		const ssize_t n = cmt_recv(p.server, bytes, sizeof(bytes), &how, PAIR_TIMEOUT_MS);

		assert_worked(n);
		assert_in_range(how.stream_id, 0, STREAMS - 1);
		assert_int_equal(how.ppid, next[how.stream_id]);
		assert_int_equal(how.flags, 0);
		assert_int_equal(n, length_of(how.ppid));
		for (ssize_t at = 0; at < n; at++) {
			assert_int_equal(bytes[at], content(how.ppid + (size_t)at));
		}
		next[how.stream_id] += STREAMS;
	}
	assert_int_equal(pthread_join(sender, NULL), 0);
	pair_close(&p);
}

static void a_message_says_that_it_is_unordered(void **state)
{
	const struct usrsctp_cmt_message how = {.flags = USRSCTP_CMT_MESSAGE_UNORDERED, .ppid = 77};
	struct usrsctp_cmt_message got;
	struct pair p;
	char byte;

	(void)state;
	pair_init(&p);
	pair_open(&p);
	assert_worked(cmt_send(p.server, "x", 1, &how, PAIR_TIMEOUT_MS));
	assert_int_equal(cmt_recv(p.client, &byte, 1, &got, PAIR_TIMEOUT_MS), 1);
	assert_int_equal(got.flags, USRSCTP_CMT_MESSAGE_UNORDERED);
	assert_int_equal(got.ppid, 77);
	pair_close(&p);
}

static void a_message_that_does_not_fit_stays(void **state)
{
	char bytes[10];
	struct pair p;

	(void)state;
	pair_init(&p);
	pair_open(&p);
	assert_worked(cmt_send(p.client, "0123456789", 10, NULL, PAIR_TIMEOUT_MS));
	assert_int_equal(cmt_recv(p.server, NULL, 0, NULL, PAIR_TIMEOUT_MS), 10);
	assert_fails(cmt_recv(p.server, bytes, 9, NULL, 0), EMSGSIZE, "has 10 bytes, the buffer 9");
	assert_int_equal(cmt_recv(p.server, bytes, 10, NULL, 0), 10);
	assert_memory_equal(bytes, "0123456789", 10);
	assert_fails(cmt_recv(p.server, bytes, 10, NULL, 0), EAGAIN, "would block");
	pair_close(&p);
}

static void what_cannot_be_sent_is_refused(void **state)
{
	static uint8_t large[PAIR_BULK_BYTES];
	struct usrsctp_cmt_message how = {.stream_id = STREAMS};
	struct pair p;

	(void)state;
	pair_init(&p);
	p.connecting.streams_out = STREAMS;
	p.connecting.sndbuf_bytes = PAIR_BULK_BYTES - 1;
	pair_open(&p);
	assert_fails(cmt_send(p.client, "", 0, NULL, 0), EINVAL, "empty message");
	assert_fails(cmt_send(p.client, "x", 1, &how, 0), EINVAL, "stream 4; there are 4");
	assert_fails(cmt_send(p.client, large, sizeof(large), NULL, 0), EMSGSIZE, "sndbuf_bytes is 59999");
	how.stream_id = STREAMS - 1;
	assert_worked(cmt_send(p.client, "x", 1, &how, 0));
	pair_close(&p);
}

static void a_message_that_is_too_large_for_the_receiver_ends_the_connection(void **state)
{
	static uint8_t large[LARGE_BYTES];
	struct pair p;

	(void)state;
	pair_init(&p);
	p.listening.message_max_bytes = LARGE_BYTES - 1;
	pair_open(&p);
	assert_worked(cmt_send(p.client, large, sizeof(large), NULL, 0));
	assert_fails(cmt_recv(p.server, large, sizeof(large), NULL, PAIR_TIMEOUT_MS), EMSGSIZE,
	             "larger than message_max_bytes");
	assert_fails(cmt_recv(p.client, large, 1, NULL, PAIR_TIMEOUT_MS), ECONNRESET, "");
	assert_fails(cmt_close(p.client, PAIR_TIMEOUT_MS), ECONNRESET, "");
	assert_fails(cmt_close(p.server, PAIR_TIMEOUT_MS), EMSGSIZE, "");
	cmt_listener_close(p.listener);
}

/* --- back pressure --- */

static void who_sends_waits_for_who_does_not_receive(void **state)
{
	static uint8_t bytes[PAIR_BULK_BYTES];
	struct pair p;
	int n, writable;

	(void)state;
	pair_init(&p);
	p.connecting.sndbuf_bytes = p.listening.rcvbuf_bytes = 300000;
	pair_open(&p);
	writable = cmt_fd(p.client, CMT_READY_SEND);
	assert_worked(writable);
	assert_true(pair_is_readable(writable));
	n = pair_fill(p.client);
	print_message("%d messages of %u bytes\n", n, PAIR_BULK_BYTES);
	assert_in_range(n, 10, 40);
	assert_false(pair_is_readable(writable));
	assert_fails(cmt_send(p.client, bytes, sizeof(bytes), NULL, 0), EAGAIN, "would block");
	assert_fails(cmt_send(p.client, bytes, 1, NULL, SHORT_WAIT_MS), ETIMEDOUT, "not within 50 ms");
	for (int i = 0; i < n; i++) {
		assert_int_equal(cmt_recv(p.server, bytes, sizeof(bytes), NULL, PAIR_TIMEOUT_MS),
		                 PAIR_BULK_BYTES);
	}
	assert_int_equal(poll(&(struct pollfd){.fd = writable, .events = POLLIN}, 1, PAIR_TIMEOUT_MS), 1);
	assert_worked(cmt_send(p.client, bytes, 1, NULL, 0));
	assert_int_equal(cmt_recv(p.server, bytes, sizeof(bytes), NULL, PAIR_TIMEOUT_MS), 1);
	pair_close(&p);
}

static void who_waits_to_send_hears_that_the_connection_is_lost(void **state)
{
	static uint8_t bytes[PAIR_BULK_BYTES];
	struct pair p;
	int result;

	(void)state;
	pair_init(&p);
	p.connecting.sndbuf_bytes = p.listening.rcvbuf_bytes = 300000;
	p.listening.sndbuf_bytes = p.connecting.rcvbuf_bytes = 300000;
	pair_open(&p);
	assert_true(pair_fill(p.client) < PAIR_BULK_MAX);
	assert_true(pair_fill(p.server) < PAIR_BULK_MAX); /* the client has a lot to receive, too */
	assert_worked(cmt_close(p.server, 0));
	do {
		result = cmt_send(p.client, bytes, sizeof(bytes), NULL, PAIR_TIMEOUT_MS);
	} while (result == 0);
	/* Where everything that came is received already, what it was lost with; else that has to wait. */
	assert_true(result == -EPIPE || result == -ECONNRESET);
	while (cmt_recv(p.client, bytes, sizeof(bytes), NULL, PAIR_TIMEOUT_MS) > 0) {
	}
	assert_fails(cmt_recv(p.client, bytes, sizeof(bytes), NULL, PAIR_TIMEOUT_MS), ECONNRESET, "");
	assert_fails(cmt_close(p.client, PAIR_TIMEOUT_MS), ECONNRESET, "");
	cmt_listener_close(p.listener);
}

/* --- threads --- */

struct job {
	struct cmt_connection *connection;
	uint16_t stream_id;
};

static void *send_a_stream(void *arg)
{
	const struct job *job = arg;
	uint8_t bytes[1000];

	for (uint32_t i = 0; i < PER_THREAD; i++) {
		const struct usrsctp_cmt_message how = {.stream_id = job->stream_id, .ppid = i};

		memset(bytes, (int)i, sizeof(bytes));
		assert_worked(cmt_send(job->connection, bytes, 1 + i % sizeof(bytes), &how, -1));
	}
	return NULL;
}

static void *receive_all(void *arg)
{
	struct cmt_connection *c = arg;
	size_t *n = calloc(1, sizeof(*n));
	uint8_t bytes[1000];

	while (cmt_recv(c, bytes, sizeof(bytes), NULL, -1) > 0) {
		(*n)++;
	}
	return n;
}

static void several_threads_send_and_several_receive(void **state)
{
	struct pair p;
	struct job jobs[THREADS];
	pthread_t senders[THREADS], receivers[THREADS];
	size_t received = 0;

	(void)state;
	pair_init(&p);
	pair_open(&p);
	for (unsigned i = 0; i < THREADS; i++) {
		jobs[i] = (struct job){.connection = p.client, .stream_id = (uint16_t)i};
		assert_int_equal(pthread_create(&senders[i], NULL, send_a_stream, &jobs[i]), 0);
		assert_int_equal(pthread_create(&receivers[i], NULL, receive_all, p.server), 0);
	}
	for (unsigned i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(senders[i], NULL), 0);
	}
	assert_worked(cmt_close(p.client, PAIR_TIMEOUT_MS));
	p.client = NULL;
	for (unsigned i = 0; i < THREADS; i++) {
		void *n = NULL;

		assert_int_equal(pthread_join(receivers[i], &n), 0);
		received += *(size_t *)n;
		free(n);
	}
	assert_int_equal(received, THREADS * PER_THREAD);
	pair_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(messages_arrive_whole_and_in_the_order_of_their_stream),
	    cmocka_unit_test(a_message_says_that_it_is_unordered),
	    cmocka_unit_test(a_message_that_does_not_fit_stays),
	    cmocka_unit_test(what_cannot_be_sent_is_refused),
	    cmocka_unit_test(a_message_that_is_too_large_for_the_receiver_ends_the_connection),
	    cmocka_unit_test(who_sends_waits_for_who_does_not_receive),
	    cmocka_unit_test(who_waits_to_send_hears_that_the_connection_is_lost),
	    cmocka_unit_test(several_threads_send_and_several_receive),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
