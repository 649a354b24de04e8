/* SPDX-License-Identifier: BSD-3-Clause */
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
#include "scenario/link_keys.h"
#include "scenario/scenario.h"

static struct lab_scenario s;
static struct lab_error error;

/* Loads `text` as a scenario file and checks the error, in which @ stands for the file's name. */
static void file_is_refused(const char *text, const char *expected)
{
	char path[] = "/tmp/test_lab_scenarioXXXXXX", wanted[700];
	int fd = mkstemp(path);
	const char *at = strchr(expected, '@');

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	assert_int_equal(lab_scenario_load_file(&s, path, &error), -1);
	unlink(path);
	snprintf(wanted, sizeof(wanted), "%s%s", path, at + 1);
	assert_string_equal(error.text, wanted);
}

static void an_error_names_file_line_key_value_and_form(void **state)
{
	(void)state;
	file_is_refused(
	    "# comment\n[scenario]\nmsg = 1000\n\n[path.1]\nrate = 1Mbit\n[path.2]\nrate = fast\n",
	    "@:8: path.2.rate: \"fast\" is not a rate; write 400kbit, 1.6Mbit or 5M");
	file_is_refused("[path.1]\nrate = 1Mbit\ndelay = 10\n",
	                "@:3: path.1.delay: \"10\" is not a time; write 500us, 10ms or 1.5s");
	file_is_refused(
	    "[paths]\nrate = 1Mbit\n",
	    "@:2: [paths]: no such section; there are [scenario], [path.1] to [path.8], [link.NAME], "
	    "[nat.NAME], [competitor], [competitor.1] to [competitor.4], [grid]");
	file_is_refused("[path.1]\nrate = 1Mbit\nrate = 2Mbit\n",
	                "@:3: path.1.rate: given twice, or its value continues on the next line");
	file_is_refused("[path.1]\nrate\n",
	                "@:2: cannot be parsed; write [section], key = value, or a comment after #");
}

static void a_gap_in_the_paths_is_refused(void **state)
{
	(void)state;
	file_is_refused(
	    "[path.2]\nrate = 1Mbit\n",
	    "@: path.1: there is a path.2, but no path.1; number the paths from path.1 without gaps");
	file_is_refused(
	    "[path.1]\nrate = 1Mbit\ndelay = 1ms\n[path.4]\nrate = 1Mbit\n",
	    "@: path.2: there is a path.4, but no path.2; number the paths from path.1 without gaps");
}

static void a_path_without_rate_or_delay_is_refused(void **state)
{
	(void)state;
	file_is_refused("[path.1]\nrate = 1Mbit\n",
	                "@: path.1.delay: is not given; every path needs rate and delay, "
	                "as path.1.rate=1.6Mbit, path.1.delay=10ms");
	file_is_refused(
	    "[path.1]\nforward.rate = 1Mbit\ndelay = 0\n",
	    "@: path.1.back.rate: is not given; every path needs rate and delay, as path.1.rate=1.6Mbit, "
	    "path.1.delay=10ms");
	file_is_refused("[path.1]\nrate = 0\n",
	                "@:2: path.1.rate: \"0\" is not a rate; write 400kbit, 1.6Mbit or 5M");
	assert_int_equal(lab_scenario_load_inline(&s, "1Mbit/0", &error), 0);
	assert_int_equal(s.links[0][0].delay_us, 0);
	assert_int_equal(lab_scenario_set(&s, "path.3.loss", "1%", &error), 0);
	assert_int_equal(lab_scenario_check(&s, &error), -1);
	assert_string_equal(error.text, "path.3.rate: is not given; every path needs rate and delay, as "
	                                "path.3.rate=1.6Mbit, path.3.delay=10ms");
}

/* What the links carry in packets of 1048 bytes for 1000. */
static long long links_carry_bps(uint64_t from_us, uint64_t until_us)
{
	return llround(lab_ceiling_over_bps(&s, -1, false, (struct lab_span){from_us, until_us}) * 1.048);
}

/* 1 Mbit/s for 4 s, 3 for 4, and nothing for 2 of 10. */
static void the_ceiling_of_a_span_is_the_mean_over_its_changes(void **state)
{
	(void)state;
	assert_int_equal(lab_scenario_load_inline(&s, "1Mbit/10ms", &error), 0);
	assert_int_equal(lab_scenario_set(&s, "path.1.at.8s.down", "yes", &error), 0);
	assert_int_equal(lab_scenario_set(&s, "path.1.at.4s.rate", "3Mbit", &error), 0);
	assert_int_equal(lab_scenario_set(&s, "path.1.at.1s.back.rate", "9Mbit", &error), 0);
	assert_int_equal(links_carry_bps(0, 10000000), 1600000);
	assert_int_equal(links_carry_bps(0, 4000000), 1000000);
	assert_int_equal(links_carry_bps(3000000, 5000000), 2000000);
	assert_int_equal(links_carry_bps(4000000, 4000000), 3000000);
	/* What two paths share, while it is down or one of them is. */
	assert_int_equal(
	    lab_scenario_load_inline(&s, "2Mbit/1ms,2Mbit/1ms,via=core,link.core=2Mbit/1ms", &error), 0);
	assert_int_equal(lab_scenario_set(&s, "path.1.down", "2s-4s", &error), 0);
	assert_int_equal(links_carry_bps(0, 8000000), 2000000);
	assert_int_equal(lab_scenario_set(&s, "link.core.down", "4s-8s", &error), 0);
	assert_int_equal(links_carry_bps(0, 8000000), 1000000);
	/* While a host has no address there. */
	assert_int_equal(lab_scenario_load_inline(&s, "2Mbit/1ms,1Mbit/1ms/to=1", &error), 0);
	assert_int_equal(lab_scenario_set(&s, "path.1.from_absent", "2s-4s", &error), 0);
	assert_int_equal(links_carry_bps(0, 4000000), 2000000);
	assert_int_equal(lab_scenario_set(&s, "path.1.to_absent", "4s-8s", &error), 0);
	assert_int_equal(links_carry_bps(4000000, 8000000), 0);
	assert_int_equal(links_carry_bps(0, 10000000), 1400000);
}

/* One key of a path of 10 Mbit/s, 5 there. */
static void value_is_refused(const char *key, const char *value, const char *expected)
{
	assert_int_equal(lab_scenario_load_inline(&s, "10Mbit/1ms", &error), 0);
	assert_int_equal(lab_scenario_set(&s, key, value, &error), -1);
	assert_string_equal(error.text, expected);
}

static void policers_and_grants_have_a_direction_of_their_own(void **state)
{
	(void)state;
	assert_int_equal(
	    lab_scenario_load_inline(
	        &s, "10Mbit/1ms/policer=4Mbit:50kB/back.policer=none,8Mbit/1ms/forward.lte=5ms:10%,lte=1ms",
	        &error),
	    0);
	assert_int_equal(s.links[0][0].policer.rate_bps, 4000000);
	assert_int_equal(s.links[0][0].policer.burst_bytes, 50000);
	assert_int_equal(s.links[0][1].policer.rate_bps, 0);
	assert_int_equal(s.links[1][0].grants.interval_us, 5000);
	assert_float_equal(s.links[1][0].grants.block_failure, 0.1, 1e-12);
	assert_int_equal(s.links[1][1].grants.interval_us, 1000);
	assert_float_equal(s.links[1][1].grants.block_failure, 0, 1e-12);
	/* A policer is a ceiling, grants are none. */
	assert_int_equal(links_carry_bps(0, 1000000), 12000000);
	assert_int_equal(lab_scenario_set(&s, "path.1.at.1s.policer", "none", &error), 0);
	assert_int_equal(lab_scenario_set(&s, "path.2.lte", "none", &error), 0);
	assert_int_equal(s.links[1][1].grants.interval_us, 0);
	value_is_refused("path.1.policer", "10Mbit",
	                 "path.1.policer: \"10Mbit\" is not a policer; write RATE:BURST, as 10Mbit:50kB, or "
	                 "none");
	value_is_refused("path.1.back.policer", "10Mbit:50",
	                 "path.1.back.policer: \"10Mbit:50\" is not a policer; write RATE:BURST, as "
	                 "10Mbit:50kB, or none");
	value_is_refused("path.1.lte", "1ms:2",
	                 "path.1.lte: \"1ms:2\" is not a radio link with grants; write INTERVAL[:FAILURE], "
	                 "as 1ms:10% (0.1ms to 1s, probability that a block fails), or none");
}

static void queues_and_media_are_named_by_what_they_are(void **state)
{
	(void)state;
	assert_int_equal(
	    lab_scenario_load_inline(
	        &s, "12Mbit/1ms/wifi=4p:9ms:1ms/back.wifi=none,8Mbit/1ms/aqm=pie/back.aqm=cake/ecn=yes",
	        &error),
	    0);
	assert_int_equal(s.links[0][0].wifi.burst_pkts, 4);
	assert_int_equal(s.links[0][0].wifi.burst_us, 9000);
	assert_int_equal(s.links[0][0].wifi.overhead_us, 1000);
	assert_int_equal(s.links[0][1].wifi.burst_pkts, 0);
	assert_int_equal(s.links[1][0].aqm, USRSCTP_CMT_SIM_AQM_PIE);
	assert_int_equal(s.links[1][1].aqm, USRSCTP_CMT_SIM_AQM_CAKE);
	assert_true(s.links[1][0].ecn && s.links[1][1].ecn && !s.links[0][0].ecn);
	assert_false(lab_scenario_is_lossless(&s));
	/* Four packets of 1064 bytes, 709 us each, and 1 ms. */
	assert_int_equal(lab_scenario_load_inline(&s, "12Mbit/1ms/wifi=4p:9ms:1ms", &error), 0);
	assert_in_range(lab_capacity_bps(&s, -1), 8870000, 8880000);
	assert_int_equal(lab_scenario_set(&s, "path.1.wifi", "64p:3ms", &error), 0);
	assert_int_equal(s.links[0][0].wifi.overhead_us, 200);
	assert_in_range(lab_capacity_bps(&s, -1), 11209000, 11211000);
	value_is_refused(
	    "path.1.aqm", "red",
	    "path.1.aqm: \"red\" is not a queue discipline; write codel, fq_codel, pie, cake or none");
	value_is_refused(
	    "path.1.wifi", "32:4ms",
	    "path.1.wifi: \"32:4ms\" is not an aggregating link; write PACKETS:TIME[:OVERHEAD], as "
	    "32p:4ms or 32p:4ms:200us (what a burst takes at most, and costs), or none");
	value_is_refused("path.1.ecn", "ce", "path.1.ecn: \"ce\" is not a choice; write yes or no");
	value_is_refused("path.1.at.2s.aqm", "codel",
	                 "path.1.at.2s.aqm: does not change in a run; leave at.TIME out");
	assert_int_equal(lab_scenario_load_inline(&s, "10Mbit/1ms/wifi=4p:9ms/at.3s.lte=1ms", &error), -1);
	assert_string_equal(error.text, "inline scenario: path.1: a link has wifi or lte; leave one out");
}

static void an_inline_scenario_fills_every_field(void **state)
{
	(void)state;
	assert_int_equal(lab_scenario_load_inline(
	                     &s, "1.6Mbit/10ms,0.4Mbit/100ms/loss=0.5%/q=7p,q=100p,rcvbuf=50kB", &error),
	                 0);
	assert_int_equal(s.n_paths, 2);
	assert_int_equal(s.links[0][0].rate_bps, 1600000);
	assert_int_equal(s.links[0][1].delay_us, 10000);
	assert_int_equal(s.links[0][0].queue_pkts, 100);
	assert_int_equal(s.links[1][0].queue_pkts, 7);
	assert_float_equal(s.links[1][1].loss, 0.005, 1e-12);
	assert_int_equal(s.rcvbuf_bytes, 50000);
	assert_false(lab_scenario_is_lossless(&s));
}

static void an_inline_error_names_the_path(void **state)
{
	(void)state;
	assert_int_equal(lab_scenario_load_inline(&s, "1Mbit/10ms,fast/1ms", &error), -1);
	assert_string_equal(error.text,
	                    "inline scenario: path.2.rate: \"fast\" is not a rate; write 400kbit, 1.6Mbit "
	                    "or 5M");
}

static void a_direction_of_its_own_survives_the_plain_key(void **state)
{
	(void)state;
	lab_scenario_init(&s);
	assert_int_equal(lab_scenario_set(&s, "path.1.back.rate", "100kbit", &error), 0);
	assert_int_equal(lab_scenario_set(&s, "path.1.rate", "1Mbit", &error), 0);
	assert_int_equal(s.links[0][0].rate_bps, 1000000);
	assert_int_equal(s.links[0][1].rate_bps, 100000);
	assert_int_equal(lab_scenario_set(&s, "path.1.cross", "cbr:1024:10ms@20s-40s", &error), 0);
	assert_int_equal(s.links[0][0].cross.interval_us, 10000);
	assert_int_equal(s.links[0][1].cross.kind, USRSCTP_CMT_SIM_CROSS_NONE);
}

static void an_outage_and_later_values_become_changes(void **state)
{
	(void)state;
	lab_scenario_init(&s);
	assert_int_equal(lab_scenario_set(&s, "path.1.down", "3s-8s", &error), 0);
	assert_int_equal(lab_scenario_set(&s, "path.1.at.1.5s.back.rate", "2Mbit", &error), 0);
	assert_int_equal(s.n_changes, 3);
	assert_int_equal(s.changes[0].at_us, 3000000);
	assert_string_equal(s.changes[1].value, "no");
	assert_int_equal(s.changes[1].at_us, 8000000);
	assert_int_equal(s.changes[2].at_us, 1500000);
	assert_false(s.changes[2].direction[0]);
	assert_true(s.changes[2].direction[1]);
	assert_int_equal(s.changes[2].key, lab_link_key("rate"));
	assert_int_equal(lab_scenario_set(&s, "path.1.at.1s.rate", "fast", &error), -1);
}

static void every_shipped_scenario_loads(void **state)
{
	static const char *const names[] = {
	    "sarwar1",     "sarwar2",  "osia-base",    "osia-paths1", "osia-paths2",       "osia-paths3",
	    "osia-paths4", "arabi1",   "arabi2",       "ocps",        "yabandeh",          "wifi-lte",
	    "dsl-sat",     "dc",       "fail",         "home",        "shared-bottleneck", "shared-partial",
	    "bufferbloat", "aqm-home", "wifi-lte-real"};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		int rc = lab_scenario_load(&s, names[i], &error);

		assert_string_equal(rc == 0 ? "" : error.text, "");
		assert_true(s.description[0] != '\0' && s.reference[0] != '\0');
	}
}

static void a_shared_link_is_named_by_the_paths_that_go_through_it(void **state)
{
	(void)state;
	assert_int_equal(lab_scenario_load_inline(
	                     &s,
	                     "20Mbit/1ms/via=core,5Mbit/2ms,30Mbit/3ms/via=core,link.core=10Mbit/4ms/q=7p,"
	                     "competitor=linked:hystart=0@3,competitor=default@1",
	                     &error),
	                 0);
	assert_int_equal(s.n_paths, 3);
	assert_int_equal(s.n_shared, 1);
	assert_string_equal(s.shared_names[0], "core");
	assert_int_equal(s.via[0], USRSCTP_CMT_SIM_MAX_PATHS);
	assert_int_equal(s.via[1], 0);
	assert_int_equal(s.via[2], USRSCTP_CMT_SIM_MAX_PATHS);
	assert_int_equal(s.links[USRSCTP_CMT_SIM_MAX_PATHS][1].rate_bps, 10000000);
	assert_int_equal(s.links[USRSCTP_CMT_SIM_MAX_PATHS][0].queue_pkts, 7);
	assert_int_equal(s.n_competitors, 2);
	assert_int_equal(s.competitors[0].path, 2);
	assert_string_equal(s.competitors[0].cc.name, "linked");
	assert_string_equal(s.competitors[0].cc.options, "hystart=0");
	assert_string_equal(s.competitors[0].scheduler, "rr");
	assert_string_equal(s.competitors[1].cc.name, "");
	assert_false(lab_scenario_is_lossless(&s));
	assert_int_equal(s.competitors[1].law, LAB_LAW_NONE);
	assert_int_equal(lab_scenario_set(&s, "competitor", "none", &error), 0);
	assert_int_equal(lab_scenario_set(&s, "competitor", "bbr@2", &error), 0);
	assert_int_equal(lab_scenario_set(&s, "competitor.back", "yes", &error), 0);
	assert_int_equal(lab_scenario_set(&s, "competitor", "flows:5Mbit@1", &error), 0);
	assert_int_equal(s.competitors[0].law, LAB_LAW_BBR);
	assert_true(s.competitors[0].back);
	assert_int_equal(s.competitors[1].law, LAB_LAW_CUBIC);
	assert_int_equal(s.competitors[1].flows_bps, 5000000);
	assert_int_equal(lab_scenario_set(&s, "competitor", "none", &error), 0);
	assert_true(lab_scenario_is_lossless(&s));
	assert_int_equal(lab_scenario_set(&s, "link.core.back.loss", "1%", &error), 0);
	assert_false(lab_scenario_is_lossless(&s));
	assert_int_equal(lab_scenario_set(&s, "link.core.down", "3s-8s", &error), 0);
	assert_int_equal(s.changes[0].link, USRSCTP_CMT_SIM_MAX_PATHS);
}

static void what_is_wrong_with_shared_links_and_competitors_is_named(void **state)
{
	static const struct {
		const char *text, *message;
	} wrong[] = {
	    {"1Mbit/1ms/via=core",
	     "link.core.rate: is not given; the shared link core needs a rate and a delay, inline as "
	     "link.core=10Mbit/5ms, in a file as rate = 10Mbit and delay = 5ms in [link.core]"},
	    {"1Mbit/1ms/via=core,link.core.rate=1Mbit",
	     "link.core.delay: is not given; the shared link core needs"},
	    {"1Mbit/1ms,link.core=1Mbit/1ms", "link.core: no path goes through it; give a path the key via"},
	    {"1Mbit/1ms,via=a.b", "path.1.via: a link's name has 1 to 23 letters, digits, - or _"},
	    {"1Mbit/1ms,link.core.rate=fast",
	     "link.core.rate: \"fast\" is not a rate; write 400kbit, 1.6Mbit or 5M"},
	    {"1Mbit/1ms,competitor=linked@2",
	     "competitor.1.path: \"2\" is not a path of the scenario; write 1 to 1"},
	    {"1Mbit/1ms,competitor=linked",
	     "competitor: \"linked\" is not a competitor; write CC@PATH, as uncoupled@1, or none"},
	    {"1Mbit/1ms,competitor=linked@9", "competitor: \"9\" is not a path; write 1 to 8"},
	    {"1Mbit/1ms,competitor=flows:x@1", "competitor: \"x\" is not "},
	    {"1Mbit/1ms,competitor=cubic@1,udp=yes",
	     "competitor.1.cc: newreno, cubic, bbr and flows do not go"},
	    {"1Mbit/1ms,competitor.path=1,competitor.back=yes", "competitor.1.back: only cc = newreno"},
	    {"1Mbit/1ms,competitor=vegas@1",
	     "competitor: \"vegas\" is not a congestion control; write one of "},
	    {"1Mbit/1ms,competitor.scheduler=x",
	     "competitor.scheduler: \"x\" is not a scheduler; write one of "},
	    {"1Mbit/1ms,competitor.2.speed=x",
	     "competitor.2.speed: no such key; there are path, cc, recovery, scheduler, start"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		const char *message = error.text + strlen("inline scenario: ");

		assert_int_equal(lab_scenario_load_inline(&s, wrong[i].text, &error), -1);
		assert_memory_equal(message, wrong[i].message, strlen(wrong[i].message));
	}
}

static void a_shared_link_bounds_the_ceiling_of_its_paths(void **state)
{
	(void)state;
	assert_int_equal(
	    lab_scenario_load_inline(
	        &s, "20Mbit/10ms/via=core,20Mbit/30ms/via=core,5Mbit/20ms,link.core=10Mbit/5ms", &error),
	    0);
	assert_float_equal(lab_capacity_bps(&s, -1), 15e6, 1e-3);
	assert_float_equal(lab_ceiling_bps(&s, -1, false), 15e6 * 1000 / 1048, 1e-3);
	assert_float_equal(lab_ceiling_bps(&s, 1, false), 10e6 * 1000 / 1048, 1e-3);
	assert_float_equal(lab_path_ceiling_bps(&s, 0, false), 10e6 * 1000 / 1048, 1e-3);
	/* 5 Mbit/s each for 30 and 70 ms there and back, and 5 Mbit/s for 40 ms. */
	assert_float_equal(lab_w_min_bytes(&s, -1), (5e6 * 30e-3 + 5e6 * 70e-3 + 5e6 * 40e-3) / 8, 1e-3);
	/* A link that is wide enough takes nothing away. */
	assert_int_equal(lab_scenario_set(&s, "link.core.rate", "40Mbit", &error), 0);
	assert_float_equal(lab_capacity_bps(&s, -1), 45e6, 1e-3);
}

/* 1064 bytes take 5320 us. Of two equal links 2 k packets leave until (k - 1) 5320 us. */
static void whole_packets_pause_longer_than_infinitely_small_ones(void **state)
{
	(void)state;
	assert_int_equal(lab_scenario_load_inline(&s, "1.6Mbit/10ms", &error), 0);
	assert_float_equal(lab_bpt_packets_us(&s), 15320, 1e-3);
	assert_int_equal(lab_scenario_load_inline(&s, "1.6Mbit/10ms,1.6Mbit/30ms", &error), 0);
	/* When path 1 delivers its packet k, counted from 0, path 2 has delivered k - 3: packet 2 k - 2 of
	 * all, which left at (k - 2) 5320 us. */
	assert_float_equal(lab_bpt_packets_us(&s), 15320 + 2 * 5320, 1e-3);
	assert_float_equal(lab_bpt_bound_us(&s, -1), 25320, 1e-3);
}

static void the_warm_up_is_a_time(void **state)
{
	(void)state;
	assert_int_equal(lab_scenario_load_inline(&s, "1Mbit/10ms", &error), 0);
	assert_int_equal(s.warm_up_us, 2000000);
	assert_int_equal(lab_scenario_set(&s, "warm_up", "8s", &error), 0);
	assert_int_equal(s.warm_up_us, 8000000);
	assert_int_equal(lab_scenario_set(&s, "warm_up", "long", &error), -1);
	assert_non_null(strstr(error.text, "warm_up"));
}

static void the_ceiling_takes_the_headers_off(void **state)
{
	(void)state;
	assert_int_equal(lab_scenario_load_inline(&s, "1.6Mbit/10ms,0.4Mbit/100ms", &error), 0);
	/* 1000 of 1048 bytes, or of 1064 with our time stamp. */
	assert_float_equal(lab_ceiling_bps(&s, -1, false), 2e6 * 1000 / 1048, 1e-3);
	assert_float_equal(lab_ceiling_bps(&s, -1, true), 2e6 * 1000 / 1064, 1e-3);
	assert_float_equal(lab_w_min_bytes(&s, -1), 14000, 1e-6);
	assert_float_equal(lab_look_ahead_bytes(&s, -1), 18000, 1e-6);
	/* 1064 bytes take 5320 and 21280 us. */
	assert_float_equal(lab_bpt_bound_us(&s, -1), 0.8 * 15320 + 0.2 * 121280, 1e-6);
	assert_float_equal(lab_round_trip_us(&s, -1), 0.8 * 20000 + 0.2 * 200000, 1e-6);
	/* Two 500-byte messages to a packet: 1000 of 32 + 2 * 516. */
	s.msg_bytes = 500;
	assert_float_equal(lab_bpt_bound_us(&s, 0), 10000 + (48 + 516) * 5, 1e-6);
	assert_float_equal(lab_ceiling_bps(&s, 0, false), 1.6e6 * 1000 / 1064, 1e-3);
	/* 10 000 bytes in seven fragments of at most 1452. */
	s.msg_bytes = 10000;
	assert_float_equal(lab_ceiling_bps(&s, 0, false), 1.6e6 * 10000 / (10000 + 7 * 48), 1e-3);
}

static void a_random_network_is_fixed_by_its_number(void **state)
{
	static struct lab_scenario again, lossy;

	(void)state;
	assert_int_equal(lab_scenario_load(&s, "random:17", &error), 0);
	assert_int_equal(lab_scenario_load(&again, "random:17", &error), 0);
	assert_memory_equal(&s, &again, sizeof(s));
	assert_string_equal(s.name, "random:17");
	assert_true(lab_scenario_is_lossless(&s));
	/* The lossy one is the same with losses. */
	assert_int_equal(lab_scenario_load(&lossy, "random-lossy:17", &error), 0);
	assert_false(lab_scenario_is_lossless(&lossy));
	assert_int_equal(lossy.n_paths, s.n_paths);
	assert_int_equal(lossy.rcvbuf_bytes, s.rcvbuf_bytes);
	for (int p = 0; p < s.n_paths; p++) {
		assert_true(lossy.links[p][0].loss > 0 && lossy.links[p][0].loss < 0.01);
		lossy.links[p][0].loss = 0;
		assert_memory_equal(&lossy.links[p][0], &s.links[p][0], sizeof(s.links[p][0]));
	}
	assert_int_equal(lab_scenario_load(&again, "random:18", &error), 0);
	assert_memory_not_equal(s.links, again.links, sizeof(s.links));
}

static void a_random_network_is_within_bounds(void **state)
{
	unsigned with_paths[6] = {0}, slow = 0, near = 0;
	char name[32];

	(void)state;
	for (int n = 0; n < 400; n++) {
		double w_min;

		snprintf(name, sizeof(name), "random-lossy:%d", n);
		assert_int_equal(lab_scenario_load(&s, name, &error), 0);
		assert_in_range(s.n_paths, 2, 5);
		with_paths[s.n_paths]++;
		w_min = lab_w_min_bytes(&s, -1);
		assert_true((double)s.rcvbuf_bytes >= w_min - 1);
		assert_true(s.rcvbuf_bytes == 64000 || (double)s.rcvbuf_bytes <= 4 * w_min);
		for (int p = 0; p < s.n_paths; p++) {
			const struct usrsctp_cmt_sim_link *l = &s.links[p][0];

			assert_in_range(l->rate_bps, 500000, 50000000);
			assert_in_range(l->delay_us, 5000, 300000);
			assert_true(l->jitter_us <= l->delay_us / 5 && !l->jitter_reorders);
			assert_in_range(l->queue_pkts, 100, 1250);
			assert_true(l->loss >= 0 && l->loss <= 0.01);
			assert_in_range(s.duration_us, 10000000 + 40 * l->delay_us, 22000000);
			slow += l->rate_bps < 5000000;
			near += l->delay_us < 38730;
		}
	}
	/* Each number of paths a quarter, and half of the paths on either side of the geometric mean. */
	for (int n = 2; n <= 5; n++)
		assert_in_range(with_paths[n], 70, 130);
	assert_in_range(slow, 600, 800);
	assert_in_range(near, 600, 800);
}

static void a_random_network_without_a_number_is_refused(void **state)
{
	(void)state;
	assert_int_equal(lab_scenario_load(&s, "random:x", &error), -1);
	assert_string_equal(error.text,
	                    "random: \"x\" is not the number of a network; write a whole number, as "
	                    "random:17");
	assert_int_equal(lab_scenario_load(&s, "random-lossy:-1", &error), -1);
	assert_int_equal(lab_scenario_load(&s, "random:", &error), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_error_names_file_line_key_value_and_form),
	    cmocka_unit_test(a_gap_in_the_paths_is_refused),
	    cmocka_unit_test(a_path_without_rate_or_delay_is_refused),
	    cmocka_unit_test(the_ceiling_of_a_span_is_the_mean_over_its_changes),
	    cmocka_unit_test(an_inline_scenario_fills_every_field),
	    cmocka_unit_test(policers_and_grants_have_a_direction_of_their_own),
	    cmocka_unit_test(queues_and_media_are_named_by_what_they_are),
	    cmocka_unit_test(an_inline_error_names_the_path),
	    cmocka_unit_test(a_direction_of_its_own_survives_the_plain_key),
	    cmocka_unit_test(an_outage_and_later_values_become_changes),
	    cmocka_unit_test(every_shipped_scenario_loads),
	    cmocka_unit_test(a_shared_link_is_named_by_the_paths_that_go_through_it),
	    cmocka_unit_test(what_is_wrong_with_shared_links_and_competitors_is_named),
	    cmocka_unit_test(a_shared_link_bounds_the_ceiling_of_its_paths),
	    cmocka_unit_test(the_ceiling_takes_the_headers_off),
	    cmocka_unit_test(whole_packets_pause_longer_than_infinitely_small_ones),
	    cmocka_unit_test(the_warm_up_is_a_time),
	    cmocka_unit_test(a_random_network_is_fixed_by_its_number),
	    cmocka_unit_test(a_random_network_is_within_bounds),
	    cmocka_unit_test(a_random_network_without_a_number_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
