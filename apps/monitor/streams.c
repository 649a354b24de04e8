/* SPDX-License-Identifier: BSD-3-Clause */
#include "streams.h"

#include <stdlib.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>

#include "door.h"

#define PATIENCE_US 10000000u

struct monitor_stream {
	struct monitor_stream *next;
	struct monitor_streams *streams;
	struct evhttp_request *request;
	struct evbuffer *chunk;
	uint64_t sent_us; /* the last message */
};

static struct bufferevent *connection_of(const struct monitor_stream *s)
{
	return evhttp_connection_get_bufferevent(evhttp_request_get_connection(s->request));
}

static void on_close(struct evhttp_connection *connection, void *arg)
{
	struct monitor_stream *const s = arg;
	struct monitor_stream **link = &s->streams->first;

	(void)connection;
	while (*link != s) {
		link = &(*link)->next;
	}
	*link = s->next;
	s->streams->n--;
	/* A request that lost its connection is left to us; one that still has it goes with it. */
	if (evhttp_request_get_connection(s->request) == NULL) {
		evhttp_send_reply_end(s->request);
	}
	evbuffer_free(s->chunk);
	free(s);
}

bool monitor_streams_add(struct monitor_streams *streams, struct evhttp_request *request, uint64_t now_us)
{
	struct monitor_stream *const s = calloc(1, sizeof(*s));

	if (s == NULL || (s->chunk = evbuffer_new()) == NULL) {
		free(s);
		return false;
	}
	s->streams = streams;
	s->request = request;
	s->sent_us = now_us;
	s->next = streams->first;
	streams->first = s;
	streams->n++;
	evhttp_connection_set_closecb(evhttp_request_get_connection(request), on_close, s);
	evhttp_send_reply_start(request, HTTP_OK, "OK");
	/* It says nothing any more, for as long as it likes. */
	(void)bufferevent_set_timeouts(connection_of(s), NULL, NULL);
	(void)evbuffer_add_printf(s->chunk, "retry: 1000\n\n");
	evhttp_send_reply_chunk(request, s->chunk);
	return true;
}

void monitor_streams_send(struct monitor_streams *streams, const char *json, size_t len, uint64_t now_us)
{
	for (struct monitor_stream *s = streams->first; s != NULL; s = s->next) {
		if (evbuffer_get_length(bufferevent_get_output(connection_of(s))) > 0) {
			if (now_us - s->sent_us > PATIENCE_US) {
				monitor_hang_up(connection_of(s));
			}
			continue;
		}
		s->sent_us = now_us;
		(void)evbuffer_add_printf(s->chunk, "data: ");
		(void)evbuffer_add(s->chunk, json, len);
		(void)evbuffer_add(s->chunk, "\n\n", 2);
		evhttp_send_reply_chunk(s->request, s->chunk);
	}
}
