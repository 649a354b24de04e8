/* SPDX-License-Identifier: BSD-3-Clause */
#include "incoming.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Written to disk in the background from time to time, so that the fsync at the end is short. */
#define WRITEBACK_BYTES (8u << 20)

void incoming_begin(struct incoming *in, const char *name, uint64_t kept_bytes, EVP_MD_CTX *sha256)
{
	in->name = name;
	in->fd = -1;
	in->sha256 = sha256;
	in->bytes = kept_bytes;
	in->started_writeback_bytes = kept_bytes;
}

static int make_ready(struct incoming *in, struct app_error *error)
{
	if (in->sha256 == NULL) {
		in->sha256 = sha256_new();
		if (in->sha256 == NULL) {
			return store_error(error, in->name, ENOMEM);
		}
	}
	if (in->store != NULL && in->fd < 0) {
		in->fd = store_write(in->store, in->name, in->bytes, error);
		return in->fd < 0 ? -1 : 0;
	}
	return 0;
}

static int write_file(struct incoming *in, const char *bytes, size_t len, struct app_error *error)
{
	while (len > 0) {
		ssize_t n = write(in->fd, bytes, len);

		if (n < 0 && errno != EINTR) {
			return store_error(error, in->name, errno);
		}
		if (n > 0) {
			bytes += n;
			len -= (size_t)n;
		}
	}
	return 0;
}

static void start_writeback(struct incoming *in)
{
	if (in->bytes - in->started_writeback_bytes >= WRITEBACK_BYTES) {
		(void)sync_file_range(in->fd, (off_t)in->started_writeback_bytes,
		                      (off_t)(in->bytes - in->started_writeback_bytes),
		                      SYNC_FILE_RANGE_WRITE);
		in->started_writeback_bytes = in->bytes;
	}
}

int incoming_write(struct incoming *in, const void *bytes, size_t len, struct app_error *error)
{
	int rc;

	if (make_ready(in, error) != 0) {
		return -1;
	}
	if (in->store != NULL) {
		rc = write_file(in, bytes, len, error);
	} else {
		rc = pipe_out_write(in->pipe, bytes, len);
		if (rc < 0) {
			app_error_set(error, "cannot write to standard output: %s", strerror(errno));
		}
	}
	if (rc < 0) {
		return -1;
	}
	sha256_add(in->sha256, bytes, len);
	in->bytes += len;
	if (in->store != NULL) {
		start_writeback(in);
	}
	return rc;
}

enum incoming_verdict incoming_finish(struct incoming *in, const char *sha256, int *fd,
                                      struct app_error *error)
{
	char have[TRANSFER_SHA256_HEX_BYTES + 1];
	enum incoming_verdict verdict = INCOMING_OK;

	if (make_ready(in, error) != 0) {
		verdict = INCOMING_FAILED;
	} else if (!sha256_hex(in->sha256, have)) {
		store_error(error, in->name, ENOMEM);
		verdict = INCOMING_FAILED;
	} else if (strcmp(have, sha256) != 0) {
		app_error_set(error, "%s: arrived damaged: SHA-256 %.16s.., sent %.16s..; send it again",
		              in->name, have, sha256);
		verdict = INCOMING_CORRUPT;
	} else {
		*fd = in->fd;
		in->fd = -1;
	}
	if (verdict == INCOMING_CORRUPT && in->store != NULL) {
		store_discard(in->store, in->name);
	}
	incoming_stop(in);
	return verdict;
}

void incoming_stop(struct incoming *in)
{
	if (in->fd >= 0) {
		close(in->fd);
		in->fd = -1;
	}
	EVP_MD_CTX_free(in->sha256);
	in->sha256 = NULL;
}
