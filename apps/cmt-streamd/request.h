/* SPDX-License-Identifier: BSD-3-Clause
 *
 * request.h - one request and its answer: the file, its window, its pace, and what is to be written next.
 *
 * Nothing of the file is held: a piece is read when there is room for it in the connection. */
#ifndef STREAMD_REQUEST_H
#define STREAMD_REQUEST_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include <usrsctp_cmt_event.h>

#include "media_message.h"
#include "pacer.h"

#define REQUEST_PIECE_BYTES 16384 /* of body in one message */

enum request_state {
	REQUEST_ANSWER, /* the answer is to be written */
	REQUEST_BODY,   /* the answer was; body is left, and nothing has ended it */
	REQUEST_END     /* only the end is left */
};

struct request {
	TAILQ_ENTRY(request) in_client;
	uint16_t stream_id;
	enum request_state state;
	char *answer; /* coded; NULL once it was written */
	size_t answer_len;
	int fd; /* -1 = no body */
	uint64_t offset, left_bytes, sent_bytes;
	uint64_t window_bytes, first_window_bytes; /* now, and at first */
	struct pacer pacer;
	char why[160]; /* it ended early; "" = it did not */
	/* for the access log */
	enum media_method method;
	int status;
	uint64_t first, bytes, size; /* size 0: no range */
	uint64_t began_us;
	char path[];
};

TAILQ_HEAD(request_list, request);

/* Of message `m` on `stream_id`; opens its file. `refusal`, unless it is NULL, is a status and a reason not
 * to even look. NULL without memory. */
struct request_refusal {
	int status;
	const char *text;
};
struct request *request_new(int root_fd, uint16_t stream_id, const struct media_message *m,
                            const struct request_refusal *refusal, uint64_t now_us);
void request_free(struct request *r);

/* A window message. */
void request_widen(struct request *r, uint64_t window_bytes);

/* No more body, for this reason. */
void request_stop(struct request *r, const char *why);

#define REQUEST_NEVER_US UINT64_MAX

/* When something can be written, if there is room in the connection: `now_us` if at once, REQUEST_NEVER_US:
 * when its window is wider. */
uint64_t request_ready_us(const struct request *r, uint64_t now_us);

/* With a pace, and body left: for how long the viewer has enough of what left, playing at that pace: what its
 * gateway has not passed on, and what the pace was exceeded by at first. 0 else. */
uint64_t request_lead_us(const struct request *r, uint64_t now_us);

enum request_wrote {
	REQUEST_WROTE,   /* a message */
	REQUEST_ENDED,   /* its last message */
	REQUEST_BLOCKED, /* no room: the connection's write callback will tell */
	REQUEST_FAILED   /* errno; EINVAL: the connection has no such stream */
};

/* Writes one message. Requires request_ready_us() <= now_us. */
enum request_wrote request_write(struct request *r, struct usrsctp_cmt_conn *conn, uint64_t now_us);

#endif
