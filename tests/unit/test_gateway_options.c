/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The command line of cmt-gateway: defaults, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <getopt.h>
#include <netinet/in.h>

#include "options.h"

#define MAX_WORDS 8

/* `words` end with NULL. */
static int parse(struct gateway_options *o, const char *const *words)
{
	char *argv[MAX_WORDS + 2] = {(char *)"cmt-gateway"};
	int argc = 1;

	for (; *words != NULL; words++) {
		argv[argc++] = (char *)*words;
	}
	optind = 0;
	return gateway_options_parse(o, argc, argv);
}

static void defaults_are_loopback_and_a_window_of_a_mebibyte(void **state)
{
	const char *const words[] = {"--connect", "127.0.0.1", NULL};
	struct gateway_options o;
	const struct sockaddr_in *at = (const struct sockaddr_in *)&o.listen;

	(void)state;
	assert_int_equal(parse(&o, words), 0);
	assert_int_equal(at->sin_family, AF_INET);
	assert_int_equal(ntohl(at->sin_addr.s_addr), INADDR_LOOPBACK);
	assert_int_equal(ntohs(at->sin_port), 8080);
	assert_int_equal(o.transport.port, 5002);
	assert_int_equal(o.window_bytes, 1 << 20);
	assert_int_equal(o.max_requests, 32);
	assert_int_equal(o.idle_us, 0);
	assert_int_equal(o.pace_bps, 0);
	assert_null(o.allow_origin);
}

static void the_burst_follows_from_the_pace(void **state)
{
	const char *const pace[] = {"--connect", "127.0.0.1", "--pace", "8Mbit", NULL};
	const char *const both[] = {"--connect", "127.0.0.1", "--pace", "8Mbit", "--burst", "0", NULL};
	struct gateway_options o;

	(void)state;
	assert_int_equal(parse(&o, pace), 0);
	assert_int_equal(o.pace_bps, 8000000);
	assert_int_equal(o.burst_bytes, 4000000);
	assert_int_equal(parse(&o, both), 0);
	assert_int_equal(o.burst_bytes, 0);
}

static void listening_takes_both_families_and_a_port_alone(void **state)
{
	static const struct {
		const char *text;
		int family;
		uint16_t port;
	} cases[] = {{"0.0.0.0:80", AF_INET, 80},
	             {"[::1]:8081", AF_INET6, 8081},
	             {"localhost:9", AF_INET, 9},
	             {"8082", AF_INET, 8082},
	             {"127.0.0.2:0", AF_INET, 0}};
	struct gateway_options o;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *const words[] = {"--connect", "127.0.0.1", "--listen", cases[i].text, NULL};

		assert_int_equal(parse(&o, words), 0);
		assert_int_equal(o.listen.ss_family, cases[i].family);
		assert_int_equal(ntohs(((const struct sockaddr_in *)&o.listen)->sin_port), cases[i].port);
	}
}

static void what_has_no_meaning_is_refused(void **state)
{
	static const char *const wrong[][2] = {
	    {"--listen", "8080x"},
	    {"--listen", "example.org:80"},
	    {"--listen", "127.0.0.1:65536"},
	    {"--listen", "127.0.0.1:"},
	    {"--listen", ""},
	    {"--window", "1kB"},
	    {"--window", "1GB"},
	    {"--window", "much"},
	    {"--pace", "fast"},
	    {"--pace", "0bit"},
	    {"--burst", "1MB"},
	    {"--max-requests", "0"},
	    {"--max-requests", "64"},
	    {"--max-clients", "-1"},
	    {"--retry-for", "0s"},
	    {"--timeout", "0.5"},
	    {"--idle", "never"},
	    {"--host", "http://media.lan"},
	    {"--allow-origin", "media"},
	    {"--allow-origin", "http://a http://b"},
	    {"--stall", ""},
	    {"--request-timeout", "-1s"},
	    {"--bogus", "1"},
	};
	struct gateway_options o;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		const char *const words[] = {"--connect", "127.0.0.1", wrong[i][0], wrong[i][1], NULL};

		assert_int_equal(parse(&o, words), APP_EXIT_USAGE);
	}
	assert_int_equal(
	    parse(&o, (const char *const[]){"--connect", "127.0.0.1", "--pace", "100kbit", NULL}),
	    APP_EXIT_USAGE);
	assert_int_equal(parse(&o, (const char *const[]){"--connect", "127.0.0.1", "--pace", "100kbit",
	                                                 "--timeout", "20s", NULL}),
	                 0);
	assert_int_equal(parse(&o, (const char *const[]){NULL}), APP_EXIT_USAGE);
	assert_int_equal(parse(&o, (const char *const[]){"--connect", "127.0.0.1", "-q", "-v", NULL}),
	                 APP_EXIT_USAGE);
	assert_int_equal(parse(&o, (const char *const[]){"--connect", "127.0.0.1", "film", NULL}),
	                 APP_EXIT_USAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(defaults_are_loopback_and_a_window_of_a_mebibyte),
	    cmocka_unit_test(the_burst_follows_from_the_pace),
	    cmocka_unit_test(listening_takes_both_families_and_a_port_alone),
	    cmocka_unit_test(what_has_no_meaning_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
