/* SPDX-License-Identifier: BSD-3-Clause
 *
 * link_parts.h - what the files of a link share. Each calls only those before it:
 *
 *   link_send.c     what it says, to the other side and of itself, and how it ends
 *   link_receive.c  what it hears: the handshake, signs of life, data
 *   link.c          how it begins, and begins again */
#ifndef LIVE_LINK_PARTS_H
#define LIVE_LINK_PARTS_H

#include "link.h"
#include "monitor.h"
#include "options/path_needs.h"

#define LINK_BUFFER_BYTES (LIVE_MAX_MESSAGE_BYTES + 1)
#define LINK_RETRY_US     500000u /* between calls */

struct link {
	struct event_base *base;
	struct usrsctp_cmt_event *ev;
	const struct live_options *options;
	struct link_events events;
	struct app_addresses peer;
	struct usrsctp_cmt_listener *listener;
	struct usrsctp_cmt_conn *conn;
	struct monitor *monitor; /* NULL = none */
	struct event *tick;
	bool up, ready, resting;
	bool repairs;       /* REPAIR may be sent, or come */
	bool finishing;     /* shutting down: behind END, which one side sent */
	bool ended;         /* the peer's END has come */
	uint64_t since_us;  /* when the present state began: no connection, or not ready */
	uint64_t heard_us;  /* a message came last */
	uint64_t status_us; /* sent last */
	uint64_t call_us;   /* no earlier than that */
	uint32_t latency_ms;
	uint64_t abandoned_before; /* on earlier connections */
	struct link_stats stats;
	struct app_path_needs needs;
	char said[sizeof(struct app_error)];
	size_t filled;
	uint8_t bytes[LINK_BUFFER_BYTES];
};

/* link_send.c */

/* To the user, once: calls that fail one after the other fail for the same reason. */
void link_say(struct link *link, const char *text);
/* An application that has the link inside is told that it is up, or not. */
void link_tell_host(const struct link *link, bool up);
bool link_wants_repair(const struct link *link);
/* 1, 0 or -1 as link_send(). */
int link_send_control(struct link *link, const struct live_message *control);
/* Forgets the connection, at once or when what is queued has left; link_go_down() tells its user as well. */
void link_drop(struct link *link, bool at_once);
void link_go_down(struct link *link, bool at_once, bool finished);
/* Ends it, and says why to both sides. */
void link_refuse(struct link *link, const char *why);

/* link_receive.c */
void link_on_readable(struct usrsctp_cmt_conn *conn, void *arg);

#endif
