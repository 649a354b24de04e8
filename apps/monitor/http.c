/* SPDX-License-Identifier: BSD-3-Clause */
#include "http.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include <event2/http.h>

#include "host_guard.h"
#include "loop/wall_clock.h"
#include "page.h"
#include "prometheus.h"

#define IDLE_S           10
#define HEADER_BYTES     8192
#define BACKLOG          64
#define EVENT_MAX_ASSOCS 256 /* of a message of /events: 300 kB */

static void put_header(struct evhttp_request *request, const char *name, const char *value)
{
	(void)evhttp_add_header(evhttp_request_get_output_headers(request), name, value);
}

static void put_headers(struct evhttp_request *request, const char *type)
{
	put_header(request, "Content-Type", type);
	put_header(request, "Cache-Control", "no-store");
	put_header(request, "Content-Security-Policy", monitor_page_policy);
	put_header(request, "X-Content-Type-Options", "nosniff");
	put_header(request, "Referrer-Policy", "no-referrer");
	put_header(request, "Cross-Origin-Resource-Policy", "same-origin");
}

static void reply(struct evhttp_request *request, int code, const char *reason, const char *type,
                  struct evbuffer *body)
{
	put_headers(request, type);
	evhttp_send_reply(request, code, reason, body);
}

static void refuse(struct evhttp_request *request, int code, const char *reason, const char *text)
{
	struct evbuffer *const body = evbuffer_new();

	if (body != NULL) {
		(void)evbuffer_add_printf(body, "%s\n", text);
	}
	reply(request, code, reason, "text/plain; charset=utf-8", body);
	if (body != NULL) {
		evbuffer_free(body);
	}
}

static void send_page(struct monitor_http *http, struct evhttp_request *request, struct evbuffer *body)
{
	(void)http;
	(void)evbuffer_add_reference(body, monitor_page, monitor_page_bytes, NULL, NULL);
	reply(request, HTTP_OK, "OK", "text/html; charset=utf-8", body);
}

/* NULL without memory. */
static char *board_text(const struct monitor_http *http, size_t max_assocs)
{
	json_t *const json = http->board_json(max_assocs, http->arg);
	char *const text = json != NULL ? json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(15)) : NULL;

	json_decref(json);
	return text;
}

static void send_json(struct monitor_http *http, struct evhttp_request *request, struct evbuffer *body)
{
	char *const text = board_text(http, 0);

	if (text == NULL) {
		refuse(request, HTTP_SERVUNAVAIL, "Service Unavailable", "no memory");
		return;
	}
	(void)evbuffer_add_printf(body, "%s\n", text);
	free(text);
	reply(request, HTTP_OK, "OK", "application/json", body);
}

static void send_metrics(struct monitor_http *http, struct evhttp_request *request, struct evbuffer *body)
{
	monitor_prometheus(http->board, body);
	reply(request, HTTP_OK, "OK", MONITOR_PROMETHEUS_TYPE, body);
}

static void send_events(struct monitor_http *http, struct evhttp_request *request, struct evbuffer *body)
{
	struct bufferevent *const connection =
	    evhttp_connection_get_bufferevent(evhttp_request_get_connection(request));

	if (evhttp_request_get_command(request) == EVHTTP_REQ_HEAD) {
		reply(request, HTTP_OK, "OK", "text/event-stream", body);
		return;
	}
	if (http->streams.n == MONITOR_MAX_STREAMS) {
		put_header(request, "Retry-After", "5");
		refuse(request, HTTP_SERVUNAVAIL, "Service Unavailable", "too many clients are watching");
		return;
	}
	put_headers(request, "text/event-stream");
	if (!monitor_streams_add(&http->streams, request, app_wall_clock_us())) {
		evhttp_send_error(request, HTTP_SERVUNAVAIL, "Service Unavailable");
		return;
	}
	monitor_door_stays(&http->door, connection);
}

static const struct {
	const char *path;
	void (*send)(struct monitor_http *http, struct evhttp_request *request, struct evbuffer *body);
} pages[] = {
    {"/", send_page},
    {"/stats.json", send_json},
    {"/events", send_events},
    {"/metrics", send_metrics},
};

static void on_request(struct evhttp_request *request, void *arg)
{
	struct monitor_http *const http = arg;
	const enum evhttp_cmd_type method = evhttp_request_get_command(request);
	const char *const path = evhttp_uri_get_path(evhttp_request_get_evhttp_uri(request));
	struct evbuffer *body;

	if (!monitor_host_is_ours(evhttp_find_header(evhttp_request_get_input_headers(request), "Host"),
	                          http->loopback_only)) {
		refuse(request, 403, "Forbidden", "the Host header must name localhost or an IP address");
		return;
	}
	if (method != EVHTTP_REQ_GET && method != EVHTTP_REQ_HEAD) {
		put_header(request, "Allow", "GET, HEAD");
		refuse(request, HTTP_BADMETHOD, "Method Not Allowed", "only GET and HEAD are allowed here");
		return;
	}
	body = evbuffer_new();
	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]) && body != NULL && path != NULL; i++) {
		if (strcmp(path, pages[i].path) == 0) {
			pages[i].send(http, request, body);
			evbuffer_free(body);
			return;
		}
	}
	refuse(request, HTTP_NOTFOUND, "Not Found",
	       "not found; there are /, /stats.json, /events and /metrics");
	if (body != NULL) {
		evbuffer_free(body);
	}
}

static bool is_loopback(const struct sockaddr_storage *address)
{
	if (address->ss_family == AF_INET6) {
		return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)address)->sin6_addr);
	}
	return ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
}

static uint16_t port_of(const struct sockaddr_storage *address)
{
	return ntohs(address->ss_family == AF_INET6 ? ((const struct sockaddr_in6 *)address)->sin6_port
	                                            : ((const struct sockaddr_in *)address)->sin_port);
}

static int refuse_address(const struct sockaddr_storage *address, int code, struct app_error *error)
{
	char text[APP_ADDRESS_TEXT_BYTES];
	const bool v6 = address->ss_family == AF_INET6;

	return app_error_set(error,
	                     "--admin: cannot listen on %s%s%s:%u: %s; choose another port, or 0 for any",
	                     v6 ? "[" : "", app_address_text(address, text, sizeof(text)), v6 ? "]" : "",
	                     port_of(address), strerror(code));
}

static void configure(struct monitor_http *http)
{
	evhttp_set_timeout(http->server, IDLE_S);
	evhttp_set_max_headers_size(http->server, HEADER_BYTES);
	evhttp_set_max_body_size(http->server, 0);
	/* All of them, to answer those that are of no use here. */
	evhttp_set_allowed_methods(http->server, UINT16_MAX);
	evhttp_set_bevcb(http->server, monitor_door_in, &http->door);
	evhttp_set_gencb(http->server, on_request, http);
}

int monitor_http_open(struct monitor_http *http, struct event_base *base,
                      const struct sockaddr_storage *address, struct app_error *error)
{
	struct evconnlistener *listener;

	http->server = evhttp_new(base);
	if (http->server == NULL) {
		return app_error_set(error, "no memory");
	}
	http->loopback_only = is_loopback(address);
	configure(http);
	listener = evconnlistener_new_bind(
	    base, NULL, NULL, LEV_OPT_REUSEABLE | LEV_OPT_CLOSE_ON_EXEC | LEV_OPT_CLOSE_ON_FREE, BACKLOG,
	    (const struct sockaddr *)address,
	    address->ss_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in));
	if (listener == NULL) {
		return refuse_address(address, errno, error);
	}
	if (evhttp_bind_listener(http->server, listener) == NULL) {
		evconnlistener_free(listener);
		return app_error_set(error, "no memory");
	}
	http->door.listener = listener;
	return 0;
}

void monitor_http_close(struct monitor_http *http)
{
	if (http->server != NULL) {
		evhttp_free(http->server);
	}
	monitor_door_close(&http->door);
}

void monitor_http_tick(struct monitor_http *http, uint64_t now_us)
{
	char *text;

	monitor_door_tick(&http->door, now_us);
	if (http->streams.n == 0) {
		return;
	}
	text = board_text(http, EVENT_MAX_ASSOCS);
	if (text != NULL) {
		monitor_streams_send(&http->streams, text, strlen(text), now_us);
	}
	free(text);
}

char *monitor_http_url(const struct monitor_http *http, char *out, size_t out_bytes)
{
	struct sockaddr_storage at = {.ss_family = AF_UNSPEC};
	socklen_t len = sizeof(at);
	char text[APP_ADDRESS_TEXT_BYTES];

	(void)getsockname(evconnlistener_get_fd(http->door.listener), (struct sockaddr *)&at, &len);
	(void)app_address_text(&at, text, sizeof(text));
	(void)snprintf(out, out_bytes, at.ss_family == AF_INET6 ? "http://[%s]:%u/" : "http://%s:%u/", text,
	               port_of(&at));
	return out;
}
