/* SPDX-License-Identifier: BSD-3-Clause
 * cost: 6 s
 *
 * What the paths of a connection carry, as it is told: two pairs of interfaces with 8 Mbit/s each. */
#include "support/traffic.h"

#include <errno.h>
#include <string.h>

enum { LATENCY_MS = 300, LINK_BPS = 8000000 };

struct told {
	unsigned n;
	struct usrsctp_cmt_capacity_change first, last;
	struct sctp_cmt_capacity measured; /* the largest limit that was */
	bool abort;                        /* the connection, with the second one */
};

static void take_change(struct usrsctp_cmt_conn *conn, const struct usrsctp_cmt_capacity_change *change,
                        void *arg)
{
	struct told *told = arg;

	assert_int_equal(change->size, sizeof(*change));
	assert_int_equal(change->capacity.latency_us, LATENCY_MS * 1000);
	if (told->n == 0)
		told->first = *change;
	else
		assert_true(change->direction != 0 ||
		            change->capacity.certainty != told->last.capacity.certainty);
	told->last = *change;
	if (change->capacity.certainty == SCTP_CMT_CAPACITY_MEASURED &&
	    change->capacity.limit_bps > told->measured.limit_bps)
		told->measured = change->capacity;
	told->n++;
	if (told->abort && told->n == 2)
		usrsctp_cmt_conn_abort(conn);
}

static void shape(void)
{
	two_command("tc qdisc add dev v1 root tbf rate 8mbit burst 5k latency 50ms");
	two_command("tc qdisc add dev v2 root tbf rate 8mbit burst 5k latency 50ms");
}

static void send_and_be_told(struct two *t)
{
	struct traffic f = {.total = 6000000};
	struct told told = {.n = 0};

	shape();
	traffic_start(t, &f, 2);
	assert_int_equal(usrsctp_cmt_conn_watch_capacity(f.conn, LATENCY_MS, take_change, &told), -1);
	assert_int_equal(errno, ENOTCONN);
	traffic_wait_for_sent(&f, 100000);
	assert_int_equal(usrsctp_cmt_conn_watch_capacity(f.conn, LATENCY_MS, take_change, &told), 0);
	traffic_wait_for_sent(&f, 4500000);
	assert_true(told.n >= 2);
	assert_int_equal(told.first.capacity.certainty, SCTP_CMT_CAPACITY_UNKNOWN);
	/* A token bucket lets the first packets of a train through at once. A busy machine carries less for a
	 * while, and that is told, too; how exact the figures are is asked in virtual time (cmt-lab bench
	 * encoder). */
	assert_in_range(told.measured.limit_bps, LINK_BPS, 4 * LINK_BPS);
	assert_in_range(told.measured.carried_bps, 1, 2 * LINK_BPS);
	/* Ended: nothing more is told. */
	assert_int_equal(usrsctp_cmt_conn_watch_capacity(f.conn, 0, NULL, NULL), 0);
	told.n = 0;
	assert_true(two_run(t, 20000));
	assert_int_equal(told.n, 0);
	traffic_finish(&f);
}

static void changes_are_told_until_they_are_not_wanted(void **state)
{
	(void)state;
	two_hosts(TWO_VETH, traffic_serve_plainly, send_and_be_told);
}

static void end_when_lost(struct usrsctp_cmt_conn *conn, const struct usrsctp_cmt_conn_event *event,
                          void *arg)
{
	struct two *const t = arg;

	(void)conn;
	if (event->type == USRSCTP_CMT_CONN_LOST)
		event_base_loopbreak(t->base);
}

static void take_all(struct usrsctp_cmt_conn *conn, void *arg)
{
	char bytes[4096];

	(void)arg;
	while (usrsctp_cmt_conn_read(conn, bytes, sizeof(bytes), NULL) > 0)
		;
}

static void on_accept(struct usrsctp_cmt_listener *listener, struct usrsctp_cmt_conn *conn, void *arg)
{
	(void)listener;
	usrsctp_cmt_conn_setcb(conn, take_all, NULL, end_when_lost, arg);
}

static void serve_until_lost(struct two *t)
{
	two_open(t);
	assert_non_null(usrsctp_cmt_listen(t->ev, TWO_PORT, &t->connection, on_accept, t));
	two_tell(t);
	assert_true(two_run(t, 20000));
	two_close(t);
}

static void abort_when_told(struct two *t)
{
	struct traffic f = {.total = 6000000};
	struct told told = {.abort = true};

	shape();
	traffic_start(t, &f, 2);
	traffic_wait_for_sent(&f, 100000);
	assert_int_equal(usrsctp_cmt_conn_watch_capacity(f.conn, LATENCY_MS, take_change, &told), 0);
	for (int ms = 0; ms < 10000 && told.n < 2; ms += TRAFFIC_LOOK_MS)
		assert_false(two_run(t, TRAFFIC_LOOK_MS));
	assert_false(two_run(t, 200));
	assert_int_equal(told.n, 2);
	two_close(t);
}

static void a_connection_may_end_when_it_is_told(void **state)
{
	(void)state;
	two_hosts(TWO_VETH, serve_until_lost, abort_when_told);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(changes_are_told_until_they_are_not_wanted),
	    cmocka_unit_test(a_connection_may_end_when_it_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
