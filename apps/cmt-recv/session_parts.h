/* SPDX-License-Identifier: BSD-3-Clause
 *
 * session_parts.h - what the files of a session share. Each calls only those before it:
 *
 *   session_talk.c     what it says, and whether it listens
 *   session_queue.c    its offers, as a list
 *   session_end.c      how it ends
 *   session_commits.c  to disk
 *   session_offers.c   offers, and what is answered
 *   session_files.c    data
 *   session.c          life of the connection */
#ifndef RECV_SESSION_PARTS_H
#define RECV_SESSION_PARTS_H

#include "control.h"
#include "incoming.h"
#include "net/addresses.h"
#include "session.h"

/* A file that was offered and is not done with. The oldest is the one that is being received; those before it
 * are on their way to disk. */
struct offer {
	struct offer *next;
	struct session *session; /* while on the way to disk; NULL = it has ended */
	struct names *names;     /* that have its name */
	int64_t id;
	int64_t bytes; /* -1 = not known */
	struct store_attributes attributes;
	EVP_MD_CTX *kept_sha256; /* of what is here of it; NULL = nothing was offered to the sender */
	uint64_t kept_bytes;
	enum transfer_verdict answer; /* what it says, or will say */
	char name[];
};

enum session_state {
	SESSION_GREETING, /* nothing heard yet */
	SESSION_RUNNING,  /* hello accepted */
	SESSION_FINISHED, /* bye heard; its end is awaited */
	SESSION_OVER      /* to be freed by the callback that is running */
};

struct session {
	struct session *next, *previous;
	struct session_env *env;
	struct usrsctp_cmt_conn *conn;
	struct app_encryption encryption;
	enum session_state state;
	bool began;    /* hello was accepted */
	bool reported; /* what it came to */
	bool resume;
	bool started; /* the oldest offer's data are arriving */
	bool swallow; /* they are of no use any more: the sender does not know yet */
	bool waiting; /* standard output is slow */
	struct app_outbox out;
	struct control_in in;
	struct offer *offers, *newest;
	unsigned n_offers;      /* and those on their way to disk */
	struct offer *settling; /* on their way to disk, newest first */
	struct incoming incoming;
	struct offer *parked;   /* its name is another session's, which may be dead; NULL = none */
	uint64_t parked_us;     /* since then that one's sender would have been heard */
	uint64_t park_until_us; /* not longer */
	struct sha256_job *job; /* looks at what is here of the newest offer */
	int job_fd;
	uint64_t heard_us;
	uint64_t bytes, files, files_there, resumed_at_bytes, first_us, last_us;
	uint64_t settled_bytes; /* of the total, that need not cross the network */
	int64_t total_bytes;    /* -1 = not known */
	uint32_t msg_bytes;
	bool corrupt;
	char *error; /* the first; NULL = none */
	char peer_scheduler[SCTP_CMT_POLICY_NAME_MAX];
	char peer[APP_ADDRESS_TEXT_BYTES];
};

/* session_talk.c */

/* Sends a control message. */
void session_send(struct session *s, const struct transfer_message *m);

/* The peer does not follow the protocol, or something here is beyond repair: tells it why, and ends. */
void session_refuse(struct session *s, const char *reason);

/* Tells the user; not with --quiet. */
void session_say(const struct session *s, const char *text);

/* Something went wrong with one file; the transfer goes on. */
void session_note_error(struct session *s, const char *text);

/* What came of the file or folder `id`; `text` = what went wrong, or NULL. */
void session_done(struct session *s, int64_t id, enum transfer_verdict verdict, const char *text);

/* Stops and resumes reading from the connection, as `job`, `waiting` and `out` demand. */
void session_update_reading(struct session *s);
bool session_is_blocked(const struct session *s);

/* Works on what only this side can finish: its sender is not listened to meanwhile. */
bool session_is_busy(const struct session *s);

/* session_queue.c */

void session_append_offer(struct session *s, struct offer *o);
void session_drop_newest(struct session *s);

/* What has arrived is no longer the oldest offer, which is returned: the caller's. */
struct offer *session_take_oldest(struct session *s);

/* The oldest offer is done with. */
void session_drop_oldest(struct session *s);

void session_free_offer(struct offer *o);

/* Drops all offers, keeps what arrived; what is on its way to disk gets there. */
void session_drop_offers(struct session *s);

/* session_end.c */

/* Says, and writes where it was asked for, what the transfer came to. */
void session_report(const struct session *s);

/* Frees the session if it is over: the last thing that a callback does. */
void session_settle(struct session *s);

/* session_commits.c: brings the oldest offer to disk, which is the unfinished file `fd` and has arrived
 * whole, and tells the sender. */
void session_commit_oldest(struct session *s, int fd);

/* session_offers.c: a message of type TRANSFER_FILE. */
void session_on_offer(struct session *s, const struct transfer_message *m);

/* A few times a second while `parked`: takes the offer, refuses it, or goes on waiting. */
void session_look_at_parked(struct session *s, uint64_t now_us);

/* session_files.c: a message about files, and data. */
void session_on_file_message(struct session *s, const struct transfer_message *m);
void session_on_data(struct session *s, const struct control_data *data);

#endif
