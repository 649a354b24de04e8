/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --metered: what it takes, and which paths it is about. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "net/addresses.h"
#include "options/metered_options.h"

static struct sockaddr_storage address_of(const char *text)
{
	struct app_addresses a = {.n = 0};
	struct app_error error;

	assert_int_equal(app_addresses_add(&a, text, 5003, false, &error), 0);
	return a.list[0];
}

static uint32_t cost_of(const struct app_metered *m, const char *interface, const char *local,
                        const char *remote)
{
	const struct sockaddr_storage here = address_of(local), there = address_of(remote);

	return app_metered_cost(m, interface, &here, &there);
}

static void a_path_costs_what_one_of_its_ends_does(void **state)
{
	struct app_metered m = {.n = 0};
	struct app_error error;

	(void)state;
	assert_int_equal(app_metered_take(&m, "metered", "wlan1=2,10.2.0.1=1", &error), 0);
	assert_int_equal(app_metered_take(&m, "metered", "fd00::7=5,eth0.100=3", &error), 0);
	assert_int_equal(m.n, 4);
	assert_int_equal(cost_of(&m, "wlan1", "10.9.0.1", "10.9.0.2"), 2);
	assert_int_equal(cost_of(&m, "eth0", "10.2.0.1", "10.9.0.2"), 1);
	assert_int_equal(cost_of(&m, "", "10.9.0.1", "10.2.0.1"), 1);
	assert_int_equal(cost_of(&m, "eth0.100", "fd00::1", "fd00::7"), 5);
	assert_int_equal(cost_of(&m, "eth0", "10.9.0.1", "fd00::8"), 0);
	assert_int_equal(cost_of(&m, "", "10.9.0.1", "10.9.0.2"), 0);
	/* Said again, it is the last word. */
	assert_int_equal(app_metered_take(&m, "metered", "wlan1=9", &error), 0);
	assert_int_equal(m.n, 4);
	assert_int_equal(cost_of(&m, "wlan1", "10.9.0.1", "10.9.0.2"), 9);
}

static void what_is_wrong_is_named(void **state)
{
	static const struct {
		const char *value, *message;
	} wrong[] = {
	    {"wlan1", "--metered: \"wlan1\" is not END=COST[,END=COST..]; write wlan1=2 or 10.2.0.1=1"},
	    {"", "--metered: \"\" is not END=COST[,END=COST..]; write wlan1=2 or 10.2.0.1=1"},
	    {"=2", "--metered: \"=2\" is not END=COST[,END=COST..]; write wlan1=2 or 10.2.0.1=1"},
	    {"wlan1=2,", "--metered: \"\" is not END=COST[,END=COST..]; write wlan1=2 or 10.2.0.1=1"},
	    {"wlan1=0", "--metered: \"0\" is not a number from 1 to 1000000"},
	    {"wlan1=-1", "--metered: \"-1\" is not a number from 1 to 1000000"},
	    {"wlan1=cheap", "--metered: \"cheap\" is not a number from 1 to 1000000"},
	    {"10.0.0.256=1",
	     "--metered: \"10.0.0.256\" is not an interface or an IP address; write wlan1 or 10.2.0.1"},
	    {"an interface=1",
	     "--metered: \"an interface\" is not an interface or an IP address; write wlan1 or 10.2.0.1"},
	    {"averyverylongname=1", "--metered: \"averyverylongname\" is not an interface or an IP address; "
	                            "write wlan1 or 10.2.0.1"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct app_metered m = {.n = 0};
		struct app_error error;

		assert_int_equal(app_metered_take(&m, "metered", wrong[i].value, &error), -1);
		assert_string_equal(error.text, wrong[i].message);
	}
}

static void only_so_many_are_taken(void **state)
{
	struct app_metered m = {.n = 0};
	struct app_error error;
	char value[40];

	(void)state;
	for (int i = 0; i < APP_METERED_MAX; i++) {
		snprintf(value, sizeof(value), "eth%d=1", i);
		assert_int_equal(app_metered_take(&m, "metered", value, &error), 0);
	}
	assert_int_equal(app_metered_take(&m, "metered", "eth99=1", &error), -1);
	assert_string_equal(error.text, "--metered: more than 16");
	/* Of a length that no buffer here has. */
	memset(value, 'x', sizeof(value) - 1);
	value[sizeof(value) - 1] = '\0';
	assert_int_equal(app_metered_take(&m, "metered", value, &error), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_path_costs_what_one_of_its_ends_does),
	    cmocka_unit_test(what_is_wrong_is_named),
	    cmocka_unit_test(only_so_many_are_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
