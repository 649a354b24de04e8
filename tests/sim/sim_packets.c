/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Associations on packets of the application's own: batches or packet by packet, over one path and several,
 * when there is no room, when packets are lost, by the kernel's clock and in virtual time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/carrier.h"
#include "support/isolate.h"
#include "util/cmt_random.h"

enum { BYTES = 1000000, LIMIT_US = 60000000 };

struct job {
	struct carrier carrier;
	size_t room;
	uint32_t loss_ppm; /* of `drop_some` */
};

struct outcome {
	bool complete;
	uint64_t took_us;
	size_t pkts[2], batches, calls_sooner, runs;
};

static uint32_t loss_ppm;

static bool drop_some(struct carrier *c, const struct carrier_packet *packet)
{
	(void)packet;
	return cmt_random_take(&c->random) % 1000000 >= loss_ppm;
}

static void transfer(const void *what, void *out)
{
	static struct carrier c;
	const struct job *job = what;
	struct outcome *o = out;
	uint64_t began_us;

	c = job->carrier;
	c.random = 1;
	loss_ppm = job->loss_ppm;
	REQUIRE(carrier_open(&c) == 0);
	c.hosts[0].room = job->room;
	began_us = carrier_now_us(&c);
	carrier_connect(&c, 0, BYTES);
	o->complete =
	    carrier_run(&c, 0, BYTES, LIMIT_US) && c.hosts[1].received == BYTES && c.hosts[1].intact;
	o->took_us = carrier_now_us(&c) - began_us;
	for (unsigned p = 0; p < 2; p++)
		o->pkts[p] = c.hosts[0].out_pkts[p];
	o->batches = c.hosts[0].batches;
	o->calls_sooner = c.hosts[0].calls_sooner;
	o->runs = c.runs;
	carrier_close(&c);
}

static struct outcome run(struct job job)
{
	struct outcome o;

	isolate_run(transfer, &job, &o, sizeof(o));
	assert_true(o.complete);
	return o;
}

static void a_transfer_takes_all_paths_that_are_named(void **state)
{
	struct job job = {.carrier = {.n_paths = 2, .in_virtual_time = true, .delay_us = 20000}};
	struct outcome o = run(job);

	(void)state;
	assert_true(o.pkts[0] > 50 && o.pkts[1] > 50);
	/* Several packets in most. */
	assert_true(o.batches > 0 && o.batches * 2 < o.pkts[0] + o.pkts[1]);
	job.carrier.at_once = true;
	o = run(job);
	assert_true(o.pkts[0] > 50 && o.pkts[1] > 50);
	assert_int_equal(o.batches, 0);
}

static void the_kernels_clock_will_do(void **state)
{
	(void)state;
	(void)run((struct job){.carrier = {.n_paths = 1}});
	(void)run((struct job){.carrier = {.n_paths = 1, .at_once = true}});
}

static void what_there_is_no_room_for_waits(void **state)
{
	const struct outcome o = run((struct job){.carrier = {.n_paths = 2}, .room = 1});

	(void)state;
	assert_true(o.pkts[0] + o.pkts[1] >= BYTES / CARRIER_MESSAGE_BYTES);
	assert_true(o.batches >= o.pkts[0] + o.pkts[1]);
}

/* --- virtual time --- */

static struct outcome run_lossy(uint64_t tick_us)
{
	return run((struct job){.carrier = {.n_paths = 2,
	                                    .in_virtual_time = true,
	                                    .delay_us = 20000,
	                                    .tick_us = tick_us,
	                                    .passes = drop_some},
	                        .loss_ppm = 50000});
}

/* Who looks more often finds nothing to do. */
static void timers_are_due_when_it_says(void **state)
{
	const struct outcome asked = run_lossy(0), hasty = run_lossy(137);

	(void)state;
	assert_int_equal(asked.took_us, hasty.took_us);
	assert_int_equal(asked.pkts[0], hasty.pkts[0]);
	assert_int_equal(asked.pkts[1], hasty.pkts[1]);
	assert_true(asked.runs * 2 < hasty.runs);
	assert_true(asked.calls_sooner > 0);
}

/* Nothing arrives: the first question, and every one after the last answer, is the stack's alone. */
static void silence(const void *what, void *out)
{
	static struct carrier c = {.in_virtual_time = true, .passes = drop_some};

	(void)what, (void)out;
	loss_ppm = 1000000;
	REQUIRE(carrier_open(&c) == 0);
	REQUIRE(usrsctp_cmt_packets_timeout_us(c.hosts[0].packets) == -1);
	carrier_connect(&c, 0, BYTES);
	/* The INIT waits to be given out. */
	REQUIRE(c.hosts[0].calls_sooner > 0);
	REQUIRE(usrsctp_cmt_packets_timeout_us(c.hosts[0].packets) == 0);
	REQUIRE(usrsctp_cmt_packets_run(c.hosts[0].packets) == 0);
	REQUIRE(c.hosts[0].out_pkts[0] == 1);
	for (unsigned retransmissions = 1; retransmissions <= 3; retransmissions++) {
		const int64_t wait_us = usrsctp_cmt_packets_timeout_us(c.hosts[0].packets);

		/* RTO.Initial, and twice that, and so on (RFC 9260, section 6.3.3). */
		REQUIRE(wait_us > 900000 * (1 << (retransmissions - 1)));
		c.now_us += (uint64_t)wait_us - 1;
		REQUIRE(usrsctp_cmt_packets_run(c.hosts[0].packets) == 0);
		REQUIRE(c.hosts[0].out_pkts[0] == retransmissions);
		REQUIRE(usrsctp_cmt_packets_timeout_us(c.hosts[0].packets) == 1);
		c.now_us++;
		REQUIRE(usrsctp_cmt_packets_timeout_us(c.hosts[0].packets) == 0);
		REQUIRE(usrsctp_cmt_packets_run(c.hosts[0].packets) == 0);
		REQUIRE(c.hosts[0].out_pkts[0] == retransmissions + 1);
	}
	carrier_close(&c);
	REQUIRE(usrsctp_cmt_next_timeout() == -1);
}

static void it_says_when_to_look_again(void **state)
{
	uint8_t nothing;

	(void)state;
	isolate_run(silence, NULL, &nothing, sizeof(nothing));
}

/* Packets that nobody takes do not make it say "now" for ever. */
static void refuse(const void *what, void *out)
{
	static struct carrier c = {.in_virtual_time = true, .delay_us = 20000, .n_paths = 2};

	(void)what, (void)out;
	REQUIRE(carrier_open(&c) == 0);
	carrier_connect(&c, 0, BYTES);
	REQUIRE(carrier_run(&c, 0, BYTES / 4, LIMIT_US));
	c.hosts[0].room = 1;
	while (usrsctp_cmt_packets_timeout_us(c.hosts[0].packets) != 0) {
		c.hosts[0].room = 0;
		carrier_step(&c, LIMIT_US);
		c.hosts[0].room = 1;
	}
	REQUIRE(usrsctp_cmt_packets_run(c.hosts[0].packets) == 0);
	for (unsigned i = 0; i < 3; i++) {
		(void)usrsctp_cmt_packets_run(c.hosts[0].packets);
	}
	c.hosts[0].room = 0;
	REQUIRE(carrier_run(&c, 0, BYTES, LIMIT_US));
	REQUIRE(c.hosts[1].intact);
	carrier_close(&c);
}

static void packets_that_nobody_takes_are_not_due(void **state)
{
	uint8_t nothing;

	(void)state;
	isolate_run(refuse, NULL, &nothing, sizeof(nothing));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_transfer_takes_all_paths_that_are_named),
	    cmocka_unit_test(the_kernels_clock_will_do),
	    cmocka_unit_test(what_there_is_no_room_for_waits),
	    cmocka_unit_test(timers_are_due_when_it_says),
	    cmocka_unit_test(it_says_when_to_look_again),
	    cmocka_unit_test(packets_that_nobody_takes_are_not_due),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
