/* SPDX-License-Identifier: BSD-3-Clause
 *
 * flow.h - one connection of a test, at either end: sends or receives data, answers echoes, carries control
 * messages.
 *
 * Data messages begin with the sender's monotonic clock in us, 64 bits in network order: the time when the
 * message was due (paced), or was handed over. Echo messages are that time stamp alone; the receiver sends
 * them back. Single threaded; the owner outlives the flow, and frees it outside of its callbacks. */
#ifndef PERF_FLOW_H
#define PERF_FLOW_H

#include <event2/event.h>
#include <jansson.h>
#include <usrsctp_cmt_event.h>

#include "perf_test.h"
#include "samples.h"

#define FLOW_MAX_PENDING 8

struct flow;
struct monitor;

struct flow_owner {
	/* A control message of the peer. Keep a reference to keep it. */
	void (*on_control)(struct flow *flow, const json_t *message, void *arg);
	void (*on_up)(struct flow *flow, void *arg);
	void (*on_sent)(struct flow *flow, void *arg); /* all data of the test are written, and the end */
	/* It is of no more use: `text` says why. Once. Closed by the peer counts too. */
	void (*on_lost)(struct flow *flow, const char *text, void *arg);
	struct samples *latency, *rtt; /* of one way, by receivers; of echoes, by senders */
	struct monitor *monitor;       /* shows the connections; NULL = none */
	void *arg;
};

struct flow {
	const struct flow_owner *owner;
	struct usrsctp_cmt_conn *conn;
	uint32_t index; /* among the test's connections */
	void *user;     /* the owner's */

	/* sending */
	const struct perf_test *test; /* NULL until data are sent */
	bool sending, over;           /* over: the end was written */
	uint64_t started_us, written_bytes, written_messages;
	uint64_t echo_due_us;
	struct event *timer;
	uint8_t *message;
	char *pending[FLOW_MAX_PENDING]; /* control messages that found no room */
	size_t n_pending;

	/* receiving */
	uint64_t received_bytes, received_messages;
	uint64_t first_us, last_us; /* of data; 0 = none yet */
	bool ended;                 /* the peer's end has come */
	uint8_t *buffer;
	size_t buffered_bytes;
	int failed_error; /* the errno for which no connection came about; 0 = one did, or may */
	bool lost;
};

/* Takes `conn` over. NULL without memory; `conn` is aborted then. */
struct flow *flow_new(struct event_base *base, struct usrsctp_cmt_conn *conn, const struct flow_owner *owner);

/* With `abort` what is queued is dropped. */
void flow_free(struct flow *flow, bool abort);

/* Takes the reference. */
void flow_control(struct flow *flow, json_t *message);

/* Sends data as `test` says until it ends, flow_stop() is called or the connection is lost; then the control
 * message "end" and on_sent(). `test` must stay. */
void flow_start(struct flow *flow, const struct perf_test *test);
void flow_stop(struct flow *flow);

/* Bytes of data that the peer has acknowledged, as far as this end can tell: what is queued is subtracted. */
uint64_t flow_acked_bytes(const struct flow *flow);

#endif
