/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Unequal paths with jitter that keeps the order, and losses. SACKs come back on all of them and overtake
 * each other, several built in the same microsecond. What was lost counts as lost, on the path that lost it,
 * and what was not does not.
 *
 * cost: 3 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/packet.h"
#include "support/transfer.h"

enum { SEEDS = 3, N_MESSAGES = 10000 };

/* Of all seeds. */
struct sums {
	uint64_t dropped_pkts, lost_chunks, spurious_pkts, spurious_chunks, undone;
};

static struct transfer_message message(int host, uint32_t index)
{
	(void)host;
	(void)index;
	return (struct transfer_message){.bytes = 1400};
}

static void count_drops(struct transfer *t, const struct usrsctp_cmt_sim_packet *packet)
{
	if (packet->event == USRSCTP_CMT_SIM_DROPPED && packet->direction == 0 &&
	    packet_has(packet->packet, packet->packet_bytes, CHUNK_DATA))
		t->outcome->marks[0]++;
}

static struct usrsctp_cmt_sim_link link_of(uint64_t rate_bps, uint64_t delay_us, double loss)
{
	return (struct usrsctp_cmt_sim_link){.rate_bps = rate_bps,
	                                     .delay_us = delay_us,
	                                     .jitter = USRSCTP_CMT_SIM_JITTER_NORMAL,
	                                     .jitter_us = delay_us / 10,
	                                     .queue_pkts = 2000,
	                                     .loss = loss};
}

static struct sums run(struct transfer_job job)
{
	struct sums sums = {.dropped_pkts = 0};

	job.message = message;
	job.n_messages[TRANSFER_CLIENT] = N_MESSAGES;
	job.rcvbuf_bytes = job.sndbuf_bytes = 6000000;
	job.configure = transfer_take_many_chunks;
	job.tap = count_drops;
	for (job.seed = 1; job.seed <= SEEDS; job.seed++) {
		struct transfer_outcome o = transfer_run(&job);

		transfer_assert_arrived(&job, &o);
		sums.dropped_pkts += o.marks[0];
		sums.spurious_pkts += o.spurious;
		for (int i = 0; i < o.n_paths; i++) {
			sums.lost_chunks += o.paths[i].lost_chunks;
			sums.spurious_chunks += o.paths[i].spurious_chunks;
			sums.undone += o.paths[i].undone;
		}
	}
	print_message("%s: %llu packets with data dropped, %llu chunks taken for lost, %llu sent again for "
	              "nothing, %llu called spurious, %llu reductions undone\n",
	              job.scheduler, (unsigned long long)sums.dropped_pkts,
	              (unsigned long long)sums.lost_chunks, (unsigned long long)sums.spurious_pkts,
	              (unsigned long long)sums.spurious_chunks, (unsigned long long)sums.undone);
	return sums;
}

static struct sums run_lossy(const char *scheduler)
{
	return run(
	    (struct transfer_job){.scheduler = scheduler,
	                          .n_paths = 4,
	                          .links = {link_of(45000000, 115000, 0.0033), link_of(2000000, 86000, 0.009),
	                                    link_of(1300000, 6000, 0.005), link_of(19000000, 53000, 0.005)}});
}

static void what_was_lost_is_not_called_spurious(void **state)
{
	static const char *const schedulers[] = {"minrtt", "rr"};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct sums sums = run_lossy(schedulers[i]);

		assert_in_range(sums.dropped_pkts, 100, UINT64_MAX);
		assert_in_range(sums.lost_chunks, sums.dropped_pkts * 9 / 10, sums.dropped_pkts * 11 / 10);
		assert_in_range(sums.spurious_chunks, 0, sums.spurious_pkts + sums.dropped_pkts / 50);
		assert_in_range(sums.undone, 0, sums.spurious_pkts + sums.dropped_pkts / 50);
	}
}

static void what_a_copy_repairs_is_lost_all_the_same(void **state)
{
	struct sums sums = run_lossy("redundant");

	(void)state;
	assert_in_range(sums.dropped_pkts, 100, UINT64_MAX);
	/* What a lost SACK, or one that comes late, said of copies makes them lost until a duplicate shows
	 * more. */
	assert_in_range(sums.lost_chunks - sums.spurious_chunks, sums.dropped_pkts * 9 / 10,
	                sums.dropped_pkts * 11 / 10);
	assert_in_range(sums.undone, 0, sums.dropped_pkts / 20);
}

static void what_a_newer_sack_reported_is_not_taken_back_by_an_older_one(void **state)
{
	struct sums sums =
	    run((struct transfer_job){.scheduler = "arrival",
	                              .n_paths = 2,
	                              .links = {link_of(15000000, 157000, 0), link_of(30000000, 165000, 0)}});

	(void)state;
	assert_int_equal(sums.dropped_pkts, 0);
	assert_int_equal(sums.lost_chunks, 0);
	assert_int_equal(sums.spurious_pkts, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_was_lost_is_not_called_spurious),
	    cmocka_unit_test(what_a_copy_repairs_is_lost_all_the_same),
	    cmocka_unit_test(what_a_newer_sack_reported_is_not_taken_back_by_an_older_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
