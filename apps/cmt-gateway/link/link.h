/* SPDX-License-Identifier: BSD-3-Clause
 *
 * link.h - the association with cmt-streamd (docs/media-protocol.md) that all fetches share: a stream each.
 *
 * Opened at once and kept, or, with `idle_us`, opened by the first fetch and closed when there has been none
 * for this long. A lost one is opened again, after a pause that doubles up to some seconds. A server that
 * says nothing while something is awaited from it is given up after `timeout_us`. */
#ifndef GATEWAY_LINK_H
#define GATEWAY_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include <usrsctp_cmt_event.h>

#include "net/addresses.h"
#include "text/message.h"

struct event_base;
struct monitor;
struct link;

struct link_config {
	struct event_base *base;
	struct monitor *monitor; /* NULL = none */
	struct usrsctp_cmt_event *ev;
	const struct app_addresses *peer;
	const struct usrsctp_cmt_conn_config *conn;
	unsigned max_requests; /* at once; others wait */
	uint32_t window_bytes; /* of a fetch: delivered or in flight, and not consumed */
	uint64_t pace_bps;     /* 0 = as fast as possible */
	uint64_t burst_bytes;  /* before pacing begins */
	uint64_t retry_for_us; /* how long a fetch waits without progress */
	uint64_t timeout_us, idle_us;
	void (*say)(const char *text, void *arg); /* something the user should know */
	void (*left)(void *arg);                  /* link_leave() is complete */
	void *arg;
};

/* NULL with the reason: no memory, or options of `conn` that the library refuses. */
struct link *link_new(const struct link_config *config, struct app_error *error);

/* Says bye, once all fetches are freed; `left` follows. */
void link_leave(struct link *link);

/* After all fetches are freed. NULL: nothing happens. */
void link_free(struct link *link);

#endif
