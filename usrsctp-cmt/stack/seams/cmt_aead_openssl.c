/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_aead_openssl.c - the AEADs of core/crypto/cmt_aead.h on OpenSSL 3.0.
 *
 * Ciphers are fetched and keys expanded in new(); a record sets the nonce alone. The keys are nowhere but in
 * OpenSSL's contexts, which overwrite them when they are freed. */
#include "crypto/cmt_aead.h"

#include <openssl/evp.h>

#include <stdlib.h>
#include <string.h>

#include <usrsctp_cmt_dtls.h>

struct cmt_aead_ctx {
	EVP_CIPHER_CTX *cipher, *mask;
};

/* A context with the key of OpenSSL's cipher `name`; NULL if there is none. */
static EVP_CIPHER_CTX *with_key(const char *name, const uint8_t *key, enum cmt_aead_direction direction)
{
	EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, name, NULL);
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();

	if (cipher == NULL || ctx == NULL ||
	    EVP_CipherInit_ex2(ctx, cipher, key, NULL, direction == CMT_AEAD_SEALS, NULL) != 1) {
		EVP_CIPHER_CTX_free(ctx);
		ctx = NULL;
	}
	EVP_CIPHER_free(cipher);
	return ctx;
}

static void free_ctx(struct cmt_aead_ctx *ctx)
{
	if (ctx == NULL)
		return;
	EVP_CIPHER_CTX_free(ctx->cipher);
	EVP_CIPHER_CTX_free(ctx->mask);
	free(ctx);
}

static struct cmt_aead_ctx *new_ctx(const char *name, const char *mask_name, const uint8_t *key,
                                    const uint8_t *sn_key, enum cmt_aead_direction direction)
{
	struct cmt_aead_ctx *ctx = malloc(sizeof(*ctx));

	if (ctx == NULL)
		return NULL;
	ctx->cipher = with_key(name, key, direction);
	/* A mask is made in the same way on both sides. */
	ctx->mask = with_key(mask_name, sn_key, CMT_AEAD_SEALS);
	if (ctx->cipher == NULL || ctx->mask == NULL || EVP_CIPHER_CTX_set_padding(ctx->mask, 0) != 1) {
		free_ctx(ctx);
		return NULL;
	}
	return ctx;
}

static struct cmt_aead_ctx *new_aes_128_gcm(const uint8_t *key, const uint8_t *sn_key,
                                            enum cmt_aead_direction direction)
{
	return new_ctx("AES-128-GCM", "AES-128-ECB", key, sn_key, direction);
}

static struct cmt_aead_ctx *new_aes_256_gcm(const uint8_t *key, const uint8_t *sn_key,
                                            enum cmt_aead_direction direction)
{
	return new_ctx("AES-256-GCM", "AES-256-ECB", key, sn_key, direction);
}

static struct cmt_aead_ctx *new_chacha20_poly1305(const uint8_t *key, const uint8_t *sn_key,
                                                  enum cmt_aead_direction direction)
{
	return new_ctx("ChaCha20-Poly1305", "ChaCha20", key, sn_key, direction);
}

static bool aead_seal(struct cmt_aead_ctx *ctx, const uint8_t *nonce, const uint8_t *aad, size_t aad_bytes,
                      uint8_t *data, size_t bytes, uint8_t *tag)
{
	EVP_CIPHER_CTX *cipher = ctx->cipher;
	int n;

	return EVP_EncryptInit_ex2(cipher, NULL, NULL, nonce, NULL) == 1 &&
	       EVP_EncryptUpdate(cipher, NULL, &n, aad, (int)aad_bytes) == 1 &&
	       EVP_EncryptUpdate(cipher, data, &n, data, (int)bytes) == 1 &&
	       EVP_EncryptFinal_ex(cipher, data + bytes, &n) == 1 &&
	       EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, CMT_AEAD_TAG_BYTES, tag) == 1;
}

static bool aead_open(struct cmt_aead_ctx *ctx, const uint8_t *nonce, const uint8_t *aad, size_t aad_bytes,
                      uint8_t *data, size_t bytes, const uint8_t *tag)
{
	EVP_CIPHER_CTX *cipher = ctx->cipher;
	int n;

	/* OpenSSL only reads the tag, although its parameter lacks the const. */
	return EVP_DecryptInit_ex2(cipher, NULL, NULL, nonce, NULL) == 1 &&
	       EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, CMT_AEAD_TAG_BYTES,
	                           (void *)(uintptr_t)tag) == 1 &&
	       EVP_DecryptUpdate(cipher, NULL, &n, aad, (int)aad_bytes) == 1 &&
	       EVP_DecryptUpdate(cipher, data, &n, data, (int)bytes) == 1 &&
	       EVP_DecryptFinal_ex(cipher, data + bytes, &n) == 1;
}

static bool mask_by_aes(struct cmt_aead_ctx *ctx, const uint8_t *sample, uint8_t *mask)
{
	uint8_t block[CMT_AEAD_SAMPLE_BYTES];
	int n;

	if (EVP_EncryptUpdate(ctx->mask, block, &n, sample, sizeof(block)) != 1)
		return false;
	memcpy(mask, block, CMT_AEAD_MASK_BYTES);
	return true;
}

/* Counter and nonce lie in the sample as OpenSSL wants them: little endian, one behind the other. */
static bool mask_by_chacha20(struct cmt_aead_ctx *ctx, const uint8_t *sample, uint8_t *mask)
{
	static const uint8_t zeros[CMT_AEAD_MASK_BYTES];
	int n;

	return EVP_EncryptInit_ex2(ctx->mask, NULL, NULL, sample, NULL) == 1 &&
	       EVP_EncryptUpdate(ctx->mask, mask, &n, zeros, sizeof(zeros)) == 1;
}

/* RFC 8446, section 5.5, would allow AES-GCM 2^24.5 records and ChaCha20-Poly1305 as many as there are
 * numbers. */
#define RECORD_LIMIT  SCTP_DTLS_RECORDS_MAX
#define FAILURE_LIMIT (UINT64_C(1) << 36)

static const struct cmt_aead aeads[] = {
    {.suite = 0x1301,
     .name = "TLS_AES_128_GCM_SHA256",
     .key_bytes = 16,
     .iv_bytes = CMT_AEAD_NONCE_BYTES,
     .sn_key_bytes = 16,
     .record_limit = RECORD_LIMIT,
     .failure_limit = FAILURE_LIMIT,
     .new = new_aes_128_gcm,
     .free = free_ctx,
     .seal = aead_seal,
     .open = aead_open,
     .mask = mask_by_aes},
    {.suite = 0x1302,
     .name = "TLS_AES_256_GCM_SHA384",
     .key_bytes = 32,
     .iv_bytes = CMT_AEAD_NONCE_BYTES,
     .sn_key_bytes = 32,
     .record_limit = RECORD_LIMIT,
     .failure_limit = FAILURE_LIMIT,
     .new = new_aes_256_gcm,
     .free = free_ctx,
     .seal = aead_seal,
     .open = aead_open,
     .mask = mask_by_aes},
    {.suite = 0x1303,
     .name = "TLS_CHACHA20_POLY1305_SHA256",
     .key_bytes = 32,
     .iv_bytes = CMT_AEAD_NONCE_BYTES,
     .sn_key_bytes = 32,
     .record_limit = RECORD_LIMIT,
     .failure_limit = FAILURE_LIMIT,
     .new = new_chacha20_poly1305,
     .free = free_ctx,
     .seal = aead_seal,
     .open = aead_open,
     .mask = mask_by_chacha20},
};

enum { N_AEADS = sizeof(aeads) / sizeof(aeads[0]) };

const struct cmt_aead *cmt_aead_at(unsigned i)
{
	return i < N_AEADS ? &aeads[i] : NULL;
}

const struct cmt_aead *cmt_aead_find(uint16_t suite)
{
	for (unsigned i = 0; i < N_AEADS; i++) {
		if (aeads[i].suite == suite)
			return &aeads[i];
	}
	return NULL;
}
