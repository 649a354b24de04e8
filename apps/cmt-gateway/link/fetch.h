/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fetch.h - one file, or a part of it, from cmt-streamd. It waits for the connection, continues where it
 * stopped when that fails, and takes only as much as its owner has room for.
 *
 * Handlers are called from the loop, and from no function here. They may free the fetch and start others. */
#ifndef GATEWAY_FETCH_H
#define GATEWAY_FETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "http/http_range.h"
#include "media_message.h"

struct fetch;
struct link;

struct fetch_request {
	bool head; /* no body wanted */
	bool hold; /* no body before fetch_go() */
	char path[MEDIA_PATH_MAX_BYTES + 1];
	struct http_range range;
	char etag[MEDIA_ETAG_MAX_BYTES + 1]; /* "" = any; else status 412 when the file has another */
};

enum fetch_end {
	FETCH_COMPLETE,    /* everything was delivered */
	FETCH_CHANGED,     /* it broke off and cannot continue: the file is no longer the same */
	FETCH_UNREACHABLE, /* the server did not come back in time */
	FETCH_BUSY,        /* the server was too busy all that time */
	FETCH_WRONG        /* the server does not follow the protocol */
};

struct fetch_handlers {
	/* Once, unless it ends without one. `answer` lives as long as the fetch. */
	void (*answered)(struct fetch *fetch, const struct media_message *answer, void *arg);
	/* `bytes` are valid during the call. */
	void (*data)(struct fetch *fetch, const void *bytes, size_t len, void *arg);
	/* The last one; `text` says why, for people. To be freed now or later. */
	void (*ended)(struct fetch *fetch, enum fetch_end how, const char *text, void *arg);
	void *arg;
};

/* NULL without memory. The request is sent when there is a connection and a stream of it is free. */
struct fetch *fetch_new(struct link *link, const struct fetch_request *request,
                        const struct fetch_handlers *handlers);

/* Ends `hold`. */
void fetch_go(struct fetch *fetch);

/* `bytes` of what was delivered have left: there is room for as many more. */
void fetch_consumed(struct fetch *fetch, uint64_t bytes);

/* What was not delivered yet is cancelled. NULL: nothing happens. */
void fetch_free(struct fetch *fetch);

#endif
