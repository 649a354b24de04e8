/* SPDX-License-Identifier: BSD-3-Clause
 *
 * two.h - two processes with a back end each, in a network of their own.
 *
 * Each test function runs in a fresh process (two_hosts()), because a process has one back end: the server's
 * part in a child, the client's in the caller. A part that does not return within TWO_TIME_S seconds fails.
 */
#ifndef TESTS_EVENT_TWO_H
#define TESTS_EVENT_TWO_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <event2/event.h>
#include <usrsctp_cmt_event.h>

#define TWO_TIME_S    30
#define TWO_PORT      5001 /* SCTP port that servers listen on */
#define TWO_ADDRESSES 2    /* path p: server 127.0.(p+1).1 or 10.(p+1).0.1, client .2 */

enum two_network {
	TWO_LOOPBACK, /* one network namespace; addresses 127.x, ::1 */
	TWO_VETH      /* one each, joined by one veth pair per path: v1 with 10.1.0.x, v2 with 10.2.0.x */
};

struct two {
	struct event_base *base;
	struct usrsctp_cmt_event *ev;
	struct sockaddr_storage own[TWO_ADDRESSES], peer[TWO_ADDRESSES];
	struct usrsctp_cmt_event_config config;    /* own addresses, UDP port as fits the side */
	struct usrsctp_cmt_conn_config connection; /* the default, towards the server's UDP port */
	int to_other, from_other;                  /* pipes */
	pid_t server; /* a process in the server's network; the client's part knows it */
};

typedef void two_fn(struct two *t);

/* Runs both parts to their end and asserts that neither failed. Parts use assert_*(). */
void two_hosts(enum two_network network, two_fn *server, two_fn *client);

/* Opens the back end with t->config; fails the test when that fails. */
void two_open(struct two *t);
void two_close(struct two *t);

/* Runs the loop until event_base_loopbreak() or `ms` have passed; whether it was broken. */
bool two_run(struct two *t, unsigned ms);

/* Tells the other part that a point is reached; waits for it, the loop running meanwhile. */
void two_tell(const struct two *t);
void two_wait(struct two *t);

/* A network of its own that lasts as long as the caller; returns a process in it. */
pid_t two_network(void);

/* A shell command in this part's network; fails the test unless it succeeds. */
void two_command(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
