/* SPDX-License-Identifier: BSD-3-Clause
 *
 * incoming.h - the file that a sender is sending: to its unfinished file or to standard output, hashed on the
 * way. Nothing is open before its first byte. */
#ifndef RECV_INCOMING_H
#define RECV_INCOMING_H

#include <stdbool.h>
#include <stdint.h>

#include "loop/pipe_out.h"
#include "sha256.h"
#include "store.h"

struct incoming {
	const struct store *store; /* NULL: to `pipe` */
	struct pipe_out *pipe;
	const char *name;
	int fd;             /* -1 = not open */
	EVP_MD_CTX *sha256; /* of all bytes, those that were there before included; NULL = none yet */
	uint64_t bytes;
	uint64_t started_writeback_bytes;
};

/* Begins behind `kept_bytes`, whose digest is `sha256` (owned from here on; NULL when there are none). */
void incoming_begin(struct incoming *in, const char *name, uint64_t kept_bytes, EVP_MD_CTX *sha256);

/* 0; 1: standard output is slow, wait for its callback; -1 with a sentence. */
int incoming_write(struct incoming *in, const void *bytes, size_t len, struct app_error *error);

enum incoming_verdict { INCOMING_OK, INCOMING_CORRUPT, INCOMING_FAILED };

/* Compares with what it should be. INCOMING_OK: `fd` is the unfinished file, which now is the caller's; -1
 * when it went to standard output. What is corrupt is removed. */
enum incoming_verdict incoming_finish(struct incoming *in, const char *sha256, int *fd,
                                      struct app_error *error);

/* Closes it and keeps what arrived. */
void incoming_stop(struct incoming *in);

#endif
