/* SPDX-License-Identifier: BSD-3-Clause
 *
 * RTO.Initial is 1 s (RFC 9260, section 16); RTOs of any size are met. */
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
static const struct raw_options options = {.n_paths = 1};

static void unanswered(const void *job, void *outcome)
{
	unsigned since = 0;
	struct chunk c;

	(void)job;
	raw_connect(&r, &options);
	raw_run(&r, 5000000);
	REQUIRE(raw_hear(&r, &since, CHUNK_INIT, &c) && raw_hear(&r, &since, CHUNK_INIT, &c));
	*(uint64_t *)outcome = r.heard[since - 1].at_us - r.heard[0].at_us;
	raw_close(&r);
}

static void the_first_timeout_is_one_second(void **state)
{
	uint64_t after_us;

	(void)state;
	isolate_run(unanswered, NULL, &after_us, sizeof(after_us));
	printf("second INIT after %llu us\n", (unsigned long long)after_us);
	if (CMT_TEST_FIXED)
		assert_in_range(after_us, 1000000, 1020000);
	else
		assert_in_range(after_us, 3000000, 3020000);
}

struct timing {
	uint32_t rto_ms, minutes;
};

/* To an address that does not answer; the association lasts as long as the other does. */
static void count_heartbeats(const void *job, void *outcome)
{
	const struct timing *t = job;
	const struct raw_options two = {.n_paths = 2,
	                                .parameters = {RAW_ADDRESS(0), RAW_ADDRESS(1)},
	                                .parameters_bytes = 16,
	                                .rto_ms = &t->rto_ms};
	struct packet_draft d;

	raw_listen(&r, &two);
	raw_ask_cookie(&r);
	raw_begin_cookie_echo(&r, &d);
	raw_send(&r, 0, &d);
	raw_run(&r, t->minutes * UINT64_C(60000000));
	*(unsigned *)outcome = raw_count(&r, 0, CHUNK_HEARTBEAT);
	raw_close(&r);
}

static void any_timeout_is_met(void **state)
{
	const struct timing none = {.rto_ms = 0, .minutes = 1},
	                    all = {.rto_ms = UINT32_MAX, .minutes = 20 * 24 * 60};
	unsigned n = 0;

	(void)state;
	assert_int_equal(isolate_survives(count_heartbeats, &none, &n, sizeof(n)), CMT_TEST_FIXED);
	if (!CMT_TEST_FIXED)
		return; /* its timers tick through every millisecond */
	isolate_run(count_heartbeats, &all, &n, sizeof(n));
	printf("%u HEARTBEATs in 20 days\n", n);
	assert_int_equal(n, 1); /* at once, then after 25 to 75 days */
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_first_timeout_is_one_second),
	                                   cmocka_unit_test(any_timeout_is_met)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
