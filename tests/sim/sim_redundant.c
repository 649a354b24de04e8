/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The scheduler redundant: what one path loses, or a path that dies, costs no more than the delay of the
 * other; copies are no retransmissions, fill the window of their path, and do not fill the peer's buffer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/packet.h"
#include "support/transfer.h"

enum {
	INTERVAL_US = 8000,
	MESSAGE_BYTES = 1000,
	N_MESSAGES = 1500,
	FAST_DELAY_US = 20000,
	SLOW_DELAY_US = 30000
};
/* Marks of the outcome: packets with DATA on the second path. */
enum { SLOW_SENT, SLOW_DROPPED };

static struct transfer_message kilobyte(int host, uint32_t index)
{
	(void)host;
	(void)index;
	return (struct transfer_message){.bytes = MESSAGE_BYTES};
}

static void watch_slow_path(struct transfer *t, const struct usrsctp_cmt_sim_packet *packet)
{
	if (packet->direction != 0 || packet->path != 1 ||
	    !packet_has(packet->packet, packet->packet_bytes, CHUNK_DATA))
		return;
	t->outcome->marks[SLOW_SENT] += packet->event == USRSCTP_CMT_SIM_SENT;
	t->outcome->marks[SLOW_DROPPED] += packet->event == USRSCTP_CMT_SIM_DROPPED;
}

/* 1 Mbit/s over two paths of 10 Mbit/s. */
static struct transfer_job constant_rate(const char *scheduler, double loss)
{
	struct transfer_job job = {.scheduler = scheduler,
	                           .seed = 1,
	                           .n_paths = 2,
	                           .message = kilobyte,
	                           .n_messages = {N_MESSAGES},
	                           .interval_us = INTERVAL_US,
	                           .tap = watch_slow_path};

	for (int p = 0; p < 2; p++)
		job.links[p] =
		    (struct usrsctp_cmt_sim_link){.rate_bps = 10000000,
		                                  .delay_us = p == 0 ? FAST_DELAY_US : SLOW_DELAY_US,
		                                  .queue_pkts = 100,
		                                  .loss = loss};
	return job;
}

static struct transfer_outcome run(const struct transfer_job *job)
{
	struct transfer_outcome o = transfer_run(job);

	print_message(
	    "%s: latency p99 %.1f ms, most %.1f ms, gap %.1f ms, %llu copies, retransmitted %llu and "
	    "%llu, on path 2 %llu packets, %llu dropped\n",
	    job->scheduler, (double)o.latency_p99_us / 1e3, (double)o.latency_max_us / 1e3,
	    (double)o.longest_gap_us / 1e3, (unsigned long long)o.stats[TRANSFER_CLIENT].copies,
	    (unsigned long long)o.paths[0].retransmits, (unsigned long long)o.paths[1].retransmits,
	    (unsigned long long)o.marks[SLOW_SENT], (unsigned long long)o.marks[SLOW_DROPPED]);
	transfer_assert_arrived(job, &o);
	assert_int_equal(o.end[TRANSFER_CLIENT], TRANSFER_CLOSED);
	return o;
}

static uint64_t spurious(const struct transfer_outcome *o)
{
	return o->paths[0].spurious_chunks + o->paths[1].spurious_chunks;
}

static void every_chunk_goes_on_both_paths_and_none_is_a_retransmission(void **state)
{
	const struct transfer_job job = constant_rate("redundant", 0);
	struct transfer_outcome o = run(&job);

	(void)state;
	assert_in_range(o.stats[TRANSFER_CLIENT].copies, N_MESSAGES * 98 / 100, N_MESSAGES);
	assert_int_equal(o.paths[0].retransmits + o.paths[1].retransmits, 0);
	assert_int_equal(o.paths[0].lost_chunks + o.paths[1].lost_chunks, 0);
	assert_int_equal(spurious(&o), 0);
	assert_int_equal(o.timeouts, 0);
}

static void one_lost_packet_in_a_hundred_costs_hardly_anything(void **state)
{
	const struct transfer_job job = constant_rate("redundant", 0.01),
	                          peers = constant_rate("minrtt", 0.01);
	struct transfer_outcome o = run(&job), minrtt = run(&peers);

	(void)state;
	assert_in_range(o.latency_p99_us, 1, minrtt.latency_p99_us / 2);
	assert_in_range(o.latency_p99_us, 1, SLOW_DELAY_US + INTERVAL_US);
	/* What both paths lost. */
	assert_in_range(o.paths[0].retransmits + o.paths[1].retransmits, 0, 5);
	assert_in_range(o.paths[0].lost_chunks, 1, N_MESSAGES * 4 / 100);
	assert_in_range(o.paths[1].lost_chunks, 1, N_MESSAGES * 4 / 100);
	assert_in_range(spurious(&o), 0, 2);
}

/* The loss is seen 40 ms after the copy left, which takes 60: a retransmission would be later. */
static void what_a_copy_will_repair_sooner_is_not_retransmitted(void **state)
{
	struct transfer_job job = constant_rate("redundant", 0);
	struct transfer_outcome o;

	(void)state;
	job.links[0].loss = 0.02;
	job.links[1].delay_us = 60000;
	o = run(&job);
	assert_in_range(o.paths[0].lost_chunks, 15, N_MESSAGES);
	assert_in_range(o.paths[0].retransmits + o.paths[1].retransmits, 0, 3);
}

static void down(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)sim;
	transfer_set_down(arg, 0, true);
}

static void up(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)sim;
	transfer_set_down(arg, 0, false);
}

static void schedule_outage(struct transfer *t)
{
	transfer_after(t, 3000000, down);
	transfer_after(t, 6000000, up);
}

static void a_path_that_dies_leaves_a_gap_no_longer_than_the_others_delay(void **state)
{
	struct transfer_job job = constant_rate("redundant", 0);
	struct transfer_outcome o;

	(void)state;
	job.on_up = schedule_outage;
	o = run(&job);
	assert_in_range(o.longest_gap_us, 1, SLOW_DELAY_US + INTERVAL_US);
	assert_in_range(o.paths[0].failures, 1, 1);
	/* It is used again: 12 s, of which the path was there for 9. */
	assert_in_range(o.paths[0].sent_pkts, N_MESSAGES * 60 / 100, N_MESSAGES);
	assert_int_equal(o.paths[0].state, SCTP_CMT_PATH_ACTIVE);
}

/* The second path has a twentieth of the first one's rate. */
static struct transfer_job backlog(void)
{
	struct transfer_job job = constant_rate("redundant", 0);

	job.links[1].rate_bps = 500000;
	job.links[1].queue_pkts = 20;
	job.n_messages[TRANSFER_CLIENT] = 8000;
	job.interval_us = 0;
	return job;
}

static void copies_fill_the_window_of_their_path(void **state)
{
	const struct transfer_job job = backlog();
	struct transfer_outcome o = run(&job);

	(void)state;
	/* Half as much as the path carries in that time, at least; without control thousands would be lost.
	 */
	assert_in_range(o.marks[SLOW_SENT], (o.last_us - o.up_us) / 2 / 17000, 2000);
	assert_in_range(o.marks[SLOW_DROPPED], 0, o.marks[SLOW_SENT] / 20);
	/* As fast as the first path alone, nearly. */
	assert_in_range(o.last_us - o.up_us, 0, 8000000);
	assert_in_range(o.paths[0].retransmits + o.paths[1].retransmits, 0, 20);
	assert_in_range(o.paths[1].flight_bytes, 0, o.paths[1].cwnd_bytes + o.paths[1].mtu_bytes);
}

static void copies_do_not_fill_the_peers_buffer(void **state)
{
	struct transfer_job job = backlog();
	struct transfer_outcome o;

	(void)state;
	job.rcvbuf_bytes = 30000;
	job.n_messages[TRANSFER_CLIENT] = 2000;
	o = run(&job);
	assert_int_equal(o.paths[0].retransmits + o.paths[1].retransmits, 0);
	assert_int_equal(o.timeouts, 0);
	/* 30 kB of window over 42 ms. */
	assert_in_range(o.last_us - o.up_us, 0, 6000000);
}

/* Of several fragments; given up when lost (RFC 7496), or after a while (RFC 3758). */
static struct transfer_message unreliable(int host, uint32_t index)
{
	(void)host;
	return (struct transfer_message){.bytes = 500 + index * 613 % 5500,
	                                 .stream = (uint16_t)(index % 3),
	                                 .unordered = index % 4 == 0,
	                                 .pr_policy = index % 2 == 0 ? SCTP_PR_SCTP_RTX : SCTP_PR_SCTP_TTL,
	                                 .pr_value = index % 2 == 0 ? 0 : 60};
}

static void unreliable_messages_are_lost_where_both_paths_lose_them(void **state)
{
	enum { N_SEEDS = 8 };
	uint32_t arrived = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= N_SEEDS; seed++) {
		struct transfer_job job = constant_rate("redundant", 0.05);
		struct transfer_outcome o;

		job.message = unreliable;
		job.seed = seed;
		job.shutdown_at_once = true;
		o = run(&job);
		arrived += o.arrived[TRANSFER_CLIENT];
	}
	assert_in_range(arrived, N_SEEDS * N_MESSAGES * 95 / 100, N_SEEDS * N_MESSAGES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_chunk_goes_on_both_paths_and_none_is_a_retransmission),
	    cmocka_unit_test(one_lost_packet_in_a_hundred_costs_hardly_anything),
	    cmocka_unit_test(what_a_copy_will_repair_sooner_is_not_retransmitted),
	    cmocka_unit_test(a_path_that_dies_leaves_a_gap_no_longer_than_the_others_delay),
	    cmocka_unit_test(copies_fill_the_window_of_their_path),
	    cmocka_unit_test(copies_do_not_fill_the_peers_buffer),
	    cmocka_unit_test(unreliable_messages_are_lost_where_both_paths_lose_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
