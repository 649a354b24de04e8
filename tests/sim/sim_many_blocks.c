/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every second packet is missing, for longer than gap ack blocks fit into a SACK: it still carries the echo,
 * by which alone the sender can mend the disorder, and what it has no room for does not hold up what is not
 * sent yet. Such SACKs are as large as the data: SACK bytes stay <= 1/8 of the bytes received.
 *
 * cost: 7 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "support/isolate.h"
#include "support/raw.h"
#include "support/transfer.h"

enum {
	HOLES = 500,
	MESSAGE_BYTES = 20,
	TIMESTAMP_BYTES = 16,
	MOST_BLOCKS = 250,
	LAST_HOLES = 100,
	WAIT_US = 1000,
	MTU_BYTES = 1500,
	IP_BYTES = 20
};

struct holes {
	uint64_t apart_us;
	bool extension;
};

struct outcome {
	unsigned sacks, without_echo;
	unsigned last_sacks;           /* for the last packets, LAST_HOLES of them */
	unsigned blocks, packet_bytes; /* of the last SACK */
	uint64_t behind_us;            /* the last packet */
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
	packet_finish(&d);
	REQUIRE(usrsctp_cmt_sim_inject(r->sim, 0, 1, d.bytes, d.len) == 0);
}

static void leave_holes(const void *job, void *outcome)
{
	static struct raw r;
	const struct holes *holes = job;
	const struct raw_options options = {
	    .parameters = {0x80, 0x08, 0, 6, CHUNK_TIMESTAMP, CHUNK_ECHO, 0, 0}, /* extensions */
	    .parameters_bytes = holes->extension ? 8 : 0};
	struct outcome *o = outcome;
	uint64_t last_us = 0;
	struct chunk sack;
	unsigned from, last = 0;

	raw_accepted(&r, &options);
	from = r.n_heard;
	for (uint32_t i = 0; i < HOLES; i++) {
		if (i == HOLES - LAST_HOLES)
			last = r.n_heard;
		last_us = usrsctp_cmt_sim_now_us(r.sim);
		send_behind_a_hole(&r, i);
		raw_run(&r, holes->apart_us);
	}
	raw_run(&r, 10 * WAIT_US);
	for (unsigned i = from; i < r.n_heard; i++) {
		const struct raw_packet *p = &r.heard[i];

		if (!packet_find(p->bytes, p->len, CHUNK_SACK, &sack))
			continue;
		o->sacks++;
		o->last_sacks += i >= last;
		o->behind_us = p->at_us - last_us;
		o->without_echo += !packet_has(p->bytes, p->len, CHUNK_ECHO);
		o->blocks = packet_get16(sack.bytes + 12);
		o->packet_bytes = (unsigned)p->len;
	}
	raw_close(&r);
}

static void a_full_sack_carries_its_echo(void **state)
{
	const struct holes slow = {.apart_us = 2 * WAIT_US, .extension = true};
	struct outcome o;

	(void)state;
	isolate_run(leave_holes, &slow, &o, sizeof(o));
	printf("%u SACKs, %u without echo; the last: %u blocks, %u bytes\n", o.sacks, o.without_echo,
	       o.blocks, o.packet_bytes);
	assert_in_range(o.sacks, HOLES / 2, HOLES);
	assert_in_range(o.blocks, MOST_BLOCKS, HOLES - 1);
	assert_in_range(o.packet_bytes, 1, MTU_BYTES - IP_BYTES);
	assert_int_equal(o.without_echo, 0);
}

static void large_sacks_stay_below_an_eighth_of_the_bytes_received(void **state)
{
	const struct holes fast = {.apart_us = WAIT_US / 10, .extension = true};
	struct outcome o;

	(void)state;
	isolate_run(leave_holes, &fast, &o, sizeof(o));
	printf("%u SACKs for the last %d packets, the last %llu us behind\n", o.last_sacks, LAST_HOLES,
	       (unsigned long long)o.behind_us);
	assert_in_range(o.last_sacks, LAST_HOLES / 10, LAST_HOLES / 4);
	assert_in_range(o.behind_us, 1, WAIT_US);
	assert_int_equal(o.without_echo, 0);
}

/* RFC 9260, section 6.7. */
static void who_knows_no_echo_has_a_sack_for_every_packet(void **state)
{
	const struct holes fast = {.apart_us = WAIT_US / 10, .extension = false};
	struct outcome o;

	(void)state;
	isolate_run(leave_holes, &fast, &o, sizeof(o));
	assert_int_equal(o.last_sacks, LAST_HOLES);
}

/* --- the sender --- */

enum { N_MESSAGES = 24000, LARGE_MESSAGE_BYTES = 1400, SEEDS = 8 };

static struct transfer_message large(int host, uint32_t index)
{
	(void)host;
	(void)index;
	return (struct transfer_message){.bytes = LARGE_MESSAGE_BYTES};
}

static uint64_t transfer_us(uint64_t seed)
{
	const struct transfer_job job = {
	    .scheduler = "auto",
	    .seed = seed,
	    .n_paths = 2,
	    .links = {{.rate_bps = 33765100, .delay_us = 5136, .queue_pkts = 100},
	              {.rate_bps = 34471343,
	               .delay_us = 257484,
	               .jitter = USRSCTP_CMT_SIM_JITTER_NORMAL,
	               .jitter_us = 15275,
	               .queue_pkts = 739}},
	    .n_messages = {N_MESSAGES, 0},
	    .message = large,
	    .sndbuf_bytes = 1 << 23,
	    .rcvbuf_bytes = 3760069,
	    .configure = transfer_take_many_chunks,
	};
	const struct transfer_outcome o = transfer_run(&job);

	transfer_assert_arrived(&job, &o);
	printf("%u losses: %llu us\n", o.losses, (unsigned long long)(o.last_us - o.up_us));
	return o.last_us - o.up_us;
}

/* A start on the slow path that loses hundreds of packets, in some of the runs (`random:69` of cmt-lab). What
 * it delivered ahead fills the window, and would count as under way as well until a SACK has room for it:
 * nothing would be left for what the fast path has to send before, for seconds. */
static void what_a_full_sack_leaves_out_does_not_close_the_window(void **state)
{
	uint64_t us[SEEDS], least_us = UINT64_MAX;
	unsigned n_slow = 0;

	(void)state;
	for (unsigned i = 0; i < SEEDS; i++) {
		us[i] = transfer_us(1 + i);
		least_us = us[i] < least_us ? us[i] : least_us;
	}
	for (unsigned i = 0; i < SEEDS; i++)
		n_slow += us[i] > least_us * 5 / 4;
	/* Of 64 runs three were slower than that, without losses. */
	assert_in_range(n_slow, 0, SEEDS / 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_full_sack_carries_its_echo),
	    cmocka_unit_test(large_sacks_stay_below_an_eighth_of_the_bytes_received),
	    cmocka_unit_test(who_knows_no_echo_has_a_sack_for_every_packet),
	    cmocka_unit_test(what_a_full_sack_leaves_out_does_not_close_the_window)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
