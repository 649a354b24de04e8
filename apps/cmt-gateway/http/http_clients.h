/* SPDX-License-Identifier: BSD-3-Clause
 *
 * http_clients.h - the connections of players: how many there may be, and how long one may take for a
 * request.
 *
 * evhttp has neither limit: its timeouts restart with every byte, and run while an answer is sent, when a
 * paused player is no fault. So each connection gets its bufferevent from here, and is shut down from here;
 * evhttp then finds it at its end. */
#ifndef GATEWAY_HTTP_CLIENTS_H
#define GATEWAY_HTTP_CLIENTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

struct bufferevent;
struct event_base;
struct evconnlistener;

struct http_client {
	TAILQ_ENTRY(http_client) entry;
	struct bufferevent *bev; /* a reference, so that it is there when evhttp has freed it */
	bool busy;               /* its request is being answered */
	uint64_t idle_us;        /* since when it is not */
	uint64_t begun_us;       /* when its next request began to arrive; 0 = it has not */
};

struct http_clients {
	TAILQ_HEAD(http_client_list, http_client) list;
	unsigned n, max;
	uint64_t request_us;             /* from its first byte on, a request must be complete in this time */
	uint64_t keep_alive_us;          /* and begin in this time */
	struct evconnlistener *listener; /* NULL = no more are accepted */
};

void http_clients_init(struct http_clients *clients);

/* For evhttp_set_bevcb(); `arg` is the struct http_clients. */
struct bufferevent *http_clients_new_bev(struct event_base *base, void *arg);

/* NULL = not one of these. */
struct http_client *http_clients_find(const struct http_clients *clients, const struct bufferevent *bev);

/* Its request is complete, and is answered from now on; then, the answer is. */
void http_client_answering(struct http_client *client);
void http_client_answered(struct http_client *client);

/* To be called periodically: forgets those that are gone, shuts down those that take too long (408 before it,
 * when a request has begun), accepts or refuses further ones. */
void http_clients_tick(struct http_clients *clients, uint64_t now_us);

/* Shuts down those without a request. */
void http_clients_end_idle(struct http_clients *clients);

/* After evhttp_free(). */
void http_clients_free(struct http_clients *clients);

#endif
