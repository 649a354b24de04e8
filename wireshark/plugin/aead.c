/* SPDX-License-Identifier: BSD-3-Clause */
#include "aead.h"

#include <string.h>

#include <glib.h>

#include <wsutil/wsgcrypt.h>

#define APPLICATION_DATA 23

struct cmt_cipher {
	gcry_cipher_hd_t aead, mask;
	bool counts; /* the mask is a key stream, which the sample positions; else the sample is encrypted */
	uint8_t iv[CMT_AEAD_NONCE_BYTES];
};

static const struct cmt_suite suites[] = {
    {0x1301, "TLS_AES_128_GCM_SHA256", 16, 16, GCRY_CIPHER_AES128, GCRY_CIPHER_MODE_GCM, GCRY_CIPHER_AES128,
     GCRY_CIPHER_MODE_ECB},
    {0x1302, "TLS_AES_256_GCM_SHA384", 32, 32, GCRY_CIPHER_AES256, GCRY_CIPHER_MODE_GCM, GCRY_CIPHER_AES256,
     GCRY_CIPHER_MODE_ECB},
    {0x1303, "TLS_CHACHA20_POLY1305_SHA256", 32, 32, GCRY_CIPHER_CHACHA20, GCRY_CIPHER_MODE_POLY1305,
     GCRY_CIPHER_CHACHA20, GCRY_CIPHER_MODE_STREAM},
};

const struct cmt_suite *cmt_suite_find(uint16_t id)
{
	for (size_t i = 0; i < G_N_ELEMENTS(suites); i++) {
		if (suites[i].id == id) {
			return &suites[i];
		}
	}
	return NULL;
}

struct cmt_cipher *cmt_cipher_new(const struct cmt_suite *suite, const uint8_t *key, const uint8_t *iv,
                                  const uint8_t *sn_key)
{
	struct cmt_cipher *c = g_new0(struct cmt_cipher, 1);

	c->counts = suite->mask_mode == GCRY_CIPHER_MODE_STREAM;
	memcpy(c->iv, iv, sizeof(c->iv));
	if (gcry_cipher_open(&c->aead, suite->aead, suite->aead_mode, 0) != 0 ||
	    gcry_cipher_open(&c->mask, suite->mask, suite->mask_mode, 0) != 0 ||
	    gcry_cipher_setkey(c->aead, key, suite->key_bytes) != 0 ||
	    gcry_cipher_setkey(c->mask, sn_key, suite->sn_key_bytes) != 0) {
		cmt_cipher_free(c);
		return NULL;
	}
	return c;
}

void cmt_cipher_free(struct cmt_cipher *c)
{
	gcry_cipher_close(c->aead);
	gcry_cipher_close(c->mask);
	g_free(c);
}

/* RFC 9147, section 4.2.3. */
bool cmt_cipher_number(struct cmt_cipher *c, const uint8_t *record, uint16_t *out)
{
	const uint8_t *sample = record + CMT_RECORD_HEADER_BYTES;
	uint8_t mask[CMT_AEAD_SAMPLE_BYTES] = {0};
	gcry_error_t error;

	if (c->counts) {
		/* Counter and nonce, as the cipher takes them. */
		error = gcry_cipher_setiv(c->mask, sample, CMT_AEAD_SAMPLE_BYTES);
		error = error != 0 ? error : gcry_cipher_encrypt(c->mask, mask, sizeof(mask), NULL, 0);
	} else {
		error = gcry_cipher_encrypt(c->mask, mask, sizeof(mask), sample, CMT_AEAD_SAMPLE_BYTES);
	}
	*out = (uint16_t)((record[1] ^ mask[0]) << 8 | (record[2] ^ mask[1]));
	return error == 0;
}

/* Without content type and padding (RFC 8446, section 5.4). */
static bool find_content(const uint8_t *inner, uint32_t bytes, uint32_t *content_bytes)
{
	while (bytes > 0 && inner[bytes - 1] == 0) {
		bytes--;
	}
	if (bytes == 0 || inner[bytes - 1] != APPLICATION_DATA) {
		return false;
	}
	*content_bytes = bytes - 1;
	return true;
}

bool cmt_cipher_open(struct cmt_cipher *c, uint64_t number, const uint8_t *record, uint32_t record_bytes,
                     uint8_t *content, uint32_t *content_bytes)
{
	uint32_t bytes = record_bytes - CMT_RECORD_HEADER_BYTES - CMT_AEAD_TAG_BYTES;
	const uint8_t *inner = record + CMT_RECORD_HEADER_BYTES;
	/* The header as it was before its number was encrypted (RFC 9147, section 4). */
	uint8_t header[CMT_RECORD_HEADER_BYTES] = {record[0], (uint8_t)(number >> 8 & 0xff),
	                                           (uint8_t)(number & 0xff)};
	uint8_t nonce[CMT_AEAD_NONCE_BYTES];

	memcpy(nonce, c->iv, sizeof(nonce));
	for (unsigned i = 0; i < 8; i++) {
		nonce[CMT_AEAD_NONCE_BYTES - 1 - i] ^= (uint8_t)(number >> (8 * i) & 0xff);
	}
	return gcry_cipher_reset(c->aead) == 0 && gcry_cipher_setiv(c->aead, nonce, sizeof(nonce)) == 0 &&
	       gcry_cipher_authenticate(c->aead, header, sizeof(header)) == 0 &&
	       gcry_cipher_final(c->aead) == 0 &&
	       gcry_cipher_decrypt(c->aead, content, bytes, inner, bytes) == 0 &&
	       gcry_cipher_checktag(c->aead, inner + bytes, CMT_AEAD_TAG_BYTES) == 0 &&
	       find_content(content, bytes, content_bytes);
}
