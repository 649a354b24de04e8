/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A host with two addresses, and a peer with one, perhaps behind a NAT: what it asks at the second address is
 * answered from there. What is simulated is one host for upstream, so that its INIT-ACKs were right before;
 * those between hosts: tests/paths/uplinks.py. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/raw.h"
#include "support/variant.h"

enum { FIRST, SECOND, N_PATHS };

/* Answers that left from the other address. */
struct outcome {
	unsigned init_acks, cookie_acks;
};

static struct raw r;

static void share_the_peers_address(struct socket *so)
{
	(void)so;
	REQUIRE(usrsctp_cmt_sim_share_address(r.sim, SECOND, 1, FIRST) == 0);
}

static unsigned count_elsewhere(uint8_t type)
{
	struct chunk c;
	unsigned n = 0;

	for (unsigned i = 0; i < r.n_heard; i++)
		n += r.heard[i].path != r.options->set_up_path &&
		     packet_find(r.heard[i].bytes, r.heard[i].len, type, &c);
	return n;
}

static void ask(const void *job, void *outcome)
{
	const struct raw_options options = {
	    .n_paths = N_PATHS, .set_up_path = *(const int *)job, .configure = share_the_peers_address};
	struct outcome *const o = outcome;

	raw_accepted(&r, &options);
	o->init_acks = count_elsewhere(CHUNK_INIT_ACK);
	o->cookie_acks = count_elsewhere(CHUNK_COOKIE_ACK);
	raw_close(&r);
}

static void answers_leave_from_the_address_that_was_asked(void **state)
{
	(void)state;
	for (int at = FIRST; at < N_PATHS; at++) {
		struct outcome o;

		isolate_run(ask, &at, &o, sizeof(o));
		print_message("asked at %d: from elsewhere %u INIT-ACKs, %u COOKIE-ACKs\n", at, o.init_acks,
		              o.cookie_acks);
		assert_int_equal(o.init_acks, 0);
		assert_int_equal(o.cookie_acks, at == SECOND && !CMT_TEST_FIXED);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(answers_leave_from_the_address_that_was_asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
