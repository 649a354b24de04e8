/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How associations end: what the application is told, when SHUTDOWN is sent, and how long data may take
 * before it (RFC 6458, section 6.1.1; RFC 9260, section 9.2). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/isolate.h"
#include "support/raw.h"
#include "support/variant.h"

static struct raw r;

enum { SECOND_US = 1000000, GUARD_SECONDS = 300, NO_USER_DATA = 9 };

/* Nothing is read, so that the error stays. */
static void leave_to_the_test(void)
{
	usrsctp_set_upcall(r.so, NULL, NULL);
}

static int socket_error(void)
{
	int error = 0;
	socklen_t bytes = sizeof(error);

	REQUIRE(usrsctp_getsockopt(r.so, SOL_SOCKET, SO_ERROR, &error, &bytes) == 0);
	return error;
}

static const struct raw_options plain = {.n_paths = 1};

static void peer_falls_silent(const void *job, void *outcome)
{
	(void)job;
	raw_accepted(&r, &plain);
	leave_to_the_test();
	raw_write(&r, 100);
	raw_run(&r, UINT64_C(1800) * SECOND_US);
	*(int *)outcome = socket_error();
	raw_close(&r);
}

static void peer_is_refused(const void *job, void *outcome)
{
	struct packet_draft d;

	(void)job;
	raw_connect(&r, &plain);
	leave_to_the_test();
	raw_begin(&r, &d);
	raw_add_init(&r, &d, CHUNK_INIT_ACK, "cookie!", 8);
	packet_put32(d.bytes + COMMON_HEADER_BYTES + 8, 1499); /* RFC 9260, section 3.3.3: at least 1500 */
	raw_send(&r, 0, &d);
	*(int *)outcome = socket_error();
	raw_close(&r);
}

static void the_error_says_whether_the_peer_fell_silent(void **state)
{
	int error;

	(void)state;
	isolate_run(peer_falls_silent, NULL, &error, sizeof(error));
	assert_int_equal(error, CMT_TEST_FIXED ? ETIMEDOUT : ECONNABORTED);
	isolate_run(peer_is_refused, NULL, &error, sizeof(error));
	assert_int_equal(error, CMT_TEST_FIXED ? ECONNABORTED : ETIMEDOUT);
}

static struct sctp_assoc_change ended;

static int note(struct socket *so, union sctp_sockstore from, void *data, size_t bytes,
                struct sctp_rcvinfo info, int flags, void *arg)
{
	const union sctp_notification *n = data;

	(void)so, (void)from, (void)bytes, (void)info, (void)arg;
	if (data != NULL && (flags & MSG_NOTIFICATION) != 0 && n->sn_header.sn_type == SCTP_ASSOC_CHANGE &&
	    n->sn_assoc_change.sac_state != SCTP_COMM_UP)
		ended = n->sn_assoc_change;
	free(data);
	return 1;
}

static void wish_to_know(struct socket *so)
{
	const struct sctp_event event = {
	    .se_assoc_id = SCTP_FUTURE_ASSOC, .se_type = SCTP_ASSOC_CHANGE, .se_on = 1};

	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_EVENT, &event, sizeof(event)) == 0);
}

static const struct raw_options told = {.n_paths = 1, .configure = wish_to_know, .receive = note};

static void peer_breaks_the_protocol(const void *job, void *outcome)
{
	unsigned since;
	struct packet_draft d;
	struct chunk abort;

	(void)job;
	raw_accepted(&r, &told);
	since = r.n_heard;
	raw_begin(&r, &d);
	raw_add_data(&r, &d, 0, 0, 0);
	raw_send(&r, 0, &d);
	REQUIRE(raw_hear(&r, &since, CHUNK_ABORT, &abort) && packet_get16(abort.bytes + 4) == NO_USER_DATA);
	REQUIRE(ended.sac_state == SCTP_COMM_LOST);
	*(unsigned *)outcome = ended.sac_error;
	raw_close(&r);
}

static void the_application_is_told_why_there_was_an_abort(void **state)
{
	unsigned error;

	(void)state;
	isolate_run(peer_breaks_the_protocol, NULL, &error, sizeof(error));
	assert_int_equal(error, CMT_TEST_FIXED ? NO_USER_DATA : 0);
}

/* How the end of what the application wrote and closed goes. */
struct ending {
	bool shut_down, aborted;
	unsigned seconds;
};

static void watch(struct ending *e, unsigned since)
{
	e->shut_down = raw_count(&r, since, CHUNK_SHUTDOWN) > 0;
	e->aborted = raw_count(&r, since, CHUNK_ABORT) > 0;
}

/* Says that it has all up to the n-th TSN of the stack. */
static void acknowledge(uint32_t n, uint32_t window_bytes)
{
	uint8_t body[12] = {0};
	struct packet_draft d;

	packet_put32(body, r.stack_tsn - 1 + n);
	packet_put32(body + 4, window_bytes);
	raw_begin(&r, &d);
	packet_add(&d, CHUNK_SACK, 16, body, sizeof(body));
	raw_send(&r, 0, &d);
}

static void open_with_data(unsigned messages)
{
	raw_accepted(&r, &plain);
	REQUIRE(usrsctp_sysctl_set_sctp_max_retran_chunk(0) == 0); /* only the guard is to end it */
	leave_to_the_test();
	for (unsigned i = 0; i < messages; i++)
		raw_write(&r, 1000);
}

static void data_take_long(const void *job, void *outcome)
{
	struct ending *e = outcome;

	(void)job;
	open_with_data(100);
	REQUIRE(usrsctp_shutdown(r.so, SHUT_WR) == 0);
	while (!e->shut_down && !e->aborted && e->seconds < 7200) {
		raw_run(&r, UINT64_C(60) * SECOND_US);
		raw_acknowledge(&r);
		e->seconds += 60;
		watch(e, 0);
	}
	raw_close(&r);
}

static void what_was_written_before_the_end_may_take_long(void **state)
{
	struct ending e;

	(void)state;
	isolate_run(data_take_long, NULL, &e, sizeof(e));
	printf("%s after %u s\n", e.shut_down ? "SHUTDOWN" : "ABORT", e.seconds);
	assert_int_equal(e.shut_down, CMT_TEST_FIXED);
	assert_int_equal(e.aborted, !CMT_TEST_FIXED);
	if (CMT_TEST_FIXED)
		assert_true(e.seconds > 2 * GUARD_SECONDS);
	else
		assert_int_equal(e.seconds, GUARD_SECONDS);
}

/* The second of two messages waits for so long behind a closed window, after the application closed. */
static void close_behind_a_window(struct ending *e, unsigned seconds)
{
	unsigned since;

	open_with_data(1);
	acknowledge(1, 0);
	raw_write(&r, 1000);
	REQUIRE(usrsctp_shutdown(r.so, SHUT_WR) == 0);
	for (; !e->aborted && e->seconds < seconds; e->seconds++) {
		since = r.n_heard;
		raw_run(&r, SECOND_US);
		raw_answer_heartbeats(&r, since);
		acknowledge(1, 0);
		watch(e, 0);
	}
}

static void window_stays_closed(const void *job, void *outcome)
{
	(void)job;
	close_behind_a_window(outcome, 3 * GUARD_SECONDS);
	raw_close(&r);
}

static void a_window_that_stays_closed_ends_what_was_closed(void **state)
{
	struct ending e;

	(void)state;
	isolate_run(window_stays_closed, NULL, &e, sizeof(e));
	assert_true(e.aborted);
	assert_int_equal(e.seconds, CMT_TEST_FIXED ? 2 * GUARD_SECONDS : GUARD_SECONDS);
}

/* Of the peer, that has nothing of what is out. */
static void peer_shuts_down(void)
{
	uint8_t cum_ack[4];
	struct packet_draft d;

	packet_put32(cum_ack, r.stack_tsn - 1);
	raw_begin(&r, &d);
	packet_add(&d, CHUNK_SHUTDOWN, 8, cum_ack, sizeof(cum_ack));
	raw_send(&r, 0, &d);
}

struct gone {
	bool shut_down; /* else the peer is gone while data may come from it */
	bool has_tcb;
};

/* The peer answers a packet by ABORT, as one that knows no association, or as one that gives this one up. */
static void peer_is_gone(const void *job, void *outcome)
{
	const struct gone *gone = job;
	struct packet_draft d;

	raw_accepted(&r, &told);
	if (gone->shut_down) {
		peer_shuts_down();
		REQUIRE(raw_count(&r, 0, CHUNK_SHUTDOWN_ACK) == 1);
	}
	raw_begin_tagged(&r, &d, gone->has_tcb ? r.stack_tag : r.tag);
	packet_add(&d, CHUNK_ABORT, 4, NULL, 0);
	d.bytes[COMMON_HEADER_BYTES + 1] = gone->has_tcb ? 0 : 1;
	raw_send(&r, 0, &d);
	*(unsigned *)outcome = ended.sac_state;
	raw_close(&r);
}

static void who_is_gone_after_our_shutdown_ack_is_through(void **state)
{
	const struct gone cases[] = {{true, false}, {true, true}, {false, false}};

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		unsigned told_state;

		isolate_run(peer_is_gone, &cases[i], &told_state, sizeof(told_state));
		assert_int_equal(told_state, CMT_TEST_FIXED && i == 0 ? SCTP_SHUTDOWN_COMP : SCTP_COMM_LOST);
	}
}

static void shutdown_comes_late(const void *job, void *outcome)
{
	const bool peer_first = *(const bool *)job;
	struct ending *e = outcome;

	close_behind_a_window(e, GUARD_SECONDS - 10);
	REQUIRE(!e->aborted && !e->shut_down);
	if (peer_first)
		peer_shuts_down();
	acknowledge(2, RAW_WINDOW_BYTES);
	watch(e, 0);
	REQUIRE(peer_first ? raw_count(&r, 0, CHUNK_SHUTDOWN_ACK) > 0 : e->shut_down);
	raw_run(&r, UINT64_C(20) * SECOND_US);
	watch(e, 0);
	raw_close(&r);
}

static void the_guard_begins_with_the_shutdown(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		const bool peer_first = i == 1;
		struct ending e;

		isolate_run(shutdown_comes_late, &peer_first, &e, sizeof(e));
		assert_int_equal(e.aborted, !CMT_TEST_FIXED);
	}
}

/* The peer's SHUTDOWN crosses ours; then it is silent. */
static void shutdowns_cross(const void *job, void *outcome)
{
	struct ending *e = outcome;

	(void)job;
	open_with_data(0);
	REQUIRE(usrsctp_shutdown(r.so, SHUT_WR) == 0);
	peer_shuts_down();
	REQUIRE(raw_count(&r, 0, CHUNK_SHUTDOWN_ACK) > 0);
	for (; !e->aborted && e->seconds < 3 * GUARD_SECONDS; e->seconds++) {
		raw_run(&r, SECOND_US);
		watch(e, 0);
	}
	raw_close(&r);
}

static void the_guard_goes_on_when_the_peer_shuts_down_too(void **state)
{
	struct ending e;

	(void)state;
	isolate_run(shutdowns_cross, NULL, &e, sizeof(e));
	assert_true(e.shut_down && e.aborted);
	assert_in_range(e.seconds, GUARD_SECONDS, GUARD_SECONDS + 1);
}

enum when { CONNECTING, RESTARTING };

static void close_with_nothing_to_send(const void *job, void *outcome)
{
	struct ending *e = outcome;
	unsigned since = 0;

	if (*(const enum when *)job == CONNECTING) {
		raw_connect(&r, &plain);
		REQUIRE(usrsctp_shutdown(r.so, SHUT_WR) == 0);
	} else {
		open_with_data(1); /* which the restarted peer is not to see */
		REQUIRE(usrsctp_shutdown(r.so, SHUT_WR) == 0);
		since = r.n_heard;
		r.tag++;
	}
	raw_establish(&r);
	raw_run(&r, 500000);
	watch(e, since);
	raw_close(&r);
}

static void shutdown_is_sent_once_the_association_is_up(void **state)
{
	(void)state;
	for (enum when when = CONNECTING; when <= RESTARTING; when++) {
		struct ending e;

		isolate_run(close_with_nothing_to_send, &when, &e, sizeof(e));
		assert_int_equal(e.shut_down, CMT_TEST_FIXED);
		assert_false(e.aborted);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_error_says_whether_the_peer_fell_silent),
	    cmocka_unit_test(the_application_is_told_why_there_was_an_abort),
	    cmocka_unit_test(what_was_written_before_the_end_may_take_long),
	    cmocka_unit_test(a_window_that_stays_closed_ends_what_was_closed),
	    cmocka_unit_test(the_guard_begins_with_the_shutdown),
	    cmocka_unit_test(the_guard_goes_on_when_the_peer_shuts_down_too),
	    cmocka_unit_test(shutdown_is_sent_once_the_association_is_up),
	    cmocka_unit_test(who_is_gone_after_our_shutdown_ack_is_through),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
