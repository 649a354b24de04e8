/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every second packet is missing, for longer than gap ack blocks fit into a SACK: it still carries the echo,
 * by which alone the sender can mend the disorder. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "support/isolate.h"
#include "support/raw.h"

enum {
	HOLES = 500,
	MESSAGE_BYTES = 20,
	TIMESTAMP_BYTES = 16,
	MOST_BLOCKS = 250,
	MTU_BYTES = 1500,
	IP_BYTES = 20
};

struct outcome {
	unsigned sacks, without_echo;
	unsigned blocks, packet_bytes; /* of the last SACK */
};

static void send_behind_a_hole(struct raw *r, uint32_t number)
{
	uint8_t timestamp[TIMESTAMP_BYTES - 4] = {0};
	struct packet_draft d;

	packet_put32(timestamp, number);
	packet_put32(timestamp + 4, number);
	packet_put16(timestamp + 8, 1);
	raw_begin(r, &d);
	packet_add(&d, CHUNK_TIMESTAMP, TIMESTAMP_BYTES, timestamp, sizeof(timestamp));
	r->tsn++;
	raw_add_data(r, &d, 0, (uint16_t)number, MESSAGE_BYTES);
	raw_send(r, 0, &d);
}

static void leave_holes(const void *job, void *outcome)
{
	static struct raw r;
	const struct raw_options options = {
	    .parameters = {0x80, 0x08, 0, 6, CHUNK_TIMESTAMP, CHUNK_ECHO, 0, 0}, /* extensions */
	    .parameters_bytes = 8};
	struct outcome *o = outcome;
	struct chunk sack;
	unsigned from;

	(void)job;
	raw_accepted(&r, &options);
	from = r.n_heard;
	for (uint32_t i = 0; i < HOLES; i++) {
		send_behind_a_hole(&r, i);
		raw_run(&r, 1000);
	}
	for (unsigned i = from; i < r.n_heard; i++) {
		const struct raw_packet *p = &r.heard[i];

		if (!packet_find(p->bytes, p->len, CHUNK_SACK, &sack))
			continue;
		o->sacks++;
		o->without_echo += !packet_has(p->bytes, p->len, CHUNK_ECHO);
		o->blocks = packet_get16(sack.bytes + 12);
		o->packet_bytes = (unsigned)p->len;
	}
	raw_close(&r);
}

static void a_full_sack_carries_its_echo(void **state)
{
	struct outcome o;

	(void)state;
	isolate_run(leave_holes, NULL, &o, sizeof(o));
	printf("%u SACKs, %u without echo; the last: %u blocks, %u bytes\n", o.sacks, o.without_echo,
	       o.blocks, o.packet_bytes);
	assert_in_range(o.sacks, HOLES / 2, HOLES);
	assert_in_range(o.blocks, MOST_BLOCKS, HOLES - 1);
	assert_in_range(o.packet_bytes, 1, MTU_BYTES - IP_BYTES);
	assert_int_equal(o.without_echo, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_full_sack_carries_its_echo)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
