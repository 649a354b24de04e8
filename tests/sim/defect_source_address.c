/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Upstream defect 1: the source address of a packet does not follow its destination, so SACKs of one path
 * return on another and round-trip times mix. */
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
	struct pair_link_sum links;
	uint64_t done_us;
	bool delivered;
};

static void transfer(const void *job, void *outcome)
{
	const struct usrsctp_cmt_sim_link link = {.rate_bps = 2000000, .delay_us = 20000, .queue_pkts = 100};
	struct pair_options options = {.family = *(const int *)job,
	                               .seed = 1,
	                               .n_paths = 3,
	                               .forward = {link, link, link},
	                               .backward = {link, link, link},
	                               .bytes = 300000,
	                               .sysctl_cmt = true};
	struct outcome *o = outcome;
	struct pair p;

	pair_open(&p, &options);
	pair_run(&p, UINT64_C(600000000));
	o->delivered = p.complete && p.intact;
	o->done_us = p.done_us;
	o->links = pair_links(&p);
	pair_close(&p);
}

static void packets_leave_from_the_address_of_their_path(void **state)
{
	const int families[2] = {AF_INET, AF_INET6};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct outcome o;

		isolate_run(transfer, &families[i], &o, sizeof(o));
		printf("%llu of %llu packets misrouted\n", (unsigned long long)o.links.misrouted_pkts,
		       (unsigned long long)o.links.sent_pkts);
		assert_true(o.delivered);
		if (CMT_TEST_FIXED)
			assert_int_equal(o.links.misrouted_pkts, 0);
		else
			assert_true(o.links.misrouted_pkts > o.links.sent_pkts / 10);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(packets_leave_from_the_address_of_their_path)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
