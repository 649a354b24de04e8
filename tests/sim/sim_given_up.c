/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whatever becomes of FORWARD-TSNs, reliable messages behind thousands of chunks that were given up arrive.
 * One seed for each scheduler, of those that stood still before; sim_given_up_SCHEDULER_stats have more.
 *
 * cost: 34 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/given_up.h"

static void reliable_messages_behind_given_up_ones_arrive(void **state)
{
	(void)state;
	given_up_run("auto", 1);
	given_up_run("arrival", 10);
	given_up_run("minrtt", 7);
	given_up_run("rr", 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(reliable_messages_behind_given_up_ones_arrive)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
