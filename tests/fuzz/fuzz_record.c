/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fuzz_record.c - libFuzzer target: records of the DTLS chunk, lost, reordered, repeated, altered and made
 * up, under each suite and under an AEAD that is none, whose accesses sanitizers see.
 *
 * Oracles: what was sealed is opened once, with its content, as long as the window reaches it; what was
 * altered, or is older, is refused and changes nothing; a refusal costs one operation at most. runs: 200000,
 * edges: 100 */
#include <stdlib.h>
#include <string.h>

#include "crypto/cmt_record.h"
#include "support/fuzz.h"
#include "toy_aead.h"

enum {
	RECORDS = 48,
	CONTENT_MAX = 300,
	RECORD_MAX = CONTENT_MAX + CMT_RECORD_OVERHEAD_BYTES,
	STEPS_MAX = 300
};

struct record {
	uint64_t seq;
	bool opened;
	uint32_t bytes;
	uint8_t at[RECORD_MAX], content[CONTENT_MAX];
};

struct epoch {
	struct cmt_record_tx tx;
	struct cmt_record_rx rx;
	uint32_t n; /* records sealed */
	struct record records[RECORDS];
};

static void seal(struct epoch *e, struct fuzz_bytes *in)
{
	struct record *r = &e->records[e->n++ % RECORDS];
	const uint32_t content_bytes = (uint32_t)fuzz_take_size(in, CONTENT_MAX);
	uint8_t *exact = malloc(content_bytes + CMT_RECORD_OVERHEAD_BYTES);

	if (exact == NULL)
		abort();
	/* Some that are lost before. */
	e->tx.next_seq += fuzz_take_size(in, 100000);
	*r = (struct record){.seq = e->tx.next_seq, .bytes = content_bytes + CMT_RECORD_OVERHEAD_BYTES};
	for (uint32_t i = 0; i < content_bytes; i++)
		r->content[i] = (uint8_t)fuzz_take(in, 1);
	memcpy(exact + CMT_RECORD_HEADER_BYTES, r->content, content_bytes);
	if (e->tx.next_seq >= e->tx.aead->record_limit) {
		REQUIRE(cmt_record_seal(&e->tx, exact, content_bytes, r->bytes) < 0);
		REQUIRE(e->tx.next_seq == r->seq);
		e->n--;
	} else {
		REQUIRE(cmt_record_seal(&e->tx, exact, content_bytes, r->bytes - 1) < 0);
		REQUIRE(cmt_record_seal(&e->tx, exact, content_bytes, r->bytes) == (int)r->bytes);
		REQUIRE(e->tx.next_seq == r->seq + 1);
		memcpy(r->at, exact, r->bytes);
	}
	free(exact);
}

/* In a block of exactly its size. */
static int open(struct epoch *e, const uint8_t *record, uint32_t bytes, const uint8_t *content)
{
	uint8_t *exact = malloc(bytes > 0 ? bytes : 1);
	int got;

	if (exact == NULL)
		abort();
	memcpy(exact, record, bytes);
	got = cmt_record_open(&e->rx, exact, bytes);
	if (got >= 0) {
		REQUIRE(got + CMT_RECORD_OVERHEAD_BYTES == (int)bytes);
		REQUIRE(memcmp(exact + CMT_RECORD_HEADER_BYTES, content, (size_t)got) == 0);
	}
	free(exact);
	return got;
}

static void require_unchanged(const struct cmt_record_rx *now, const struct cmt_record_rx *before)
{
	REQUIRE(now->next_seq == before->next_seq && now->opened == before->opened);
	REQUIRE(now->malformed + now->forged + now->replayed ==
	        before->malformed + before->forged + before->replayed + 1);
	REQUIRE(memcmp(now->seen, before->seen, sizeof(now->seen)) == 0);
}

static void deliver(struct epoch *e, struct fuzz_bytes *in)
{
	struct record *r = &e->records[e->n > 0 ? fuzz_take(in, 1) % (e->n < RECORDS ? e->n : RECORDS) : 0];
	const uint64_t next_seq = e->rx.next_seq;
	const struct cmt_record_rx before = e->rx;
	int got;

	if (e->n == 0)
		return;
	got = open(e, r->at, r->bytes, r->content);
	if (r->opened || r->seq + e->rx.window_records < next_seq || r->seq > next_seq + 65535) {
		REQUIRE(got < 0);
		REQUIRE(got != CMT_RECORD_MALFORMED);
	} else if (r->seq <= next_seq + 32767) {
		REQUIRE(got == (int)r->bytes - CMT_RECORD_OVERHEAD_BYTES);
	}
	if (got < 0) {
		require_unchanged(&e->rx, &before);
	} else {
		r->opened = true;
		REQUIRE(e->rx.next_seq == (r->seq >= next_seq ? r->seq + 1 : next_seq));
	}
}

/* A record of somebody else's, made from one of ours or from nothing. */
static void forge(struct epoch *e, struct fuzz_bytes *in)
{
	const struct record *r = &e->records[fuzz_take(in, 1) % RECORDS];
	const struct cmt_record_rx before = e->rx;
	uint32_t bytes = fuzz_take(in, 1) % 2 == 0 ? r->bytes : (uint32_t)fuzz_take_size(in, RECORD_MAX);
	uint8_t record[RECORD_MAX];
	uint32_t changes = (uint32_t)fuzz_take(in, 1) % 8;

	memcpy(record, r->at, sizeof(record));
	for (uint32_t i = 0; i < changes && bytes > 0; i++)
		record[fuzz_take(in, 2) % bytes] ^= (uint8_t)fuzz_take(in, 1);
	if (bytes == r->bytes && memcmp(record, r->at, bytes) == 0)
		return;
	REQUIRE(open(e, record, bytes, r->content) < 0);
	require_unchanged(&e->rx, &before);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint8_t key[CMT_AEAD_KEY_MAX] = {1}, sn_key[CMT_AEAD_KEY_MAX] = {2},
	                     iv[CMT_AEAD_NONCE_BYTES] = {3};
	struct toy_aead toys[2] = {{.key = 1}, {.key = 1}};
	struct fuzz_bytes in = {data, size};
	static struct epoch e;
	const struct cmt_aead *aead = cmt_aead_at((unsigned)fuzz_take(&in, 1) % 8);
	const bool toy = aead == NULL;
	struct cmt_aead_ctx *seals = toy_ctx(&toys[0]), *opens = toy_ctx(&toys[1]);

	if (toy) {
		aead = &toy_aead;
	} else {
		seals = aead->new (key, sn_key, CMT_AEAD_SEALS);
		opens = aead->new (key, sn_key, CMT_AEAD_OPENS);
		REQUIRE(seals != NULL && opens != NULL);
	}
	memset(&e, 0, sizeof(e));
	cmt_record_tx_init(&e.tx, aead, seals, iv, 3 + fuzz_take(&in, 1));
	cmt_record_rx_init(&e.rx, aead, opens, iv, e.tx.epoch);
	for (unsigned step = 0; step < STEPS_MAX && in.left > 0; step++) {
		const unsigned operations = toys[1].operations;
		const uint8_t what = (uint8_t)fuzz_take(&in, 1);

		switch (what % 8) {
		case 0:
		case 1: seal(&e, &in); break;
		case 2: forge(&e, &in); break;
		case 3: (void)cmt_record_rx_window(&e.rx, (uint32_t)fuzz_take_size(&in, 40000)); break;
		case 4:
		case 5:
		case 6:
		case 7: deliver(&e, &in); break;
		}
		REQUIRE(toys[1].operations - operations <= 1);
		REQUIRE(e.rx.window_records >= CMT_RECORD_WINDOW_MIN &&
		        e.rx.window_records <= CMT_RECORD_WINDOW_MAX);
	}
	if (!toy) {
		aead->free(seals);
		aead->free(opens);
	}
	return 0;
}
