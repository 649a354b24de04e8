/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/traffic.h"

#include <netinet/in.h>
#include <string.h>

#define PATIENCE_MS 10000 /* for what a loaded machine may do late */

static uint8_t content(size_t at)
{
	return (uint8_t)(at * 11 + at / 253);
}

static void on_event(struct usrsctp_cmt_conn *conn, const struct usrsctp_cmt_conn_event *event, void *arg)
{
	struct traffic *f = arg;

	(void)conn;
	f->count[event->type]++;
	if (event->address.ss_family != AF_UNSPEC) {
		f->last_address = event->address;
	}
	if (event->type == USRSCTP_CMT_CONN_LOST || event->type == USRSCTP_CMT_CONN_FAILED) {
		const char *reason = usrsctp_cmt_conn_reason(conn);

		fail_msg("%s: %s; %s", event->type == USRSCTP_CMT_CONN_LOST ? "lost" : "failed",
		         strerror(event->error), reason != NULL ? reason : "no reason given");
	}
	if (event->type == USRSCTP_CMT_CONN_CLOSED || event->type == USRSCTP_CMT_CONN_PEER_CLOSED) {
		event_base_loopbreak(f->two->base);
	}
}

static void take(struct usrsctp_cmt_conn *conn, void *arg)
{
	struct traffic *f = arg;
	uint8_t bytes[65536];
	ssize_t n;

	while ((n = usrsctp_cmt_conn_read(conn, bytes, sizeof(bytes), NULL)) > 0) {
		for (ssize_t i = 0; i < n; i++) {
			assert_int_equal(bytes[i], content(f->received + (size_t)i));
		}
		f->received += (size_t)n;
	}
}

void traffic_give(struct usrsctp_cmt_conn *conn, void *arg)
{
	struct traffic *f = arg;
	uint8_t bytes[TRAFFIC_MESSAGE_BYTES];

	while (!f->idle && f->sent < f->total) {
		for (size_t i = 0; i < sizeof(bytes); i++) {
			bytes[i] = content(f->sent + i);
		}
		if (usrsctp_cmt_conn_write(conn, bytes, sizeof(bytes), NULL) != 0) {
			return;
		}
		f->sent += sizeof(bytes);
		f->idle = f->pause_at != 0 && f->sent >= f->pause_at;
	}
	if (f->sent >= f->total) {
		(void)usrsctp_cmt_conn_shutdown(conn);
	}
}

static void on_accept(struct usrsctp_cmt_listener *listener, struct usrsctp_cmt_conn *conn, void *arg)
{
	struct traffic *f = arg;

	(void)listener;
	f->conn = conn;
	usrsctp_cmt_conn_setcb(conn, take, NULL, on_event, f);
}

void traffic_serve(struct two *t, struct traffic *f)
{
	f->two = t;
	two_open(t);
	assert_non_null(usrsctp_cmt_listen(t->ev, TWO_PORT, &t->connection, on_accept, f));
	two_tell(t);
	assert_true(two_run(t, 25000));
	assert_true(f->received > 0);
	two_close(t);
}

void traffic_start(struct two *t, struct traffic *f, size_t n_peer)
{
	f->two = t;
	two_open(t);
	two_wait(t);
	f->conn = usrsctp_cmt_conn_connect(t->ev, t->peer, n_peer, &t->connection);
	assert_non_null(f->conn);
	usrsctp_cmt_conn_setcb(f->conn, NULL, traffic_give, on_event, f);
}

size_t traffic_paths(const struct traffic *f, struct sctp_cmt_path_stats *paths)
{
	socklen_t len = SCTP_CMT_MAX_PATHS * sizeof(*paths);

	memset(paths, 0, len);
	paths[0].size = sizeof(*paths);
	assert_int_equal(usrsctp_getsockopt(usrsctp_cmt_conn_socket(f->conn), IPPROTO_SCTP,
	                                    SCTP_CMT_PATH_STATS, paths, &len),
	                 0);
	return len / sizeof(*paths);
}

void traffic_wait_for_paths(const struct traffic *f, size_t n, struct sctp_cmt_path_stats *paths)
{
	size_t active = 0;

	for (int ms = 0; ms < PATIENCE_MS && active != n; ms += TRAFFIC_LOOK_MS) {
		assert_false(two_run(f->two, TRAFFIC_LOOK_MS));
		active = 0;
		for (size_t i = traffic_paths(f, paths); i-- > 0;) {
			active += paths[i].state == SCTP_CMT_PATH_ACTIVE;
		}
	}
	assert_int_equal(active, n);
	assert_int_equal(traffic_paths(f, paths), n);
}

void traffic_wait_for_event(const struct traffic *f, enum usrsctp_cmt_conn_event_type type)
{
	for (int ms = 0; ms < PATIENCE_MS && f->count[type] == 0; ms += TRAFFIC_LOOK_MS) {
		assert_false(two_run(f->two, TRAFFIC_LOOK_MS));
	}
	assert_int_equal(f->count[type], 1);
}

void traffic_wait_for_mtu(const struct traffic *f, size_t path, uint32_t least_bytes, uint32_t most_bytes)
{
	struct sctp_cmt_path_stats paths[SCTP_CMT_MAX_PATHS];
	uint32_t mtu_bytes = 0;

	for (int ms = 0; ms < PATIENCE_MS && (mtu_bytes < least_bytes || mtu_bytes > most_bytes);
	     ms += TRAFFIC_LOOK_MS) {
		assert_false(two_run(f->two, TRAFFIC_LOOK_MS));
		assert_true(traffic_paths(f, paths) > path);
		mtu_bytes = paths[path].mtu_bytes;
	}
	assert_in_range(mtu_bytes, least_bytes, most_bytes);
}

void traffic_wait_for_sent(const struct traffic *f, size_t bytes)
{
	for (int ms = 0; ms < PATIENCE_MS && f->sent < bytes; ms += TRAFFIC_LOOK_MS) {
		assert_false(two_run(f->two, TRAFFIC_LOOK_MS));
	}
	assert_true(f->sent >= bytes);
}

void traffic_send_some(struct traffic *f, size_t bytes)
{
	f->idle = false;
	f->pause_at = bytes;
	traffic_give(f->conn, f);
	traffic_wait_for_sent(f, bytes);
}

void traffic_send_rest(struct traffic *f)
{
	f->idle = false;
	f->pause_at = 0;
	traffic_give(f->conn, f);
}

void traffic_use_both_paths(struct two *t, struct traffic *f, struct sctp_cmt_path_stats *paths)
{
	t->connection.scheduler = "rr";
	traffic_start(t, f, 2);
	traffic_wait_for_paths(f, 2, paths);
	do {
		traffic_send_some(f, f->sent + 30000);
		assert_false(two_run(t, TRAFFIC_LOOK_MS));
		assert_int_equal(traffic_paths(f, paths), 2);
	} while ((paths[0].acked_bytes == 0 || paths[1].acked_bytes == 0) && f->sent + 300000 < f->total);
	assert_true(paths[0].acked_bytes > 0 && paths[1].acked_bytes > 0);
	f->idle = false;
	f->pause_at = 0;
}

void traffic_finish(struct traffic *f)
{
	usrsctp_cmt_conn_free(f->conn);
	two_close(f->two);
}

void traffic_serve_plainly(struct two *t)
{
	struct traffic f = {.conn = NULL};

	traffic_serve(t, &f);
}
