/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two paths through one link are known to share it, from the way their delays vary; a third one is not taken
 * for one of them, and neither is one of the two when it gets a link of its own.
 *
 * cost: 1 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/pair.h"

enum { PATHS = 3, SECOND_US = 1000000 };

static struct usrsctp_cmt_sim_link link_of(uint64_t rate_bps, uint64_t delay_us)
{
	return (struct usrsctp_cmt_sim_link){.rate_bps = rate_bps, .delay_us = delay_us, .queue_pkts = 60};
}

/* Somebody else's packets come and go on it. */
static struct usrsctp_cmt_sim_link crowded(void)
{
	struct usrsctp_cmt_sim_link link = link_of(8000000, 15000);

	link.cross = (struct usrsctp_cmt_sim_cross){.kind = USRSCTP_CMT_SIM_CROSS_PARETO,
	                                            .packet_bytes = 1500,
	                                            .interval_us = 1000,
	                                            .on_us = 60000,
	                                            .off_us = 200000};
	return link;
}

static void share(struct usrsctp_cmt_sim *sim, void *arg)
{
	const struct usrsctp_cmt_sim_link shared = crowded();
	const int shared_link = usrsctp_cmt_sim_add_shared_link(sim, &shared, &shared);

	(void)arg;
	REQUIRE(shared_link >= 0);
	REQUIRE(usrsctp_cmt_sim_via(sim, 0, shared_link) == 0);
	REQUIRE(usrsctp_cmt_sim_via(sim, 1, shared_link) == 0);
}

struct outcome {
	uint16_t at_first[PATHS], shared[PATHS], of_receiver[PATHS], parted[PATHS];
};

static void note(struct socket *so, uint16_t *bottlenecks)
{
	struct sctp_cmt_path_stats paths[USRSCTP_CMT_SIM_MAX_PATHS];

	REQUIRE(pair_path_stats(so, paths) == PATHS);
	for (int i = 0; i < PATHS; i++)
		bottlenecks[i] = paths[i].bottleneck;
}

static void run(const void *seed, void *outcome)
{
	struct pair_options o = {.seed = *(const uint64_t *)seed,
	                         .n_paths = PATHS,
	                         .bytes = 40000000,
	                         .scheduler = "auto",
	                         .rcvbuf_bytes = 1000000,
	                         .build = share};
	const struct usrsctp_cmt_sim_link own = crowded();
	struct outcome *out = outcome;
	struct pair p;

	for (int i = 0; i < PATHS; i++)
		o.forward[i] = o.backward[i] =
		    link_of(i < 2 ? 20000000 : 4000000, 5000 + 10000 * (uint64_t)i);
	pair_open(&p, &o);
	pair_run(&p, SECOND_US);
	note(p.client, out->at_first);
	pair_run(&p, 5 * SECOND_US);
	note(p.client, out->shared);
	note(p.server, out->of_receiver);
	REQUIRE(usrsctp_cmt_sim_via(p.sim, 1, -1) == 0);
	REQUIRE(usrsctp_cmt_sim_set_link(p.sim, 1, 0, &own) == 0);
	pair_run(&p, 10 * SECOND_US);
	REQUIRE(!p.complete && p.intact);
	note(p.client, out->parted);
	pair_close(&p);
}

static void assert_bottlenecks(const uint16_t *bottlenecks, uint16_t first, uint16_t second, uint16_t third)
{
	assert_int_equal(bottlenecks[0], first);
	assert_int_equal(bottlenecks[1], second);
	assert_int_equal(bottlenecks[2], third);
}

static void paths_that_share_a_link_are_known(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 5; seed++) {
		struct outcome out;

		isolate_run(run, &seed, &out, sizeof(out));
		assert_bottlenecks(out.at_first, 1, 2, 3);
		assert_bottlenecks(out.shared, 1, 1, 3);
		assert_bottlenecks(out.of_receiver, 1, 2, 3);
		assert_bottlenecks(out.parted, 1, 2, 3);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(paths_that_share_a_link_are_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
