/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fuzz_live_message.c - libFuzzer target: a peer's messages to cmt-live's receiver, each behind its length,
 * through decoding, the clock and the playout buffer.
 *
 * Oracles: what is accepted is within its limits and survives coding; datagrams leave in order, once, none
 * before its time; books are kept; nothing leaks. runs: 60000
 * edges: 100
 * links: cmt_live_parts */
#include <stdlib.h>
#include <string.h>

#include "live_message.h"
#include "live_seq.h"
#include "release.h"
#include "support/fuzz.h"
#include "time_base.h"

#define STEP_US 1000

static struct release playout;
static struct time_base base;
static uint64_t passed; /* the playout's `next`, counted without wrapping around: how far numbers may jump is
                           the peer's */
static uint64_t next;

static void check_coding(const struct live_message *message)
{
	uint8_t bytes[LIVE_MAX_CONTROL_BYTES];
	struct live_message again;

	if (message->type == LIVE_DATA) {
		REQUIRE(message->payload_bytes > 0 && message->payload_bytes <= LIVE_MAX_DATAGRAM_BYTES);
		REQUIRE(message->time_us <= LIVE_MAX_TIME_US);
		return;
	}
	if (message->type == LIVE_REPAIR) {
		const struct repair_message *const r = &message->of_repair;

		REQUIRE(r->k > 0 && r->k <= REPAIR_MAX_DATAGRAMS && r->i < REPAIR_MAX_SYMBOLS);
		REQUIRE(r->time_us <= REPAIR_MAX_TIME_US);
		REQUIRE(r->symbol_bytes > REPAIR_PREFIX_BYTES && r->symbol_bytes <= REPAIR_MAX_SYMBOL_BYTES);
		return;
	}
	REQUIRE(live_message_decode(bytes, live_message_encode(message, bytes), &again) == 0);
	REQUIRE(again.repair == message->repair && again.seq == message->seq &&
	        again.stream == message->stream && again.latency_ms == message->latency_ms &&
	        strcmp(again.text, message->text) == 0 &&
	        memcmp(&again.status, &message->status, sizeof(again.status)) == 0);
}

static void follow_playout(void)
{
	passed += playout.next - (uint32_t)passed;
}

static void give_out(const struct release_item *item)
{
	uint64_t *const number = item->data;

	REQUIRE(*number >= next);
	next = *number + 1;
	free(number);
	follow_playout();
}

static void take_data(const struct live_message *message, uint64_t now_us)
{
	struct release_item item;
	uint64_t *const number = malloc(sizeof(*number));

	REQUIRE(number != NULL);
	time_base_add(&base, now_us, message->time_us);
	while (release_make_room(&playout, message->seq, &item)) {
		give_out(&item);
	}
	follow_playout();
	*number = passed + (message->seq - playout.next);
	if (release_put(&playout, message->seq, message->time_us, number) != RELEASE_HELD) {
		free(number);
	}
}

static void take(const uint8_t *bytes, size_t len, uint64_t now_us)
{
	struct live_message message;
	struct release_item item;
	uint64_t due_us;

	if (live_message_decode(bytes, len, &message) != 0) {
		return;
	}
	check_coding(&message);
	if (message.type == LIVE_DATA) {
		take_data(&message, now_us);
	} else if (message.type == LIVE_END) {
		release_end(&playout, message.seq, time_base_due_us(&base, now_us, 0));
	}
	due_us = time_base_due_us(&base, now_us, 20 * STEP_US);
	while (release_take(&playout, due_us, &item)) {
		REQUIRE(item.time_us <= due_us || playout.early);
		give_out(&item);
	}
	follow_playout();
	REQUIRE(playout.n_held <= RELEASE_CAPACITY);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t now_us = 5 * STEP_US;
	struct release_item item;

	release_init(&playout, 0, size % 2 != 0);
	time_base_init(&base);
	passed = next = 0;
	for (size_t at = 0; at < size; now_us += STEP_US) {
		const size_t len = data[at] < size - at - 1 ? data[at] : size - at - 1;

		take(data + at + 1, len, now_us);
		at += 1 + len;
	}
	while (release_take(&playout, RELEASE_NEVER_US, &item)) {
		give_out(&item);
	}
	REQUIRE(playout.n_held == 0);
	return 0;
}
