/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Scheduler osia over the OSIA paper's paths of Table 1: what it says of itself in SCTP_CMT_STATS, and that
 * water filling decides which packets leave, in the default form. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/transfer.h"

enum { N_MESSAGES = 4000 };

static struct transfer_message kilobyte(int host, uint32_t index)
{
	(void)host;
	(void)index;
	return (struct transfer_message){.bytes = 1000};
}

/* The job's argument: options of the scheduler. */
static void set_options(struct transfer *t)
{
	struct sctp_cmt_policy policy = {.size = sizeof(policy)};

	strcpy(policy.name, t->job->scheduler);
	strcpy(policy.options, t->job->arg);
	REQUIRE(usrsctp_setsockopt(t->sides[TRANSFER_CLIENT].so, IPPROTO_SCTP, SCTP_CMT_SCHEDULER, &policy,
	                           sizeof(policy)) == 0);
}

/* Three paths: 2 Mbit/s 40 ms, 1.25/80, 0.75 and so many. */
static struct transfer_outcome run_over(uint64_t third_delay_us, const char *scheduler, const char *options)
{
	const struct transfer_job job = {
	    .scheduler = scheduler,
	    .seed = 1,
	    .n_paths = 3,
	    .links = {{.rate_bps = 2000000, .delay_us = 40000, .queue_pkts = 100},
	              {.rate_bps = 1250000, .delay_us = 80000, .queue_pkts = 100},
	              {.rate_bps = 750000, .delay_us = third_delay_us, .queue_pkts = 100}},
	    .message = kilobyte,
	    .n_messages = {N_MESSAGES},
	    .rcvbuf_bytes = 1000000,
	    .on_up = set_options,
	    .arg = options,
	};
	const struct transfer_outcome o = transfer_run(&job);

	transfer_assert_delivered(&job, &o);
	return o;
}

static struct transfer_outcome run(const char *scheduler, const char *options)
{
	return run_over(60000, scheduler, options);
}

/* Pre-chunks are 11 875 bytes between idle paths; the queues of faster ones make delays more alike. Theorem 2
 * needs K = 1.83 where that of retransmission timers is 4. */
static void statistics_tell_of_the_period_and_theorem_2(void **state)
{
	const struct transfer_outcome o = run("osia", "");
	const struct sctp_cmt_stats *s = &o.stats[TRANSFER_CLIENT];
	const struct sctp_cmt_stats none = run("arrival", "").stats[TRANSFER_CLIENT];

	(void)state;
	print_message("%llu periods, %llu bytes, K %.2f\n", (unsigned long long)s->sched_periods,
	              (unsigned long long)s->sched_prefetch_bytes, (double)s->sched_timeout_ppm / 1e6);
	assert_in_range(s->sched_periods, 3, 60);
	assert_in_range(s->sched_prefetch_bytes, 4000, 13000);
	assert_in_range(s->sched_timeout_ppm, 1500000, 2100000);
	assert_int_equal(none.sched_periods, 0);
	assert_int_equal(none.sched_prefetch_bytes, 0);
	assert_int_equal(none.sched_timeout_ppm, 0);
}

/* 36 and 40 ms are one bucket of 10 ms. */
static void other_buckets_send_other_packets(void **state)
{
	const uint64_t of_default = run_over(36000, "osia", "").hash;
	const uint64_t apart = run_over(36000, "osia", "merge_us=1").hash;
	const uint64_t together = run_over(36000, "osia", "merge_us=1000000").hash;

	(void)state;
	assert_true(apart != of_default);
	assert_true(together != of_default);
	assert_true(together != apart);
	assert_true(run_over(36000, "arrival", "").hash != of_default);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(statistics_tell_of_the_period_and_theorem_2),
	    cmocka_unit_test(other_buckets_send_other_packets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
