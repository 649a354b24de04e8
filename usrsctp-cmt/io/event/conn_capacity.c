/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Watches what the paths of a connection carry (SCTP_CMT_CAPACITY). */
#include "conn.h"

#include <errno.h>
#include <stdlib.h>

#define LOOK_US      50000
#define CHANGE_SHARE 20 /* of what was told last: less is not worth telling */

struct conn_capacity {
	struct usrsctp_cmt_conn *conn;
	struct event *tick;
	uint32_t latency_us;
	usrsctp_cmt_capacity_cb *fn;
	void *arg;
	bool told;
	uint64_t told_bps;
	uint16_t told_certainty;
};

static bool read_now(const struct conn_capacity *c, struct sctp_cmt_capacity *out)
{
	socklen_t len = sizeof(*out);

	*out = (struct sctp_cmt_capacity){
	    .size = sizeof(*out), .assoc_id = SCTP_CURRENT_ASSOC, .latency_us = c->latency_us};
	return usrsctp_getsockopt(c->conn->so, IPPROTO_SCTP, SCTP_CMT_CAPACITY, out, &len) == 0;
}

static int direction(const struct conn_capacity *c, uint64_t bps)
{
	const uint64_t least_bps = c->told_bps / CHANGE_SHARE;

	if (bps > c->told_bps + least_bps) {
		return 1;
	}
	return bps + least_bps < c->told_bps || (bps == 0 && c->told_bps > 0) ? -1 : 0;
}

/* The callback may free the connection, or end this. */
static void tell(struct conn_capacity *c, const struct usrsctp_cmt_capacity_change *change)
{
	struct usrsctp_cmt_conn *const conn = c->conn;

	c->told = true;
	c->told_bps = change->capacity.target_bps;
	c->told_certainty = change->capacity.certainty;
	conn->serving = true;
	c->fn(conn, change, c->arg);
	conn->serving = false;
	if (conn->freed) {
		conn_destroy(conn);
	}
}

static void on_tick(evutil_socket_t fd, short what, void *arg)
{
	struct conn_capacity *const c = arg;
	struct usrsctp_cmt_event *const ev = c->conn->ev;
	struct usrsctp_cmt_capacity_change change = {.size = sizeof(change)};

	(void)fd;
	(void)what;
	if (c->conn->state == CONN_OVER) {
		(void)event_del(c->tick);
		return;
	}
	evio_enter(ev);
	if (read_now(c, &change.capacity)) {
		change.direction = direction(c, change.capacity.target_bps);
		if (!c->told || change.direction != 0 || change.capacity.certainty != c->told_certainty) {
			tell(c, &change);
		}
	}
	evio_leave(ev);
}

void conn_capacity_free(struct conn_capacity *capacity)
{
	if (capacity == NULL) {
		return;
	}
	if (capacity->tick != NULL) {
		event_free(capacity->tick);
	}
	free(capacity);
}

static struct conn_capacity *begin(struct usrsctp_cmt_conn *conn)
{
	const struct timeval every = {.tv_usec = LOOK_US};
	struct conn_capacity *c = calloc(1, sizeof(*c));

	if (c == NULL) {
		return NULL;
	}
	c->conn = conn;
	c->tick = event_new(conn->ev->base, -1, EV_PERSIST, on_tick, c);
	if (c->tick == NULL || event_add(c->tick, &every) != 0) {
		conn_capacity_free(c);
		return NULL;
	}
	return c;
}

int usrsctp_cmt_conn_watch_capacity(struct usrsctp_cmt_conn *conn, uint32_t latency_ms,
                                    usrsctp_cmt_capacity_cb *fn, void *arg)
{
	struct conn_capacity *c = NULL;

	if (conn->state == CONN_CONNECTING || conn->state == CONN_OVER) {
		errno = ENOTCONN;
		return -1;
	}
	if (fn != NULL) {
		c = begin(conn);
		if (c == NULL) {
			errno = ENOMEM;
			return -1;
		}
		c->latency_us = latency_ms > UINT32_MAX / 1000 ? UINT32_MAX : latency_ms * 1000;
		c->fn = fn;
		c->arg = arg;
	}
	conn_capacity_free(conn->capacity);
	conn->capacity = c;
	return 0;
}
