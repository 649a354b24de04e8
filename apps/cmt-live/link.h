/* SPDX-License-Identifier: BSD-3-Clause
 *
 * link.h - the connection to the other cmt-live, whichever side connects: opens it, reopens it when it fails,
 * handshake, signs of life.
 *
 * One connection at a time. Another caller is refused, unless the present one has fallen silent:
 * then that one is considered gone. Callbacks are called from the loop; none may free the link. */
#ifndef LIVE_LINK_H
#define LIVE_LINK_H

#include <event2/event.h>
#include <usrsctp_cmt_event.h>

#include "live_message.h"
#include "options.h"
#include "secure/encryption.h"
#include "watch.h"

struct link;

struct link_events {
	/* What HELLO says of the stream: seq, stream. Sender. */
	void (*hello)(struct live_message *out, void *arg);
	/* The handshake is over, `latency_ms` applies; `hello` is the sender's, NULL for the sender. */
	void (*on_ready)(uint32_t latency_ms, const struct live_message *hello, void *arg);
	/* DATA, REPAIR, or END. */
	void (*on_message)(const struct live_message *message, void *arg);
	/* The connection is gone. `finished`: after link_finish(), and the other side has
	 * everything. */
	void (*on_down)(bool finished, void *arg);
	void (*status)(struct live_status *out, void *arg);
	/* What the paths carry within the latency has changed. NULL: not wanted. */
	void (*on_capacity)(const struct usrsctp_cmt_capacity_change *change, void *arg);
	/* --timeout is over. */
	void (*on_give_up)(void *arg);
	void *arg;
};

/* Begins to connect or to listen. NULL with the reason. */
struct link *link_new(struct event_base *base, struct usrsctp_cmt_event *ev,
                      const struct live_options *options, const struct link_events *events,
                      struct app_error *error);
/* With a refusal, if `why` is not NULL. */
void link_free(struct link *link, const char *why);

/* Whether data may be sent; whether there is a peer at all. */
bool link_is_ready(const struct link *link);
bool link_is_connected(const struct link *link);
uint32_t link_latency_ms(const struct link *link);
/* Whether both sides have coded repair, and want it. */
bool link_repairs(const struct link *link);

/* 1: taken, 0: no room now, -1: no connection. Unordered, given up after `lifetime_ms`, or when
 * SCTP has had the time to repair it. */
int link_send(struct link *link, const void *message, size_t len, uint32_t lifetime_ms);

/* Says that the stream ends with `seq`, and shuts the connection down; on_down(true) follows. 1, 0 or -1 as
 * link_send(). */
int link_finish(struct link *link, uint32_t seq);

/* From now on no connection is made or taken: it is over, and only what is there goes on to its end. */
void link_rest(struct link *link);

/* Receiver: the stream is over, the connection too. */
void link_close(struct link *link);

/* Bytes that the stack holds and has not sent yet, and what all paths together carry; 0 = not measured. */
void link_load(const struct link *link, size_t *unsent_bytes, uint64_t *rate_bps);

/* By when the other side needs the next message: in `in_us`, what follows at `rate_bps`; for --metered. */
void link_tell_needed(struct link *link, uint64_t rate_bps, uint64_t in_us, uint64_t now_us);

struct link_stats {
	uint64_t connections;
	uint64_t abandoned;               /* datagrams given up by SCTP (RFC 3758) */
	struct monitor_watch watch;       /* of the present connection, or the last one */
	struct app_encryption encryption; /* of the same */
	struct live_status peer;          /* as told last */
	bool told;                        /* it was, over the present connection */
	uint64_t abandoned_unsent; /* of `abandoned`, on the present connection: before they were sent */
};
const struct link_stats *link_stats(struct link *link);

/* For status lines: "up", "no connection" or "stalled for 3 s"; then what its paths do, as
 * monitor_watch_text(). Returns `out`. */
#define LINK_STATE_BYTES 60
char *link_state(const struct link *link, char out[LINK_STATE_BYTES]);
char *link_paths(const struct link *link, char out[MONITOR_WATCH_TEXT_BYTES]);

#endif
