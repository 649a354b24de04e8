/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What cmt-recv does about an offered file, and which names are in use. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "names.h"
#include "offer_decide.h"

static const struct store_found nothing = {.kind = STORE_NOTHING};
static const struct store_found part = {.kind = STORE_NOTHING, .part_bytes = 40};
static const struct store_found file = {.kind = STORE_FILE, .bytes = 100, .part_bytes = 40};
static const struct store_found other = {.kind = STORE_OTHER, .bytes = 100};

static void a_new_file_is_taken(void **state)
{
	(void)state;
	assert_int_equal(offer_decide(&nothing, 100, false, false), OFFER_TAKE);
	assert_int_equal(offer_decide(&nothing, 100, true, false), OFFER_TAKE);
	assert_int_equal(offer_decide(&nothing, -1, false, false), OFFER_TAKE);
}

static void a_part_counts_only_for_a_sender_that_resumes(void **state)
{
	(void)state;
	assert_int_equal(offer_decide(&part, 100, true, false), OFFER_COMPARE_PART);
	assert_int_equal(offer_decide(&part, 10, true, false), OFFER_COMPARE_PART);
	assert_int_equal(offer_decide(&part, 100, false, false), OFFER_TAKE);
	assert_int_equal(offer_decide(&part, -1, true, false), OFFER_TAKE);
}

static void a_file_of_the_same_length_may_be_the_same(void **state)
{
	(void)state;
	assert_int_equal(offer_decide(&file, 100, false, false), OFFER_COMPARE_FILE);
	assert_int_equal(offer_decide(&file, 100, true, true), OFFER_COMPARE_FILE);
}

static void another_file_stays_unless_overwriting(void **state)
{
	(void)state;
	assert_int_equal(offer_decide(&file, 99, false, false), OFFER_REFUSE_FILE);
	assert_int_equal(offer_decide(&file, -1, false, false), OFFER_REFUSE_FILE);
	assert_int_equal(offer_decide(&file, 99, false, true), OFFER_TAKE);
	assert_int_equal(offer_decide(&file, 99, true, true), OFFER_COMPARE_PART);
}

static void what_is_no_file_stays(void **state)
{
	(void)state;
	assert_int_equal(offer_decide(&other, 100, true, true), OFFER_REFUSE_OTHER);
}

static void a_name_has_one_user_at_a_time(void **state)
{
	struct names names = {.tree = NULL};
	const char first[] = "a", second[] = "a", different[] = "b";

	(void)state;
	assert_true(names_take(&names, first));
	assert_false(names_take(&names, second));
	assert_true(names_take(&names, different));
	names_give_back(&names, first);
	assert_true(names_take(&names, second));
	names_give_back(&names, second);
	names_give_back(&names, different);
	assert_null(names.tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_new_file_is_taken),
	    cmocka_unit_test(a_part_counts_only_for_a_sender_that_resumes),
	    cmocka_unit_test(a_file_of_the_same_length_may_be_the_same),
	    cmocka_unit_test(another_file_stays_unless_overwriting),
	    cmocka_unit_test(what_is_no_file_stays),
	    cmocka_unit_test(a_name_has_one_user_at_a_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
