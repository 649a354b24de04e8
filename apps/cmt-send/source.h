/* SPDX-License-Identifier: BSD-3-Clause
 *
 * source.h - the file or stream that is being sent, hashed on the way. */
#ifndef SEND_SOURCE_H
#define SEND_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "entries.h"
#include "sha256.h"

struct source {
	const struct entry *entry; /* NULL = none is open */
	int fd;
	struct stat opened; /* how it was then */
	EVP_MD_CTX *sha256; /* of all bytes up to at_bytes */
	uint64_t at_bytes;  /* read so far */
	char *buffer;       /* while data are sent */
	size_t buffer_bytes, filled, used;
};

/* 0, or -1 with a sentence that names it. */
int source_open(struct source *src, const struct entry *entry, struct app_error *error);

/* Goes on behind `offset_bytes`, whose digest is `sha256` (owned from here on; NULL: none). */
int source_begin(struct source *src, uint64_t offset_bytes, EVP_MD_CTX *sha256, struct app_error *error);

enum source_got {
	SOURCE_BYTES,
	SOURCE_END,
	SOURCE_WAIT, /* a stream has nothing now: `fd` will be readable */
	SOURCE_WRONG /* cannot be read, or is no longer what it was */
};

/* Up to `max` bytes; source_consume() says how many of them were used. */
enum source_got source_peek(struct source *src, size_t max, const void **bytes, size_t *len,
                            struct app_error *error);
void source_consume(struct source *src, size_t len);

/* Closes it. All 0 but for `fd` -1 is closed. */
void source_close(struct source *src);

#endif
