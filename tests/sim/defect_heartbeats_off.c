/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where the application has switched HEARTBEATs off, those that confirm an address go on (RFC 9260, sections
 * 5.4 and 8.3): without them it would never be used once the first was lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "support/isolate.h"
#include "support/raw.h"
#include "support/variant.h"

static struct raw r;

static void switch_off(struct socket *so)
{
	struct sctp_paddrparams p = {.spp_assoc_id = SCTP_FUTURE_ASSOC, .spp_flags = SPP_HB_DISABLE};

	p.spp_address.ss_family = AF_INET;
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_PEER_ADDR_PARAMS, &p, sizeof(p)) == 0);
}

struct outcome {
	unsigned unanswered, answered; /* HEARTBEATs in a minute each */
};

static unsigned count_to_the_second_address(unsigned since)
{
	unsigned n = 0;
	struct chunk c;

	while (raw_hear(&r, &since, CHUNK_HEARTBEAT, &c))
		n += r.heard[since - 1].path == 1;
	return n;
}

static void ask(const void *job, void *outcome)
{
	const struct raw_options two = {.n_paths = 2,
	                                .parameters = {RAW_ADDRESS(0), RAW_ADDRESS(1)},
	                                .parameters_bytes = 16,
	                                .configure = switch_off};
	struct outcome *o = outcome;
	struct packet_draft d;
	unsigned since;

	(void)job;
	raw_listen(&r, &two);
	raw_ask_cookie(&r);
	raw_begin_cookie_echo(&r, &d);
	raw_send(&r, 0, &d);
	raw_run(&r, 60000000);
	o->unanswered = count_to_the_second_address(0);
	raw_answer_heartbeats(&r, 0);
	since = r.n_heard;
	raw_run(&r, 60000000);
	o->answered = count_to_the_second_address(since);
	raw_close(&r);
}

static void an_address_is_confirmed_all_the_same(void **state)
{
	struct outcome o;

	(void)state;
	isolate_run(ask, NULL, &o, sizeof(o));
	printf("%u HEARTBEATs unanswered, then %u\n", o.unanswered, o.answered);
	if (CMT_TEST_FIXED)
		assert_int_equal(o.unanswered,
		                 2); /* one in HB.interval, 30 s: nothing gets through elsewhere */
	else
		assert_int_equal(o.unanswered, 1);
	assert_int_equal(o.answered, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(an_address_is_confirmed_all_the_same)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
