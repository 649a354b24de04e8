/* SPDX-License-Identifier: BSD-3-Clause
 *
 * http.h - what a monitor answers over HTTP: /, /stats.json, /events, /metrics. */
#ifndef MONITOR_HTTP_H
#define MONITOR_HTTP_H

#include "board_json.h"
#include "door.h"
#include "options/admin_options.h"
#include "streams.h"

struct monitor_http {
	struct evhttp *server;
	struct monitor_door door;
	struct monitor_streams streams;
	bool loopback_only;
	/* The newest board as JSON; NULL without memory. */
	json_t *(*board_json)(size_t max_assocs, void *arg);
	const struct monitor_board *board;
	void *arg;
};

/* Listens on `address`; the other fields have been set. 0, or -1 with the reason. */
int monitor_http_open(struct monitor_http *http, struct event_base *base,
                      const struct sockaddr_storage *address, struct app_error *error);
void monitor_http_close(struct monitor_http *http);

/* After each reading: sends the board to the readers of /events. */
void monitor_http_tick(struct monitor_http *http, uint64_t now_us);

/* "http://127.0.0.1:9090/". Returns `out`. */
char *monitor_http_url(const struct monitor_http *http, char *out, size_t out_bytes);

#endif
