/* SPDX-License-Identifier: BSD-3-Clause */
#include "monitor.h"

#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "http.h"
#include "loop/loop_events.h"
#include "loop/wall_clock.h"

#define PERIOD_US 500000u
/* Takes at most this part of a processor: with thousands of associations readings come less often. */
#define PROCESSOR_SHARE 10

struct monitor {
	struct monitor_board board;
	struct monitor_http http;
	struct event *tick;
	uint64_t period_us;
};

static double calendar_s(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_REALTIME, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* Of this thread. */
static uint64_t processor_us(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (uint64_t)ts.tv_sec * 1000000u + (uint64_t)ts.tv_nsec / 1000u;
}

static json_t *board_json(size_t max_assocs, void *arg)
{
	const struct monitor *const m = arg;

	return monitor_board_json(&m->board,
	                          &(struct monitor_json_request){.now_us = app_wall_clock_us(),
	                                                         .calendar_s = calendar_s(),
	                                                         .period_s = (double)m->period_us / 1e6,
	                                                         .max_assocs = max_assocs});
}

static void read_assoc(struct monitor *m, struct monitor_assoc *a, uint64_t now_us)
{
	struct monitor_reading reading;

	if (!a->encryption.encrypted) {
		app_encryption_read(a->conn, &a->encryption);
	}
	if (monitor_read(usrsctp_cmt_conn_socket(a->conn), now_us, &reading)) {
		monitor_board_note(&m->board, a, &reading, calendar_s());
	} else {
		a->before.at_us = 0; /* nothing moves any more */
	}
}

static void wait_for_next(struct monitor *m, uint64_t took_us)
{
	m->period_us = took_us * PROCESSOR_SHARE > PERIOD_US ? took_us * PROCESSOR_SHARE : PERIOD_US;
	app_tick_change(m->tick, m->period_us);
}

static void on_tick(evutil_socket_t fd, short what, void *arg)
{
	struct monitor *const m = arg;
	const uint64_t now_us = app_wall_clock_us(), began_us = processor_us();

	(void)fd;
	(void)what;
	for (struct monitor_assoc *a = m->board.assocs; a != NULL; a = a->next) {
		read_assoc(m, a, now_us);
	}
	monitor_http_tick(&m->http, now_us);
	wait_for_next(m, processor_us() - began_us);
}

int monitor_new(struct monitor **out, struct event_base *base, const struct app_admin *admin,
                const char *program, struct app_error *error)
{
	char url[APP_ADDRESS_TEXT_BYTES + 20];
	struct monitor *m;

	*out = NULL;
	if (!app_admin_wanted(admin)) {
		return 0;
	}
	m = calloc(1, sizeof(*m));
	if (m == NULL || (m->tick = app_tick_new(base, PERIOD_US, on_tick, m)) == NULL) {
		free(m);
		return app_error_set(error, "no memory");
	}
	m->board.program = program;
	m->period_us = PERIOD_US;
	m->board.started_us = app_wall_clock_us();
	m->http.board = &m->board;
	m->http.board_json = board_json;
	m->http.arg = m;
	if (monitor_http_open(&m->http, base, &admin->address, error) != 0) {
		monitor_free(m);
		return -1;
	}
	(void)signal(SIGPIPE, SIG_IGN);
	app_complain(program, "watch at %s%s", monitor_http_url(&m->http, url, sizeof(url)),
	             m->http.loopback_only ? "" : "; anyone who can reach this address can watch");
	*out = m;
	return 0;
}

void monitor_free(struct monitor *m)
{
	if (m == NULL) {
		return;
	}
	monitor_http_close(&m->http);
	monitor_board_free(&m->board);
	event_free(m->tick);
	free(m);
}

void monitor_add(struct monitor *m, struct usrsctp_cmt_conn *conn, const char *name)
{
	struct monitor_assoc *a = m != NULL ? monitor_board_find(&m->board, conn) : NULL;

	if (a != NULL) {
		monitor_board_name(a, name);
	} else if (m != NULL) {
		(void)monitor_board_add(&m->board, conn, name, app_wall_clock_us());
	}
}

void monitor_figures(struct monitor *m, const struct usrsctp_cmt_conn *conn, json_t *(*figures)(void *arg),
                     void *arg)
{
	struct monitor_assoc *const a = m != NULL ? monitor_board_find(&m->board, conn) : NULL;

	if (a != NULL) {
		a->figures = figures;
		a->figures_arg = arg;
	}
}

void monitor_remove(struct monitor *m, const struct usrsctp_cmt_conn *conn)
{
	struct monitor_assoc *const a = m != NULL ? monitor_board_find(&m->board, conn) : NULL;

	if (a != NULL) {
		read_assoc(m, a, app_wall_clock_us());
		monitor_board_remove(&m->board, a);
	}
}
