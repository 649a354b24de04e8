/* SPDX-License-Identifier: BSD-3-Clause */
#include "http/http_clients.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/listener.h>

#include "loop/wall_clock.h"

#define READ_AHEAD_BYTES 65536  /* more than the largest header: what may wait while an answer is sent */
#define WRITE_ONCE_BYTES 262144 /* libevent's 16 KiB cost a turn of the loop each */

void http_clients_init(struct http_clients *clients)
{
	*clients = (struct http_clients){.n = 0};
	TAILQ_INIT(&clients->list);
}

static void on_input(struct evbuffer *input, const struct evbuffer_cb_info *info, void *arg)
{
	struct http_client *c = arg;

	(void)input;
	if (info->n_added > 0 && !c->busy && c->begun_us == 0) {
		c->begun_us = app_wall_clock_us();
	}
}

struct bufferevent *http_clients_new_bev(struct event_base *base, void *arg)
{
	struct http_clients *clients = arg;
	struct http_client *c = calloc(1, sizeof(*c));
	struct bufferevent *bev = c != NULL ? bufferevent_socket_new(base, -1, BEV_OPT_CLOSE_ON_FREE) : NULL;

	if (bev == NULL || evbuffer_add_cb(bufferevent_get_input(bev), on_input, c) == NULL) {
		if (bev != NULL) {
			bufferevent_free(bev);
		}
		free(c);
		return NULL;
	}
	bufferevent_incref(bev);
	bufferevent_setwatermark(bev, EV_READ, 0, READ_AHEAD_BYTES);
	bufferevent_set_max_single_write(bev, WRITE_ONCE_BYTES);
	c->bev = bev;
	c->idle_us = app_wall_clock_us();
	TAILQ_INSERT_TAIL(&clients->list, c, entry);
	if (++clients->n >= clients->max) {
		http_clients_tick(clients, c->idle_us);
	}
	return bev;
}

struct http_client *http_clients_find(const struct http_clients *clients, const struct bufferevent *bev)
{
	struct http_client *c;

	TAILQ_FOREACH(c, &clients->list, entry)
	{
		if (c->bev == bev) {
			return c;
		}
	}
	return NULL;
}

void http_client_answering(struct http_client *c)
{
	const int on = 1;

	c->busy = true;
	c->begun_us = 0;
	(void)setsockopt(bufferevent_getfd(c->bev), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

void http_client_answered(struct http_client *c)
{
	c->busy = false;
	c->idle_us = app_wall_clock_us();
	c->begun_us = evbuffer_get_length(bufferevent_get_input(c->bev)) > 0 ? c->idle_us : 0;
}

/* evhttp has freed it and ended the connection; the descriptor is closed with the last reference. Then the
 * callbacks are gone that evhttp sets in all of a connection's life. The one that is just being made has none
 * yet, and no descriptor. */
static bool is_gone(const struct http_client *c)
{
	bufferevent_event_cb on_event;

	bufferevent_getcb(c->bev, NULL, NULL, &on_event, NULL);
	return on_event == NULL && bufferevent_getfd(c->bev) != -1;
}

static void forget(struct http_clients *clients, struct http_client *c)
{
	TAILQ_REMOVE(&clients->list, c, entry);
	clients->n--;
	evbuffer_remove_cb(bufferevent_get_input(c->bev), on_input, c);
	bufferevent_decref(c->bev);
	free(c);
}

static void shut_down(struct http_client *c)
{
	(void)shutdown(bufferevent_getfd(c->bev), SHUT_RDWR);
}

/* Nothing else is being sent: evhttp writes only when it has a request. */
static void time_out(struct http_client *c)
{
	static const char answer[] =
	    "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

	(void)send(bufferevent_getfd(c->bev), answer, sizeof(answer) - 1, MSG_DONTWAIT | MSG_NOSIGNAL);
	shut_down(c);
}

static void check_time(const struct http_clients *clients, struct http_client *c, uint64_t now_us)
{
	if (c->busy) {
		return;
	}
	if (c->begun_us != 0 && now_us > c->begun_us + clients->request_us) {
		time_out(c);
	} else if (c->begun_us == 0 && now_us > c->idle_us + clients->keep_alive_us) {
		shut_down(c);
	}
}

void http_clients_tick(struct http_clients *clients, uint64_t now_us)
{
	for (struct http_client *c = TAILQ_FIRST(&clients->list), *next; c != NULL; c = next) {
		next = TAILQ_NEXT(c, entry);
		if (is_gone(c)) {
			forget(clients, c);
		} else {
			check_time(clients, c, now_us);
		}
	}
	if (clients->listener != NULL && clients->n < clients->max) {
		(void)evconnlistener_enable(clients->listener);
	} else if (clients->listener != NULL) {
		(void)evconnlistener_disable(clients->listener);
	}
}

void http_clients_end_idle(struct http_clients *clients)
{
	struct http_client *c;

	TAILQ_FOREACH(c, &clients->list, entry)
	{
		if (!c->busy && !is_gone(c)) {
			shut_down(c);
		}
	}
}

void http_clients_free(struct http_clients *clients)
{
	while (!TAILQ_EMPTY(&clients->list)) {
		forget(clients, TAILQ_FIRST(&clients->list));
	}
}
