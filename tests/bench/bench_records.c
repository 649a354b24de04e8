/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bench_records.c - cost of protecting a packet, for each cipher suite: records of 1400 bytes sealed, and
 * opened again, and the memory of the contexts of an epoch. AES-GCM may take 0.6 ns/B in sealing, which needs
 * a processor that has instructions for it (times.h). Exit status 1 when the contexts exceed 8 KiB, or a
 * record leaves memory behind. */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crypto/cmt_record.h"
#include "batches.h"
#include "times.h"

enum {
	BATCHES = 200,
	BATCH = 1000,
	CONTENT = 1400,
	RECORD = CONTENT + CMT_RECORD_OVERHEAD_BYTES,
	EPOCHS = 1000,
	EPOCH_BYTES_MAX = 8192
};

static const double SEAL_MAX_NS_PER_BYTE = 0.6;

static struct cmt_record_tx tx;
static struct cmt_record_rx rx;
static const uint8_t key[CMT_AEAD_KEY_MAX], iv[CMT_AEAD_NONCE_BYTES];
static uint8_t records[BATCH][RECORD];

static void seal_batch(void)
{
	for (unsigned i = 0; i < BATCH; i++) {
		if (cmt_record_seal(&tx, records[i], CONTENT, RECORD) != RECORD)
			abort();
	}
}

static void open_batch(void)
{
	for (unsigned i = 0; i < BATCH; i++) {
		if (cmt_record_open(&rx, records[i], RECORD) != CONTENT)
			abort();
	}
}

/* Of the contexts of an epoch, both directions. */
static size_t epoch_bytes(const struct cmt_aead *aead)
{
	static struct cmt_aead_ctx *contexts[2 * EPOCHS];
	size_t bytes = mallinfo2().uordblks;

	for (unsigned i = 0; i < 2 * EPOCHS; i++) {
		contexts[i] = aead->new (key, key, i % 2 == 0 ? CMT_AEAD_SEALS : CMT_AEAD_OPENS);
		if (contexts[i] == NULL)
			abort();
	}
	bytes = (mallinfo2().uordblks - bytes) / EPOCHS;
	for (unsigned i = 0; i < 2 * EPOCHS; i++)
		aead->free(contexts[i]);
	return bytes;
}

/* Whether the times are as wanted. */
static bool judge(const struct cmt_aead *aead)
{
	static double sealing[BATCHES], opening[BATCHES];
	const size_t bytes = epoch_bytes(aead);
	struct cmt_aead_ctx *seals = aead->new (key, key, CMT_AEAD_SEALS),
	                    *opens = aead->new (key, key, CMT_AEAD_OPENS);
	const size_t before = mallinfo2().uordblks;
	double seal_ns, open_ns;

	if (seals == NULL || opens == NULL)
		abort();
	cmt_record_tx_init(&tx, aead, seals, iv, 3);
	cmt_record_rx_init(&rx, aead, opens, iv, 3);
	for (unsigned i = 0; i < BATCHES; i++) {
		const double start_ns = process_ns();
		double sealed_ns;

		seal_batch();
		sealed_ns = process_ns();
		open_batch();
		sealing[i] = (sealed_ns - start_ns) / BATCH;
		opening[i] = (process_ns() - sealed_ns) / BATCH;
	}
	if (mallinfo2().uordblks != before)
		exit(1);
	aead->free(seals);
	aead->free(opens);
	qsort(sealing, BATCHES, sizeof(sealing[0]), by_value);
	qsort(opening, BATCHES, sizeof(opening[0]), by_value);
	seal_ns = sealing[BATCHES / 2];
	open_ns = opening[BATCHES / 2];
	printf("%-30s %6.0f ns %5.2f ns/B %6.0f ns %5.2f ns/B %6zu\n", aead->name, seal_ns, seal_ns / CONTENT,
	       open_ns, open_ns / CONTENT, bytes);
	if (bytes > EPOCH_BYTES_MAX)
		exit(1);
	return strstr(aead->name, "GCM") == NULL || seal_ns <= SEAL_MAX_NS_PER_BYTE * CONTENT;
}

int main(void)
{
	bool met = true;

	printf("%-30s %20s %20s %6s\n", "1400 bytes", "seal", "open", "bytes");
	for (unsigned i = 0; cmt_aead_at(i) != NULL; i++)
		met &= judge(cmt_aead_at(i));
	printf("and beside them, sender %zu, receiver %zu bytes\n", sizeof(tx), sizeof(rx));
	return report_times(met);
}
