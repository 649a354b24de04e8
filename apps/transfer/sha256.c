/* SPDX-License-Identifier: BSD-3-Clause */
#include "sha256.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <event2/event.h>

#include "loop/loop_events.h"

#define SLICE_BYTES (1u << 20)
#define READ_BYTES  (1u << 16)
#define AT_ONCE_US  1 /* 0 would not come again */

struct sha256_job {
	struct event *turn;
	EVP_MD_CTX *sha256;
	int fd;
	uint64_t at_bytes, end_bytes;
	sha256_job_cb *fn;
	void *arg;
};

EVP_MD_CTX *sha256_new(void)
{
	EVP_MD_CTX *sha256 = EVP_MD_CTX_new();

	if (sha256 != NULL && EVP_DigestInit_ex(sha256, EVP_sha256(), NULL) != 1) {
		EVP_MD_CTX_free(sha256);
		return NULL;
	}
	return sha256;
}

void sha256_add(EVP_MD_CTX *sha256, const void *bytes, size_t len)
{
	EVP_DigestUpdate(sha256, bytes, len);
}

bool sha256_hex(const EVP_MD_CTX *sha256, char out[TRANSFER_SHA256_HEX_BYTES + 1])
{
	static const char digits[] = "0123456789abcdef";
	EVP_MD_CTX *copy = EVP_MD_CTX_new();
	unsigned char digest[EVP_MAX_MD_SIZE];
	unsigned len = 0;
	bool ok = copy != NULL && EVP_MD_CTX_copy_ex(copy, sha256) == 1 &&
	          EVP_DigestFinal_ex(copy, digest, &len) == 1 && len * 2 == TRANSFER_SHA256_HEX_BYTES;

	EVP_MD_CTX_free(copy);
	for (unsigned i = 0; ok && i < len; i++) {
		out[2 * i] = digits[digest[i] >> 4];
		out[2 * i + 1] = digits[digest[i] & 15];
	}
	out[ok ? TRANSFER_SHA256_HEX_BYTES : 0] = '\0';
	return ok;
}

void sha256_job_free(struct sha256_job *job)
{
	if (job != NULL) {
		event_free(job->turn);
		EVP_MD_CTX_free(job->sha256);
		free(job);
	}
}

static void finish(struct sha256_job *job, int code)
{
	EVP_MD_CTX *sha256 = code == 0 ? job->sha256 : NULL;
	uint64_t hashed_bytes = job->at_bytes;
	sha256_job_cb *fn = job->fn;
	void *arg = job->arg;

	if (code == 0) {
		job->sha256 = NULL;
	}
	sha256_job_free(job);
	fn(sha256, hashed_bytes, code, arg);
}

/* 1: more to do, 0: end, -1: errno. */
static int hash_some(struct sha256_job *job)
{
	static char buffer[READ_BYTES];
	uint64_t left = job->end_bytes - job->at_bytes;
	ssize_t n;

	if (left == 0) {
		return 0;
	}
	n = pread(job->fd, buffer, left < sizeof(buffer) ? (size_t)left : sizeof(buffer),
	          (off_t)job->at_bytes);
	if (n <= 0) {
		return n == 0 ? 0 : -1;
	}
	sha256_add(job->sha256, buffer, (size_t)n);
	job->at_bytes += (uint64_t)n;
	return 1;
}

static void turn(evutil_socket_t fd, short what, void *arg)
{
	struct sha256_job *job = arg;
	uint64_t slice_end_bytes = job->at_bytes + SLICE_BYTES;
	int rc = 1;

	(void)fd;
	(void)what;
	while (rc == 1 && job->at_bytes < slice_end_bytes) {
		rc = hash_some(job);
	}
	if (rc != 1) {
		finish(job, rc == 0 ? 0 : errno);
	}
}

struct sha256_job *sha256_job_start(struct event_base *base, int fd, uint64_t bytes, sha256_job_cb *fn,
                                    void *arg)
{
	struct sha256_job *job = calloc(1, sizeof(*job));

	if (job == NULL) {
		return NULL;
	}
	*job =
	    (struct sha256_job){.sha256 = sha256_new(), .fd = fd, .end_bytes = bytes, .fn = fn, .arg = arg};
	job->turn = app_tick_new(base, AT_ONCE_US, turn, job);
	if (job->turn == NULL || job->sha256 == NULL) {
		app_event_free(job->turn);
		EVP_MD_CTX_free(job->sha256);
		free(job);
		return NULL;
	}
	return job;
}
