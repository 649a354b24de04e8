/* SPDX-License-Identifier: BSD-3-Clause
 *
 * board.h - all that a monitor knows: the associations with their two newest readings, what ended, and the
 * newest events. The makers of JSON (board_json.h) and of metrics (prometheus.h) read it.
 *
 * No I/O; the caller reads the associations and passes the time, of app_wall_clock_us(). */
#ifndef MONITOR_BOARD_H
#define MONITOR_BOARD_H

#include "net/addresses.h"
#include "reading.h"
#include "secure/encryption.h"

#define MONITOR_NAME_BYTES 96
#define MONITOR_EVENTS     64

struct usrsctp_cmt_conn;

struct monitor_assoc {
	struct monitor_assoc *next; /* older */
	struct usrsctp_cmt_conn *conn;
	uint64_t id; /* from 1, never used again */
	uint64_t opened_us;
	char name[MONITOR_NAME_BYTES];    /* "" = none */
	struct app_encryption encryption; /* from the first reading on */
	json_t *(*figures)(void *arg);    /* the program's own of it; NULL = none */
	void *figures_arg;
	struct monitor_reading before, now;
};

struct monitor_event {
	uint64_t number; /* from 1 */
	double at_s;     /* of the calendar, since 1970 */
	enum monitor_event_kind kind;
	uint64_t association;
	char name[MONITOR_NAME_BYTES];
	uint16_t path_id;
	char local[APP_ADDRESS_TEXT_BYTES], interface[APP_INTERFACE_BYTES]; /* "" = not known */
	char remote[APP_ADDRESS_TEXT_BYTES];
	uint16_t local_port, remote_port; /* UDP; 0 = none */
};

struct monitor_board {
	const char *program;
	uint64_t started_us;
	struct monitor_assoc *assocs; /* newest first */
	size_t n_assocs;
	uint64_t n_opened;                               /* ever */
	uint64_t ended_sent_bytes, ended_received_bytes; /* of paths that are no longer there */
	uint64_t n_events;                               /* ever */
	struct monitor_event events[MONITOR_EVENTS];     /* number N at (N - 1) % MONITOR_EVENTS */
};

/* NULL without memory. */
struct monitor_assoc *monitor_board_add(struct monitor_board *b, struct usrsctp_cmt_conn *conn,
                                        const char *name, uint64_t now_us);
struct monitor_assoc *monitor_board_find(const struct monitor_board *b, const struct usrsctp_cmt_conn *conn);
void monitor_board_name(struct monitor_assoc *a, const char *name);

/* Takes it off and frees it. */
void monitor_board_remove(struct monitor_board *b, struct monitor_assoc *a);
void monitor_board_free(struct monitor_board *b);

/* Notes a new reading and the events since the one before. `calendar_s`: the time since 1970. */
void monitor_board_note(struct monitor_board *b, struct monitor_assoc *a, struct monitor_reading *reading,
                        double calendar_s);

uint64_t monitor_sent_bytes(const struct monitor_reading *r);
uint64_t monitor_received_bytes(const struct monitor_reading *r);

/* "failed", "back", "standby", "added", "removed". */
const char *monitor_event_name(enum monitor_event_kind kind);

#endif
