/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What was taken for lost and had arrived: each detector alone finds it and counts it, "none" finds nothing,
 * and the window is what it was before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "support/isolate.h"
#include "support/meddle.h"
#include "support/transfer.h"

static const char *const recoveries[] = {"none", "dsack", "eifel", "frto", "all"};
enum { NONE, DSACK, EIFEL, FRTO, ALL, N_RECOVERIES };
enum { CWND_BEFORE, CWND_AFTER }; /* marks */

static struct transfer_message kilobyte(int host, uint32_t index)
{
	(void)host;
	(void)index;
	return (struct transfer_message){.bytes = 1000};
}

/* 4 Mbit/s of data over paths of 10 Mbit/s and 20 ms: no queues. */
static struct transfer_job steady(const char *recovery, int n_paths, int family)
{
	struct transfer_job job = {.scheduler = "arrival",
	                           .recovery = recovery,
	                           .family = family,
	                           .seed = 1,
	                           .n_paths = n_paths,
	                           .message = kilobyte,
	                           .n_messages = {1000},
	                           .interval_us = 2000};

	for (int p = 0; p < n_paths; p++)
		job.links[p] =
		    (struct usrsctp_cmt_sim_link){.rate_bps = 10000000, .delay_us = 20000, .queue_pkts = 100};
	return job;
}

static struct transfer_outcome run(const char *what, const struct transfer_job *job)
{
	struct transfer_outcome o = transfer_run(job);
	const struct sctp_cmt_path_stats *p = &o.paths[0];

	print_message("%s, %s: %u lost, %u sent again, %u spuriously; %llu spurious: dsack %llu eifel %llu "
	              "frto %llu, undone %llu, timeouts %llu; cwnd %llu then %llu\n",
	              what, job->recovery, o.losses, o.retransmissions, o.spurious,
	              (unsigned long long)p->spurious_chunks, (unsigned long long)p->spurious_dsack,
	              (unsigned long long)p->spurious_eifel, (unsigned long long)p->spurious_frto,
	              (unsigned long long)p->undone, (unsigned long long)p->timeouts,
	              (unsigned long long)o.marks[CWND_BEFORE], (unsigned long long)o.marks[CWND_AFTER]);
	transfer_assert_delivered(job, &o);
	return o;
}

static uint32_t cwnd_bytes(struct transfer *t)
{
	struct sctp_cmt_path_stats paths[USRSCTP_CMT_SIM_MAX_PATHS];

	transfer_path_stats(t, paths);
	return paths[0].cwnd_bytes;
}

/* The first mark from `first` that is free. */
static void mark(uint64_t *first, uint64_t value)
{
	while (*first != 0)
		first++;
	*first = value;
}

static void look_at_window(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct transfer *t = arg;

	(void)sim;
	mark(&t->outcome->marks[CWND_BEFORE], cwnd_bytes(t));
}

/* Chunk 300 leaves after 0.6 s. */
static void look_at_0_5_and_0_8_s(struct transfer *t)
{
	transfer_after(t, 500000, look_at_window);
	transfer_after(t, 800000, look_at_window);
}

/* --- fast retransmit ---------------------------------------------------------------------------------- */

static struct transfer_outcome run_held_back(int recovery, int family, int n_paths)
{
	/* Held back for longer than loss detection waits, for less than the retransmission takes. */
	struct meddle m = {.first = 300, .n = 1, .times = 1, .hold_us = 35000};
	struct transfer_job job = steady(recoveries[recovery], n_paths, family);

	job.tap = meddle_tap;
	job.arg = &m;
	job.on_up = look_at_0_5_and_0_8_s;
	return run("held back by 35 ms", &job);
}

static void each_detector_alone_finds_a_spurious_retransmission(void **state)
{
	const int families[2] = {AF_INET, AF_INET6};
	/* By recovery. */
	const uint64_t dsack[N_RECOVERIES] = {0, 1, 0, 0, 0}, eifel[N_RECOVERIES] = {0, 0, 1, 0, 1};

	(void)state;
	for (int r = 0; r < N_RECOVERIES; r++) {
		for (int f = 0; f < 2; f++) {
			struct transfer_outcome o = run_held_back(r, families[f], 1);

			assert_string_equal(o.stats[0].recovery, recoveries[r]);
			assert_int_equal(o.losses, 0);
			assert_int_equal(o.spurious, 1);
			assert_int_equal(o.timeouts, 0);
			assert_int_equal(o.paths[0].spurious_dsack, dsack[r]);
			assert_int_equal(o.paths[0].spurious_eifel, eifel[r]);
			assert_int_equal(o.paths[0].spurious_frto, 0);
			assert_int_equal(o.paths[0].spurious_chunks, dsack[r] + eifel[r]);
			assert_int_equal(o.paths[0].spurious_bytes, 1016 * (dsack[r] + eifel[r]));
			assert_int_equal(o.paths[0].undone, dsack[r] + eifel[r]);
			if (dsack[r] + eifel[r] > 0)
				assert_true(o.marks[CWND_AFTER] >= o.marks[CWND_BEFORE]);
			else
				assert_true(o.marks[CWND_AFTER] < o.marks[CWND_BEFORE]);
		}
	}
}

/* --- a delay that jumps ------------------------------------------------------------------------------- */

static void set_delay_from(struct transfer *t, int host, uint64_t delay_us)
{
	struct usrsctp_cmt_sim_link link;

	REQUIRE(usrsctp_cmt_sim_get_link(t->sim, 0, host, &link) == 0);
	link.delay_us = delay_us;
	REQUIRE(usrsctp_cmt_sim_set_link(t->sim, 0, host, &link) == 0);
}

static void set_delay(struct transfer *t, uint64_t delay_us)
{
	set_delay_from(t, 0, delay_us);
}

static void become_slow(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)sim;
	set_delay(arg, 55000);
}

static void become_very_slow(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)sim;
	set_delay(arg, 420000);
}

static void become_later_than_rto(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)sim;
	set_delay(arg, 1520000);
}

static void become_as_before(struct usrsctp_cmt_sim *sim, void *arg)
{
	const struct transfer *t = arg;

	(void)sim;
	set_delay_from(arg, 0, t->job->links[0].delay_us);
	set_delay_from(arg, 1, t->job->links[0].delay_us);
}

/* What leaves in these 12 ms is overtaken by what leaves after them. */
static void slow_for_12_ms(struct transfer *t)
{
	look_at_0_5_and_0_8_s(t);
	transfer_after(t, 600500, become_slow);
	transfer_after(t, 612500, become_as_before);
}

static void a_window_is_restored_after_a_delay_that_jumped(void **state)
{
	(void)state;
	for (int n_paths = 1; n_paths <= 2; n_paths++) {
		for (int r = 0; r < N_RECOVERIES; r++) {
			struct transfer_job job = steady(recoveries[r], n_paths, AF_INET);
			struct transfer_outcome o;
			bool found = r == DSACK || r == EIFEL || r == ALL;

			job.interval_us = 1000;
			job.links[0].jitter_reorders = true;
			job.on_up = slow_for_12_ms;
			o = run("55 ms for 12 ms", &job);
			assert_int_equal(o.losses, 0);
			assert_true(o.spurious > 1);
			assert_int_equal(o.paths[0].undone, found ? 1 : 0);
			assert_int_equal(o.paths[0].spurious_chunks, found ? o.spurious : 0);
			if (found)
				assert_true(o.marks[CWND_AFTER] >= o.marks[CWND_BEFORE]);
			else
				assert_true(o.marks[CWND_AFTER] < o.marks[CWND_BEFORE]);
		}
	}
}

static void look_at_0_5_and_1_5_s(struct transfer *t)
{
	transfer_after(t, 500000, look_at_window);
	transfer_after(t, 600500, become_very_slow);
	transfer_after(t, 1500000, look_at_window);
}

/* Reports of duplicates tell of retransmissions only, so all that was out has to go again; else no more than
 * `most` chunks before it is clear that the timeout was spurious. */
static void assert_taken_back(const struct transfer_outcome *o, int recovery, uint32_t most)
{
	assert_int_equal(o->losses, 0);
	assert_int_equal(o->paths[0].undone, recovery == NONE ? 0 : 1);
	assert_int_equal(o->paths[0].spurious_frto > 0, recovery == FRTO);
	if (recovery == NONE || recovery == DSACK)
		assert_true(o->retransmissions > 40);
	else
		assert_in_range(o->retransmissions, 1, most);
}

static void each_detector_takes_a_spurious_timeout_back(void **state)
{
	(void)state;
	for (int r = 0; r < N_RECOVERIES; r++) {
		struct transfer_job job = steady(recoveries[r], 1, AF_INET);
		struct transfer_outcome o;

		/* As much as the receiver's window takes; SACKs of every second packet. */
		job.n_messages[TRANSFER_CLIENT] = 2000;
		job.interval_us = 0;
		job.rcvbuf_bytes = 60000;
		job.on_up = look_at_0_5_and_1_5_s;
		o = run("420 ms from now on", &job);
		assert_true(o.timeouts > 0);
		assert_taken_back(&o, r, 5);
		if (r == NONE)
			assert_true(o.marks[CWND_AFTER] < o.marks[CWND_BEFORE]);
		/* What was in flight at least (RFC 4015, section 3.2, step 5). DSACK and F-RTO alone do not
		 * know that the tail loss probe after it was for nothing, too. */
		if (r == EIFEL || r == ALL)
			assert_true(o.marks[CWND_AFTER] >= (uint64_t)job.rcvbuf_bytes);
	}
}

static void late_by_1_5_s_from_1_to_1_3_s(struct transfer *t)
{
	transfer_after(t, 600000, look_at_window);
	transfer_after(t, 1000000, become_later_than_rto);
	transfer_after(t, 1300000, become_as_before);
	transfer_after(t, 3500000, look_at_window);
}

/* The timer expires again before anything comes. */
static void two_spurious_timeouts_in_a_row_are_taken_back_as_one(void **state)
{
	(void)state;
	for (int r = 0; r < N_RECOVERIES; r++) {
		struct transfer_job job = steady(recoveries[r], 1, AF_INET);
		struct transfer_outcome o;

		job.n_messages[TRANSFER_CLIENT] = 4000;
		job.interval_us = 0;
		job.rcvbuf_bytes = 60000;
		job.on_up = late_by_1_5_s_from_1_to_1_3_s;
		o = run("1.5 s later for 0.3 s", &job);
		assert_true(o.timeouts >= 2);
		assert_taken_back(&o, r, 20);
		if (r == NONE)
			assert_true(o.marks[CWND_AFTER] * 4 < o.marks[CWND_BEFORE] * 3);
		else
			assert_true(o.marks[CWND_AFTER] * 10 > o.marks[CWND_BEFORE] * 9);
	}
}

static void go_down(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)sim;
	transfer_set_down(arg, 0, true);
}

static void come_back(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)sim;
	transfer_set_down(arg, 0, false);
}

static void down_from_0_6_to_1_6_s(struct transfer *t)
{
	transfer_after(t, 600000, go_down);
	transfer_after(t, 1600000, come_back);
}

static void no_detector_takes_a_genuine_timeout_back(void **state)
{
	(void)state;
	for (int r = 0; r < N_RECOVERIES; r++) {
		struct transfer_job job = steady(recoveries[r], 1, AF_INET);
		struct transfer_outcome o;

		job.n_messages[TRANSFER_CLIENT] = 2000;
		job.interval_us = 0;
		job.on_up = down_from_0_6_to_1_6_s;
		o = run("down for 1 s", &job);
		assert_true(o.losses > 10);
		assert_true(o.paths[0].timeouts > 0);
		assert_int_equal(o.paths[0].undone, 0);
	}
}

/* --- goodput after a spurious timeout ------------------------------------------------------------------- */

enum { SECONDS = 3, ARRIVED = 2 }; /* marks: how many had arrived after 1, 4, 7 and 10 s */

static void count_arrived(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct transfer *t = arg;

	(void)sim;
	mark(&t->outcome->marks[ARRIVED], t->outcome->arrived[TRANSFER_CLIENT]);
}

static void become_late_both_ways(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)sim;
	set_delay_from(arg, 0, 1500000);
	set_delay_from(arg, 1, 1500000);
}

static void late_by_1_5_s_from_5_to_5_3_s(struct transfer *t)
{
	for (uint64_t at_s = 1; at_s <= 1 + 3 * SECONDS; at_s += SECONDS)
		transfer_after(t, at_s * 1000000, count_arrived);
	transfer_after(t, 5000000, become_late_both_ways);
	transfer_after(t, 5300000, become_as_before);
}

/* Goodput from 7 to 10 s relative to that from 1 to 4 s, in percent. The late packets arrive before 7 s. */
static unsigned percent_kept(int recovery, uint32_t queue_pkts)
{
	struct transfer_job job = steady(recoveries[recovery], 1, AF_INET);
	struct transfer_outcome o;
	const uint64_t *arrived = &o.marks[ARRIVED];
	unsigned percent;

	job.cc = "uncoupled";
	job.n_messages[TRANSFER_CLIENT] = 6000;
	job.interval_us = 0;
	job.sndbuf_bytes = job.rcvbuf_bytes = 1000000;
	job.links[0].rate_bps = 5000000;
	job.links[0].delay_us = 50000;
	job.links[0].queue_pkts = queue_pkts;
	job.on_up = late_by_1_5_s_from_5_to_5_3_s;
	o = run("5 Mbit/s, 50 ms, 1.5 s later for 0.3 s", &job);
	assert_true(o.timeouts > 0);
	assert_int_equal(o.paths[0].undone, recovery == NONE ? 0 : 1);
	percent = (unsigned)(100 * (arrived[3] - arrived[2]) / (arrived[1] - arrived[0]));
	print_message("%s, queue of %u packets: %u %%\n", recoveries[recovery], queue_pkts, percent);
	return percent;
}

static void goodput_after_a_spurious_timeout_is_what_it_was(void **state)
{
	(void)state;
	for (int r = NONE; r < N_RECOVERIES; r++)
		assert_in_range(percent_kept(r, 200), 95, 105);
}

/* The queue takes neither a window at once nor one that is as large as two: pace and threshold of before
 * count. Nor does it take what DSACK sends again, which then is reported for a part only. */
static void nor_does_a_short_queue_make_it_less(void **state)
{
	(void)state;
	assert_true(percent_kept(NONE, 15) < 90);
	for (int r = EIFEL; r < N_RECOVERIES; r++)
		assert_in_range(percent_kept(r, 15), 95, 105);
}

/* --- a path that failed for nothing ----------------------------------------------------------------------
 */

enum { SPIKES = 7, SPIKES_DONE = 0, BYTES_WHEN_BACK = 1 }; /* marks: the latter one second apart */

static void count_bytes(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct transfer *t = arg;
	struct sctp_cmt_path_stats paths[USRSCTP_CMT_SIM_MAX_PATHS];

	(void)sim;
	transfer_path_stats(t, paths);
	mark(&t->outcome->marks[BYTES_WHEN_BACK], paths[0].sent_bytes);
}

static void spike(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct transfer *t = arg;

	become_very_slow(sim, arg);
	transfer_after(t, 300000, become_as_before);
	if (++t->outcome->marks[SPIKES_DONE] < SPIKES) {
		transfer_after(t, 2000000, spike);
	} else {
		transfer_after(t, 2000000, count_bytes);
		transfer_after(t, 3000000, count_bytes);
	}
}

static void late_for_0_3_s_every_2_s(struct transfer *t)
{
	transfer_after(t, 1000000, spike);
}

/* Held back for flapping it would carry nothing for four seconds after the last one. */
static void a_path_that_was_only_late_is_not_held_back(void **state)
{
	struct transfer_job job = steady("all", 2, AF_INET);
	struct transfer_outcome o;

	(void)state;
	job.n_messages[TRANSFER_CLIENT] = 40000;
	job.interval_us = 0;
	job.on_up = late_for_0_3_s_every_2_s;
	o = run("0.4 s later for 0.3 s, every 2 s", &job);
	assert_int_equal(o.marks[SPIKES_DONE], SPIKES);
	assert_in_range(o.paths[0].failures, SPIKES, 2 * SPIKES);
	print_message("%llu kB in the second after the last one\n",
	              (unsigned long long)(o.marks[BYTES_WHEN_BACK + 1] - o.marks[BYTES_WHEN_BACK]) / 1000);
	assert_true(o.marks[BYTES_WHEN_BACK + 1] - o.marks[BYTES_WHEN_BACK] > 1000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_detector_alone_finds_a_spurious_retransmission),
	    cmocka_unit_test(a_window_is_restored_after_a_delay_that_jumped),
	    cmocka_unit_test(each_detector_takes_a_spurious_timeout_back),
	    cmocka_unit_test(two_spurious_timeouts_in_a_row_are_taken_back_as_one),
	    cmocka_unit_test(no_detector_takes_a_genuine_timeout_back),
	    cmocka_unit_test(goodput_after_a_spurious_timeout_is_what_it_was),
	    cmocka_unit_test(nor_does_a_short_queue_make_it_less),
	    cmocka_unit_test(a_path_that_was_only_late_is_not_held_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
