/* SPDX-License-Identifier: BSD-3-Clause
 *
 * monitor.h - a program's associations and their paths, to be watched while it runs: as a page for a browser,
 * as JSON, as server-sent events, and for Prometheus (docs/monitoring.md).
 *
 * On the program's event loop, single threaded. Without --admin there is no monitor (NULL), which every
 * function takes and does nothing with. With one, each association is read every half second: two socket
 * options, a few microseconds, and 10 kB of memory each. */
#ifndef MONITOR_H
#define MONITOR_H

#include <event2/event.h>
#include <jansson.h>
#include <usrsctp_cmt_event.h>

#include "options/admin_options.h"

struct monitor;

/* Starts to listen and says where on standard error. SIGPIPE is ignored from then on: who watches may leave
 * at any time. *out is NULL when `admin` does not ask for it. 0, or -1 with the reason. `program` must
 * outlive the monitor. */
int monitor_new(struct monitor **out, struct event_base *base, const struct app_admin *admin,
                const char *program, struct app_error *error);

/* Before event_base_free(). */
void monitor_free(struct monitor *m);

/* Shows `conn` from now on, until monitor_remove(), which comes before the connection is freed. `name` says
 * what it is for, as a peer's file name; it is made printable, and copied. NULL = no name. Again for the same
 * connection: changes the name. */
void monitor_add(struct monitor *m, struct usrsctp_cmt_conn *conn, const char *name);

/* Shows figures of the program's own of the connection, which `figures` tells as an object whenever somebody
 * asks, in stats.json and in events. After monitor_add(). */
void monitor_figures(struct monitor *m, const struct usrsctp_cmt_conn *conn, json_t *(*figures)(void *arg),
                     void *arg);

void monitor_remove(struct monitor *m, const struct usrsctp_cmt_conn *conn);

#endif
