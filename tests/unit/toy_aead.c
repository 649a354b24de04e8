/* SPDX-License-Identifier: BSD-3-Clause */
#include "toy_aead.h"

#include <string.h>

#include "util/cmt_random.h"

static struct toy_aead *toy_of(struct cmt_aead_ctx *ctx)
{
	return (struct toy_aead *)(void *)ctx;
}

static uint64_t digest(uint64_t so_far, const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		so_far = (so_far ^ bytes[i]) * UINT64_C(0x100000001b3);
	return cmt_random_peek(so_far ^ n);
}

static void note(struct toy_aead *toy, const uint8_t *nonce, const uint8_t *aad, size_t aad_bytes)
{
	toy->operations++;
	memcpy(toy->nonce, nonce, sizeof(toy->nonce));
	toy->aad_bytes = aad_bytes < sizeof(toy->aad) ? aad_bytes : sizeof(toy->aad);
	memcpy(toy->aad, aad, toy->aad_bytes);
}

static void encrypt_or_decrypt(uint64_t seed, uint8_t *data, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		data[i] ^= (uint8_t)(cmt_random_peek(seed + i) & 0xff);
}

static void make_tag(uint64_t seed, const uint8_t *aad, size_t aad_bytes, const uint8_t *data, size_t bytes,
                     uint8_t tag[CMT_AEAD_TAG_BYTES])
{
	const uint64_t half = digest(digest(seed, aad, aad_bytes), data, bytes),
	               other = cmt_random_peek(half);

	memcpy(tag, &half, sizeof(half));
	memcpy(tag + sizeof(half), &other, sizeof(other));
}

static bool toy_fails(struct toy_aead *toy)
{
	if (toy->fails == 0)
		return false;
	toy->fails--;
	return true;
}

static bool toy_seal(struct cmt_aead_ctx *ctx, const uint8_t *nonce, const uint8_t *aad, size_t aad_bytes,
                     uint8_t *data, size_t bytes, uint8_t *tag)
{
	struct toy_aead *toy = toy_of(ctx);
	const uint64_t seed = digest(toy->key, nonce, CMT_AEAD_NONCE_BYTES);

	note(toy, nonce, aad, aad_bytes);
	if (toy_fails(toy))
		return false;
	encrypt_or_decrypt(seed, data, bytes);
	make_tag(seed, aad, aad_bytes, data, bytes, tag);
	return true;
}

static bool toy_open(struct cmt_aead_ctx *ctx, const uint8_t *nonce, const uint8_t *aad, size_t aad_bytes,
                     uint8_t *data, size_t bytes, const uint8_t *tag)
{
	struct toy_aead *toy = toy_of(ctx);
	const uint64_t seed = digest(toy->key, nonce, CMT_AEAD_NONCE_BYTES);
	uint8_t wanted[CMT_AEAD_TAG_BYTES];

	note(toy, nonce, aad, aad_bytes);
	if (toy_fails(toy))
		return false;
	make_tag(seed, aad, aad_bytes, data, bytes, wanted);
	encrypt_or_decrypt(seed, data, bytes);
	return memcmp(tag, wanted, sizeof(wanted)) == 0;
}

static bool toy_mask(struct cmt_aead_ctx *ctx, const uint8_t *sample, uint8_t *mask)
{
	const uint64_t number = digest(~toy_of(ctx)->key, sample, CMT_AEAD_SAMPLE_BYTES);

	memcpy(mask, &number, CMT_AEAD_MASK_BYTES);
	return true;
}

const struct cmt_aead toy_aead = {.name = "toy",
                                  .iv_bytes = CMT_AEAD_NONCE_BYTES,
                                  .record_limit = UINT64_C(1) << 48,
                                  .failure_limit = UINT64_C(1) << 36,
                                  .seal = toy_seal,
                                  .open = toy_open,
                                  .mask = toy_mask};
