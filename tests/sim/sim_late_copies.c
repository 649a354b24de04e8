/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A wide path with jitter that keeps the order, thin paths beside it, and a receive window that is full at
 * times. What is late on the wide path is copied to thin ones; SACKs come back on all of them and overtake
 * each other. And a source that the paths keep up with, whose late packets nobody waits for.
 *
 * cost: 4 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/transfer.h"

enum { LONG_THIN, THIN, WIDE, SHORT, N_PATHS };
enum { DROPPED_WIDE_PKTS, DROPPED_THIN_PKTS }; /* marks of the outcome */
enum { SEEDS = 6, DROPPED_THIN_MAX_PKTS = 60, SPURIOUS_MAX_CHUNKS = 160 };

static struct transfer_message message(int host, uint32_t index)
{
	(void)host;
	(void)index;
	return (struct transfer_message){.bytes = 1400};
}

static void count_drops(struct transfer *t, const struct usrsctp_cmt_sim_packet *packet)
{
	if (packet->event == USRSCTP_CMT_SIM_DROPPED && packet->direction == 0)
		t->outcome->marks[packet->path == WIDE ? DROPPED_WIDE_PKTS : DROPPED_THIN_PKTS]++;
}

static struct usrsctp_cmt_sim_link link_of(uint64_t rate_bps, uint64_t delay_us, uint32_t queue_pkts)
{
	return (struct usrsctp_cmt_sim_link){.rate_bps = rate_bps,
	                                     .delay_us = delay_us,
	                                     .jitter = USRSCTP_CMT_SIM_JITTER_NORMAL,
	                                     .jitter_us = delay_us / 9,
	                                     .queue_pkts = queue_pkts};
}

/* Of all transfers. */
struct sums {
	uint64_t copies, dropped_wide_pkts, dropped_thin_pkts, lost_chunks;
};

static void add_transfer(struct sums *sums, uint64_t seed)
{
	struct transfer_job job = {.scheduler = "arrival",
	                           .seed = seed,
	                           .n_paths = N_PATHS,
	                           .message = message,
	                           .n_messages = {20000},
	                           .rcvbuf_bytes = 2150000,
	                           .sndbuf_bytes = 6230000,
	                           .configure = transfer_take_many_chunks,
	                           .tap = count_drops};
	struct transfer_outcome o;

	job.links[LONG_THIN] = link_of(950000, 165000, 100);
	job.links[THIN] = link_of(1100000, 56000, 100);
	job.links[WIDE] = link_of(32600000, 175000, 476);
	job.links[SHORT] = link_of(2380000, 9600, 100);
	o = transfer_run(&job);
	transfer_assert_arrived(&job, &o);
	sums->copies += o.stats[TRANSFER_CLIENT].copies;
	sums->dropped_wide_pkts += o.marks[DROPPED_WIDE_PKTS];
	sums->dropped_thin_pkts += o.marks[DROPPED_THIN_PKTS];
	for (int i = 0; i < o.n_paths; i++)
		sums->lost_chunks += o.paths[i].lost_chunks;
}

static void thin_paths_carry_what_they_can_and_little_is_taken_for_lost(void **state)
{
	struct sums sums = {.copies = 0};

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++)
		add_transfer(&sums, seed);
	print_message("%llu copies; %llu packets dropped on the wide path, %llu on thin ones; %llu chunks "
	              "taken for lost\n",
	              (unsigned long long)sums.copies, (unsigned long long)sums.dropped_wide_pkts,
	              (unsigned long long)sums.dropped_thin_pkts, (unsigned long long)sums.lost_chunks);
	assert_in_range(sums.copies, 100, 4000);
	assert_in_range(sums.dropped_thin_pkts, 0, DROPPED_THIN_MAX_PKTS);
	assert_in_range(sums.lost_chunks, 0,
	                sums.dropped_wide_pkts + sums.dropped_thin_pkts + SPURIOUS_MAX_CHUNKS);
}

/* One in five was copied where any that was late is, and none came sooner for that. */
static void late_packets_are_not_copied_while_others_follow(void **state)
{
	struct transfer_job job = {.scheduler = "auto",
	                           .n_paths = 2,
	                           .message = message,
	                           .n_messages = {2500},
	                           .interval_us = 8000,
	                           .links = {link_of(5000000, 20000, 100), link_of(5000000, 40000, 100)}};

	(void)state;
	job.links[0].jitter_us = 10000;
	job.links[1].jitter_us = 20000;
	for (job.seed = 1; job.seed <= 3; job.seed++) {
		struct transfer_outcome o = transfer_run(&job);

		transfer_assert_arrived(&job, &o);
		print_message("%u packets, %u sent again\n", o.data_pkts, o.retransmissions);
		assert_in_range(o.retransmissions, 0, o.data_pkts / 200);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(thin_paths_carry_what_they_can_and_little_is_taken_for_lost),
	    cmocka_unit_test(late_packets_are_not_copied_while_others_follow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
