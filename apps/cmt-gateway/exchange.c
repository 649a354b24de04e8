/* SPDX-License-Identifier: BSD-3-Clause */
#include "exchange.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>

#include "films_page.h"
#include "http/http_date.h"
#include "http/http_reply.h"
#include "loop/loop_events.h"
#include "loop/wall_clock.h"
#include "wish.h"

#define LIST_MAX_BYTES (4u << 20) /* of a folder: every entry with the longest name there is */

struct exchange {
	TAILQ_ENTRY(exchange) entry;
	struct exchanges *all;
	struct http_client *client;
	struct evhttp_request *req;
	struct evbuffer *output; /* of the connection */
	struct evbuffer *bytes;  /* on their way there */
	struct event *pump;      /* what follows from bytes that have left */
	struct fetch *fetch;
	struct wish wish;
	int status;           /* 0 = not answered yet */
	bool complete;        /* evhttp has all of the body */
	bool listing;         /* what is fetched is the folder's list, and the answer a page */
	uint64_t ahead_bytes; /* of the header, that leave before the body */
	uint64_t left_bytes;  /* that left, and the fetch does not know */
	uint64_t body_bytes;
	uint64_t started_us, left_us; /* left: when bytes last did, or there were none */
};

void exchanges_init(struct exchanges *all)
{
	TAILQ_INIT(&all->list);
}

static void note(const struct exchange *x, const char *how)
{
	char text[MEDIA_PATH_MAX_BYTES + 200];

	if (x->all->done != NULL) {
		snprintf(text, sizeof(text), "%s %s %d, %" PRIu64 " bytes in %.1f s%s",
		         x->wish.want.head ? "HEAD" : "GET", x->wish.want.path, x->status, x->body_bytes,
		         (double)(app_wall_clock_us() - x->started_us) / 1e6, how);
		x->all->done(text, x->all->arg);
	}
}

static void on_output(struct evbuffer *output, const struct evbuffer_cb_info *info, void *arg)
{
	struct exchange *x = arg;

	(void)output;
	if (info->n_deleted > 0) {
		x->left_bytes += info->n_deleted;
		event_active(x->pump, 0, 0);
	}
}

/* Frees all but the request. */
static void detach(struct exchange *x)
{
	struct evhttp_connection *evcon = evhttp_request_get_connection(x->req);

	TAILQ_REMOVE(&x->all->list, x, entry);
	if (evcon != NULL) {
		evhttp_connection_set_closecb(evcon, NULL, NULL);
	}
	evbuffer_remove_cb(x->output, on_output, x);
	event_free(x->pump);
	evbuffer_free(x->bytes);
	fetch_free(x->fetch);
	free(x);
}

/* The answer is complete, and has left. */
static void finish(struct exchange *x)
{
	struct evhttp_request *const req = x->req;
	struct http_client *const client = x->client;

	note(x, "");
	detach(x);
	evhttp_send_reply_end(req);
	http_client_answered(client);
}

/* The promised length cannot be reached. */
static void cut_off(struct exchange *x, const char *why)
{
	struct evhttp_connection *const evcon = evhttp_request_get_connection(x->req);
	char text[600];

	snprintf(text, sizeof(text), "; cut off: %s", why);
	note(x, text);
	detach(x);
	evhttp_connection_free(evcon);
}

/* An answer without the file. `text` may be the fetch's, and the server's words. */
static void fail(struct exchange *x, int status, const char *text)
{
	struct evhttp_request *const req = x->req;
	struct http_client *const client = x->client;
	char kept[600];

	app_printable(text, kept, sizeof(kept));
	x->status = status;
	note(x, "");
	http_set_origin(req, x->all->allow_origin);
	detach(x);
	http_reply(req, status, kept);
	http_client_answered(client);
}

/* Answers with a page: of the list that was fetched, or, with `text`, that says why there is none. */
static void reply_page(struct exchange *x, int status, const char *text)
{
	struct evhttp_request *const req = x->req;
	struct http_client *const client = x->client;
	const size_t list_bytes = evbuffer_get_length(x->bytes);
	struct evbuffer *const html = evbuffer_new();
	struct app_error error = {"no memory"}, why;
	char path[MEDIA_PATH_MAX_BYTES + 1];

	if (text != NULL) {
		app_error_set(&why, "%d %s, %s", status, http_phrase(status), text);
	}
	(void)snprintf(path, sizeof(path), "%.*s",
	               (int)(strlen(x->wish.want.path) - (x->listing ? strlen(MEDIA_LIST_NAME) : 0)),
	               x->wish.want.path);
	if (html == NULL || (text == NULL ? films_page(path, (const char *)evbuffer_pullup(x->bytes, -1),
	                                               list_bytes, html, &error)
	                                  : films_page_failed(path, why.text, html)) != 0) {
		fail(x, 502, error.text);
	} else {
		x->status = status;
		note(x, "");
		detach(x);
		http_reply_page(req, status, html, films_template_policy);
		http_client_answered(client);
	}
	if (html != NULL) {
		evbuffer_free(html);
	}
}

/* evhttp has taken the request off the connection, which is about to be freed, and leaves it to us. */
static void on_closed(struct evhttp_connection *evcon, void *arg)
{
	struct exchange *x = arg;
	struct evhttp_request *const req = x->req;

	(void)evcon;
	note(x, "; the player has gone");
	detach(x);
	if (evhttp_request_get_connection(req) == NULL) {
		evhttp_send_reply_end(req);
	}
}

static void on_pump(evutil_socket_t fd, short what, void *arg)
{
	struct exchange *x = arg;
	const uint64_t of_header = x->left_bytes < x->ahead_bytes ? x->left_bytes : x->ahead_bytes;
	const uint64_t of_body = x->left_bytes - of_header;

	(void)fd;
	(void)what;
	x->ahead_bytes -= of_header;
	x->left_bytes = 0;
	x->left_us = app_wall_clock_us();
	if (x->complete && evbuffer_get_length(x->output) == 0) {
		finish(x);
	} else if (of_body > 0) {
		fetch_consumed(x->fetch, of_body);
	}
}

static void set_validators(struct exchange *x, const struct media_message *m)
{
	char text[MEDIA_ETAG_MAX_BYTES + 3];
	char date[HTTP_DATE_BYTES];

	snprintf(text, sizeof(text), "\"%s\"", m->etag);
	http_set_header(x->req, "ETag", text);
	if (http_date_format(m->modified_us / 1000000, date, sizeof(date)) != NULL) {
		http_set_header(x->req, "Last-Modified", date);
	}
	http_set_header(x->req, "Accept-Ranges", "bytes");
}

static void begin_body(struct exchange *x, const struct media_message *m)
{
	char range[80];

	set_validators(x, m);
	http_set_header(x->req, "Content-Type", m->content_type);
	http_set_number(x->req, "Content-Length", m->bytes);
	http_set_origin(x->req, x->all->allow_origin);
	if (m->status == 206) {
		snprintf(range, sizeof(range), "bytes %" PRId64 "-%" PRId64 "/%" PRId64, m->first,
		         m->first + m->bytes - 1, m->size);
		http_set_header(x->req, "Content-Range", range);
	}
	x->status = (int)m->status;
	evhttp_send_reply_start(x->req, x->status, http_phrase(x->status));
	x->ahead_bytes = evbuffer_get_length(x->output);
	x->left_us = app_wall_clock_us();
	if (x->wish.want.hold) {
		fetch_go(x->fetch);
	}
}

static void fetch_again(struct exchange *x);

static void fetch_list(struct exchange *x);

static void on_found(struct exchange *x, const struct media_message *m)
{
	const struct http_validators now = {.etag = m->etag, .modified_s = m->modified_us / 1000000};

	switch (http_conditions_check(&x->wish.conditions, &now)) {
	case HTTP_GO_ON: begin_body(x, m); break;
	case HTTP_WHOLE: fetch_again(x); break;
	case HTTP_NOT_MODIFIED:
		set_validators(x, m);
		fail(x, 304, "");
		break;
	case HTTP_FAILED: fail(x, 412, "the file does not meet If-Match or If-Unmodified-Since");
	}
}

static void on_answered(struct fetch *fetch, const struct media_message *m, void *arg)
{
	struct exchange *x = arg;
	char range[40];

	(void)fetch;
	if (x->listing && m->status == 200) {
		return; /* a page of it follows */
	}
	switch (m->status) {
	case 200:
	case 206: on_found(x, m); break;
	case 404:
		if (x->listing) {
			reply_page(x, 404,
			           "there is no such folder, or the server does not list it; play a film by "
			           "its name, e.g. /film.mp4");
		} else if (wish_is_folder(&x->wish)) {
			fetch_list(x);
		} else {
			fail(x, 404, m->text);
		}
		break;
	case 412:
		if (x->wish.want.etag[0] != '\0') {
			fetch_again(x);
		} else {
			fail(x, 502, m->text);
		}
		break;
	case 416:
		if ((m->has & MEDIA_M_SIZE) != 0) {
			snprintf(range, sizeof(range), "bytes */%" PRId64, m->size);
			http_set_header(x->req, "Content-Range", range);
		}
		http_set_header(x->req, "Accept-Ranges", "bytes");
		fail(x, 416, m->text);
		break;
	case 400:
	case 403:
	case 405:
	case 500: fail(x, (int)m->status, m->text); break;
	default: fail(x, 502, m->text);
	}
}

static void on_data(struct fetch *fetch, const void *bytes, size_t len, void *arg)
{
	struct exchange *x = arg;

	(void)fetch;
	if (evbuffer_add(x->bytes, bytes, len) != 0) {
		cut_off(x, "no memory");
		return;
	}
	x->body_bytes += len;
	if (!x->listing) {
		evhttp_send_reply_chunk(x->req, x->bytes);
	} else if (x->body_bytes > LIST_MAX_BYTES) {
		fail(x, 502, "the list of this folder is too long");
	} else {
		fetch_consumed(x->fetch, len);
	}
}

static void on_ended(struct fetch *fetch, enum fetch_end how, const char *text, void *arg)
{
	struct exchange *x = arg;

	(void)fetch;
	if (how == FETCH_COMPLETE && x->listing) {
		reply_page(x, 200, NULL);
	} else if (how == FETCH_COMPLETE) {
		x->complete = true;
		event_active(x->pump, 0, 0);
	} else if (x->status != 0) {
		cut_off(x, text);
	} else if (how == FETCH_BUSY) {
		http_set_number(x->req, "Retry-After", 1);
		fail(x, 503, "too many files at once; try again");
	} else if (x->listing || wish_is_folder(&x->wish)) {
		reply_page(x, how == FETCH_UNREACHABLE ? 504 : 502, text);
	} else {
		fail(x, how == FETCH_UNREACHABLE ? 504 : 502, text);
	}
}

static bool begin_fetch(struct exchange *x)
{
	const struct fetch_handlers handlers = {
	    .answered = on_answered, .data = on_data, .ended = on_ended, .arg = x};

	x->fetch = fetch_new(x->all->link, &x->wish.want, &handlers);
	return x->fetch != NULL;
}

/* The whole file, because If-Range does not hold. */
static void fetch_again(struct exchange *x)
{
	wish_widen(&x->wish);
	fetch_free(x->fetch);
	if (!begin_fetch(x)) {
		fail(x, 503, "no memory");
	}
}

/* A folder without a page of its own. */
static void fetch_list(struct exchange *x)
{
	if (!wish_list(&x->wish)) {
		fail(x, 404, "no such file");
		return;
	}
	x->listing = true;
	fetch_free(x->fetch);
	if (!begin_fetch(x)) {
		fail(x, 503, "no memory");
	}
}

/* evhttp does not look whether the player is still there before it has something to send; and it ends the
 * program when another request comes meanwhile and there is a read callback. */
static void watch(struct evhttp_connection *evcon)
{
	struct bufferevent *const bev = evhttp_connection_get_bufferevent(evcon);
	bufferevent_data_cb on_write;
	bufferevent_event_cb on_event;
	void *arg;

	bufferevent_getcb(bev, NULL, &on_write, &on_event, &arg);
	bufferevent_setcb(bev, NULL, on_write, on_event, arg);
	(void)bufferevent_enable(bev, EV_READ);
}

static struct exchange *new_exchange(struct exchanges *all, struct http_client *client,
                                     struct evhttp_request *req)
{
	struct exchange *x = calloc(1, sizeof(*x));

	if (x == NULL) {
		return NULL;
	}
	x->all = all;
	x->client = client;
	x->req = req;
	x->started_us = app_wall_clock_us();
	x->left_us = x->started_us;
	x->output = bufferevent_get_output(client->bev);
	x->bytes = evbuffer_new();
	x->pump = event_new(all->base, -1, 0, on_pump, x);
	if (x->bytes == NULL || x->pump == NULL || evbuffer_add_cb(x->output, on_output, x) == NULL) {
		if (x->bytes != NULL) {
			evbuffer_free(x->bytes);
		}
		app_event_free(x->pump);
		free(x);
		return NULL;
	}
	TAILQ_INSERT_TAIL(&all->list, x, entry);
	return x;
}

void exchange_start(struct exchanges *all, struct http_client *client, struct evhttp_request *req)
{
	struct exchange *x = new_exchange(all, client, req);
	int status;

	if (x == NULL) {
		http_reply(req, 503, "no memory");
		http_client_answered(client);
		return;
	}
	evhttp_connection_set_closecb(evhttp_request_get_connection(req), on_closed, x);
	watch(evhttp_request_get_connection(req));
	status = wish_read(&x->wish, req);
	if (status != 0) {
		fail(x, status, status == 414 ? "the path is too long" : "the path is malformed");
		return;
	}
	if (!begin_fetch(x)) {
		fail(x, 503, "no memory");
	}
}

void exchanges_tick(struct exchanges *all, uint64_t now_us)
{
	for (struct exchange *x = TAILQ_FIRST(&all->list), *next; x != NULL; x = next) {
		next = TAILQ_NEXT(x, entry);
		if (evbuffer_get_length(x->output) == 0) {
			x->left_us = now_us;
		} else if (now_us > x->left_us + all->stall_us) {
			cut_off(x, "the player has stopped reading");
		}
	}
}

void exchanges_abort(struct exchanges *all)
{
	for (struct exchange *x = TAILQ_FIRST(&all->list), *next; x != NULL; x = next) {
		next = TAILQ_NEXT(x, entry);
		if (x->status != 0) {
			cut_off(x, "the gateway is shutting down");
		} else {
			fail(x, 503, "the gateway is shutting down");
		}
	}
}
