/* SPDX-License-Identifier: BSD-3-Clause */
#include "fetch.h"

#include <netinet/in.h>
#include <stdio.h>

#include <event2/buffer.h>
#include <event2/http.h>

#include "net/addresses.h"

#define TIMEOUT_S 5

static void fail(struct top_target *t, const char *what)
{
	t->answers = false;
	app_error_set(&t->error, "%s: %s", t->name, what);
}

static void take(struct top_target *t, struct evhttp_request *request)
{
	struct evbuffer *const body = evhttp_request_get_input_buffer(request);
	json_error_t where;
	json_t *stats = NULL;

	if (evhttp_request_get_response_code(request) == HTTP_OK) {
		const size_t len = evbuffer_get_length(body);
		const char *const text = len > 0 ? (const char *)evbuffer_pullup(body, -1) : NULL;

		stats = text != NULL ? json_loadb(text, len, 0, &where) : NULL;
	}
	if (!json_is_array(json_object_get(stats, "associations"))) {
		json_decref(stats);
		fail(t, "what answers there is not a program started with --admin");
		return;
	}
	json_decref(t->stats);
	t->stats = stats;
	t->answers = true;
	t->error.text[0] = '\0';
}

static void on_reply(struct evhttp_request *request, void *arg)
{
	struct top_target *const t = arg;

	t->asked = false;
	if (request == NULL || evhttp_request_get_response_code(request) == 0) {
		fail(t, "nothing answers there; is a program running with --admin and this port?");
	} else {
		take(t, request);
	}
	t->changed(t, t->arg);
}

static struct evhttp_connection *connect_to(const struct top_target *t, struct event_base *base, char *host,
                                            size_t host_bytes)
{
	const struct sockaddr_storage *const at = &t->at.address;
	const uint16_t port = ntohs(((const struct sockaddr_in *)at)->sin_port);
	char address[APP_ADDRESS_TEXT_BYTES];

	(void)app_address_text(at, address, sizeof(address));
	(void)snprintf(host, host_bytes, at->ss_family == AF_INET6 ? "[%s]:%u" : "%s:%u", address, port);
	return evhttp_connection_base_new(base, NULL, address, port);
}

void top_fetch(struct top_target *t, struct event_base *base)
{
	char host[APP_ADDRESS_TEXT_BYTES + 10];
	struct evhttp_request *request;

	if (t->asked) {
		return;
	}
	if (t->connection != NULL) {
		evhttp_connection_free(t->connection);
	}
	t->connection = connect_to(t, base, host, sizeof(host));
	request = t->connection != NULL ? evhttp_request_new(on_reply, t) : NULL;
	if (request == NULL) {
		fail(t, "no memory");
		return;
	}
	evhttp_connection_set_timeout(t->connection, TIMEOUT_S);
	evhttp_connection_set_max_body_size(t->connection, TOP_MAX_JSON_BYTES);
	(void)evhttp_add_header(evhttp_request_get_output_headers(request), "Host", host);
	(void)evhttp_add_header(evhttp_request_get_output_headers(request), "Connection", "close");
	t->asked = true;
	if (evhttp_make_request(t->connection, request, EVHTTP_REQ_GET, "/stats.json") != 0) {
		t->asked = false;
		fail(t, "cannot connect");
	}
}

void top_target_free(struct top_target *t)
{
	if (t->connection != NULL) {
		t->changed = NULL;
		evhttp_connection_free(t->connection);
	}
	json_decref(t->stats);
}
