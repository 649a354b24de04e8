/* SPDX-License-Identifier: BSD-3-Clause
 *
 * SCTP_CMT_NEEDED in a transfer: a player two seconds behind a stream of 4 Mbit/s, over a path that is free
 * and one that costs something, 10 Mbit/s each. Nothing comes too late, and little goes over the second. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/packet.h"
#include "support/transfer.h"

enum { MESSAGE_BYTES = 1000, INTERVAL_US = 2000, BUFFER_US = 2000000, N_MESSAGES = 6000, SEEDS = 3 };
#define STREAM_BPS 4000000u
/* What a second of the stream takes with its headers. */
#define SECOND_BYTES 530000u

static struct transfer_message kilobyte(int host, uint32_t index)
{
	(void)host;
	(void)index;
	return (struct transfer_message){.bytes = MESSAGE_BYTES};
}

/* Bytes on the costly path. */
static void count(struct transfer *t, const struct usrsctp_cmt_sim_packet *packet)
{
	if (packet->event == USRSCTP_CMT_SIM_SENT && packet->direction == 0 && packet->path == 1 &&
	    packet_has(packet->packet, packet->packet_bytes, CHUNK_DATA))
		t->outcome->marks[0] += packet->wire_bytes;
}

struct case_of {
	bool told;
	uint64_t down_us; /* the free path carries nothing from 4 s on, for so long */
};

static void go_down(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)sim;
	transfer_set_down(arg, 0, true);
}

static void come_up(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)sim;
	transfer_set_down(arg, 0, false);
}

static void begin(struct transfer *t)
{
	const struct case_of *c = t->job->arg;
	struct socket *so = t->sides[TRANSFER_CLIENT].so;
	struct sctp_cmt_path path = {.size = sizeof(path), .assoc_id = SCTP_FUTURE_ASSOC, .cost = 1};
	const struct sctp_cmt_needed needed = {.size = sizeof(needed),
	                                       .assoc_id = SCTP_FUTURE_ASSOC,
	                                       .in_us = BUFFER_US,
	                                       .rate_bps = STREAM_BPS};

	REQUIRE(usrsctp_cmt_sim_address(t->sim, TRANSFER_SERVER, 1, 0, &path.address) == 0);
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_CMT_PATH, &path, sizeof(path)) == 0);
	if (c->told)
		REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_CMT_NEEDED, &needed, sizeof(needed)) == 0);
	if (c->down_us > 0) {
		transfer_after(t, 4000000, go_down);
		transfer_after(t, 4000000 + c->down_us, come_up);
	}
}

static struct transfer_outcome run(const struct case_of *c, uint64_t seed, uint64_t interval_us)
{
	struct transfer_job job = {.scheduler = "auto",
	                           .seed = seed,
	                           .n_paths = 2,
	                           .message = kilobyte,
	                           .n_messages = {N_MESSAGES},
	                           .interval_us = interval_us,
	                           .sndbuf_bytes = 8000000,
	                           .on_up = begin,
	                           .tap = count,
	                           .arg = c};
	struct transfer_outcome o;

	for (int p = 0; p < 2; p++)
		job.links[p] = (struct usrsctp_cmt_sim_link){.rate_bps = 10000000,
		                                             .delay_us = p == 0 ? 10000 : 30000,
		                                             .queue_pkts = 100,
		                                             .loss = seed == 1 ? 0 : 0.002};
	o = transfer_run(&job);
	transfer_assert_arrived(&job, &o);
	print_message("told %d, down for %u ms: %u bytes over the costly path, latest after %u ms\n",
	              (int)c->told, (unsigned)(c->down_us / 1000), (unsigned)o.marks[0],
	              (unsigned)(o.latency_max_us / 1000));
	return o;
}

/* The buffer outlasts a second. */
static void a_short_outage_is_played_from_the_buffer(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct transfer_outcome o = run(&(struct case_of){true, 1000000}, seed, INTERVAL_US);

		assert_true(o.latency_max_us < BUFFER_US);
		assert_true(o.marks[0] < SECOND_BYTES / 10);
	}
}

/* Of 4 s the buffer outlasts two; the rest, and the reserve, goes over the costly path. Without the option it
 * is all four. */
static void a_long_outage_takes_what_the_buffer_lacks(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct transfer_outcome o = run(&(struct case_of){true, 4000000}, seed, INTERVAL_US);

		assert_true(o.latency_max_us < BUFFER_US);
		assert_true(o.marks[0] > 2 * SECOND_BYTES);
		assert_true(o.marks[0] < 33 * SECOND_BYTES / 10);
		o = run(&(struct case_of){false, 4000000}, seed, INTERVAL_US);
		assert_true(o.marks[0] > 35 * SECOND_BYTES / 10);
	}
}

/* All of it is there from the beginning, and the free path is faster than it is played. */
static void a_backlog_that_is_not_needed_yet_costs_nothing(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct transfer_outcome o = run(&(struct case_of){true, 0}, seed, 0);

		assert_true(o.marks[0] < SECOND_BYTES / 10);
		o = run(&(struct case_of){false, 0}, seed, 0);
		assert_true(o.marks[0] > 4 * SECOND_BYTES);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_short_outage_is_played_from_the_buffer),
	    cmocka_unit_test(a_long_outage_takes_what_the_buffer_lacks),
	    cmocka_unit_test(a_backlog_that_is_not_needed_yet_costs_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
