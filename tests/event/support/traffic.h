/* SPDX-License-Identifier: BSD-3-Clause
 *
 * traffic.h - the client of two hosts sends, the server takes and checks every byte. What does not come about
 * in ten seconds fails. */
#ifndef TESTS_EVENT_TRAFFIC_H
#define TESTS_EVENT_TRAFFIC_H

#include "support/two.h"

#include <sys/socket.h>

#define TRAFFIC_MESSAGE_BYTES 1400u
#define TRAFFIC_LOOK_MS       50 /* a round of what waits for something */

struct traffic {
	struct two *two;
	struct usrsctp_cmt_conn *conn;
	size_t sent, received, total;
	unsigned count[16];
	struct sockaddr_storage last_address;
	bool idle;       /* the sender pauses */
	size_t pause_at; /* when it has sent this much; 0 = not by itself */
};

/* The server: receives until the peer has closed. */
void traffic_serve(struct two *t, struct traffic *f);
void traffic_serve_plainly(struct two *t);

/* The client: connects to the first `n_peer` addresses; ends. */
void traffic_start(struct two *t, struct traffic *f, size_t n_peer);
void traffic_finish(struct traffic *f);

/* The same with both paths, each of which has carried some data, in turns, so that it has chosen its source.
 * While the server does not get the processor a path fails; it returns. */
void traffic_use_both_paths(struct two *t, struct traffic *f, struct sctp_cmt_path_stats *paths);

/* What the connection can take, up to the next pause. */
void traffic_give(struct usrsctp_cmt_conn *conn, void *arg);
/* What is missing to `bytes`; then all that is left. */
void traffic_send_some(struct traffic *f, size_t bytes);
void traffic_send_rest(struct traffic *f);

/* Statistics of all paths; how many. */
size_t traffic_paths(const struct traffic *f, struct sctp_cmt_path_stats *paths);

/* Run until `n` paths are in use, one event came, a path takes packets of that size, so much was sent. */
void traffic_wait_for_paths(const struct traffic *f, size_t n, struct sctp_cmt_path_stats *paths);
void traffic_wait_for_event(const struct traffic *f, enum usrsctp_cmt_conn_event_type type);
void traffic_wait_for_mtu(const struct traffic *f, size_t path, uint32_t least_bytes, uint32_t most_bytes);
void traffic_wait_for_sent(const struct traffic *f, size_t bytes);

#endif
