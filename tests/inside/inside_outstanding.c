/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is out is on the list of its path (stack/losses/cmt_outstanding.h), and what was sent is in TSN order,
 * whatever is lost, overtaken, copied, taken for lost, given up or moved to another path. cost: 4 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "look.h"
#include "isolate.h"
#include "pair.h"

enum { FROM_US = 60000, STEP_US = 1000, STEPS = 4000, AWAY_FROM = 800, AWAY_UNTIL = 2200 };

struct job {
	const char *scheduler;
	uint64_t seed;
};

struct outcome {
	unsigned looks, most_chunks, not_listed, not_ordered, received_bytes;
};

static void set_down(struct pair *p, bool down)
{
	struct usrsctp_cmt_sim_link link;

	for (int direction = 0; direction < 2; direction++) {
		REQUIRE(usrsctp_cmt_sim_get_link(p->sim, 1, direction, &link) == 0);
		link.down = down;
		REQUIRE(usrsctp_cmt_sim_set_link(p->sim, 1, direction, &link) == 0);
	}
}

static void transfer(const void *job, void *outcome)
{
	const struct job *const j = job;
	const struct usrsctp_cmt_sim_link fast = {
	    .rate_bps = 8000000, .delay_us = 10000, .queue_pkts = 30, .loss = 0.02};
	const struct usrsctp_cmt_sim_link slow = {.rate_bps = 3000000,
	                                          .delay_us = 60000,
	                                          .jitter = USRSCTP_CMT_SIM_JITTER_EXPONENTIAL,
	                                          .jitter_us = 10000,
	                                          .jitter_reorders = true,
	                                          .queue_pkts = 30,
	                                          .loss = 0.02};
	const struct pair_options options = {.seed = j->seed,
	                                     .n_paths = 2,
	                                     .forward = {fast, slow},
	                                     .backward = {fast, slow},
	                                     .bytes = 20000000,
	                                     .message_bytes = 500,
	                                     .scheduler = j->scheduler};
	struct outcome *o = outcome;
	struct pair p;

	pair_open(&p, &options);
	pair_run(&p, FROM_US);
	for (unsigned i = 0; i < STEPS; i++) {
		struct look_outstanding l;

		pair_run(&p, FROM_US + (uint64_t)i * STEP_US);
		if (i == AWAY_FROM || i == AWAY_UNTIL)
			set_down(&p, i == AWAY_FROM);
		l = look_outstanding(p.client);
		o->looks++;
		o->not_listed += !l.is_listed;
		o->not_ordered += !l.is_ordered;
		o->most_chunks = l.chunks > o->most_chunks ? l.chunks : o->most_chunks;
	}
	o->received_bytes = p.received_bytes;
}

static void lists_and_queue_agree(void **state)
{
	static const char *const schedulers[] = {"auto", "lcm", "redundant", "rr"};

	(void)state;
	for (uint64_t i = 0; i < 8; i++) {
		const struct job job = {.scheduler = schedulers[i % 4], .seed = 1 + i};
		struct outcome o = {.looks = 0};

		isolate_run(transfer, &job, &o, sizeof(o));
		printf("%s: %u looks, %u chunks out at most, %u bytes\n", job.scheduler, o.looks,
		       o.most_chunks, o.received_bytes);
		assert_int_equal(o.not_listed, 0);
		assert_int_equal(o.not_ordered, 0);
		assert_true(o.looks == STEPS && o.most_chunks > 20 && o.received_bytes > 500000);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(lists_and_queue_agree)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
