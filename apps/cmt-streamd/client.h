/* SPDX-License-Identifier: BSD-3-Clause
 *
 * client.h - one client's association, from its first message to its end (docs/media-protocol.md).
 *
 * A client that wants nothing takes a few hundred bytes here; its association is the stack's. */
#ifndef STREAMD_CLIENT_H
#define STREAMD_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include <usrsctp_cmt_event.h>

#include "access_log.h"
#include "budget.h"
#include "media_read.h"
#include "net/addresses.h"
#include "options/path_needs.h"
#include "request.h"

struct event;
struct event_base;
struct monitor;
struct client;

/* What all clients share; outlives them. */
struct client_env {
	struct event_base *base;
	struct monitor *monitor; /* NULL = none */
	int root_fd;
	struct access_log log;
	unsigned max_clients, max_requests;
	bool no_list; /* lists of folders do not exist */
	const struct app_metered *metered;
	struct budget budget;
	uint64_t hello_timeout_us, idle_timeout_us, stall_timeout_us;
	bool stopping;          /* new requests are refused */
	struct client *clients; /* all, newest first */
	unsigned n_clients;     /* without those that are only being told why they are refused */
	unsigned n_refused;     /* those */
	/* Something the user should know. */
	void (*say)(const char *text, void *arg);
	/* The last client is gone. */
	void (*empty)(void *arg);
	void *arg;
};

enum client_state {
	CLIENT_GREETING, /* no hello yet */
	CLIENT_SERVED,
	CLIENT_LEAVING, /* bye was said: it ends when no request is left */
	CLIENT_ENDING,  /* our shutdown is under way: it ends when everything has arrived */
	CLIENT_OVER     /* to be freed by the callback that is running */
};

struct client {
	struct client *next, *previous;
	struct client_env *env;
	struct usrsctp_cmt_conn *conn;
	enum client_state state;
	bool counted;                /* in n_clients, not in n_refused */
	bool said_bye;               /* the client */
	bool owes_welcome, owes_bye; /* to be written when there is room */
	struct media_in in;
	struct request_list requests; /* the one whose turn it is first */
	unsigned n_requests;
	struct event *timer;               /* the next pacer, or the next turn; NULL = not needed so far */
	struct app_path_needs needs;       /* told to the stack */
	uint32_t share_bytes;              /* what may be queued; 0 = not set yet */
	size_t queued_bytes;               /* when last looked at */
	uint64_t heard_us;                 /* a message came */
	uint64_t moved_us;                 /* something was written or acknowledged */
	uint64_t deadline_us;              /* it is aborted then; UINT64_MAX = never */
	char name[APP_ADDRESS_TEXT_BYTES]; /* its first address */
	char agent[MEDIA_AGENT_MAX_BYTES + 1];
};

/* Adds a client for `conn`, which it owns from here on. */
void client_accept(struct client_env *env, struct usrsctp_cmt_conn *conn);

/* Once a second: ends those that say, take or want nothing for too long. */
void clients_tick(struct client_env *env, uint64_t now_us);

/* Says bye to all: what is under way is finished. */
void clients_stop(struct client_env *env);

/* Ends all at once. */
void clients_abort(struct client_env *env, const char *why);

#endif
