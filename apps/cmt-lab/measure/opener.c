/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/opener.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <usrsctp_cmt_dtls.h>

#include "base/samples.h"
#include "crypto/cmt_record.h"

#define COMMON_HEADER_BYTES 12u
#define TAG_OFFSET          4u
#define RECORD_OFFSET       (COMMON_HEADER_BYTES + 5u) /* behind the chunk's header and its byte of padding */

struct lab_direction_key {
	uint32_t tag;
	const struct cmt_aead *aead;
	struct cmt_aead_ctx *ctx;
	struct cmt_record_rx rx;
};

struct key_line {
	uint32_t tag;
	uint64_t epoch;
	unsigned suite;
	char key[2 * CMT_AEAD_KEY_MAX + 1], iv[2 * CMT_AEAD_NONCE_BYTES + 1],
	    sn_key[2 * CMT_AEAD_KEY_MAX + 1];
};

static void read_hex(uint8_t *out, size_t bytes, const char *hex)
{
	for (size_t i = 0; i < bytes; i++) {
		unsigned value = 0;

		(void)sscanf(hex + 2 * i, "%2x", &value);
		out[i] = (uint8_t)value;
	}
}

static bool read_line(const char *line, struct key_line *out)
{
	return sscanf(line, "SCTP_DTLS %8" SCNx32 " 0 %" SCNu64 " %4x %64s %24s %64s", &out->tag, &out->epoch,
	              &out->suite, out->key, out->iv, out->sn_key) == 6;
}

static struct lab_direction_key *find_key(const struct lab_opener *o, uint32_t tag, unsigned epoch_bits)
{
	/* The newest of an association's epochs is the last. */
	for (size_t i = o->n_keys; i > 0; i--) {
		struct lab_direction_key *k = &o->keys[i - 1];

		if (k->tag == tag && (k->rx.epoch & 3) == epoch_bits) {
			return k;
		}
	}
	return NULL;
}

static bool is_known(const struct lab_opener *o, const struct key_line *l)
{
	const struct lab_direction_key *k = find_key(o, l->tag, (unsigned)(l->epoch & 3));

	return k != NULL && k->rx.epoch == l->epoch;
}

void lab_opener_key(struct lab_opener *o, const char *line)
{
	uint8_t key[CMT_AEAD_KEY_MAX], iv[CMT_AEAD_NONCE_BYTES], sn_key[CMT_AEAD_KEY_MAX];
	struct lab_direction_key *k;
	struct key_line l;

	if (!read_line(line, &l) || is_known(o, &l)) {
		return;
	}
	if (o->key_log != NULL) {
		fprintf(o->key_log, "%s\n", line);
	}
	o->keys = lab_grow(o->keys, o->n_keys + 1, sizeof(*o->keys));
	k = &o->keys[o->n_keys];
	*k = (struct lab_direction_key){.tag = l.tag, .aead = cmt_aead_find((uint16_t)l.suite)};
	if (k->aead == NULL) {
		return;
	}
	read_hex(key, k->aead->key_bytes, l.key);
	read_hex(iv, k->aead->iv_bytes, l.iv);
	read_hex(sn_key, k->aead->sn_key_bytes, l.sn_key);
	k->ctx = k->aead->new (key, sn_key, CMT_AEAD_OPENS);
	if (k->ctx != NULL) {
		cmt_record_rx_init(&k->rx, k->aead, k->ctx, iv, l.epoch);
		o->n_keys++;
	}
}

static void on_key(const char *line, void *arg)
{
	lab_opener_key(arg, line);
}

void lab_opener_start(struct lab_opener *o, FILE *key_log)
{
	*o = (struct lab_opener){.key_log = key_log};
	o->packets = lab_grow(NULL, LAB_OPENED_PKTS, sizeof(*o->packets));
	memset(o->packets, 0, LAB_OPENED_PKTS * sizeof(*o->packets));
	usrsctp_cmt_dtls_keylog(on_key, o);
}

/* `clear`: the packet as it would be without a DTLS chunk, but for the checksum. Its length, or 0. */
static size_t open_packet(const struct lab_opener *o, const uint8_t *packet, size_t len, uint8_t *clear)
{
	const size_t chunk_len = lab_packet_dtls_bytes(packet, len);
	uint8_t *record = clear + COMMON_HEADER_BYTES - CMT_RECORD_HEADER_BYTES;
	struct lab_direction_key *k;
	size_t record_bytes;
	int bytes;

	if (chunk_len <= RECORD_OFFSET - COMMON_HEADER_BYTES) {
		return 0;
	}
	record_bytes = chunk_len - (RECORD_OFFSET - COMMON_HEADER_BYTES);
	k = find_key(o,
	             (uint32_t)packet[TAG_OFFSET] << 24 | (uint32_t)packet[TAG_OFFSET + 1] << 16 |
	                 (uint32_t)packet[TAG_OFFSET + 2] << 8 | packet[TAG_OFFSET + 3],
	             cmt_record_epoch_bits(packet[RECORD_OFFSET]));
	if (k == NULL || record_bytes > CMT_RECORD_CONTENT_MAX + CMT_RECORD_OVERHEAD_BYTES) {
		return 0;
	}
	memcpy(record, packet + RECORD_OFFSET, record_bytes);
	bytes = cmt_record_open(&k->rx, record, (uint32_t)record_bytes);
	return bytes < 0 ? 0 : COMMON_HEADER_BYTES + (size_t)bytes;
}

static void keep_chunk(void *arg, const struct lab_data_chunk *chunk)
{
	struct lab_opened *p = arg;

	if (p->n == p->room) {
		p->room = p->room == 0 ? 2 : 2 * p->room;
		p->data = lab_grow(p->data, p->room, sizeof(*p->data));
	}
	p->data[p->n++] = *chunk;
}

void lab_opener_sent(struct lab_opener *o, uint64_t serial, const uint8_t *packet, size_t len)
{
	static uint8_t clear[COMMON_HEADER_BYTES + CMT_RECORD_CONTENT_MAX + CMT_RECORD_OVERHEAD_BYTES];
	struct lab_opened *p = &o->packets[serial % LAB_OPENED_PKTS];
	const size_t clear_len = open_packet(o, packet, len, clear);

	p->serial = serial;
	p->n = 0;
	p->has_timestamp = lab_packet_has_timestamp(clear, clear_len);
	lab_packet_data(clear, clear_len, keep_chunk, p);
}

unsigned lab_opener_data(const struct lab_opener *o, uint64_t serial,
                         void (*fn)(void *arg, const struct lab_data_chunk *chunk), void *arg)
{
	const struct lab_opened *p = &o->packets[serial % LAB_OPENED_PKTS];
	const unsigned n = p->serial == serial ? p->n : 0;

	for (unsigned i = 0; i < n; i++) {
		fn(arg, &p->data[i]);
	}
	return n;
}

bool lab_opener_has_timestamp(const struct lab_opener *o, uint64_t serial)
{
	const struct lab_opened *p = &o->packets[serial % LAB_OPENED_PKTS];

	return p->serial == serial && p->has_timestamp;
}

void lab_opener_stop(struct lab_opener *o)
{
	usrsctp_cmt_dtls_keylog(NULL, NULL);
	for (size_t i = 0; i < o->n_keys; i++) {
		o->keys[i].aead->free(o->keys[i].ctx);
	}
	for (size_t i = 0; o->packets != NULL && i < LAB_OPENED_PKTS; i++) {
		free(o->packets[i].data);
	}
	free(o->keys);
	free(o->packets);
	*o = (struct lab_opener){.key_log = NULL};
}
