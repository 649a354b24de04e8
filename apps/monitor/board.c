/* SPDX-License-Identifier: BSD-3-Clause */
#include "board.h"

#include <stdio.h>
#include <stdlib.h>

void monitor_board_name(struct monitor_assoc *a, const char *name)
{
	(void)app_printable(name != NULL ? name : "", a->name, sizeof(a->name));
}

struct monitor_assoc *monitor_board_add(struct monitor_board *b, struct usrsctp_cmt_conn *conn,
                                        const char *name, uint64_t now_us)
{
	struct monitor_assoc *const a = calloc(1, sizeof(*a));

	if (a == NULL) {
		return NULL;
	}
	a->conn = conn;
	a->opened_us = now_us;
	a->id = ++b->n_opened;
	monitor_board_name(a, name);
	a->next = b->assocs;
	b->assocs = a;
	b->n_assocs++;
	return a;
}

struct monitor_assoc *monitor_board_find(const struct monitor_board *b, const struct usrsctp_cmt_conn *conn)
{
	struct monitor_assoc *a = b->assocs;

	while (a != NULL && a->conn != conn) {
		a = a->next;
	}
	return a;
}

uint64_t monitor_sent_bytes(const struct monitor_reading *r)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < r->stats.n_paths; i++) {
		sum += r->stats.paths[i].sent_bytes;
	}
	return sum;
}

uint64_t monitor_received_bytes(const struct monitor_reading *r)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < r->stats.n_paths; i++) {
		sum += r->stats.paths[i].received_bytes;
	}
	return sum;
}

void monitor_board_remove(struct monitor_board *b, struct monitor_assoc *a)
{
	struct monitor_assoc **link = &b->assocs;

	while (*link != a) {
		link = &(*link)->next;
	}
	*link = a->next;
	b->n_assocs--;
	b->ended_sent_bytes += monitor_sent_bytes(&a->now);
	b->ended_received_bytes += monitor_received_bytes(&a->now);
	free(a);
}

void monitor_board_free(struct monitor_board *b)
{
	while (b->assocs != NULL) {
		monitor_board_remove(b, b->assocs);
	}
}

const char *monitor_event_name(enum monitor_event_kind kind)
{
	switch (kind) {
	case MONITOR_PATH_FAILED: return "failed";
	case MONITOR_PATH_BACK: return "back";
	case MONITOR_PATH_STANDBY: return "standby";
	case MONITOR_PATH_ADDED: return "added";
	case MONITOR_PATH_REMOVED: return "removed";
	}
	return "unknown";
}

struct place {
	struct monitor_board *board;
	const struct monitor_assoc *assoc;
	double at_s;
};

static void on_event(enum monitor_event_kind kind, const struct sctp_cmt_path_stats *path, void *arg)
{
	const struct place *const p = arg;
	struct monitor_event *const e = &p->board->events[p->board->n_events++ % MONITOR_EVENTS];

	*e = (struct monitor_event){.number = p->board->n_events,
	                            .at_s = p->at_s,
	                            .kind = kind,
	                            .association = p->assoc->id,
	                            .path_id = path->path_id,
	                            .local_port = app_address_port(&path->local),
	                            .remote_port = app_address_port(&path->remote)};
	(void)snprintf(e->name, sizeof(e->name), "%s", p->assoc->name);
	(void)app_address_text(&path->remote, e->remote, sizeof(e->remote));
	if (path->local.ss_family != AF_UNSPEC) {
		(void)app_address_text(&path->local, e->local, sizeof(e->local));
		(void)snprintf(e->interface, sizeof(e->interface), "%s", app_interface_of(&path->local));
	}
	if (kind == MONITOR_PATH_REMOVED) {
		p->board->ended_sent_bytes += path->sent_bytes;
		p->board->ended_received_bytes += path->received_bytes;
	}
}

void monitor_board_note(struct monitor_board *b, struct monitor_assoc *a, struct monitor_reading *reading,
                        double calendar_s)
{
	struct place place = {.board = b, .assoc = a, .at_s = calendar_s};

	monitor_carry_since(&a->now, reading);
	monitor_events_between(&a->now, reading, on_event, &place);
	a->before = a->now;
	a->now = *reading;
}
