/* SPDX-License-Identifier: BSD-3-Clause */
#include "sealed.h"

#include <stdlib.h>
#include <string.h>

#include <usrsctp_cmt_dtls.h>

#include "../../sim/support/packet.h"
#include "crypto/cmt_record.h"
#include "fuzz.h"
#include "toy_aead.h"

/* Attackers count from a number that the ends do not come to, and that is not too far ahead of them. */
enum { ATTACKERS_FIRST = 1000, HEAD_BYTES = 5, KEY_WORD_BYTES = sizeof(uint64_t) };

const struct cmt_aead *__wrap_cmt_aead_at(unsigned i);
const struct cmt_aead *__wrap_cmt_aead_find(uint16_t suite);

/* By the host that sends. */
static struct sealed_direction {
	struct toy_aead toy;
	struct cmt_record_tx tx;
	struct cmt_record_rx rx;
	bool known;
} directions[2];
static unsigned n_keys;

/* --- the stack's cipher --- */

static uint64_t word_of(const uint8_t *key)
{
	uint64_t word;

	memcpy(&word, key, sizeof(word));
	return word;
}

static struct cmt_aead_ctx *new_toy(const uint8_t *key, const uint8_t *sn_key,
                                    enum cmt_aead_direction direction)
{
	struct toy_aead *toy = calloc(1, sizeof(*toy));

	(void)sn_key;
	(void)direction;
	if (toy == NULL)
		return NULL;
	toy->key = word_of(key);
	return toy_ctx(toy);
}

static void free_toy(struct cmt_aead_ctx *ctx)
{
	free(ctx);
}

static const struct cmt_aead *toy_suite(void)
{
	static struct cmt_aead aead;

	aead = toy_aead;
	aead.suite = 0x1301;
	aead.key_bytes = aead.sn_key_bytes = 16;
	aead.new = new_toy;
	aead.free = free_toy;
	return &aead;
}

const struct cmt_aead *__wrap_cmt_aead_at(unsigned i)
{
	return i == 0 ? toy_suite() : NULL;
}

const struct cmt_aead *__wrap_cmt_aead_find(uint16_t suite)
{
	return suite == 0x1301 ? toy_suite() : NULL;
}

/* --- attackers --- */

static void read_hex(const char *hex, uint8_t *out, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char digits[3] = {hex[2 * i], hex[2 * i + 1], '\0'};

		out[i] = (uint8_t)strtoul(digits, NULL, 16);
	}
}

/* The server's two and the client's two, in the order in which usrsctp_cmt_sim_install_keys() has them. */
static void take_key(const char *line, void *unused)
{
	struct sealed_direction *d;
	uint8_t key[KEY_WORD_BYTES], iv[CMT_AEAD_NONCE_BYTES];
	const char *at = line;

	(void)unused;
	if (n_keys > 1)
		return;
	d = &directions[n_keys++];
	for (unsigned i = 0; i < 5; i++)
		at = strchr(at, ' ') + 1;
	read_hex(at, key, sizeof(key));
	read_hex(strchr(at, ' ') + 1, iv, sizeof(iv));
	d->toy.key = word_of(key);
	cmt_record_tx_init(&d->tx, toy_suite(), toy_ctx(&d->toy), iv, SCTP_DTLS_FIRST_EPOCH);
	cmt_record_rx_init(&d->rx, toy_suite(), toy_ctx(&d->toy), iv, SCTP_DTLS_FIRST_EPOCH);
	d->tx.next_seq = ATTACKERS_FIRST;
	d->known = true;
}

void sealed_begin(void)
{
	memset(directions, 0, sizeof(directions));
	n_keys = 0;
	usrsctp_cmt_dtls_keylog(take_key, NULL);
}

size_t sealed_close(int from_host, uint8_t *packet, size_t len, size_t room)
{
	const size_t content_bytes = len - COMMON_HEADER_BYTES, chunk_at = COMMON_HEADER_BYTES;
	struct sealed_direction *d = &directions[from_host];
	uint8_t *record = packet + chunk_at + HEAD_BYTES;
	size_t chunk_bytes;
	int bytes;

	if (!d->known || len + 32 > room)
		return len;
	memmove(record + CMT_RECORD_HEADER_BYTES, packet + chunk_at, content_bytes);
	bytes = cmt_record_seal(&d->tx, record, (uint32_t)content_bytes, (uint32_t)(packet + room - record));
	REQUIRE(bytes > 0);
	chunk_bytes = HEAD_BYTES + (size_t)bytes;
	packet[chunk_at] = CHUNK_DTLS;
	packet[chunk_at + 1] = packet[chunk_at + 4] = 0;
	packet_put16(packet + chunk_at + 2, (uint16_t)chunk_bytes);
	while (chunk_bytes % 4 != 0)
		packet[chunk_at + chunk_bytes++] = 0;
	return chunk_at + chunk_bytes;
}

size_t sealed_open(int from_host, const uint8_t *packet, size_t len, uint8_t *out, size_t room)
{
	struct sealed_direction *d = &directions[from_host];
	uint8_t record[CMT_RECORD_CONTENT_MAX + CMT_RECORD_OVERHEAD_BYTES];
	size_t bytes;
	int content_bytes;

	if (!d->known || len < COMMON_HEADER_BYTES + HEAD_BYTES + 1 ||
	    packet[COMMON_HEADER_BYTES] != CHUNK_DTLS)
		return 0;
	bytes = packet_get16(packet + COMMON_HEADER_BYTES + 2);
	if (bytes <= HEAD_BYTES || COMMON_HEADER_BYTES + bytes > len || bytes > sizeof(record))
		return 0;
	memcpy(record, packet + COMMON_HEADER_BYTES + HEAD_BYTES, bytes - HEAD_BYTES);
	content_bytes = cmt_record_open(&d->rx, record, (uint32_t)(bytes - HEAD_BYTES));
	if (content_bytes <= 0 || (size_t)content_bytes + COMMON_HEADER_BYTES > room)
		return 0;
	memcpy(out, packet, COMMON_HEADER_BYTES);
	memcpy(out + COMMON_HEADER_BYTES, record + CMT_RECORD_HEADER_BYTES, (size_t)content_bytes);
	return COMMON_HEADER_BYTES + (size_t)content_bytes;
}
