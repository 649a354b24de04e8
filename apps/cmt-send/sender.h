/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sender.h - one transfer to one receiver, from connecting to its end (docs/transfer-protocol.md). Several
 * may run on one event loop. */
#ifndef SEND_SENDER_H
#define SEND_SENDER_H

#include <stdbool.h>
#include <stdint.h>

#include <usrsctp_cmt_event.h>

#include "entries.h"
#include "net/addresses.h"
#include "report.h"
#include "watch.h"

struct event_base;
struct monitor;
struct sender;

struct sender_config {
	struct event_base *base;
	struct usrsctp_cmt_event *ev;
	struct monitor *monitor; /* NULL = none */
	const struct app_addresses *peer;
	const struct usrsctp_cmt_conn_config *conn;
	const struct entries *entries; /* outlives the sender */
	bool resume;
	bool hold; /* once connected, wait for sender_go() */
	uint32_t msg_bytes;
	uint64_t timeout_us;
	void (*connected)(struct sender *sender, void *arg); /* may be NULL */
	void (*say)(const char *text, void *arg);            /* something the user should know */
	void (*note)(const char *text, void *arg);       /* something that is as it should be; may be NULL */
	bool verbose;                                    /* `note` gets the names of files too */
	void (*ended)(struct sender *sender, void *arg); /* the report is complete; not to be freed in here */
	void *arg;
};

/* Starts to connect. NULL with the reason. */
struct sender *sender_new(const struct sender_config *config, struct app_error *error);

/* Ends `hold`. */
void sender_go(struct sender *s);

/* Tells the receiver that it ends, if it has not. NULL: nothing happens. */
void sender_free(struct sender *s);

/* Gives up for `reason`; `ended` follows before this returns. */
void sender_abort(struct sender *s, const char *reason);

/* Says what it waits for: queues, windows, paths. */
void sender_say_state(const struct sender *s);

const struct transfer_report *sender_report(const struct sender *s);

/* Bytes of all files that the receiver has: acknowledged, or there already. */
uint64_t sender_done_bytes(const struct sender *s);

/* What its paths do, and whether anything moves. */
const struct monitor_watch *sender_watch(const struct sender *s);

#endif
