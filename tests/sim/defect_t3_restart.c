/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Upstream defect 3: with CMT a SACK without gaps never restarts T3-rtx, so that it expires during transfers
 * without any loss, doubles the timeout and cuts the window. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "support/isolate.h"
#include "support/pair.h"
#include "support/variant.h"

struct outcome {
	uint32_t timeouts;
	uint64_t dropped_pkts;
	bool delivered;
};

static void transfer(const void *job, void *outcome)
{
	const struct usrsctp_cmt_sim_link link = {.rate_bps = 2000000, .delay_us = 20000};
	struct pair_options options = {.seed = 1,
	                               .n_paths = *(const int *)job,
	                               .forward = {link, link},
	                               .backward = {link, link},
	                               .bytes = 3000000,
	                               .sysctl_cmt = true};
	struct outcome *o = outcome;
	struct sctpstat stats;
	struct pair p;

	pair_open(&p, &options);
	pair_run(&p, UINT64_C(600000000));
	usrsctp_get_stat(&stats);
	*o = (struct outcome){.timeouts = stats.sctps_timodata,
	                      .dropped_pkts = pair_links(&p).dropped_pkts,
	                      .delivered = p.complete && p.intact};
	pair_close(&p);
}

static void check_paths(int n_paths)
{
	struct outcome o;

	isolate_run(transfer, &n_paths, &o, sizeof(o));
	printf("%d path(s): %u timeouts without a loss\n", n_paths, o.timeouts);
	assert_true(o.delivered);
	assert_int_equal(o.dropped_pkts, 0);
	if (CMT_TEST_FIXED)
		assert_int_equal(o.timeouts, 0);
	else
		assert_in_range(o.timeouts, 2, 50);
}

static void one_path_without_loss_has_no_timeout(void **state)
{
	(void)state;
	check_paths(1);
}

static void two_paths_without_loss_have_no_timeout(void **state)
{
	(void)state;
	check_paths(2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(one_path_without_loss_has_no_timeout),
	    cmocka_unit_test(two_paths_without_loss_have_no_timeout),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
