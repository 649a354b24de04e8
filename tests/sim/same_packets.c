/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Transfers without a scheduler, packet by packet on stdout: times, paths, chunks, flags, lengths and
 * parameters, but not what is drawn at random or is the time. The fork prints what the pristine release
 * prints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "support/isolate.h"
#include "support/packet.h"
#include "support/pair.h"

enum { INIT_FIXED_BYTES = 20, CHUNK_HEADER_BYTES = 4 };

struct outcome {
	uint32_t packets;
	bool delivered;
};

/* Window, numbers of streams, and what is listed. */
static void print_init(const struct chunk *init)
{
	const uint8_t *at = init->bytes + INIT_FIXED_BYTES, *end = init->bytes + init->len;

	printf(" window %u streams %u %u", packet_get32(init->bytes + 8), packet_get16(init->bytes + 12),
	       packet_get16(init->bytes + 14));
	while (end - at >= CHUNK_HEADER_BYTES) {
		const uint16_t type = packet_get16(at), len = packet_get16(at + 2);

		printf(" [%04x %u", type, len);
		if (type == 0x8008) {
			for (int i = CHUNK_HEADER_BYTES; i < len; i++)
				printf(" %02x", at[i]);
		}
		putchar(']');
		at += (len + 3) & ~3;
	}
}

static void print_packet(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *packet, void *arg)
{
	struct outcome *o = arg;
	size_t offset = 0;
	struct chunk c;

	(void)sim;
	if (packet->event != USRSCTP_CMT_SIM_SENT)
		return;
	o->packets++;
	printf("%llu %d%c", (unsigned long long)packet->at_us, packet->path,
	       packet->direction == 0 ? '>' : '<');
	while (packet_next_chunk(packet->packet, packet->packet_bytes, &offset, &c)) {
		printf(" %u flags %02x len %zu", c.type, c.bytes[1], c.len);
		if (c.type == CHUNK_INIT || c.type == CHUNK_INIT_ACK)
			print_init(&c);
		if (c.type == CHUNK_SACK)
			printf(" window %u", packet_get32(c.bytes + 8));
	}
	putchar('\n');
}

static void transfer(const void *job, void *outcome)
{
	const struct usrsctp_cmt_sim_link fast = {.rate_bps = 8000000, .delay_us = 10000};
	const struct usrsctp_cmt_sim_link slow = {.rate_bps = 4000000, .delay_us = 40000};
	struct pair_options options = *(const struct pair_options *)job;
	struct outcome *o = outcome;
	struct pair p;

	options.seed = 1;
	options.forward[0] = options.backward[0] = fast;
	options.forward[1] = options.backward[1] = slow;
	options.tap = print_packet;
	options.arg = outcome;
	pair_open(&p, &options);
	pair_run(&p, UINT64_C(20000000));
	o->delivered = p.complete && p.intact;
	pair_close(&p);
}

static void check(struct pair_options options)
{
	struct outcome o;

	isolate_run(transfer, &options, &o, sizeof(o));
	assert_true(o.delivered);
	assert_true(o.packets > 100);
}

static void one_path_small_and_large_messages(void **state)
{
	(void)state;
	check((struct pair_options){.n_paths = 1, .bytes = 300000});
	check((struct pair_options){.n_paths = 1, .bytes = 300000, .message_bytes = 100});
	check((struct pair_options){.n_paths = 1, .bytes = 300000, .message_bytes = PAIR_MESSAGE_MAX_BYTES});
}

static void two_paths_of_either_family(void **state)
{
	(void)state;
	check((struct pair_options){.n_paths = 2, .bytes = 300000});
	check((struct pair_options){.n_paths = 2, .bytes = 300000, .family = AF_INET6});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(one_path_small_and_large_messages),
	    cmocka_unit_test(two_paths_of_either_family),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
