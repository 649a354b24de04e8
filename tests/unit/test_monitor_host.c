/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which Host headers a monitor answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host_guard.h"

static void addresses_and_localhost_are_ours(void **state)
{
	static const char *const loopback[] = {"localhost",   "LOCALHOST:9090", "127.0.0.1", "127.0.0.1:9090",
	                                       "127.9.8.7:1", "[::1]",          "[::1]:9090"};
	static const char *const elsewhere[] = {"10.1.0.1", "192.0.2.7:9090", "[fd00::1]:9090", "0.0.0.0:80"};

	(void)state;
	for (size_t i = 0; i < sizeof(loopback) / sizeof(loopback[0]); i++) {
		assert_true(monitor_host_is_ours(loopback[i], true));
		assert_true(monitor_host_is_ours(loopback[i], false));
	}
	for (size_t i = 0; i < sizeof(elsewhere) / sizeof(elsewhere[0]); i++) {
		assert_false(monitor_host_is_ours(elsewhere[i], true));
		assert_true(monitor_host_is_ours(elsewhere[i], false));
	}
}

static void names_that_may_point_anywhere_are_not(void **state)
{
	static const char *const names[] = {
	    "",
	    "evil.example",
	    "evil.example:9090",
	    "localhost.evil.example",
	    "127.0.0.1.evil.example",
	    "localhost:",
	    "localhost:99999",
	    "localhost:x",
	    "localhost:80:80",
	    "127.1",
	    "2130706433",
	    "0x7f000001",
	    "::1",
	    "[::1",
	    "[::1]x",
	    "[::1]:",
	    "[127.0.0.1]",
	    "127.0.0.1 evil",
	    "[aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa]",
	    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};

	(void)state;
	assert_false(monitor_host_is_ours(NULL, true));
	assert_false(monitor_host_is_ours(NULL, false));
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_false(monitor_host_is_ours(names[i], true));
		assert_false(monitor_host_is_ours(names[i], false));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(addresses_and_localhost_are_ours),
	    cmocka_unit_test(names_that_may_point_anywhere_are_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
