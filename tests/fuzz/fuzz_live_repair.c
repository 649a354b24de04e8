/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fuzz_live_repair.c - libFuzzer target: a peer's messages to the half of coded repair that restores, each
 * behind its length. A first byte of 0 makes the rest a block of ours, of which a peer's messages try to get
 * something else than it was.
 *
 * Oracles: what is restored is within its limits; nothing leaks. Of a block of ours, what was
 * lost is restored as it was. runs: 60000 edges: 60 links: cmt_live_parts */
#include <stdlib.h>
#include <string.h>

#include "live_message.h"
#include "repair_in.h"
#include "repair_out.h"
#include "support/fuzz.h"

enum { BLOCK = 24, DATAGRAM_BYTES = 40, LOST = 3 };

static const struct repair_datagram *ours; /* [BLOCK]; NULL = none */
static unsigned right;

static void on_restored(const struct repair_datagram *datagram, void *arg)
{
	(void)arg;
	REQUIRE(datagram->bytes >= 1 && datagram->bytes <= REPAIR_MAX_DATAGRAM_BYTES);
	REQUIRE(datagram->time_us <= REPAIR_MAX_TIME_US);
	if (ours != NULL && datagram->seq < BLOCK) {
		REQUIRE(datagram->bytes == ours[datagram->seq].bytes &&
		        datagram->time_us == ours[datagram->seq].time_us &&
		        memcmp(datagram->payload, ours[datagram->seq].payload, datagram->bytes) == 0);
		right++;
	}
}

static void take(struct repair_in *in, const uint8_t *bytes, size_t len)
{
	struct live_message message;

	if (live_message_decode(bytes, len, &message) != 0) {
		return;
	}
	if (message.type == LIVE_REPAIR) {
		REQUIRE(message.of_repair.k >= 1 && message.of_repair.k <= REPAIR_MAX_DATAGRAMS &&
		        message.of_repair.i < REPAIR_MAX_SYMBOLS);
		repair_in_message(in, &message.of_repair);
	} else if (message.type == LIVE_DATA) {
		repair_in_datagram(in, &(struct repair_datagram){.seq = message.seq,
		                                                 .time_us = message.time_us,
		                                                 .payload = message.payload,
		                                                 .bytes = message.payload_bytes});
	}
}

static void take_all(struct repair_in *in, const uint8_t *data, size_t size)
{
	for (size_t at = 0; at < size;) {
		const size_t len = data[at] < size - at - 1 ? data[at] : size - at - 1;

		take(in, data + at + 1, len);
		at += 1 + len;
	}
}

/* Bytes of the input are what is sent, and say what gets lost. */
static void take_ours(struct repair_in *in, const uint8_t *data, size_t size)
{
	static struct repair_out *out;
	static uint8_t payloads[BLOCK][DATAGRAM_BYTES];
	static struct repair_datagram block[BLOCK];
	struct repair_seen seen = {.told = true};
	unsigned lost = 0;

	if (out == NULL) {
		out = repair_out_new();
	}
	REQUIRE(out != NULL);
	repair_out_begin(out, 60000);
	repair_out_look(out, &seen, 1);
	seen.sent = 1000;
	seen.missed = 100;
	repair_out_look(out, &seen, 1 + REPAIR_MEASURE_BUCKET_US);
	for (uint32_t i = 0; i < BLOCK; i++) {
		const uint8_t byte = i < size ? data[i] : 0;

		memset(payloads[i], byte, DATAGRAM_BYTES);
		block[i] = (struct repair_datagram){.seq = i,
		                                    .time_us = i * (1 + byte),
		                                    .payload = payloads[i],
		                                    .bytes = 1 + byte % DATAGRAM_BYTES};
		block[i].time_us = i > 0 && block[i].time_us < block[i - 1].time_us ? block[i - 1].time_us
		                                                                    : block[i].time_us;
		repair_out_add(out, &block[i]);
		if (byte % 5 == 0 && lost < LOST) {
			lost++;
		} else {
			repair_in_datagram(in, &block[i]);
		}
	}
	repair_out_end(out);
	ours = block;
	right = 0;
	while (repair_out_first(out) != NULL) {
		uint8_t bytes[LIVE_MAX_REPAIR_BYTES];

		take(in, bytes,
		     live_repair_encode(repair_out_first(out)->bytes, repair_out_first(out)->len, bytes));
		repair_out_take(out, true);
	}
	REQUIRE(right == lost);
	ours = NULL;
	take_all(in, data + (size < BLOCK ? size : BLOCK), size - (size < BLOCK ? size : BLOCK));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct repair_in *in; /* emptied after each input: to make one takes longer than most inputs */

	if (in == NULL) {
		in = repair_in_new(on_restored, NULL);
	}
	REQUIRE(in != NULL);
	if (size > 0 && data[0] == 0) {
		take_ours(in, data + 1, size - 1);
	} else if (size > 0) {
		take_all(in, data + 1, size - 1);
	}
	repair_in_forget(in);
	return 0;
}
