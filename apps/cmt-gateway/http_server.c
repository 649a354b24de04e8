/* SPDX-License-Identifier: BSD-3-Clause */
#include "http_server.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>
#include <event2/http.h>
#include <event2/http_struct.h>
#include <event2/keyvalq_struct.h>
#include <event2/listener.h>

#include "exchange.h"
#include "http/http_clients.h"
#include "http/http_host.h"
#include "http/http_reply.h"
#include "loop/loop_events.h"
#include "loop/wall_clock.h"
#include "net/addresses.h"

#define TICK_US          250000
#define BACKLOG          128
#define HEADER_MAX_BYTES 16384 /* with the request line */
#define BODY_MAX_BYTES   4096  /* of requests that are refused anyhow */
#define METHODS          "GET, HEAD, OPTIONS"

struct http_server {
	struct http_server_config config;
	struct evhttp *http;
	struct evhttp_bound_socket *bound; /* NULL = takes no more */
	struct event *tick;
	struct http_clients clients;
	struct exchanges exchanges;
};

/* NULL, or why the request is malformed. evhttp does not count the fields, and takes the body of HEAD for the
 * next request. */
static const char *find_fault(struct evhttp_request *req)
{
	const struct evkeyvalq *headers = evhttp_request_get_input_headers(req);
	const struct evkeyval *h;
	unsigned hosts = 0;

	TAILQ_FOREACH(h, headers, next)
	{
		if (evutil_ascii_strcasecmp(h->key, "Transfer-Encoding") == 0 ||
		    (evutil_ascii_strcasecmp(h->key, "Content-Length") == 0 && strcmp(h->value, "0") != 0)) {
			return "requests with a body are not accepted";
		}
		hosts += evutil_ascii_strcasecmp(h->key, "Host") == 0;
	}
	return hosts > 1 || (hosts == 0 && req->major == 1 && req->minor >= 1)
	           ? "the request needs exactly one Host header"
	           : NULL;
}

static void refuse(struct evhttp_request *req, int status, const char *text)
{
	http_set_header(req, "Connection", "close");
	http_reply(req, status, text);
}

static void preflight(const struct http_server *server, struct evhttp_request *req)
{
	http_set_header(req, "Allow", METHODS);
	http_set_origin(req, server->config.allow_origin);
	if (server->config.allow_origin != NULL) {
		http_set_header(req, "Access-Control-Allow-Methods", METHODS);
		http_set_header(req, "Access-Control-Allow-Headers",
		                "Range, If-Range, If-Match, If-None-Match, If-Modified-Since, "
		                "If-Unmodified-Since");
		http_set_header(req, "Access-Control-Max-Age", "600");
	}
	http_reply(req, 204, "");
}

/* True when it was answered without a look at the file. */
static bool is_answered(const struct http_server *server, struct evhttp_request *req)
{
	const enum evhttp_cmd_type method = evhttp_request_get_command(req);
	const char *host = evhttp_find_header(evhttp_request_get_input_headers(req), "Host");
	const char *fault = find_fault(req);

	if ((method & (EVHTTP_REQ_GET | EVHTTP_REQ_HEAD | EVHTTP_REQ_OPTIONS)) == 0) {
		http_set_header(req, "Allow", METHODS);
		refuse(req, 405, "only " METHODS " are possible");
	} else if (fault != NULL) {
		refuse(req, 400, fault);
	} else if (server->bound == NULL) {
		refuse(req, 503, "the gateway is shutting down");
	} else if (host != NULL && !http_host_is_own(host, server->config.hosts, server->config.n_hosts)) {
		refuse(req, 421, "the request is for a Host that is not this gateway; see --host");
	} else if (method == EVHTTP_REQ_OPTIONS) {
		preflight(server, req);
	} else {
		return false;
	}
	return true;
}

static void on_request(struct evhttp_request *req, void *arg)
{
	struct http_server *server = arg;
	struct evhttp_connection *evcon = evhttp_request_get_connection(req);
	struct http_client *client =
	    http_clients_find(&server->clients, evhttp_connection_get_bufferevent(evcon));

	/* evhttp keeps the connection open after CONNECT, whatever it is answered. */
	if (client == NULL || evhttp_request_get_command(req) == EVHTTP_REQ_CONNECT) {
		evhttp_connection_free(evcon);
		return;
	}
	http_client_answering(client);
	if (is_answered(server, req)) {
		http_client_answered(client);
	} else {
		exchange_start(&server->exchanges, client, req);
	}
}

static void on_tick(evutil_socket_t fd, short what, void *arg)
{
	struct http_server *server = arg;
	const uint64_t now_us = app_wall_clock_us();

	(void)fd;
	(void)what;
	http_clients_tick(&server->clients, now_us);
	exchanges_tick(&server->exchanges, now_us);
}

/* No descriptor, no memory: libevent would try again at once, for ever. */
static void on_accept_error(struct evconnlistener *listener, void *arg)
{
	(void)arg;
	(void)evconnlistener_disable(listener);
}

static int bind_listener(struct http_server *server, struct app_error *error)
{
	const struct sockaddr_storage *at = &server->config.listen;
	const int len =
	    at->ss_family == AF_INET6 ? (int)sizeof(struct sockaddr_in6) : (int)sizeof(struct sockaddr_in);
	struct evconnlistener *listener =
	    evconnlistener_new_bind(server->config.base, NULL, NULL,
	                            LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC | LEV_OPT_REUSEABLE,
	                            BACKLOG, (const struct sockaddr *)at, len);
	char text[APP_ADDRESS_TEXT_BYTES];

	if (listener == NULL) {
		return app_error_set(error, "cannot listen on %s, port %u: %s; choose another with --listen",
		                     app_address_text(at, text, sizeof(text)),
		                     ntohs(((const struct sockaddr_in *)(const void *)at)->sin_port),
		                     strerror(errno));
	}
	evconnlistener_set_error_cb(listener, on_accept_error);
	server->bound = evhttp_bind_listener(server->http, listener);
	if (server->bound == NULL) {
		evconnlistener_free(listener);
		return app_error_set(error, "no memory");
	}
	server->clients.listener = listener;
	return 0;
}

static void set_up_evhttp(struct http_server *server)
{
	evhttp_set_gencb(server->http, on_request, server);
	evhttp_set_bevcb(server->http, http_clients_new_bev, &server->clients);
	evhttp_set_max_headers_size(server->http, HEADER_MAX_BYTES);
	evhttp_set_max_body_size(server->http, BODY_MAX_BYTES);
	evhttp_set_default_content_type(server->http, NULL);
	evhttp_set_allowed_methods(server->http, EVHTTP_REQ_GET | EVHTTP_REQ_HEAD | EVHTTP_REQ_POST |
	                                             EVHTTP_REQ_PUT | EVHTTP_REQ_DELETE | EVHTTP_REQ_OPTIONS |
	                                             EVHTTP_REQ_TRACE | EVHTTP_REQ_CONNECT |
	                                             EVHTTP_REQ_PATCH);
}

struct http_server *http_server_new(const struct http_server_config *config, struct app_error *error)
{
	struct http_server *server = calloc(1, sizeof(*server));

	app_error_set(error, "no memory");
	if (server == NULL) {
		return NULL;
	}
	server->config = *config;
	http_clients_init(&server->clients);
	server->clients.max = config->max_clients;
	server->clients.request_us = config->request_us;
	server->clients.keep_alive_us = config->keep_alive_us;
	exchanges_init(&server->exchanges);
	server->exchanges.base = config->base;
	server->exchanges.link = config->link;
	server->exchanges.allow_origin = config->allow_origin;
	server->exchanges.stall_us = config->stall_us;
	server->exchanges.done = config->done;
	server->exchanges.arg = config->arg;
	server->http = evhttp_new(config->base);
	server->tick = app_tick_new(config->base, TICK_US, on_tick, server);
	if (server->http != NULL) {
		set_up_evhttp(server);
	}
	if (server->http == NULL || server->tick == NULL || bind_listener(server, error) != 0) {
		http_server_free(server);
		return NULL;
	}
	return server;
}

char *http_server_address(const struct http_server *server, char *out, size_t out_bytes)
{
	struct sockaddr_storage at = {0};
	socklen_t len = sizeof(at);
	char text[APP_ADDRESS_TEXT_BYTES];

	(void)getsockname(evhttp_bound_socket_get_fd(server->bound), (struct sockaddr *)&at, &len);
	snprintf(out, out_bytes, at.ss_family == AF_INET6 ? "[%s]:%u" : "%s:%u",
	         app_address_text(&at, text, sizeof(text)),
	         ntohs(((const struct sockaddr_in *)(const void *)&at)->sin_port));
	return out;
}

void http_server_stop(struct http_server *server)
{
	if (server->bound != NULL) {
		server->clients.listener = NULL;
		evhttp_del_accept_socket(server->http, server->bound);
		server->bound = NULL;
	}
	http_clients_end_idle(&server->clients);
}

bool http_server_is_busy(const struct http_server *server)
{
	return !TAILQ_EMPTY(&server->exchanges.list);
}

void http_server_abort(struct http_server *server)
{
	exchanges_abort(&server->exchanges);
}

void http_server_free(struct http_server *server)
{
	if (server == NULL) {
		return;
	}
	if (server->http != NULL) {
		evhttp_free(server->http);
	}
	http_clients_free(&server->clients);
	app_event_free(server->tick);
	free(server);
}
