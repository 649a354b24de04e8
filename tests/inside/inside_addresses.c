/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A host loses an address while its peer, who is out of reach, has not agreed to the change (ASCONF): until
 * the association has ended the address stays in memory, and no longer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "look.h"
#include "isolate.h"
#include "pair.h"

enum { SECOND_US = 1000000, LOST_PATH = 1 };

/* Who refers to the address. */
struct outcome {
	unsigned before, wanted, after;
};

static struct pair pair;

static void linger(void)
{
	pair_linger(&pair, usrsctp_cmt_sim_now_us(pair.sim) + SECOND_US);
}

static void cut_all(void)
{
	struct usrsctp_cmt_sim_link link;

	for (int i = 0; i < 4; i++) {
		REQUIRE(usrsctp_cmt_sim_get_link(pair.sim, i / 2, i % 2, &link) == 0);
		link.down = true;
		REQUIRE(usrsctp_cmt_sim_set_link(pair.sim, i / 2, i % 2, &link) == 0);
	}
}

static void rebind(bool add)
{
	REQUIRE(usrsctp_cmt_sim_rebind(pair.sim, pair.client, PAIR_CLIENT, LOST_PATH, add) == 0);
	linger();
}

static void abort_association(void)
{
	const struct sctp_sndinfo info = {.snd_flags = SCTP_ABORT};

	(void)usrsctp_sendv(pair.client, "", 0, NULL, 0, (void *)(uintptr_t)&info, sizeof(info),
	                    SCTP_SENDV_SNDINFO, 0);
	linger();
}

/* The application gives the address up, and so often takes it back and gives it up again: the first request
 * stays under way, the others cancel each other. */
static void lose(const void *job, void *outcome)
{
	static const struct usrsctp_cmt_sim_link link = {.rate_bps = 10000000, .delay_us = 5000};
	const struct pair_options options = {
	    .n_paths = 2, .forward = {link, link}, .backward = {link, link}, .bytes = 20000};
	struct outcome *o = outcome;

	pair_open(&pair, &options);
	pair_run(&pair, UINT64_C(10) * SECOND_US);
	REQUIRE(pair.complete);
	look_hold_address(pair.client);
	o->before = look_others_that_hold();
	cut_all();
	rebind(false);
	for (unsigned i = *(const unsigned *)job; i > 0; i--) {
		rebind(true);
		rebind(false);
	}
	REQUIRE(usrsctp_cmt_sim_set_address(pair.sim, PAIR_CLIENT, LOST_PATH, false) == 0);
	linger();
	o->wanted = look_others_that_hold();
	abort_association();
	o->after = look_others_that_hold();
	look_let_go();
	pair_close(&pair);
}

static void what_a_request_held_goes_with_its_association(void **state)
{
	(void)state;
	for (unsigned again = 0; again < 3; again++) {
		struct outcome o;

		isolate_run(lose, &again, &o, sizeof(o));
		print_message("%u references, then %u, then %u\n", o.before, o.wanted, o.after);
		assert_true(o.before > 0 && o.wanted > 0);
		assert_int_equal(o.after, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(what_a_request_held_goes_with_its_association)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
