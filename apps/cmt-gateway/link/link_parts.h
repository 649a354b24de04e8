/* SPDX-License-Identifier: BSD-3-Clause
 *
 * link_parts.h - what the files of the association and of its fetches share. Each calls only those before it:
 *
 *   link_streams.c  who has which stream
 *   fetch_state.c   what a fetch asks for, and what it is answered
 *   link_fetches.c  which fetch has its turn
 *   fetch.c         fetches, for their owners
 *   link.c          life of the association */
#ifndef GATEWAY_LINK_PARTS_H
#define GATEWAY_LINK_PARTS_H

#include <sys/queue.h>

#include "link/fetch.h"
#include "link/link.h"
#include "media_message.h"
#include "media_read.h"
#include "protocol/outbox.h"

#define FETCH_PAUSE_MIN_US 100000u

enum link_state {
	LINK_DOWN,       /* until `retry_at_us`, or until somebody wants something */
	LINK_CONNECTING, /* the association is being set up */
	LINK_GREETING,   /* hello sent */
	LINK_UP,         /* welcome received: requests may be sent */
	LINK_LEAVING     /* bye sent; the end of the association is awaited */
};

enum stream_use {
	STREAM_FREE,
	STREAM_BUSY,    /* `fetch` has it */
	STREAM_DRAINING /* its fetch wants no more; free when the end was read */
};

struct stream {
	enum stream_use use;
	struct fetch *fetch;
};

struct link {
	struct link_config config;
	struct event *tick;
	enum link_state state;
	struct usrsctp_cmt_conn *conn; /* NULL when DOWN */
	struct stream streams[MEDIA_STREAMS];
	uint16_t n_streams;        /* of the association, both ways; stream 0 is nobody's */
	unsigned n_used, max_used; /* streams that are not free, and how many the server allows */
	uint16_t last_stream;      /* the search for a free one continues after it */
	struct media_in in;
	struct app_outbox out;
	TAILQ_HEAD(fetches, fetch) fetches; /* oldest first */
	uint64_t retry_at_us, pause_us;
	uint64_t heard_us;    /* when the server last said something, or nothing was awaited */
	uint64_t used_us;     /* when there last was a fetch */
	bool on_demand;       /* when down, it stays so until there is a fetch */
	bool ending;          /* the server takes no further request */
	bool complained;      /* the user knows that it is down */
	struct app_error why; /* it is down */
};

enum fetch_state {
	FETCH_WAITING, /* for the connection, a stream, room, or `retry_at_us` */
	FETCH_ASKED,   /* request sent */
	FETCH_BODY,    /* answered; data follow */
	FETCH_OVER     /* `ended` was called */
};

struct fetch {
	TAILQ_ENTRY(fetch) entry;
	struct link *link;
	struct fetch_request request;
	struct fetch_handlers handlers;
	enum fetch_state state;
	uint16_t stream; /* ASKED, BODY */
	struct media_message answer;
	bool answered;            /* `answer` is set, and the owner has it */
	uint64_t delivered_bytes; /* to the owner */
	uint64_t consumed_bytes;  /* by it */
	uint64_t asked_at_bytes;  /* delivered_bytes when the current request was sent */
	uint64_t credit_bytes;    /* of the current request */
	uint64_t since_us;        /* when it began to wait, or last got something */
	uint64_t retry_at_us, pause_us;
	bool progressed; /* something came since the request was sent */
	bool busy;       /* the server last said that it is too busy */
};

/* link_streams.c */

/* Sends or queues it, unless the association has ended, which an event reports. */
void link_send(struct link *link, uint16_t stream, const struct media_message *m);

/* 0 = none is free. They are used in turn, so that a late message of one fetch is not taken for the next. */
uint16_t link_find_stream(const struct link *link);
void link_free_stream(struct link *link, uint16_t id);

/* The fetch gives its stream back; `ended`: its last message was read. */
void link_release(struct link *link, struct fetch *fetch, bool ended);

/* Whether the server has something to say: an answer, a body that it has credit for, an end. */
bool link_awaits(const struct link *link);

/* fetch_state.c */

/* Whether it has room for something: the one of a paused player has not, and needs no request then. */
bool fetch_wants(const struct fetch *fetch);

/* Sends the request on `stream`. */
void fetch_ask(struct fetch *fetch, uint16_t stream);

/* Tells the server of the room that there is, when it is worth a message. */
void fetch_give_credit(struct fetch *fetch);

/* 0, or -1 when the server does not follow the protocol; the fetch may be gone then or not. */
int fetch_take_message(struct fetch *fetch, const struct media_message *m, struct app_error *error);
int fetch_take_data(struct fetch *fetch, const void *bytes, size_t len, struct app_error *error);

/* The association is lost, or with `wrong` was given up because the server does not follow the protocol. The
 * fetch may be gone then. */
void fetch_broken(struct fetch *fetch, bool wrong);

/* Gives up when it has waited too long. The fetch may be gone then. */
void fetch_tick(struct fetch *fetch, uint64_t now_us);

/* link_fetches.c */

/* Sends the requests of fetches that wait, as long as there are streams for them. */
void link_start_fetches(struct link *link);

/* One message of the server on a stream of a fetch. 0, or -1 when it does not follow the protocol. */
int link_take(struct link *link, const struct media_read *read, bool is_data, struct app_error *error);

/* Whether a fetch wants something. */
bool link_is_wanted(const struct link *link);

#endif
