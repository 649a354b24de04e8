/* SPDX-License-Identifier: BSD-3-Clause
 *
 * known_peers.h - trust on first use: which fingerprint a peer had when it was first connected to.
 *
 * A text file, one peer a line, that may be edited by hand:
 *     # what begins with # is kept, and so are empty lines
 *     10.1.0.1:9899 sha256:0123...        what follows is a remark
 *     [fd00::1]:9899 sha256:0123...
 * A name on several lines may have any of their fingerprints. It is replaced as a whole and only ever gets
 * longer; who writes holds FILE.lock meanwhile, so that several programs may add to it at once. */
#ifndef APP_KNOWN_PEERS_H
#define APP_KNOWN_PEERS_H

#include <usrsctp_cmt_keys.h>

#include "secure/peer_names.h"
#include "text/message.h"

enum app_meeting_kind {
	APP_PEER_KNOWN,   /* each of the names has this fingerprint */
	APP_PEER_NEW,     /* at least one was not there, and no other has a different one; they are now */
	APP_PEER_CHANGED, /* at least one has a different one */
};

struct app_meeting {
	enum app_meeting_kind kind;
	const char *name; /* NEW, CHANGED: the first name that is; of the names that were asked for */
	unsigned line;    /* CHANGED: where it is */
	struct app_error forgotten; /* NEW: why it was not written down; "" = it was */
};

/* Looks all `names` up and writes down those that are not there. 0, or -1 with the reason: the file cannot be
 * read, or has a line, which is named, that is not as above; then nothing is known of the peer. */
int app_known_peers_meet(const char *file, const struct app_peer_names *names,
                         const uint8_t fingerprint[USRSCTP_CMT_FINGERPRINT_BYTES], struct app_meeting *out,
                         struct app_error *error);

#endif
