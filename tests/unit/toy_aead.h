/* SPDX-License-Identifier: BSD-3-Clause
 *
 * toy_aead.h - an AEAD that protects nothing, for tests of what is around one: it refuses whatever was
 * changed, counts, and remembers what it was given last. */
#ifndef TOY_AEAD_H
#define TOY_AEAD_H

#include "crypto/cmt_aead.h"

struct toy_aead {
	uint64_t key;
	unsigned operations; /* seal and open */
	unsigned fails;      /* operations to come that fail as if the library did */
	uint8_t nonce[CMT_AEAD_NONCE_BYTES], aad[8];
	size_t aad_bytes;
};

static inline struct cmt_aead_ctx *toy_ctx(struct toy_aead *toy)
{
	return (struct cmt_aead_ctx *)(void *)toy;
}

extern const struct cmt_aead toy_aead;

#endif
