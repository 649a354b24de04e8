/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_detect.c - the sets of detectors of spurious losses, by name and in the order of lists. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "recovery/cmt_detect.h"

static unsigned detectors_of(const char *name)
{
	const struct cmt_recovery_policy *policy = cmt_recovery_policy_find(name);

	assert_non_null(policy);
	assert_string_equal(policy->name, name);
	return policy->detectors;
}

static void names_stand_for_the_detectors_that_they_name(void **state)
{
	(void)state;
	assert_int_equal(detectors_of("none"), 0);
	assert_int_equal(detectors_of("dsack"), 1u << CMT_DETECT_DSACK);
	assert_int_equal(detectors_of("eifel"), 1u << CMT_DETECT_EIFEL);
	assert_int_equal(detectors_of("frto"), 1u << CMT_DETECT_FRTO);
	assert_int_equal(detectors_of("all"), (1u << CMT_DETECTORS) - 1);
}

static void the_default_is_the_first_and_uses_all(void **state)
{
	(void)state;
	assert_string_equal(cmt_recovery_policy(0)->name, "all");
	assert_non_null(strstr(cmt_recovery_policy(0)->summary, "default"));
	assert_int_equal(cmt_recovery_policy(0)->detectors, (1u << CMT_DETECTORS) - 1);
}

static void lists_end_behind_the_last_and_find_knows_each_of_them(void **state)
{
	size_t n = 0;

	(void)state;
	for (; cmt_recovery_policy(n) != NULL; n++) {
		const struct cmt_recovery_policy *policy = cmt_recovery_policy(n);

		assert_ptr_equal(cmt_recovery_policy_find(policy->name), policy);
		assert_int_equal(strspn(policy->name, "abcdefghijklmnopqrstuvwxyz"), strlen(policy->name));
		assert_true(strlen(policy->summary) > 0);
	}
	assert_int_equal(n, 5);
	assert_null(cmt_recovery_policy(n + 1));
	assert_null(cmt_recovery_policy(SIZE_MAX));
}

static void unknown_names_are_not_found(void **state)
{
	(void)state;
	assert_null(cmt_recovery_policy_find(""));
	assert_null(cmt_recovery_policy_find("al"));
	assert_null(cmt_recovery_policy_find("alls"));
	assert_null(cmt_recovery_policy_find("DSACK"));
	assert_null(cmt_recovery_policy_find("dsack,eifel"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(names_stand_for_the_detectors_that_they_name),
	    cmocka_unit_test(the_default_is_the_first_and_uses_all),
	    cmocka_unit_test(lists_end_behind_the_last_and_find_knows_each_of_them),
	    cmocka_unit_test(unknown_names_are_not_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
