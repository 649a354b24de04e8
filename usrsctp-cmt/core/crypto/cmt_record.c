/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_record.h"

#include <errno.h>
#include <string.h>

enum {
	APPLICATION_DATA = 23,
	FIRST_BYTE = 0x28, /* and the epoch's two bits */
	INNER_MAX_BYTES = CMT_RECORD_CONTENT_MAX + 1
};

static uint8_t first_byte(uint64_t epoch)
{
	return (uint8_t)(FIRST_BYTE | (epoch & 3));
}

/* RFC 8446, section 5.3. */
static void make_nonce(uint8_t nonce[CMT_AEAD_NONCE_BYTES], const uint8_t iv[CMT_AEAD_NONCE_BYTES],
                       uint64_t seq)
{
	memcpy(nonce, iv, CMT_AEAD_NONCE_BYTES);
	for (unsigned i = 0; i < 8; i++)
		nonce[CMT_AEAD_NONCE_BYTES - 1 - i] ^= (uint8_t)(seq >> (8 * i));
}

/* Hides the number of a record, and uncovers it again. */
static bool mask_seq(const struct cmt_aead *aead, struct cmt_aead_ctx *ctx, uint8_t *record)
{
	uint8_t mask[CMT_AEAD_MASK_BYTES];

	if (!aead->mask(ctx, record + CMT_RECORD_HEADER_BYTES, mask))
		return false;
	record[1] ^= mask[0];
	record[2] ^= mask[1];
	return true;
}

void cmt_record_tx_init(struct cmt_record_tx *tx, const struct cmt_aead *aead, struct cmt_aead_ctx *ctx,
                        const uint8_t *iv, uint64_t epoch)
{
	*tx = (struct cmt_record_tx){.aead = aead, .ctx = ctx, .epoch = epoch};
	memcpy(tx->iv, iv, sizeof(tx->iv));
}

void cmt_record_rx_init(struct cmt_record_rx *rx, const struct cmt_aead *aead, struct cmt_aead_ctx *ctx,
                        const uint8_t *iv, uint64_t epoch)
{
	memset(rx, 0, sizeof(*rx));
	rx->aead = aead;
	rx->ctx = ctx;
	rx->epoch = epoch;
	rx->window_records = CMT_RECORD_WINDOW_MAX;
	memcpy(rx->iv, iv, sizeof(rx->iv));
}

int cmt_record_rx_window(struct cmt_record_rx *rx, uint32_t records)
{
	if (records < CMT_RECORD_WINDOW_MIN || records > CMT_RECORD_WINDOW_MAX)
		return -EINVAL;
	rx->window_records = records;
	return 0;
}

int cmt_record_seal(struct cmt_record_tx *tx, uint8_t *buf, uint32_t content_bytes, uint32_t room_bytes)
{
	uint8_t nonce[CMT_AEAD_NONCE_BYTES], *inner = buf + CMT_RECORD_HEADER_BYTES;
	const uint64_t seq = tx->next_seq;

	if (content_bytes > CMT_RECORD_CONTENT_MAX || room_bytes < content_bytes + CMT_RECORD_OVERHEAD_BYTES)
		return -EMSGSIZE;
	if (seq >= tx->aead->record_limit)
		return -EOVERFLOW;
	/* Used up whatever happens: a nonce must not come twice. */
	tx->next_seq++;

	buf[0] = first_byte(tx->epoch);
	buf[1] = (uint8_t)(seq >> 8 & 0xff);
	buf[2] = (uint8_t)(seq & 0xff);
	inner[content_bytes] = APPLICATION_DATA;
	make_nonce(nonce, tx->iv, seq);
	if (!tx->aead->seal(tx->ctx, nonce, buf, CMT_RECORD_HEADER_BYTES, inner, content_bytes + 1,
	                    inner + content_bytes + 1) ||
	    !mask_seq(tx->aead, tx->ctx, buf))
		return -EIO;
	return (int)(content_bytes + CMT_RECORD_OVERHEAD_BYTES);
}

/* The number with these 16 bits that is nearest to the next one (RFC 9147, section 4.2.2): from 32768 below
 * to 32767 above, so exactly the numbers of the largest window are told from those to come. */
static uint64_t whole_seq(uint64_t next_seq, uint16_t wire)
{
	const uint64_t half = CMT_RECORD_WINDOW_MAX, range = 2 * half;
	const uint64_t lowest = next_seq > half ? next_seq - half : 0;

	return lowest + ((wire - lowest) & (range - 1));
}

static uint64_t *seen_word(struct cmt_record_rx *rx, uint64_t seq)
{
	return &rx->seen[seq % CMT_RECORD_WINDOW_MAX / 64];
}

static bool is_new(struct cmt_record_rx *rx, uint64_t seq)
{
	if (seq >= rx->next_seq)
		return true;
	return rx->next_seq - seq <= rx->window_records && (*seen_word(rx, seq) >> (seq % 64) & 1) == 0;
}

/* Numbers from `from` on, `count` of them, all within one word. */
static uint64_t bits(uint64_t from, uint64_t count)
{
	return (count == 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1) << (from % 64);
}

/* Marks `seq`; the window moves up to it. No more words are touched than the bitmap has, plus one. */
static void mark_seen(struct cmt_record_rx *rx, uint64_t seq)
{
	/* Numbers are nearer than half of their range: what is skipped is less than the bitmap. */
	for (uint64_t at = rx->next_seq; at <= seq;) {
		const uint64_t in_word = 64 - at % 64, left = seq - at + 1;
		const uint64_t count = left < in_word ? left : in_word;

		*seen_word(rx, at) &= ~bits(at, count);
		at += count;
	}
	*seen_word(rx, seq) |= bits(seq, 1);
	if (seq >= rx->next_seq)
		rx->next_seq = seq + 1;
}

/* The content's bytes, without content type and padding (RFC 8446, section 5.4); -1 if it is no application
 * data. */
static int content_of(const uint8_t *inner, uint32_t bytes)
{
	while (bytes > 0 && inner[bytes - 1] == 0)
		bytes--;
	return bytes > 0 && inner[bytes - 1] == APPLICATION_DATA ? (int)bytes - 1 : -1;
}

int cmt_record_open(struct cmt_record_rx *rx, uint8_t *buf, uint32_t record_bytes)
{
	const uint32_t inner_bytes = record_bytes - CMT_RECORD_HEADER_BYTES - CMT_AEAD_TAG_BYTES;
	uint8_t nonce[CMT_AEAD_NONCE_BYTES], *inner = buf + CMT_RECORD_HEADER_BYTES;
	uint64_t seq;
	int content_bytes;

	if (record_bytes < CMT_RECORD_OVERHEAD_BYTES || inner_bytes > INNER_MAX_BYTES ||
	    buf[0] != first_byte(rx->epoch)) {
		rx->malformed++;
		return CMT_RECORD_MALFORMED;
	}
	if (rx->forged >= rx->aead->failure_limit)
		return CMT_RECORD_WORN_OUT;
	if (!mask_seq(rx->aead, rx->ctx, buf)) {
		rx->forged++;
		return CMT_RECORD_FORGED;
	}
	seq = whole_seq(rx->next_seq, (uint16_t)(buf[1] << 8 | buf[2]));
	make_nonce(nonce, rx->iv, seq);
	if (!rx->aead->open(rx->ctx, nonce, buf, CMT_RECORD_HEADER_BYTES, inner, inner_bytes,
	                    inner + inner_bytes)) {
		rx->forged++;
		return CMT_RECORD_FORGED;
	}
	if (!is_new(rx, seq)) {
		rx->replayed++;
		return CMT_RECORD_REPLAYED;
	}
	content_bytes = content_of(inner, inner_bytes);
	if (content_bytes < 0) {
		rx->malformed++;
		return CMT_RECORD_MALFORMED;
	}
	mark_seen(rx, seq);
	rx->opened++;
	return content_bytes;
}
