/* SPDX-License-Identifier: BSD-3-Clause
 *
 * As sim_given_up: ten seeds of arrival.
 *
 * cost: 100 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/given_up.h"

static void reliable_messages_behind_given_up_ones_arrive_with_every_seed(void **state)
{
	(void)state;
	given_up_run_seeds("arrival");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(reliable_messages_behind_given_up_ones_arrive_with_every_seed)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
