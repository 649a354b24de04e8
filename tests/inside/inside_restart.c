/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The peer restarts (RFC 9260, section 5.2): our state of the association is that of a new one, byte for
 * byte, but for what the application chose and what was counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "look.h"
#include "isolate.h"
#include "pair.h"

struct outcome {
	struct look_difference sender, receiver;
	bool wanted_as_before;
};

/* In the middle of a transfer with losses, so that there is much to forget. */
static void restart(const void *job, void *outcome)
{
	const struct usrsctp_cmt_sim_link fast = {
	    .rate_bps = 4000000, .delay_us = 10000, .queue_pkts = 30, .loss = 0.01};
	const struct usrsctp_cmt_sim_link slow = {
	    .rate_bps = 2000000, .delay_us = 40000, .queue_pkts = 30, .loss = 0.01};
	const struct pair_options options = {.seed = 5,
	                                     .n_paths = 2,
	                                     .forward = {fast, slow},
	                                     .backward = {fast, slow},
	                                     .bytes = 4000000,
	                                     .scheduler = job};
	struct outcome *o = outcome;
	struct pair p;

	pair_open(&p, &options);
	pair_run(&p, 3000000);
	REQUIRE(p.server != NULL && p.received_bytes > 100000);
	look_make_all_backup(p.client);
	o->sender = look_after_restart(p.client);
	o->receiver = look_after_restart(p.server);
	o->wanted_as_before = look_all_are_backup(p.client);
}

static void nothing_of_the_old_association_is_left(void **state)
{
	static const char *const schedulers[] = {"arrival", "lcm", "auto", "redundant", "osia", "stock"};

	(void)state;
	for (size_t i = 0; i < sizeof(schedulers) / sizeof(schedulers[0]); i++) {
		struct outcome o;

		isolate_run(restart, schedulers[i], &o, sizeof(o));
		printf(
		    "%s: %zu bytes differ at the sender, first at %zu; %zu at the receiver, first at %zu\n",
		    schedulers[i], o.sender.bytes, o.sender.first, o.receiver.bytes, o.receiver.first);
		assert_int_equal(o.sender.bytes, 0);
		assert_int_equal(o.receiver.bytes, 0);
		assert_true(o.wanted_as_before);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_of_the_old_association_is_left)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
