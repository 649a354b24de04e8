/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_record.h - DTLS 1.3 records (RFC 9147, section 4) in the one form that the SCTP DTLS chunk has: no
 * connection identifier, no length, 16 bits of the sequence number, nothing but application data.
 *
 *     001 0 1 0 EE | sequence number, 16 bits, encrypted | AEAD( content | 23 ), tag of 16 bytes
 *
 * Pure: no clock, no allocation. The AEAD's contexts are made and freed by the caller. Not thread safe; the
 * caller holds the association's lock. */
#ifndef CMT_RECORD_H
#define CMT_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "cmt_aead.h"

#define CMT_RECORD_HEADER_BYTES   3
#define CMT_RECORD_OVERHEAD_BYTES (CMT_RECORD_HEADER_BYTES + 1 + CMT_AEAD_TAG_BYTES)
#define CMT_RECORD_CONTENT_MAX    16384 /* RFC 8446, section 5.1 */

/* Packets of all paths share one number space, and a path may be behind by all that the others send in the
 * meantime. The largest window is what 16 bits can tell apart: half of their range. */
#define CMT_RECORD_WINDOW_MIN 64
#define CMT_RECORD_WINDOW_MAX 32768

/* The sending half of an epoch. */
struct cmt_record_tx {
	const struct cmt_aead *aead;
	struct cmt_aead_ctx *ctx; /* made with CMT_AEAD_SEALS */
	uint64_t epoch;
	uint64_t next_seq; /* records protected so far */
	uint8_t iv[CMT_AEAD_NONCE_BYTES];
};

/* The receiving half. */
struct cmt_record_rx {
	const struct cmt_aead *aead;
	struct cmt_aead_ctx *ctx; /* made with CMT_AEAD_OPENS */
	uint64_t epoch;
	uint64_t next_seq;       /* one above the highest number that was received */
	uint32_t window_records; /* below next_seq: numbers that are still taken */
	uint8_t iv[CMT_AEAD_NONCE_BYTES];
	/* What became of the records, for statistics: taken, refused for each reason. */
	uint64_t opened, malformed, forged, replayed;
	/* Numbers received, by number modulo CMT_RECORD_WINDOW_MAX. */
	uint64_t seen[CMT_RECORD_WINDOW_MAX / 64];
};

/* Why a record was refused. */
enum cmt_record_refusal {
	CMT_RECORD_MALFORMED = -1, /* of another form, epoch, length or content type */
	CMT_RECORD_REPLAYED = -2,  /* authentic, but it was here before or is older than the window */
	CMT_RECORD_FORGED = -3,    /* forged, damaged, or so old that its number cannot be told any more */
	CMT_RECORD_WORN_OUT = -4,  /* not looked at: the AEAD's failure_limit is reached */
};

/* `iv`: aead->iv_bytes; copied. The number of the first record is 0. */
void cmt_record_tx_init(struct cmt_record_tx *tx, const struct cmt_aead *aead, struct cmt_aead_ctx *ctx,
                        const uint8_t *iv, uint64_t epoch);

/* As above; the window is the largest. */
void cmt_record_rx_init(struct cmt_record_rx *rx, const struct cmt_aead *aead, struct cmt_aead_ctx *ctx,
                        const uint8_t *iv, uint64_t epoch);

/* How far behind the highest number a record may be; at any time. Outside of CMT_RECORD_WINDOW_MIN .. MAX:
 * -EINVAL. */
int cmt_record_rx_window(struct cmt_record_rx *rx, uint32_t records);

/* Makes a record of `content_bytes` of content at buf + CMT_RECORD_HEADER_BYTES, in place; `room_bytes` is
 * what `buf` has in all. Returns the record's bytes, content_bytes + CMT_RECORD_OVERHEAD_BYTES. Errors:
 *   -EMSGSIZE   no room, or more than CMT_RECORD_CONTENT_MAX; nothing has changed
 *   -EOVERFLOW  the AEAD's record_limit is reached: only another epoch helps; nothing has changed
 *   -EIO        the AEAD failed; the content is lost, the number is not used again */
int cmt_record_seal(struct cmt_record_tx *tx, uint8_t *buf, uint32_t content_bytes, uint32_t room_bytes);

/* Opens the record of `record_bytes` in place. Returns the bytes of the content, at buf +
 * CMT_RECORD_HEADER_BYTES (0 is possible), or an enum cmt_record_refusal; then what is in `buf` is worth
 * nothing. Only a record that is taken changes anything but the counters of refusals. Costs one AEAD
 * operation at most; a replay too is looked for only after it, as RFC 9147, section 4.5.1, wants it: what is
 * refused sooner would tell numbers by the time it takes. */
int cmt_record_open(struct cmt_record_rx *rx, uint8_t *buf, uint32_t record_bytes);

/* Whether a record begins with this byte, in the form above; and the two low bits of its epoch. */
static inline bool cmt_record_is_one(uint8_t first_byte)
{
	return (first_byte & 0xfc) == 0x28;
}

static inline unsigned cmt_record_epoch_bits(uint8_t first_byte)
{
	return first_byte & 0x03;
}

#endif
