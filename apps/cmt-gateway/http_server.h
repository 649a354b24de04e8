/* SPDX-License-Identifier: BSD-3-Clause
 *
 * http_server.h - HTTP/1.1 for players: what is asked, by whom, and whether that may be. */
#ifndef GATEWAY_HTTP_SERVER_H
#define GATEWAY_HTTP_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "link/link.h"
#include "text/message.h"

struct event_base;
struct http_server;

struct http_server_config {
	struct event_base *base;
	struct link *link;
	struct sockaddr_storage listen; /* port 0: any free port */
	const char *const *hosts; /* names that a request's Host may have, besides addresses and localhost */
	size_t n_hosts;
	const char *allow_origin; /* NULL = nobody else's pages */
	unsigned max_clients;
	uint64_t request_us, keep_alive_us, stall_us;
	void (*done)(const char *text, void *arg); /* a line about each request; may be NULL */
	void *arg;
};

/* Listens. NULL with the reason. */
struct http_server *http_server_new(const struct http_server_config *config, struct app_error *error);

/* "127.0.0.1:8080", "[::1]:8080". Returns `out`. */
char *http_server_address(const struct http_server *server, char *out, size_t out_bytes);

/* Takes no further connections and requests. */
void http_server_stop(struct http_server *server);

/* Whether answers are under way. */
bool http_server_is_busy(const struct http_server *server);

/* Ends those, when the link is still there. */
void http_server_abort(struct http_server *server);

/* NULL: nothing happens. */
void http_server_free(struct http_server *server);

#endif
