/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Upstream defect 2: while any path is in fast recovery, every advance of the cumulative ack strikes chunks
 * of all paths; chunks that are only under way on a slower path are sent again. Upstream's own CMT, without a
 * scheduler of ours. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "support/isolate.h"
#include "support/pair.h"
#include "support/tsn_log.h"
#include "support/variant.h"

struct outcome {
	struct tsn_log log;
	bool delivered;
};

static void watch(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *packet, void *arg)
{
	struct outcome *o = arg;

	(void)sim;
	tsn_log_packet(&o->log, packet);
}

/* Losses on the first path only; the second is twice as slow and twice as long. */
static void transfer(const void *job, void *outcome)
{
	const struct usrsctp_cmt_sim_link lossy = {
	    .rate_bps = 4000000, .delay_us = 20000, .queue_pkts = 100, .loss = 0.01};
	const struct usrsctp_cmt_sim_link clean = {.rate_bps = 4000000, .delay_us = 20000, .queue_pkts = 100};
	const struct usrsctp_cmt_sim_link slow = {.rate_bps = 2000000, .delay_us = 40000, .queue_pkts = 100};
	struct outcome *o = outcome;
	struct pair_options options = {.seed = *(const uint64_t *)job,
	                               .n_paths = 2,
	                               .forward = {lossy, slow},
	                               .backward = {clean, slow},
	                               .bytes = 1000000,
	                               .sysctl_cmt = true,
	                               .tap = watch,
	                               .arg = o};
	struct pair p;

	pair_open(&p, &options);
	pair_run(&p, UINT64_C(600000000));
	o->delivered = p.complete && p.intact;
	pair_close(&p);
}

static void chunks_under_way_are_not_sent_again(void **state)
{
	uint32_t losses = 0, spurious = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 5; seed++) {
		static struct outcome o;

		isolate_run(transfer, &seed, &o, sizeof(o));
		printf("%u lost, %u retransmitted, %u of them spuriously\n", tsn_log_losses(&o.log),
		       tsn_log_retransmissions(&o.log), tsn_log_spurious(&o.log));
		assert_true(o.delivered);
		losses += tsn_log_losses(&o.log);
		spurious += tsn_log_spurious(&o.log);
	}
	assert_in_range(losses, 10, 200);
	if (CMT_TEST_FIXED)
		assert_int_equal(spurious, 0);
	else
		assert_true(spurious > 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(chunks_under_way_are_not_sent_again)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
