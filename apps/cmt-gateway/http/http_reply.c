/* SPDX-License-Identifier: BSD-3-Clause */
#include "http/http_reply.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <event2/buffer.h>
#include <event2/http.h>

const char *http_phrase(int status)
{
	static const struct {
		int status;
		const char *phrase;
	} phrases[] = {
	    {200, "OK"},
	    {204, "No Content"},
	    {206, "Partial Content"},
	    {304, "Not Modified"},
	    {400, "Bad Request"},
	    {403, "Forbidden"},
	    {404, "Not Found"},
	    {405, "Method Not Allowed"},
	    {412, "Precondition Failed"},
	    {414, "URI Too Long"},
	    {416, "Range Not Satisfiable"},
	    {421, "Misdirected Request"},
	    {500, "Internal Server Error"},
	    {502, "Bad Gateway"},
	    {503, "Service Unavailable"},
	    {504, "Gateway Timeout"},
	};

	for (size_t i = 0; i < sizeof(phrases) / sizeof(phrases[0]); i++) {
		if (phrases[i].status == status) {
			return phrases[i].phrase;
		}
	}
	return "Unknown";
}

void http_set_header(struct evhttp_request *req, const char *name, const char *value)
{
	(void)evhttp_add_header(evhttp_request_get_output_headers(req), name, value);
}

void http_set_number(struct evhttp_request *req, const char *name, int64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, value);
	http_set_header(req, name, text);
}

void http_set_origin(struct evhttp_request *req, const char *origin)
{
	if (origin == NULL) {
		return;
	}
	http_set_header(req, "Access-Control-Allow-Origin", origin);
	http_set_header(req, "Access-Control-Expose-Headers",
	                "Accept-Ranges, Content-Length, Content-Range, ETag");
	if (strcmp(origin, "*") != 0) {
		http_set_header(req, "Vary", "Origin");
	}
}

static void send_body(struct evhttp_request *req, int status, const char *type, struct evbuffer *body)
{
	if (evbuffer_get_length(body) > 0) {
		http_set_header(req, "Content-Type", type);
		http_set_number(req, "Content-Length", (int64_t)evbuffer_get_length(body));
	}
	if (evhttp_request_get_command(req) == EVHTTP_REQ_HEAD) {
		evbuffer_drain(body, evbuffer_get_length(body));
	}
	evhttp_send_reply(req, status, http_phrase(status), body);
}

void http_reply(struct evhttp_request *req, int status, const char *text)
{
	const bool has_body = status != 204 && status != 304;
	struct evbuffer *body = evbuffer_new();

	if (body == NULL) {
		evhttp_send_reply(req, status, http_phrase(status), NULL);
		return;
	}
	if (has_body) {
		evbuffer_add_printf(body, "%d %s: %s\n", status, http_phrase(status), text);
	}
	send_body(req, status, "text/plain; charset=utf-8", body);
	evbuffer_free(body);
}

void http_reply_page(struct evhttp_request *req, int status, struct evbuffer *html, const char *policy)
{
	http_set_header(req, "Content-Security-Policy", policy);
	http_set_header(req, "X-Content-Type-Options", "nosniff");
	http_set_header(req, "Referrer-Policy", "no-referrer");
	http_set_header(req, "Cross-Origin-Resource-Policy", "same-origin");
	http_set_header(req, "Cache-Control", "no-store");
	send_body(req, status, "text/html; charset=utf-8", html);
}
