/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "setup/describe.h"

/* The description of an inline scenario; the caller owns it. */
static json_t *describe(const char *text, uint64_t seed)
{
	static struct lab_run run;
	struct lab_error error;

	memset(&run, 0, sizeof(run));
	run.seed = seed;
	run.only_path = -1;
	assert_int_equal(lab_scenario_load(&run.scenario, text, &error), 0);
	return lab_describe(&run);
}

static json_int_t integer(const json_t *o, const char *key)
{
	assert_true(json_is_integer(json_object_get(o, key)));
	return json_integer_value(json_object_get(o, key));
}

static const json_t *link_of(const json_t *description, size_t path, const char *direction)
{
	return json_object_get(json_array_get(json_object_get(description, "paths"), path), direction);
}

static void load_and_links_are_told_in_plain_units(void **state)
{
	json_t *d =
	    describe("1.6Mbit/10ms,0.4Mbit/100ms/loss=0.5%/back.loss=0,q=100p,rcvbuf=50kB,bytes=5MB", 1);

	(void)state;
	assert_int_equal(integer(d, "rcvbuf_bytes"), 50000);
	assert_int_equal(integer(d, "bytes"), 5000000);
	assert_true(json_is_null(json_object_get(d, "duration_us")));
	assert_int_equal(integer(link_of(d, 0, "forward"), "rate_bps"), 1600000);
	assert_int_equal(integer(link_of(d, 1, "back"), "delay_us"), 100000);
	assert_int_equal(integer(link_of(d, 1, "back"), "queue_pkts"), 100);
	assert_float_equal(json_real_value(json_object_get(link_of(d, 1, "forward"), "loss")), 0.005, 1e-9);
	assert_float_equal(json_real_value(json_object_get(link_of(d, 1, "back"), "loss")), 0, 1e-9);
	assert_true(json_is_null(json_object_get(link_of(d, 0, "forward"), "jitter")));
	json_decref(d);
}

static void jitter_and_cross_traffic_are_objects(void **state)
{
	json_t *d = describe("1Mbit/10ms/jitter=exp:2ms:reorder/cross=cbr:1024:10ms@20s-40s", 1);
	const json_t *jitter = json_object_get(link_of(d, 0, "forward"), "jitter");
	const json_t *cross = json_object_get(link_of(d, 0, "forward"), "cross");

	(void)state;
	assert_string_equal(json_string_value(json_object_get(jitter, "kind")), "exp");
	assert_int_equal(integer(jitter, "us"), 2000);
	assert_true(json_is_true(json_object_get(jitter, "reorder")));
	assert_int_equal(integer(cross, "packet_bytes"), 1024);
	assert_int_equal(integer(cross, "from_us"), 20000000);
	assert_int_equal(integer(cross, "until_us"), 40000000);
	assert_true(json_is_null(json_object_get(link_of(d, 0, "back"), "cross")));
	json_decref(d);
}

/* Each entry is the whole state of a link, so that whoever applies it needs no memory. */
static void changes_come_in_order_of_time_and_keep_what_came_before(void **state)
{
	json_t *d = describe("1Mbit/10ms/at.5s.rate=2Mbit/down=3s-8s", 1);
	const json_t *changes = json_object_get(d, "changes"), *c;
	static const json_int_t at_us[] = {3000000, 5000000, 8000000},
	                        rate_bps[] = {1000000, 2000000, 2000000};
	static const int down[] = {1, 1, 0};
	size_t i;

	(void)state;
	assert_int_equal(json_array_size(changes), 6);
	json_array_foreach(changes, i, c)
	{
		const json_t *link = json_object_get(c, "link");

		assert_int_equal(integer(c, "at_us"), at_us[i / 2]);
		assert_string_equal(json_string_value(json_object_get(c, "direction")),
		                    i % 2 == 0 ? "forward" : "back");
		assert_int_equal(integer(link, "rate_bps"), rate_bps[i / 2]);
		assert_int_equal(json_is_true(json_object_get(link, "down")), down[i / 2]);
	}
	json_decref(d);
}

static void shared_links_and_competitors_are_told(void **state)
{
	json_t *d = describe("20Mbit/10ms,20Mbit/20ms/via=core,link.core=10Mbit/5ms/down=3s-8s,"
	                     "competitor=linked:hystart=0@2",
	                     2);
	const json_t *shared = json_array_get(json_object_get(d, "shared_links"), 0);
	const json_t *rival = json_array_get(json_object_get(d, "competitors"), 0);
	const json_t *change = json_array_get(json_object_get(d, "changes"), 3);
	const json_t *paths = json_object_get(d, "paths");

	(void)state;
	assert_string_equal(json_string_value(json_object_get(shared, "name")), "core");
	assert_int_equal(integer(json_object_get(shared, "back"), "delay_us"), 5000);
	assert_true(json_is_null(json_object_get(json_array_get(paths, 0), "via")));
	assert_string_equal(json_string_value(json_object_get(json_array_get(paths, 1), "via")), "core");
	assert_int_equal(integer(rival, "path"), 2);
	assert_string_equal(json_string_value(json_object_get(rival, "cc")), "linked:hystart=0");
	assert_int_equal(json_array_size(json_object_get(d, "changes")), 4);
	assert_string_equal(json_string_value(json_object_get(change, "shared")), "core");
	assert_true(json_is_null(json_object_get(change, "path")));
	assert_int_equal(integer(change, "at_us"), 8000000);
	assert_int_equal(integer(json_object_get(change, "link"), "rate_bps"), 10000000);
	json_decref(d);
}

static void the_seed_shifts_delays_as_in_a_run(void **state)
{
	json_t *as_written = describe("1Mbit/10ms", 1), *shifted = describe("1Mbit/10ms", 2);
	json_int_t delay_us = integer(link_of(shifted, 0, "forward"), "delay_us");

	(void)state;
	assert_int_equal(integer(link_of(as_written, 0, "forward"), "delay_us"), 10000);
	assert_in_range(delay_us, 10001, 10370);
	assert_int_equal(integer(link_of(shifted, 0, "back"), "delay_us"), delay_us);
	json_decref(as_written);
	json_decref(shifted);
}

static void whether_it_is_encrypted_is_told_and_where_its_keys_go(void **state)
{
	json_t *plain = describe("1Mbit/10ms", 1), *encrypted = describe("1Mbit/10ms,encrypt=yes", 1);
	static struct lab_run run = {.pcap = "out.pcap"};
	char keys[LAB_KEYS_FILE_BYTES];

	(void)state;
	assert_true(json_is_false(json_object_get(plain, "encrypted")));
	assert_true(json_is_true(json_object_get(encrypted, "encrypted")));
	json_decref(plain);
	json_decref(encrypted);
	lab_run_keys_file(&run, keys);
	assert_string_equal(keys, "");
	run.scenario.encrypted = true;
	lab_run_keys_file(&run, keys);
	assert_string_equal(keys, "out.pcap.keys");
	memset(run.pcap, 'x', sizeof(run.pcap) - 1);
	lab_run_keys_file(&run, keys);
	assert_int_equal(strlen(keys), sizeof(run.pcap) - 1 + strlen(".keys"));
	run.pcap[0] = '\0';
	lab_run_keys_file(&run, keys);
	assert_string_equal(keys, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(load_and_links_are_told_in_plain_units),
	    cmocka_unit_test(jitter_and_cross_traffic_are_objects),
	    cmocka_unit_test(changes_come_in_order_of_time_and_keep_what_came_before),
	    cmocka_unit_test(shared_links_and_competitors_are_told),
	    cmocka_unit_test(the_seed_shifts_delays_as_in_a_run),
	    cmocka_unit_test(whether_it_is_encrypted_is_told_and_where_its_keys_go),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
