/* SPDX-License-Identifier: BSD-3-Clause
 *
 * secure.h - what a program's connections are encrypted with: the keys that follow from its options, its own
 * identity, and whether a peer is taken.
 *
 * A program that connects takes a peer with one of the fingerprints of --peer, one that --ca has signed, or
 * one that knows the passphrase; with none of these one that has the fingerprint of the first time
 * (known_peers.h). A server asks only what it was told to ask. */
#ifndef APP_SECURE_H
#define APP_SECURE_H

#include <usrsctp_cmt_event.h>

#include "secure/peer_names.h"
#include "secure/secure_options.h"
#include "text/message.h"

struct app_secure;

struct app_secure_config {
	const char *program; /* for what is said on standard error */
	const struct app_secure_options *options;
	const struct app_peer_names *peer; /* who is connected to; NULL: a server. Is copied */
	bool quiet;                        /* a peer that is new is not told */
};

/* *out is NULL with --insecure, which is said. 0, or -1 with the reason: a file cannot be used. Keys are
 * read, and with --keylog logged, from here on. `options` must outlive it. */
int app_secure_new(struct app_secure **out, const struct app_secure_config *config, struct app_error *error);

/* After all connections. NULL: nothing happens. */
void app_secure_free(struct app_secure *s);

/* For usrsctp_cmt_conn_config. NULL: in the clear. */
struct usrsctp_cmt_keys *app_secure_keys(const struct app_secure *s);

/* "PROGRAM: others can make sure of this one with --peer sha256:...", on standard error, where there is one.
 */
void app_secure_say_fingerprint(const struct app_secure *s);

/* "PROGRAM: refused ADDRESS: REASON", on standard error, of every peer that `listener` does not take for its
 * keys; nothing with `quiet`, or in the clear. */
void app_secure_tell_refused(const struct app_secure *s, struct usrsctp_cmt_listener *listener);

#endif
