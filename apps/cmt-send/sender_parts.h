/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sender_parts.h - what the files of a sender share. Each calls only those before it:
 *
 *   sender_end.c     what it says, and how it ends
 *   sender_offers.c  offers, and what the receiver answers
 *   sender_files.c   data
 *   sender.c         life of the connection */
#ifndef SEND_SENDER_PARTS_H
#define SEND_SENDER_PARTS_H

#include "control.h"
#include "sender.h"
#include "source.h"

struct answer {
	enum transfer_verdict verdict;
	uint64_t bytes;
	bool overwrite;
	char sha256[TRANSFER_SHA256_HEX_BYTES + 1];
};

/* One per entry. */
struct standing {
	struct answer *answer; /* NULL = none yet, or no longer needed */
	bool offered, settled; /* settled: its result is known */
};

enum sender_state {
	SENDER_CONNECTING,
	SENDER_HELD,     /* connected, waits for sender_go() */
	SENDER_GREETING, /* hello sent */
	SENDER_RUNNING,  /* welcome received */
	SENDER_LEAVING,  /* bye sent; the end of the association is awaited */
	SENDER_OVER
};

struct sender {
	struct sender_config config;
	struct usrsctp_cmt_conn *conn;
	enum sender_state state;
	struct event *tick;
	struct app_outbox out;
	struct control_in in;
	struct standing *standings;
	size_t offered;     /* entries before this one are offered */
	size_t turn;        /* the entry whose data are sent, or come next */
	size_t settled;     /* how many are */
	unsigned under_way; /* files offered and not settled */
	struct source source;
	bool started;           /* the source's data are being sent */
	struct event *readable; /* the source is a stream that has nothing now; NULL = it is not */
	struct sha256_job *job; /* compares the source's beginning with the answer */
	uint64_t written_bytes; /* handed to the connection */
	uint64_t settled_bytes; /* of files, that were there already */
	uint64_t acked_bytes;   /* as the last tick saw it */
	uint64_t progress_us;   /* when the peer last did something */
	uint64_t asked_us;      /* since then the answer about the next file is awaited; 0 = it is not */
	bool told_of_waiting;
	struct monitor_watch watch;
	struct transfer_report report;
};

/* sender_end.c */

/* A control message; where the connection is lost, the transfer failed. */
void sender_send(struct sender *s, const struct transfer_message *m);

/* For who wants to know: nothing is wrong. */
void sender_note(const struct sender *s, const char *text);

/* One file failed; the others go on. */
void sender_note_error(struct sender *s, const char *text);

/* The whole transfer failed. */
void sender_fail(struct sender *s, const char *text);
void sender_fail_lost(struct sender *s, int code); /* errno; 0 = none */

/* Closes what is open of the source. */
void sender_drop_source(struct sender *s);

/* Lets go of all and calls `ended`, once. */
void sender_end(struct sender *s);

/* sender_offers.c. The next entry, if it may be offered now; true when it was. */
bool sender_offer_next(struct sender *s);
void sender_on_answer(struct sender *s, const struct transfer_message *m);

/* NULL after a complaint: the receiver speaks of something that is not under way. */
struct standing *sender_standing(struct sender *s, int64_t id);
void sender_settle(struct sender *s, size_t id);

/* Whether all that can be done now waits for an answer about the next file. */
bool sender_awaits_answer(const struct sender *s);

/* sender_files.c. Offers and sends as much as there is room for. */
void sender_pump(struct sender *s);
void sender_on_done(struct sender *s, const struct transfer_message *m);

#endif
