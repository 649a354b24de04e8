/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loss detection by time and number: reordering is no loss, lost retransmissions and lost tails are repaired
 * without T3, T3 never expires without loss, and whatever 30 % loss leaves is delivered or reported.
 *
 * cost: 3 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/meddle.h"
#include "support/transfer.h"

static const char *const schedulers[] = {"rr", "lcm", "arrival"};
static const int families[] = {AF_INET, AF_INET6};
enum { N_SCHEDULERS = 3, N_FAMILIES = 2 };

static struct transfer_message kilobyte(int host, uint32_t index)
{
	(void)host;
	(void)index;
	return (struct transfer_message){.bytes = 1000};
}

/* 10 Mbit/s and 20 ms each. */
static struct transfer_job equal_paths(const char *scheduler, int n_paths, uint32_t n_messages)
{
	struct transfer_job job = {.scheduler = scheduler,
	                           .seed = 1,
	                           .n_paths = n_paths,
	                           .message = kilobyte,
	                           .n_messages = {n_messages}};

	for (int p = 0; p < n_paths; p++)
		job.links[p] =
		    (struct usrsctp_cmt_sim_link){.rate_bps = 10000000, .delay_us = 20000, .queue_pkts = 100};
	return job;
}

static struct transfer_outcome run(const char *what, const struct transfer_job *job)
{
	struct transfer_outcome o = transfer_run(job);

	print_message(
	    "%s, %s, IPv%d: %.3f s, gap %.1f ms, %u packets, %u lost, %u sent again, %u spuriously, "
	    "%u timeouts\n",
	    job->scheduler, what, job->family == AF_INET6 ? 6 : 4, (double)(o.last_us - o.up_us) / 1e6,
	    (double)o.longest_gap_us / 1e3, o.data_pkts, o.losses, o.retransmissions, o.spurious, o.timeouts);
	return o;
}

static void reordering_is_no_loss(void **state)
{
	(void)state;
	for (unsigned s = 0; s < N_SCHEDULERS; s++) {
		for (unsigned f = 0; f < N_FAMILIES; f++) {
			struct transfer_job job = equal_paths(schedulers[s], 2, 4000);
			struct transfer_outcome in_order, reordered;

			job.family = families[f];
			job.sndbuf_bytes = job.rcvbuf_bytes = 500000;
			job.links[0].queue_pkts = job.links[1].queue_pkts = 0;
			in_order = run("in order", &job);
			transfer_assert_delivered(&job, &in_order);
			assert_int_equal(in_order.spurious, 0);

			job.links[0].reorder = 0.1;
			job.links[0].reorder_us = 30000;
			reordered = run("10 % later by 30 ms", &job);
			transfer_assert_delivered(&job, &reordered);
			assert_int_equal(reordered.timeouts, 0);
			assert_int_equal(reordered.losses, 0);
			assert_true(reordered.spurious * 100 <= reordered.data_pkts);
			assert_true((in_order.last_us - in_order.up_us) * 10 >=
			            (reordered.last_us - reordered.up_us) * 9);
		}
	}
}

static void t3_never_expires_without_loss(void **state)
{
	(void)state;
	for (unsigned s = 0; s < N_SCHEDULERS; s++) {
		for (unsigned f = 0; f < N_FAMILIES; f++) {
			for (int load = 0; load < 3; load++) {
				const char *const names[] = {"bulk", "small receive buffer", "a trickle"};
				struct transfer_job job = transfer_two_paths(schedulers[s], 1);
				struct transfer_outcome o;

				job.family = families[f];
				job.message = kilobyte;
				/* An odd number: the SACK of the last packet may be held back. */
				job.n_messages[TRANSFER_CLIENT] = 1501;
				for (int p = 0; p < 2; p++)
					job.links[p].queue_pkts = 0;
				if (load == 1)
					job.rcvbuf_bytes = 30000;
				if (load == 2) {
					job.interval_us = 70000;
					job.n_messages[TRANSFER_CLIENT] = 200;
				}
				o = run(names[load], &job);
				transfer_assert_delivered(&job, &o);
				assert_int_equal(o.losses, 0);
				assert_int_equal(o.timeouts, 0);
				assert_int_equal(o.spurious, 0);
			}
		}
	}
}

/* Their round trips are above RTO.Min. */
static void t3_waits_for_the_first_round_trip_of_a_path(void **state)
{
	static const char *const at_once[] = {"rr", "minrtt", "cwnd"};

	(void)state;
	for (unsigned s = 0; s < sizeof(at_once) / sizeof(at_once[0]); s++) {
		struct transfer_job job = equal_paths(at_once[s], 2, 100);
		struct transfer_outcome o;

		job.links[0].delay_us = 150000;
		job.links[1].delay_us = 160000;
		o = run("long round trips", &job);
		transfer_assert_delivered(&job, &o);
		assert_int_equal(o.timeouts, 0);
		assert_int_equal(o.losses, 0);
		assert_int_equal(o.retransmissions, 0);
	}
}

/* --- chosen losses ----------------------------------------------------------------------------------------
 */

static void lost_retransmissions_are_repaired_without_t3(void **state)
{
	(void)state;
	for (unsigned s = 0; s < N_SCHEDULERS; s++) {
		for (int n_paths = 1; n_paths <= 2; n_paths++) {
			for (unsigned times = 1; times <= 3; times++) {
				struct meddle m = {.first = 300, .n = 1, .times = times, .lose = true};
				struct transfer_job job = equal_paths(schedulers[s], n_paths, 800);
				struct transfer_outcome o;

				job.interval_us = 2000;
				job.tap = meddle_tap;
				job.arg = &m;
				o = run("lost again and again", &job);
				transfer_assert_delivered(&job, &o);
				assert_int_equal(o.losses, times);
				assert_int_equal(o.timeouts, 0);
				assert_int_equal(o.spurious, 0);
				/* Each time a round trip and a little, since packets leave every two
				 * milliseconds; two, a probe's, on another path where none follow. */
				assert_in_range(o.marks[MEDDLE_ARRIVED] - o.marks[MEDDLE_SENT],
				                20000 + times * 40000,
				                20000 + times * (n_paths == 1 ? 60000 : 80000));
			}
		}
	}
}

static void lost_tails_are_repaired_by_a_probe(void **state)
{
	(void)state;
	for (unsigned s = 0; s < N_SCHEDULERS; s++) {
		for (int n_paths = 1; n_paths <= 2; n_paths++) {
			for (unsigned lost = 2; lost <= 8; lost *= 2) {
				enum { MESSAGES = 400 };
				struct meddle m = {
				    .first = MESSAGES - lost, .n = lost, .times = 1, .lose = true};
				struct transfer_job job = equal_paths(schedulers[s], n_paths, MESSAGES);
				struct transfer_outcome o;
				uint64_t probes = 0;

				/* Packets in flight when the tail is lost, none behind it. */
				job.interval_us = 2000;
				job.tap = meddle_tap;
				job.arg = &m;
				o = run("tail lost", &job);
				transfer_assert_delivered(&job, &o);
				for (int p = 0; p < n_paths; p++)
					probes += o.paths[p].probes;
				print_message("%u lost: complete after %.1f ms, %u probes\n", lost,
				              (double)(o.marks[MEDDLE_ARRIVED] - o.marks[MEDDLE_SENT]) / 1e3,
				              (unsigned)probes);
				assert_int_equal(o.losses, lost);
				assert_int_equal(o.timeouts, 0);
				assert_true(probes > 0);
				/* The last SACK a round trip later, the probe two after that, the rest one
				 * more. */
				assert_true(o.last_us - o.marks[MEDDLE_SENT] < 200000);
			}
		}
	}
}

/* 150 packets take 1.2 s on the thin path alone, and 60 ms on the other one. */
static void what_is_lost_at_once_does_not_all_wait_for_the_same_window(void **state)
{
	struct meddle m = {.first = 3000, .n = 150, .times = 1, .lose = true};
	struct transfer_job job = {
	    .scheduler = "arrival",
	    .seed = 1,
	    .n_paths = 2,
	    .links = {{.rate_bps = 1000000, .delay_us = 60000, .queue_pkts = 20},
	              {.rate_bps = 20000000, .delay_us = 400000, .queue_pkts = 1000}},
	    .message = kilobyte,
	    .n_messages = {6000},
	    .sndbuf_bytes = 4000000,
	    .rcvbuf_bytes = 4000000,
	    .configure = transfer_take_many_chunks,
	    .tap = meddle_tap,
	    .arg = &m,
	};
	struct transfer_outcome o;

	(void)state;
	o = run("a thin and a long path", &job);
	transfer_assert_delivered(&job, &o);
	print_message("150 lost: complete after %.1f ms\n",
	              (double)(o.marks[MEDDLE_ARRIVED] - o.marks[MEDDLE_SENT]) / 1e3);
	assert_int_equal(o.timeouts, 0);
	/* There, back on the thin path, and there again. */
	assert_true(o.marks[MEDDLE_ARRIVED] - o.marks[MEDDLE_SENT] < 1300000);
}

static struct transfer_message packet(int host, uint32_t index)
{
	(void)host;
	(void)index;
	return (struct transfer_message){.bytes = 1400};
}

/* The receive buffer lasts for 60 ms. A packet of the long path takes 300. */
static void what_a_short_path_lost_waits_for_its_window(void **state)
{
	struct transfer_job job = {
	    .scheduler = "arrival",
	    .n_paths = 2,
	    .links = {{.rate_bps = 26000000,
	               .delay_us = 5000,
	               .jitter = USRSCTP_CMT_SIM_JITTER_NORMAL,
	               .jitter_us = 1000,
	               .loss = 0.01,
	               .queue_pkts = 100},
	              {.rate_bps = 550000, .delay_us = 300000, .queue_pkts = 100}},
	    .message = packet,
	    .n_messages = {10000},
	    .sndbuf_bytes = 4000000,
	    .rcvbuf_bytes = 200000,
	};

	unsigned n_late = 0, n_elsewhere = 0;

	(void)state;
	for (job.seed = 1; job.seed <= 8; job.seed++) {
		struct transfer_outcome o = run("a short and a long path", &job);

		transfer_assert_arrived(&job, &o);
		assert_true(o.losses > 50);
		n_elsewhere += o.paths[1].retransmits > 0;
		n_late += o.longest_gap_us >= 150000;
	}
	/* Of 48 runs five were late, and two had one. */
	assert_in_range(n_elsewhere, 0, 2);
	assert_in_range(n_late, 0, 2);
}

/* --- many losses ------------------------------------------------------------------------------------------
 */

/* From the handshake on, INIT would be lost, too, whose timer waits for seconds. */
static void lose_30_percent(struct transfer *t)
{
	int n_lossy = *(const int *)t->job->arg;

	for (int path = 0; path < n_lossy; path++) {
		for (int direction = 0; direction < 2; direction++) {
			struct usrsctp_cmt_sim_link link = t->job->links[path];

			link.loss = 0.3;
			usrsctp_cmt_sim_set_link(t->sim, path, direction, &link);
		}
	}
}

static void thirty_percent_loss_delivers_or_is_reported_at_both_ends(void **state)
{
	unsigned n_delivered = 0, n_failed = 0;

	(void)state;
	for (unsigned s = 0; s < N_SCHEDULERS; s++) {
		for (int lossy = 1; lossy <= 2; lossy++) {
			for (uint64_t seed = 1; seed <= 4; seed++) {
				struct transfer_job job = equal_paths(schedulers[s], 2, 300);
				struct transfer_outcome o;

				job.seed = seed;
				job.family = families[seed % 2];
				job.limit_us = UINT64_C(3600000000);
				job.on_up = lose_30_percent;
				job.arg = &lossy;
				o = run(lossy == 1 ? "30 % on one path" : "30 % on both", &job);
				assert_int_equal(o.wrong, 0);
				assert_int_not_equal(o.end[TRANSFER_CLIENT], TRANSFER_OPEN);
				assert_int_not_equal(o.end[TRANSFER_SERVER], TRANSFER_OPEN);
				if (o.end[TRANSFER_CLIENT] == TRANSFER_CLOSED ||
				    o.end[TRANSFER_SERVER] == TRANSFER_CLOSED) {
					transfer_assert_arrived(&job, &o);
					n_delivered++;
				} else {
					n_failed++;
				}
				if (lossy == 1)
					assert_int_equal(o.end[TRANSFER_CLIENT], TRANSFER_CLOSED);
			}
		}
	}
	print_message("%u delivered, %u failed at both ends\n", n_delivered, n_failed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(reordering_is_no_loss),
	    cmocka_unit_test(t3_never_expires_without_loss),
	    cmocka_unit_test(t3_waits_for_the_first_round_trip_of_a_path),
	    cmocka_unit_test(lost_retransmissions_are_repaired_without_t3),
	    cmocka_unit_test(lost_tails_are_repaired_by_a_probe),
	    cmocka_unit_test(what_is_lost_at_once_does_not_all_wait_for_the_same_window),
	    cmocka_unit_test(what_a_short_path_lost_waits_for_its_window),
	    cmocka_unit_test(thirty_percent_loss_delivers_or_is_reported_at_both_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
