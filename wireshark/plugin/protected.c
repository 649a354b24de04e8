/* SPDX-License-Identifier: BSD-3-Clause */
#include "protected.h"

#include <string.h>

#include <epan/wmem_scopes.h>

#include "joined.h"

#define NUMBER_RANGE UINT64_C(0x10000)
/* No epoch has more records (usrsctp_cmt_dtls.h, SCTP_DTLS_RECORDS_MAX). */
#define RECORDS_MAX (UINT64_C(1) << 23)

/* The number with these low bits that is nearest to the next one (RFC 9147, section 4.2.2). */
static uint64_t nearest(uint64_t next, uint16_t low)
{
	uint64_t lowest = next > NUMBER_RANGE / 2 ? next - NUMBER_RANGE / 2 : 0;

	return lowest + ((low - lowest) & (NUMBER_RANGE - 1));
}

struct record {
	const uint8_t *bytes;
	uint32_t len;
};

static bool try_number(struct cmt_key *key, const struct record *record, uint64_t number,
                       struct cmt_protected *out, uint8_t *content)
{
	uint32_t content_bytes;

	if (!cmt_cipher_open(key->cipher, number, record->bytes, record->len, content, &content_bytes)) {
		return false;
	}
	key->next_number = number >= key->next_number ? number + 1 : key->next_number;
	key->searches_left = CMT_KEY_SEARCHES;
	out->opening = CMT_OPENED;
	out->suite = key->suite;
	out->epoch = key->epoch;
	out->number = number;
	out->plain_bytes = SCTP_HEADER_BYTES + content_bytes;
	return true;
}

/* With the number that is likely or, to `search`, with all others. */
static bool try_key(struct cmt_key *key, bool search, const struct record *record, struct cmt_protected *out,
                    uint8_t *content)
{
	uint64_t likely;
	uint16_t low;

	if (!cmt_cipher_number(key->cipher, record->bytes, &low)) {
		return false;
	}
	likely = nearest(key->next_number, low);
	if (!search) {
		return try_number(key, record, likely, out, content);
	}
	/* A wrong key would cost this for every packet. */
	if (key->searches_left == 0) {
		return false;
	}
	key->searches_left--;
	for (uint64_t number = low; number < RECORDS_MAX; number += NUMBER_RANGE) {
		if (number != likely && try_number(key, record, number, out, content)) {
			return true;
		}
	}
	return false;
}

static bool fits(const struct cmt_key *key, bool restart, const struct record *record)
{
	return key->restart == restart && (key->epoch & 3) == cmt_record_epoch_bits(record->bytes[0]);
}

/* With any key that fits. */
static void open_record(const struct sctp_header *header, bool restart, const struct record *record,
                        struct cmt_protected *out, uint8_t *content)
{
	out->opening = CMT_NO_KEY;
	for (int search = 0; search <= 1; search++) {
		for (struct cmt_key *key = cmt_keylog_find(header->tag); key != NULL; key = key->next) {
			if (!fits(key, restart, record)) {
				continue;
			}
			out->opening = CMT_NOT_OPENED;
			if (try_key(key, search != 0, record, out, content)) {
				cmt_keylog_prefer(key);
				return;
			}
		}
	}
}

/* The packet's first chunk, if it is a DTLS chunk. */
static bool find_chunk(const uint8_t *packet, uint32_t len, struct sctp_chunk *chunk, bool *alone)
{
	uint32_t at = SCTP_HEADER_BYTES;
	struct sctp_chunk other;

	if (!sctp_next_chunk(packet, len, &at, chunk) || chunk->type != CHUNK_DTLS) {
		return false;
	}
	*alone = !sctp_next_chunk(packet, len, &at, &other);
	return true;
}

static enum cmt_opening check_form(const struct sctp_chunk *chunk, bool alone)
{
	struct sctp_dtls dtls;

	if (chunk->available < chunk->len) {
		return CMT_CUT;
	}
	if (!alone || !sctp_read_dtls(chunk, &dtls) || !cmt_record_is_one(dtls.header) ||
	    dtls.record_bytes > CMT_RECORD_OVERHEAD_BYTES + CMT_RECORD_CONTENT_MAX) {
		return CMT_REFUSED;
	}
	return CMT_OPENED;
}

struct cmt_protected *cmt_protected_read(const uint8_t *packet, uint32_t len)
{
	struct sctp_header header = sctp_header(packet);
	struct cmt_protected *out;
	struct sctp_chunk chunk;
	struct record record;
	bool alone, restart;

	if (!find_chunk(packet, len, &chunk, &alone)) {
		return NULL;
	}
	out = wmem_new0(wmem_file_scope(), struct cmt_protected);
	out->opening = check_form(&chunk, alone);
	if (out->opening != CMT_OPENED) {
		return out;
	}
	record = (struct record){.bytes = chunk.bytes + SCTP_DTLS_RECORD_AT,
	                         .len = chunk.len - SCTP_DTLS_RECORD_AT};
	restart = (chunk.flags & SCTP_DTLS_RESTART) != 0;
	out->plain = wmem_alloc(wmem_file_scope(), SCTP_HEADER_BYTES + record.len);
	open_record(&header, restart, &record, out, out->plain + SCTP_HEADER_BYTES);
	if (out->opening != CMT_OPENED && cmt_keylog_read()) {
		open_record(&header, restart, &record, out, out->plain + SCTP_HEADER_BYTES);
	}
	if (out->opening != CMT_OPENED) {
		wmem_free(wmem_file_scope(), out->plain);
		out->plain = NULL;
		return out;
	}
	memcpy(out->plain, packet, SCTP_HEADER_BYTES);
	sctp_set_checksum(out->plain, out->plain_bytes);
	return out;
}
