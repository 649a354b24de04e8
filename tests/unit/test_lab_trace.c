/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Files that say what a link does over time, and what a network with them can carry. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include <math.h>

#include "scenario/ceiling.h"
#include "scenario/scenario.h"
#include "scenario/trace_file.h"

static struct lab_scenario s;
static struct lab_error error;
static char folder[] = "/tmp/test_lab_traceXXXXXX";

/* The name of a file in the folder. */
static const char *file(const char *name)
{
	static char path[200];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static const char *write_file(const char *name, const char *text)
{
	FILE *out = fopen(file(name), "w");

	assert_non_null(out);
	fputs(text, out);
	assert_int_equal(fclose(out), 0);
	return file(name);
}

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) == NULL ? -1 : 0;
}

static int remove_folder(void **state)
{
	static const char *const names[] = {"steps", "lte.down", "delays", "bad", "my.ini"};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		unlink(file(names[i]));
	}
	return rmdir(folder);
}

static void set(const char *key, const char *value)
{
	if (lab_scenario_set(&s, key, value, &error) != 0) {
		fail_msg("%s", error.text);
	}
}

static void rates_hold_until_the_next_line_and_the_last_one_as_long_as_the_one_before(void **state)
{
	char why[400];
	const struct usrsctp_cmt_sim_rates *r = lab_trace_rates(
	    write_file("steps", "# made up\n0,1e6\n0.5,0\n\n1.25,3000000\r\n"), why, sizeof(why));

	(void)state;
	assert_non_null(r);
	assert_false(r->opportunities);
	assert_int_equal(r->n, 3);
	assert_int_equal(r->period_us, 2000000);
	assert_int_equal(r->points[1].at_us, 500000);
	assert_int_equal(r->points[1].value, 0);
	assert_int_equal(r->points[2].value, 3000000);
	/* Read once. */
	assert_ptr_equal(lab_trace_rates(file("steps"), why, sizeof(why)), r);
}

static void mahimahi_s_lines_are_packets_of_1500_bytes_and_what_is_at_0_comes_at_the_end(void **state)
{
	char why[400];
	const struct usrsctp_cmt_sim_rates *r =
	    lab_trace_rates(write_file("lte.down", "0\n0\n4\n9\n9\n10\n"), why, sizeof(why));

	(void)state;
	assert_non_null(r);
	assert_true(r->opportunities);
	assert_int_equal(r->n, 3);
	assert_int_equal(r->period_us, 10000);
	assert_int_equal(r->points[0].at_us, 4000);
	assert_int_equal(r->points[0].value, 1500);
	assert_int_equal(r->points[1].value, 3000);
	assert_int_equal(r->points[2].at_us, 10000);
	assert_int_equal(r->points[2].value, 4500);
}

static void what_is_no_trace_is_named_with_its_line(void **state)
{
	static const struct {
		const char *text, *message;
	} wrong[] = {
	    {"1\n2\nx\n", "bad:3: is not a line of a trace; write SECONDS,BIT/S, or the millisecond"},
	    {"5\n4\n", "bad:2: is not a line"},
	    {"1.5\n", "bad:1: is not a line"},
	    {"0,1e6\n7\n", "bad:2: is not a line"},
	    {"1,1e6\n", "bad:1: is not a line"},
	    {"0,1e6\n0,2e6\n", "bad:2: is not a line"},
	    {"0,-1\n", "bad:1: is not a line"},
	    {"0,5Mbit\n", "bad:1: is not a line"},
	    {"0,nan\n", "bad:1: is not a line"},
	    {"# nothing\n", "bad: nothing is in it; write lines SECONDS,BIT/S"},
	    {"0,0\n1,0\n", "bad: nothing is in it"},
	    {"0\n", "bad: ends at 0 ms"},
	};
	char why[400], key[60];

	(void)state;
	lab_scenario_init(&s);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		write_file("bad", wrong[i].text);
		assert_int_equal(lab_scenario_set(&s, "path.1.forward.trace", file("bad"), &error), -1);
		snprintf(key, sizeof(key), "path.1.forward.trace: %s/", folder);
		assert_memory_equal(error.text, key, strlen(key));
		assert_memory_equal(error.text + strlen(key), wrong[i].message, strlen(wrong[i].message));
	}
	assert_null(lab_trace_delays(file("bad"), why, sizeof(why)));
	assert_non_null(strstr(why, "is not a line of a trace; write SECONDS,MILLISECONDS;"));
	assert_null(lab_trace_rates(file("none"), why, sizeof(why)));
	assert_non_null(strstr(why, "No such file or directory"));
	assert_null(lab_trace_rates(folder, why, sizeof(why)));
	assert_non_null(strstr(why, "Is a directory"));
}

static void files_are_named_as_seen_from_the_scenario(void **state)
{
	(void)state;
	write_file("my.ini", "[path.1]\ndelay = 10ms\nforward.trace = steps\nback.rate = 1Mbit\n"
	                     "delay_trace = delays\nat.3s.forward.trace = lte.down\n");
	write_file("delays", "0,20.5\n15,40\n");
	assert_int_equal(lab_scenario_load_file(&s, file("my.ini"), &error), 0);
	/* 0.5 s of 1 Mbit/s, 0.75 of 3 in 2 s. */
	assert_int_equal(s.links[0][0].rate_bps, (500000 + 2250000) / 2);
	assert_int_equal(s.links[0][1].rate_bps, 1000000);
	assert_null(s.links[0][1].rates);
	assert_int_equal(s.links[0][1].delays->points[1].at_us, 15000000);
	assert_int_equal(s.links[0][1].delays->points[0].value, 20500);
	assert_string_equal(s.changes[0].value, file("lte.down"));
	assert_false(lab_scenario_is_lossless(&s));
	/* From here on, as seen from the working directory. */
	assert_int_equal(lab_scenario_set(&s, "path.1.trace", "steps", &error), -1);
	set("path.1.trace", file("steps"));
	set("path.1.rate", "5Mbit");
	assert_int_equal(s.links[0][1].rate_bps, (500000 + 2250000) / 2);
	assert_int_equal(lab_scenario_set(&s, "grid.path.1.trace", "steps", &error), -1);
	assert_string_equal(error.text, "grid.path.1.trace: files are not varied; give --set for each");
}

/* In packets of 1048 bytes for 1000. */
static long long links_carry_bps(uint64_t from_us, uint64_t until_us)
{
	return llround(lab_ceiling_over_bps(&s, -1, false, (struct lab_span){from_us, until_us}) * 1.048);
}

static void the_ceiling_is_what_the_trace_could_carry(void **state)
{
	(void)state;
	assert_int_equal(lab_scenario_load_inline(&s, "9Mbit/10ms,1Mbit/10ms", &error), 0);
	set("path.1.trace", file("steps"));
	assert_int_equal(links_carry_bps(0, 2000000), 2375000);
	assert_int_equal(links_carry_bps(0, 8000000), 2375000);
	assert_int_equal(links_carry_bps(250000, 1250000), 1250000);
	assert_int_equal(links_carry_bps(500000, 1250000), 1000000);
	/* Of no time at all: the mean of the whole trace. */
	assert_int_equal(links_carry_bps(600000, 600000), 2375000);
	/* Six packets in 10 ms, from 2 s on. */
	set("path.1.at.2s.trace", file("lte.down"));
	set("path.2.at.2s.down", "yes");
	assert_int_equal(links_carry_bps(2000001, 4000001), 7200000);
	assert_int_equal(links_carry_bps(600000, 600000), 2375000);
	set("path.1.at.6s.trace", "none");
	set("path.1.at.6s.rate", "4Mbit");
	assert_int_equal(links_carry_bps(6000000, 8000000), 4000000);
}

static void a_shared_link_carries_no_more_than_is_brought_to_it_at_each_time(void **state)
{
	(void)state;
	assert_int_equal(
	    lab_scenario_load_inline(&s, "9Mbit/10ms,1Mbit/10ms,via=core,link.core=2Mbit/5ms", &error), 0);
	set("path.1.trace", file("steps"));
	/* 2 Mbit/s, then 1, then 2, in the 100 ms of the last step already: 1.5 come on path 1 in their mean. */
	assert_int_equal(links_carry_bps(0, 2000000), (1000000 + 700000 + 1600000) / 2);
}

static void a_list_of_changes_and_outages_is_as_long_as_one_likes(void **state)
{
	struct lab_scenario copy;
	char key[60];

	(void)state;
	assert_int_equal(lab_scenario_load_inline(&s, "1Mbit/10ms", &error), 0);
	set("path.1.down", "1s-2s 5s-5.5s");
	assert_int_equal(s.n_changes, 4);
	copy = s;
	for (unsigned i = 6; i < 1006; i++) {
		snprintf(key, sizeof(key), "path.1.at.%us.rate", i);
		set(key, i % 2 == 0 ? "2Mbit" : "4Mbit");
	}
	assert_int_equal(s.n_changes, 1004);
	assert_int_equal(copy.n_changes, 4);
	s = copy;
	set("path.1.at.6s.rate", "8Mbit");
	assert_int_equal(links_carry_bps(6000000, 7000000), 8000000);
	assert_int_equal(links_carry_bps(0, 6000000), 750000);
	assert_int_equal(lab_scenario_set(&s, "path.1.down", "1s-2s 3", &error), -1);
	assert_string_equal(error.text,
	                    "path.1.down: \"3\" is not an outage; write FROM-UNTIL as 3s-8s, or yes or no");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(rates_hold_until_the_next_line_and_the_last_one_as_long_as_the_one_before),
	    cmocka_unit_test(mahimahi_s_lines_are_packets_of_1500_bytes_and_what_is_at_0_comes_at_the_end),
	    cmocka_unit_test(what_is_no_trace_is_named_with_its_line),
	    cmocka_unit_test(files_are_named_as_seen_from_the_scenario),
	    cmocka_unit_test(the_ceiling_is_what_the_trace_could_carry),
	    cmocka_unit_test(a_shared_link_carries_no_more_than_is_brought_to_it_at_each_time),
	    cmocka_unit_test(a_list_of_changes_and_outages_is_as_long_as_one_likes),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
