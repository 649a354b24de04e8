/* SPDX-License-Identifier: BSD-3-Clause
 *
 * keylog.h - the key log file (usrsctp_cmt_dtls.h, usrsctp_cmt_dtls_keylog): the keys of encrypted
 * associations.
 *
 * Of each line
 *     SCTP_DTLS <tag> <restart> <epoch> <suite> <key> <IV> <sequence number key>
 * one key; other lines are left alone, so that the file may hold TLS's keys too. The file may grow while it
 * is read. */
#ifndef CMT_WS_KEYLOG_H
#define CMT_WS_KEYLOG_H

#include "aead.h"

#define CMT_KEY_SEARCHES 64u

struct cmt_key {
	struct cmt_key *next; /* of the same verification tag */
	const struct cmt_suite *suite;
	struct cmt_cipher *cipher;
	uint64_t epoch;
	uint32_t tag;
	bool restart;
	/* What protected.c knows of the records. */
	uint64_t next_number;   /* one above the highest so far */
	uint32_t searches_left; /* for numbers that are not near it, CMT_KEY_SEARCHES at first */
};

/* Forgets all keys. `path` is what cmt_keylog_find() reads from now on; NULL or "": nothing. */
void cmt_keylog_reset(const char *path);

/* Reads what has been added to the file. True if there are new keys. */
bool cmt_keylog_read(void);

/* The keys of packets with this tag; NULL if there is none. */
struct cmt_key *cmt_keylog_find(uint32_t tag);

/* From now on the first of its tag. */
void cmt_keylog_prefer(struct cmt_key *key);

#endif
