/* SPDX-License-Identifier: BSD-3-Clause
 *
 * streams.h - the readers of /events (server-sent events): each gets the newest board after every reading.
 *
 * Whoever has not taken the last message yet misses the next one, and whoever takes nothing for long is hung
 * up on: at most one message is kept for each. */
#ifndef MONITOR_STREAMS_H
#define MONITOR_STREAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <event2/http.h>

#define MONITOR_MAX_STREAMS 16

struct monitor_stream;

struct monitor_streams {
	struct monitor_stream *first;
	size_t n;
};

/* Starts the reply to `request`; there must be fewer than MONITOR_MAX_STREAMS. False without memory: the
 * caller answers. */
bool monitor_streams_add(struct monitor_streams *streams, struct evhttp_request *request, uint64_t now_us);

/* Sends `len` bytes of `json` as one event to all who are ready. */
void monitor_streams_send(struct monitor_streams *streams, const char *json, size_t len, uint64_t now_us);

#endif
