/* SPDX-License-Identifier: BSD-3-Clause
 *
 * aead.h - opens DTLS 1.3 records by libgcrypt, which Wireshark has anyway. What a record looks like says
 * crypto/cmt_record.h.
 *
 * Unlike the stack's, this one keeps no replay window: a capture may hold a packet twice, and both are shown.
 */
#ifndef CMT_WS_AEAD_H
#define CMT_WS_AEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "crypto/cmt_record.h"

/* One direction of one epoch. */
struct cmt_cipher;

struct cmt_suite {
	uint16_t id; /* TLS's number */
	const char *name;
	uint8_t key_bytes, sn_key_bytes;
	int aead, aead_mode, mask, mask_mode; /* libgcrypt's numbers */
};

/* NULL for one that is not there. */
const struct cmt_suite *cmt_suite_find(uint16_t id);

/* Keys as long as the suite's. NULL if libgcrypt refuses them. */
struct cmt_cipher *cmt_cipher_new(const struct cmt_suite *suite, const uint8_t *key, const uint8_t *iv,
                                  const uint8_t *sn_key);
void cmt_cipher_free(struct cmt_cipher *c);

/* The 16 bits of the sequence number. `record` has at least CMT_RECORD_OVERHEAD_BYTES. */
bool cmt_cipher_number(struct cmt_cipher *c, const uint8_t *record, uint16_t *out);

/* Writes the content of the record with this sequence number to `content`, which has room for record_bytes.
 * False: it is not this key's, or not this number's. On success *content_bytes is known, content type and
 * padding taken off. */
bool cmt_cipher_open(struct cmt_cipher *c, uint64_t number, const uint8_t *record, uint32_t record_bytes,
                     uint8_t *content, uint32_t *content_bytes);

#endif
