/* SPDX-License-Identifier: BSD-3-Clause */
#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_BYTES (1u << 18)

int source_open(struct source *src, const struct entry *entry, struct app_error *error)
{
	bool is_stdin = strcmp(entry->path, "-") == 0;

	*src = (struct source){.fd = -1};
	src->fd = is_stdin ? dup(STDIN_FILENO) : open(entry->path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (src->fd < 0 || fstat(src->fd, &src->opened) != 0) {
		app_error_set(error, "%s: cannot read it: %s", is_stdin ? "standard input" : entry->path,
		              strerror(errno));
		source_close(src);
		return -1;
	}
	if (entry->kind == ENTRY_FILE &&
	    (!S_ISREG(src->opened.st_mode) || (uint64_t)src->opened.st_size != entry->bytes)) {
		app_error_set(error, "%s: has changed since the transfer began; send it again", entry->path);
		source_close(src);
		return -1;
	}
	src->entry = entry;
	return 0;
}

int source_begin(struct source *src, uint64_t offset_bytes, EVP_MD_CTX *sha256, struct app_error *error)
{
	bool is_small = src->entry->kind == ENTRY_FILE && src->entry->bytes - offset_bytes < BUFFER_BYTES;

	src->sha256 = sha256 != NULL ? sha256 : sha256_new();
	src->at_bytes = offset_bytes;
	src->buffer_bytes = is_small ? (size_t)(src->entry->bytes - offset_bytes) + 1 : BUFFER_BYTES;
	src->buffer = malloc(src->buffer_bytes);
	if (src->sha256 == NULL || src->buffer == NULL) {
		return app_error_set(error, "%s: no memory to send it", src->entry->path);
	}
	return 0;
}

void source_close(struct source *src)
{
	if (src->fd >= 0) {
		close(src->fd);
	}
	EVP_MD_CTX_free(src->sha256);
	free(src->buffer);
	*src = (struct source){.fd = -1};
}

static bool is_stream_waiting(const struct source *src)
{
	struct pollfd ready = {.fd = src->fd, .events = POLLIN};

	return src->entry->kind == ENTRY_STREAM && poll(&ready, 1, 0) == 0;
}

/* Whether the file is what it was when it was opened; its data would be a mixture otherwise. */
static int check_unchanged(const struct source *src, struct app_error *error)
{
	struct stat now;

	if (src->entry->kind == ENTRY_STREAM) {
		return 0;
	}
	if (fstat(src->fd, &now) != 0) {
		return app_error_set(error, "%s: cannot read it: %s", src->entry->path, strerror(errno));
	}
	if (now.st_size != src->opened.st_size) {
		return app_error_set(error,
		                     "%s: has %s while it was sent, from %" PRIu64 " to %" PRIu64
		                     " bytes; send it again",
		                     src->entry->path, now.st_size < src->opened.st_size ? "shrunk" : "grown",
		                     (uint64_t)src->opened.st_size, (uint64_t)now.st_size);
	}
	if (src->at_bytes != src->entry->bytes || now.st_mtim.tv_sec != src->opened.st_mtim.tv_sec ||
	    now.st_mtim.tv_nsec != src->opened.st_mtim.tv_nsec) {
		return app_error_set(error, "%s: has changed while it was sent; send it again",
		                     src->entry->path);
	}
	return 0;
}

/* Bytes read; 0 at the end, which for a file is where it was when it was opened. */
static ssize_t read_more(struct source *src)
{
	size_t want = src->buffer_bytes;
	ssize_t n;

	if (src->entry->kind == ENTRY_FILE && src->entry->bytes - src->at_bytes < want) {
		want = (size_t)(src->entry->bytes - src->at_bytes);
	}
	do {
		n = want == 0 ? 0
		    : src->entry->kind == ENTRY_STREAM
		        ? read(src->fd, src->buffer, want)
		        : pread(src->fd, src->buffer, want, (off_t)src->at_bytes);
	} while (n < 0 && errno == EINTR);
	return n;
}

enum source_got source_peek(struct source *src, size_t max, const void **bytes, size_t *len,
                            struct app_error *error)
{
	if (src->used == src->filled) {
		ssize_t n;

		if (is_stream_waiting(src)) {
			return SOURCE_WAIT;
		}
		n = read_more(src);
		if (n < 0) {
			app_error_set(error, "%s: cannot read it: %s", src->entry->path, strerror(errno));
			return SOURCE_WRONG;
		}
		if (n == 0) {
			return check_unchanged(src, error) == 0 ? SOURCE_END : SOURCE_WRONG;
		}
		sha256_add(src->sha256, src->buffer, (size_t)n);
		src->at_bytes += (uint64_t)n;
		src->filled = (size_t)n;
		src->used = 0;
	}
	*bytes = src->buffer + src->used;
	*len = src->filled - src->used < max ? src->filled - src->used : max;
	return SOURCE_BYTES;
}

void source_consume(struct source *src, size_t len)
{
	src->used += len;
}
