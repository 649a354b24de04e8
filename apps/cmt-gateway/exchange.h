/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exchange.h - one request of a player for a file, GET or HEAD, from its arrival to the last byte of the
 * answer.
 *
 * What evhttp has not passed on to the kernel counts against the window of the fetch, so that a player that
 * does not read stops its own file and nothing else. When the file cannot go on, the connection is closed
 * before the promised length is reached: what was sent is part of one file, and of no other. */
#ifndef GATEWAY_EXCHANGE_H
#define GATEWAY_EXCHANGE_H

#include <stdint.h>
#include <sys/queue.h>

#include "http/http_clients.h"
#include "link/link.h"

struct evhttp_request;
struct event_base;
struct exchange;

/* What the exchanges of a server share. `list` is set up by exchanges_init(). */
struct exchanges {
	struct event_base *base;
	struct link *link;
	const char *allow_origin;                  /* NULL = nobody else's pages */
	uint64_t stall_us;                         /* a player that reads nothing for this long is gone */
	void (*done)(const char *text, void *arg); /* a line about each that is over; may be NULL */
	void *arg;
	TAILQ_HEAD(exchange_list, exchange) list;
};

void exchanges_init(struct exchanges *all);

/* Answers `req` of `client`, which is busy with it, now or later. */
void exchange_start(struct exchanges *all, struct http_client *client, struct evhttp_request *req);

/* To be called periodically. */
void exchanges_tick(struct exchanges *all, uint64_t now_us);

/* Ends those that remain: 503, or the connection is closed. */
void exchanges_abort(struct exchanges *all);

#endif
