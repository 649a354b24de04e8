/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A path that crawls: what is out there takes many seconds, acknowledgements come all the while, and windows
 * and buffers have room for all that the other path delivers meanwhile. Nothing waits for it for long.
 *
 * cost: 1 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/transfer.h"

static const char *const schedulers[] = {"auto", "arrival", "minrtt"};
enum { N_SCHEDULERS = sizeof(schedulers) / sizeof(schedulers[0]) };

static struct transfer_message message(int host, uint32_t index)
{
	(void)host;
	(void)index;
	return (struct transfer_message){.bytes = 1400};
}

static void crawl(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct usrsctp_cmt_sim_link link;

	(void)arg;
	REQUIRE(usrsctp_cmt_sim_get_link(sim, 1, 0, &link) == 0);
	link.rate_bps = 100000;
	REQUIRE(usrsctp_cmt_sim_set_link(sim, 1, 0, &link) == 0);
}

static void crawl_from_3_s_on(struct transfer *t)
{
	transfer_after(t, 3000000, crawl);
}

static void what_crawls_holds_up_nothing_for_long(void **state)
{
	(void)state;
	for (unsigned s = 0; s < N_SCHEDULERS; s++) {
		struct transfer_job job = {.scheduler = schedulers[s],
		                           .seed = 1,
		                           .n_paths = 2,
		                           .message = message,
		                           .n_messages = {16000},
		                           .rcvbuf_bytes = 16000000,
		                           .sndbuf_bytes = 16000000,
		                           .on_up = crawl_from_3_s_on};
		struct transfer_outcome o;

		for (int p = 0; p < job.n_paths; p++)
			job.links[p] = (struct usrsctp_cmt_sim_link){
			    .rate_bps = 10000000, .delay_us = 20000, .queue_pkts = 1000};
		o = transfer_run(&job);
		transfer_assert_arrived(&job, &o);
		print_message("%s: nothing read for %llu ms, %llu copies\n", schedulers[s],
		              (unsigned long long)o.longest_gap_us / 1000,
		              (unsigned long long)o.stats[TRANSFER_CLIENT].copies);
		assert_true(o.longest_gap_us < 1300000);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_crawls_holds_up_nothing_for_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
