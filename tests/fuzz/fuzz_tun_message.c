/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fuzz_tun_message.c - libFuzzer target: what a peer of cmt-tun says, and packets from it and from the host.
 * The first byte says which: 0 a control message, 1 packets, each behind its length, through everything that
 * looks at them.
 *
 * Oracles: what was decoded survives coding and decoding again, a refusal has a sentence; a clamped SYN is
 * still a packet of the same length, and clamped once; an answer is a packet, no longer than it may be, and
 * is not answered itself; what stands for several packets is larger than each; the fair queue and the order
 * neither lose nor make packets that nobody counts; nothing leaks.
 * runs: 60000 edges: 150 links: cmt_tun_parts */
#include <stdlib.h>
#include <string.h>

#include "carry/fair_queue.h"
#include "carry/reorder.h"
#include "inner/mss_clamp.h"
#include "inner/segments.h"
#include "inner/too_big.h"
#include "support/fuzz.h"
#include "tun_message.h"

#define MTU_BYTES  1280u
#define MOST_BYTES 2048u
#define STEP_US    3000u

static size_t delivered;

static void check_message(const uint8_t *data, size_t size)
{
	struct tun_message m, again;
	struct app_error error = {""};
	char *coded;
	size_t len;

	if (tun_message_decode((const char *)data, size, &m, &error) != 0) {
		REQUIRE(error.text[0] != '\0');
		return;
	}
	coded = tun_message_encode(&m, &len);
	REQUIRE(coded != NULL);
	REQUIRE(tun_message_decode(coded, len, &again, &error) == 0);
	REQUIRE(memcmp(&m, &again, sizeof(m)) == 0);
	free(coded);
}

static void check_answer(const uint8_t *bytes, const struct inner_packet *p)
{
	uint8_t answer[INNER_TOO_BIG_BYTES], none[INNER_TOO_BIG_BYTES];
	const size_t len = inner_too_big(bytes, p, MTU_BYTES, answer);
	struct inner_packet q;

	if (len > 0) {
		REQUIRE(len <= sizeof(answer) && inner_parse(answer, len, &q) == 0);
		REQUIRE(memcmp(q.destination, p->source, p->address_bytes) == 0);
		REQUIRE(inner_too_big(answer, &q, MTU_BYTES, none) == 0);
	}
}

/* With a length that the peer names. */
static void check_segments(const uint8_t *bytes, struct inner_packet p)
{
	const uint16_t segment_bytes = (uint16_t)(bytes[0] << 8 | bytes[p.bytes - 1]);

	if (inner_set_segments(bytes, &p, segment_bytes) == 0) {
		REQUIRE(inner_largest_bytes(&p) < p.bytes && p.headers_bytes >= p.transport_at + 20);
	} else {
		REQUIRE(inner_largest_bytes(&p) == p.bytes);
	}
}

/* A packet of the host. */
static void send_one(struct tun_fair_queue *queue, const uint8_t *data, size_t len, uint64_t now_us)
{
	uint8_t bytes[MOST_BYTES];
	struct inner_packet p;

	memcpy(bytes, data, len);
	if (inner_parse(bytes, len, &p) != 0) {
		return;
	}
	REQUIRE(p.bytes == len && p.transport_at <= len);
	check_answer(bytes, &p);
	check_segments(bytes, p);
	(void)inner_clamp_mss(bytes, &p, MTU_BYTES);
	REQUIRE(!inner_clamp_mss(bytes, &p, MTU_BYTES));
	REQUIRE(inner_parse(bytes, len, &p) == 0);
	tun_fair_queue_put(queue, bytes, &p, now_us);
}

static void deliver(const uint8_t *bytes, size_t len, void *arg)
{
	(void)bytes;
	(void)arg;
	REQUIRE(len > 0);
	delivered++;
}

static void check_packets(const uint8_t *data, size_t size)
{
	struct tun_fair_queue *const queue = tun_fair_queue_new(1);
	struct tun_reorder *const order = tun_reorder_new(2 * STEP_US, deliver, NULL);
	uint64_t now_us = 1;
	size_t taken = 0;

	REQUIRE(queue != NULL && order != NULL);
	delivered = 0;
	while (size >= 2) {
		size_t len = (size_t)(data[0] << 8 | data[1]) % MOST_BYTES;
		struct tun_loose loose;

		len = len < size - 2 ? len : size - 2;
		if (tun_loose_decode(data + 2, len, &loose) == 0) {
			taken++;
			tun_reorder_take(order, loose, data + 2 + TUN_LOOSE_HEADER_BYTES,
			                 len - TUN_LOOSE_HEADER_BYTES, now_us);
		}
		send_one(queue, data + 2, len, now_us);
		if (len % 2 == 0 && tun_fair_queue_next(queue, now_us) != NULL) {
			tun_fair_queue_done(queue);
		}
		tun_reorder_release(order, now_us);
		REQUIRE(delivered + tun_reorder_waiting(order) == taken);
		now_us += STEP_US;
		data += 2 + len;
		size -= 2 + len;
	}
	tun_reorder_release(order, now_us + 2 * STEP_US);
	REQUIRE(delivered == taken && tun_reorder_waiting(order) == 0);
	tun_reorder_free(order);
	tun_fair_queue_free(queue);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > 0 && data[0] == 0) {
		check_message(data + 1, size - 1);
	} else if (size > 0) {
		check_packets(data + 1, size - 1);
	}
	return 0;
}
