/* SPDX-License-Identifier: BSD-3-Clause */
#include "link_parts.h"

#include <stdio.h>

#include "loop/wall_clock.h"

static void on_capacity(struct usrsctp_cmt_conn *conn, const struct usrsctp_cmt_capacity_change *change,
                        void *arg)
{
	const struct link *const l = arg;

	(void)conn;
	l->events.on_capacity(change, l->events.arg);
}

static void become_ready(struct link *l, const struct live_message *hello)
{
	const bool tell = l->options->listens && l->stats.encryption.encrypted;
	char text[500], paths[200], peer[APP_ENCRYPTION_TEXT_BYTES];

	(void)link_stats(l);
	(void)snprintf(text, sizeof(text), "connected to %s, latency %u ms%s%s",
	               app_assoc_stats_peer(&l->stats.watch.now.stats, paths, sizeof(paths)), l->latency_ms,
	               tell ? "; it is " : "", tell ? app_encryption_text(&l->stats.encryption, peer) : "");
	l->said[0] = '\0';
	link_say(l, text);
	l->ready = true;
	l->stats.connections++;
	link_tell_host(l, true);
	if (l->events.on_capacity != NULL) {
		(void)usrsctp_cmt_conn_watch_capacity(l->conn, l->latency_ms, on_capacity, l);
	}
	l->events.on_ready(l->latency_ms, hello, l->events.arg);
}

static void on_hello(struct link *l, const struct live_message *hello)
{
	if (l->options->sends) {
		link_refuse(l, "both sides send: one of the two needs cmt:// as FROM");
		return;
	}
	if (l->ready) {
		link_refuse(l, "a second HELLO came");
		return;
	}
	l->latency_ms =
	    hello->latency_ms > l->options->latency_ms ? hello->latency_ms : l->options->latency_ms;
	l->repairs = hello->repair && link_wants_repair(l);
	if (link_send_control(l, &(struct live_message){.type = LIVE_WELCOME,
	                                                .latency_ms = l->latency_ms,
	                                                .repair = l->repairs}) == 1) {
		become_ready(l, hello);
	}
}

/* Why what a sender sends must not come now; NULL: it may. */
static const char *why_unwanted(const struct link *l, enum live_type type)
{
	if (l->options->sends) {
		return "data came from the side that receives";
	}
	if (!l->ready) {
		return "data came before HELLO";
	}
	return type == LIVE_REPAIR && !l->repairs ? "repair came that was not agreed on" : NULL;
}

static void on_message(struct link *l, const struct live_message *message)
{
	const char *wrong;
	struct app_error text;

	switch (message->type) {
	case LIVE_HELLO: on_hello(l, message); return;
	case LIVE_WELCOME:
		if (!l->options->sends || l->ready || message->latency_ms < l->options->latency_ms) {
			link_refuse(l, "an invalid WELCOME came");
			return;
		}
		l->latency_ms = message->latency_ms;
		l->repairs = message->repair && link_wants_repair(l);
		become_ready(l, NULL);
		return;
	case LIVE_STATUS:
		l->stats.peer = message->status;
		l->stats.told = true;
		return;
	case LIVE_REFUSE:
		app_error_set(&text, "the other side says: %s", message->text);
		link_say(l, text.text);
		link_go_down(l, true, false);
		return;
	case LIVE_DATA:
	case LIVE_REPAIR:
	case LIVE_END:
		wrong = why_unwanted(l, message->type);
		if (wrong != NULL) {
			link_refuse(l, wrong);
			return;
		}
		l->ended = l->ended || message->type == LIVE_END;
		l->events.on_message(message, l->events.arg);
		return;
	}
}

static void take(struct link *l, uint32_t ppid)
{
	struct live_message message;

	l->heard_us = app_wall_clock_us();
	if (ppid != LIVE_PPID || live_message_decode(l->bytes, l->filled, &message) != 0) {
		link_refuse(l, "an invalid message came: is it another program, or another version?");
		return;
	}
	on_message(l, &message);
}

void link_on_readable(struct usrsctp_cmt_conn *conn, void *arg)
{
	struct link *const l = arg;

	while (l->conn == conn) {
		struct usrsctp_cmt_message message = {.flags = 0};
		const ssize_t len = usrsctp_cmt_conn_read(conn, l->bytes + l->filled,
		                                          LINK_BUFFER_BYTES - l->filled, &message);

		if (len <= 0) {
			return; /* an event tells of failures */
		}
		l->filled += (size_t)len;
		if ((message.flags & USRSCTP_CMT_MESSAGE_PART) == 0) {
			take(l, message.ppid);
			l->filled = 0;
		} else if (l->filled == LINK_BUFFER_BYTES) {
			link_refuse(l, "a message came that is too large");
		}
	}
}
