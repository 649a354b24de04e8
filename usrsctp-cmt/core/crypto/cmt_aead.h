/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_aead.h - what protects DTLS 1.3 records: an AEAD, and the cipher that hides their numbers.
 *
 * The table of one cipher suite is static and const; who implements it is stack/seams/cmt_aead_openssl.c,
 * core only calls it. A context holds the keys of one direction of one epoch; two threads must not use one at
 * the same time. After new() nothing allocates or can run out of memory. */
#ifndef CMT_AEAD_H
#define CMT_AEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CMT_AEAD_TAG_BYTES    16 /* of every suite here */
#define CMT_AEAD_NONCE_BYTES  12
#define CMT_AEAD_KEY_MAX      32
#define CMT_AEAD_SAMPLE_BYTES 16 /* of the ciphertext, from which a mask is made */
#define CMT_AEAD_MASK_BYTES   5  /* as QUIC has them, whose vectors test it (RFC 9001); two are used here */

struct cmt_aead_ctx;

enum cmt_aead_direction { CMT_AEAD_OPENS, CMT_AEAD_SEALS };

struct cmt_aead {
	uint16_t suite;   /* TLS's number: 0x1301 */
	const char *name; /* TLS's: TLS_AES_128_GCM_SHA256 */
	uint8_t key_bytes, iv_bytes, sn_key_bytes;
	/* Records that may be protected with one key, and records that may fail to open under one (RFC 9147,
	 * section 4.5.3): then the key is worn out. */
	uint64_t record_limit, failure_limit;

	/* Keys of `key_bytes` and `sn_key_bytes`, copied. NULL: out of memory, or the library has not got the
	 * cipher. */
	struct cmt_aead_ctx *(*new)(const uint8_t *key, const uint8_t *sn_key,
	                            enum cmt_aead_direction direction);
	/* Overwrites the keys. NULL is fine. */
	void (*free)(struct cmt_aead_ctx *ctx);
	/* Encrypts `data` in place and writes the tag. The caller never passes a nonce twice. False: the
	 * library failed; nothing of `data` may be sent. A context for sealing. */
	bool (*seal)(struct cmt_aead_ctx *ctx, const uint8_t nonce[CMT_AEAD_NONCE_BYTES], const uint8_t *aad,
	             size_t aad_bytes, uint8_t *data, size_t bytes, uint8_t tag[CMT_AEAD_TAG_BYTES]);
	/* Decrypts `data` in place. False: forged, and what is in `data` now is worth nothing. A context for
	 * opening. */
	bool (*open)(struct cmt_aead_ctx *ctx, const uint8_t nonce[CMT_AEAD_NONCE_BYTES], const uint8_t *aad,
	             size_t aad_bytes, uint8_t *data, size_t bytes, const uint8_t tag[CMT_AEAD_TAG_BYTES]);
	/* The mask that hides a sequence number (RFC 9147, section 4.2.3). Either direction. False: the
	 * library failed. */
	bool (*mask)(struct cmt_aead_ctx *ctx, const uint8_t sample[CMT_AEAD_SAMPLE_BYTES],
	             uint8_t mask[CMT_AEAD_MASK_BYTES]);
};

/* The suites that are there, preferred first; NULL behind the last. */
const struct cmt_aead *cmt_aead_at(unsigned i);

/* By TLS's number; NULL if there is none. */
const struct cmt_aead *cmt_aead_find(uint16_t suite);

#endif
