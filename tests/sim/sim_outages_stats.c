/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Delivery goes on soon after the network does, wherever in the course of the timers all paths fail.
 *
 * cost: 27 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/transfer.h"

enum { N_BEGINNINGS = 4 };

static uint64_t begins_us, lasts_us;

static struct transfer_message kilobyte(int host, uint32_t index)
{
	(void)host;
	(void)index;
	return (struct transfer_message){.bytes = 1000};
}

static void set_all_down(struct transfer *t, bool down)
{
	for (int path = 0; path < t->job->n_paths; path++)
		transfer_set_down(t, path, down);
}

static void end(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)sim;
	set_all_down(arg, false);
}

static void begin(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)sim;
	set_all_down(arg, true);
	transfer_after(arg, lasts_us, end);
}

static void begin_later(struct transfer *t)
{
	transfer_after(t, begins_us, begin);
}

/* 10 Mbit/s each, for five seconds of data. */
static struct transfer_job equal_paths(const char *name, int n_paths)
{
	struct transfer_job job = {.scheduler = name,
	                           .seed = 1,
	                           .n_paths = n_paths,
	                           .message = kilobyte,
	                           .n_messages = {(uint32_t)n_paths * 6000}};

	for (int p = 0; p < n_paths; p++)
		job.links[p] = (struct usrsctp_cmt_sim_link){
		    .rate_bps = 10000000, .delay_us = 20000 + 5000 * (uint64_t)p, .queue_pkts = 100};
	return job;
}

struct costs {
	uint64_t mean_us, gap_us; /* longer than without the outage; longest between two reads */
};

/* Outages that begin at different places of the timers. */
static struct costs costs_of_outage(const char *name, int n_paths)
{
	struct transfer_job job = equal_paths(name, n_paths);
	struct transfer_outcome sound = transfer_run(&job), o;
	struct costs c = {.mean_us = 0};

	job.on_up = begin_later;
	for (int i = 0; i < N_BEGINNINGS; i++) {
		begins_us = 1000000 + (uint64_t)i * 130000;
		o = transfer_run(&job);
		transfer_assert_arrived(&job, &o);
		c.mean_us += ((o.last_us - o.up_us) - (sound.last_us - sound.up_us)) / N_BEGINNINGS;
		if (o.longest_gap_us > c.gap_us)
			c.gap_us = o.longest_gap_us;
	}
	print_message("%s, %d paths, %.0f s: costs %.2f s, gap %.2f s\n", name, n_paths,
	              (double)lasts_us / 1e6, (double)c.mean_us / 1e6, (double)c.gap_us / 1e6);
	return c;
}

/* HEARTBEATs ask once an RTO, 0.2 s here, and after a sixteenth of the outage. (The release, on these
 * networks: 2.1 to 3.6 s for 2 s, 6.6 to 7.6 s for 5 s.) */
static void an_outage_of_all_paths_costs_little_more_than_it_lasts(void **state)
{
	static const char *const schedulers[] = {"arrival", "auto"};
	static const struct {
		uint64_t lasts_us, gap_us, mean_us;
	} outages[] = {{1000000, 1250000, 1300000}, {2000000, 2300000, 2500000}, {5000000, 5350000, 6000000}};

	(void)state;
	for (unsigned s = 0; s < 2; s++) {
		for (int n_paths = 1; n_paths <= 4; n_paths *= 2) {
			for (unsigned i = 0; i < 3; i++) {
				struct costs c;

				lasts_us = outages[i].lasts_us;
				c = costs_of_outage(schedulers[s], n_paths);
				assert_in_range(c.gap_us, lasts_us, outages[i].gap_us);
				assert_in_range(c.mean_us, lasts_us, outages[i].mean_us);
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_outage_of_all_paths_costs_little_more_than_it_lasts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
