/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sha256.h - SHA-256 of bytes as they pass, and of the beginning of a file. */
#ifndef TRANSFER_SHA256_H
#define TRANSFER_SHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <openssl/evp.h>

#include "transfer_message.h"

struct event_base;

/* Ready for the first byte; NULL without memory. EVP_MD_CTX_free() frees it. */
EVP_MD_CTX *sha256_new(void);

void sha256_add(EVP_MD_CTX *sha256, const void *bytes, size_t len);

/* The digest of all bytes so far, in hexadecimal. More may follow. False without memory. */
bool sha256_hex(const EVP_MD_CTX *sha256, char out[TRANSFER_SHA256_HEX_BYTES + 1]);

/* Hashes the first bytes of a file, in slices, so that the event loop turns in between. */
struct sha256_job;

/* `hashed_bytes` of them were there (fewer than wanted: the file is shorter) and are in `sha256`, which the
 * callee owns; `code` is an errno, and `sha256` NULL unless it is 0. The job is freed before. */
typedef void sha256_job_cb(EVP_MD_CTX *sha256, uint64_t hashed_bytes, int code, void *arg);

/* `fd` must be open until `fn` was called, from the loop; its offset is left alone. NULL without memory. */
struct sha256_job *sha256_job_start(struct event_base *base, int fd, uint64_t bytes, sha256_job_cb *fn,
                                    void *arg);

/* Drops it without a call. NULL: nothing happens. */
void sha256_job_free(struct sha256_job *job);

#endif
