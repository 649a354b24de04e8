/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shutdown() for reading: data that are acknowledged and will not be read any more end the association, so
 * that their sender knows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>

#include "support/isolate.h"
#include "support/raw.h"
#include "support/variant.h"

enum { OPTION_INTERLEAVING_SUPPORTED = 0x1206 };
enum { FIRST = 2, WHOLE = 3, MESSAGE_BYTES = 100 };

static struct raw r;

static void offer_interleaving(struct socket *so)
{
	const struct sctp_assoc_value on = {.assoc_id = SCTP_FUTURE_ASSOC, .assoc_value = 1};
	const int streams = 2;

	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_FRAGMENT_INTERLEAVE, &streams, sizeof(streams)) ==
	        0);
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, OPTION_INTERLEAVING_SUPPORTED, &on, sizeof(on)) == 0);
}

static void subscribe(struct socket *so)
{
	const struct sctp_event event = {
	    .se_assoc_id = SCTP_FUTURE_ASSOC, .se_type = SCTP_ASSOC_CHANGE, .se_on = 1};

	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_EVENT, &event, sizeof(event)) == 0);
}

/* What the peer's messages are made of. */
static const struct raw_options kinds[] = {
    {.configure = NULL},
    {.parameters = {0x80, 0x08, 0, 5, CHUNK_IDATA}, .parameters_bytes = 8, .configure = offer_interleaving},
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

struct job {
	const struct raw_options *options;
	uint8_t flags; /* of a chunk that comes before; 0 = none does */
	int how;
	bool later; /* a message comes afterwards */
};

struct outcome {
	unsigned aborts, acknowledged, shutdowns;
	ssize_t read;
	int error, read_error; /* of usrsctp_shutdown(), and when the application reads on */
	bool refused, alive;
};

static void message(uint32_t number, uint8_t flags)
{
	const bool interleaved = r.options->configure == offer_interleaving;
	uint8_t body[16 + MESSAGE_BYTES] = {0};
	const size_t len = (interleaved ? 16 : 12) + MESSAGE_BYTES;
	struct packet_draft d;

	packet_put32(body, r.tsn++);
	packet_put16(body + 6, (uint16_t)(interleaved ? 0 : number));
	if (interleaved)
		packet_put32(body + 8, number);
	raw_begin(&r, &d);
	packet_add(&d, interleaved ? CHUNK_IDATA : CHUNK_DATA, (uint16_t)(4 + len), body, len);
	d.bytes[COMMON_HEADER_BYTES + 1] = flags;
	raw_send(&r, 0, &d);
}

/* The application reads nothing, and then wants to read nothing any more. */
static void stop_reading(const void *job, void *outcome)
{
	const struct job *j = job;
	struct outcome *o = outcome;
	unsigned since, info_kind = 0;
	socklen_t info_bytes = 0;
	int flags = 0;
	char buffer[10];

	raw_accepted(&r, j->options);
	usrsctp_set_upcall(r.so, NULL, NULL);
	if (j->flags != 0)
		message(0, j->flags);
	since = r.n_heard;
	o->error = usrsctp_shutdown(r.so, j->how) == 0 ? 0 : errno;
	raw_run(&r, 1000);
	o->shutdowns = raw_count(&r, since, CHUNK_SHUTDOWN);
	o->read =
	    usrsctp_recvv(r.so, buffer, sizeof(buffer), NULL, NULL, NULL, &info_bytes, &info_kind, &flags);
	o->read_error = errno;
	if (j->later) {
		REQUIRE(raw_count(&r, since, CHUNK_ABORT) == 0);
		since = r.n_heard;
		message(0, WHOLE);
		raw_run(&r, 300000);
		o->acknowledged = raw_count(&r, since, CHUNK_SACK);
	}
	o->aborts = raw_count(&r, since, CHUNK_ABORT);
	raw_close(&r);
}

static void what_was_left_unread_ends_the_association(void **state)
{
	static const int hows[] = {SHUT_RD, SHUT_RDWR};

	(void)state;
	for (unsigned i = 0; i < 4 * KINDS; i++) {
		const struct job job = {.options = &kinds[i % KINDS],
		                        .flags = i / KINDS % 2 == 0 ? WHOLE : FIRST,
		                        .how = hows[i / KINDS / 2]};
		struct outcome o;

		isolate_run(stop_reading, &job, &o, sizeof(o));
		assert_int_equal(o.aborts, CMT_TEST_FIXED);
		assert_int_equal(o.error, CMT_TEST_FIXED ? ECONNABORTED : 0);
		if (CMT_TEST_FIXED)
			assert_int_equal(o.shutdowns, 0);
	}
}

static void data_that_nobody_will_read_end_the_association(void **state)
{
	(void)state;
	for (unsigned i = 0; i < KINDS; i++) {
		const struct job job = {.options = &kinds[i], .how = SHUT_RD, .later = true};
		struct outcome o;

		isolate_run(stop_reading, &job, &o, sizeof(o));
		assert_int_equal(o.error, 0);
		assert_int_equal(o.aborts, CMT_TEST_FIXED);
		assert_int_equal(o.acknowledged, !CMT_TEST_FIXED);
	}
}

static void who_reads_on_is_told_the_end(void **state)
{
	const struct job job = {.options = &kinds[0], .how = SHUT_RD};
	struct outcome o;

	(void)state;
	isolate_run(stop_reading, &job, &o, sizeof(o));
	assert_int_equal(o.aborts, 0);
	assert_int_equal(o.read, CMT_TEST_FIXED ? 0 : -1);
	if (!CMT_TEST_FIXED)
		assert_int_equal(o.read_error, EWOULDBLOCK);
}

/* A notification was not read either. */
static void write_on(const void *job, void *outcome)
{
	const struct raw_options options = {.configure = subscribe};
	struct outcome *o = outcome;
	unsigned since;

	(void)job;
	raw_listen(&r, &options);
	usrsctp_set_upcall(r.listener, NULL, NULL);
	raw_establish(&r);
	r.so = usrsctp_accept(r.listener, NULL, NULL);
	REQUIRE(r.so != NULL && (usrsctp_get_events(r.so) & SCTP_EVENT_READ) != 0);
	REQUIRE(usrsctp_set_non_blocking(r.so, 1) == 0);
	since = r.n_heard;
	REQUIRE(usrsctp_shutdown(r.so, SHUT_RD) == 0);
	raw_write(&r, 5);
	raw_run(&r, 1000);
	raw_acknowledge(&r);
	raw_close_socket(&r);
	raw_run(&r, 1000);
	o->aborts = raw_count(&r, since, CHUNK_ABORT);
	o->shutdowns = raw_count(&r, since, CHUNK_SHUTDOWN);
	raw_close(&r);
}

static void what_is_only_written_to_ends_in_good_order(void **state)
{
	struct outcome o;

	(void)state;
	isolate_run(write_on, NULL, &o, sizeof(o));
	assert_int_equal(o.aborts, 0);
	assert_int_equal(o.shutdowns, 1);
}

static void refuse(const void *job, void *outcome)
{
	const struct raw_options options = {.one_to_many = true};
	struct outcome *o = outcome;

	(void)job;
	raw_accepted(&r, &options);
	o->refused = usrsctp_shutdown(r.so, SHUT_RD) == -1 && errno == EOPNOTSUPP;
	o->alive = raw_alive(&r);
	raw_close(&r);
}

static void a_one_to_many_socket_refuses_and_reads_on(void **state)
{
	struct outcome o;

	(void)state;
	isolate_run(refuse, NULL, &o, sizeof(o));
	assert_int_equal(o.refused, CMT_TEST_FIXED);
	assert_true(o.alive);
}

/* It gets a socket of its own, which behaves like a one-to-one socket. */
static void peel_off(const void *job, void *outcome)
{
	const struct raw_options options = {.one_to_many = true};
	struct outcome *o = outcome;
	struct socket *so;
	unsigned since;

	(void)job;
	raw_accepted(&r, &options);
	so = usrsctp_peeloff(r.so, raw_association(&r));
	REQUIRE(so != NULL);
	o->error = usrsctp_shutdown(so, SHUT_RD) == 0 ? 0 : errno;
	since = r.n_heard;
	message(0, WHOLE);
	raw_run(&r, 300000);
	o->aborts = raw_count(&r, since, CHUNK_ABORT);
	usrsctp_close(so);
	raw_close(&r);
}

static void a_socket_that_was_peeled_off_does_not_refuse(void **state)
{
	struct outcome o;

	(void)state;
	isolate_run(peel_off, NULL, &o, sizeof(o));
	assert_int_equal(o.error, 0);
	assert_int_equal(o.aborts, CMT_TEST_FIXED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_was_left_unread_ends_the_association),
	    cmocka_unit_test(data_that_nobody_will_read_end_the_association),
	    cmocka_unit_test(who_reads_on_is_told_the_end),
	    cmocka_unit_test(what_is_only_written_to_ends_in_good_order),
	    cmocka_unit_test(a_one_to_many_socket_refuses_and_reads_on),
	    cmocka_unit_test(a_socket_that_was_peeled_off_does_not_refuse),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
