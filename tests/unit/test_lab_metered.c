/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How little of a stream has to go over paths that cost something. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "measure/metered.h"
#include "scenario/ceiling.h"

/* Path 1 is free, path 2 costs. */
static struct lab_scenario network(const char *text)
{
	struct lab_scenario s;
	struct lab_error error;

	if (lab_scenario_load_inline(&s, text, &error) != 0) {
		fail_msg("%s", error.text);
	}
	return s;
}

static double late_s(const struct lab_scenario *s, const struct lab_stream *t, bool all_paths)
{
	return lab_stream_late_bytes(s, true, t, all_paths) * 8 / t->play_bps;
}

/* A slot early or late, and one more at either end of an outage. */
#define assert_seconds(value, wanted) assert_true(fabs((value) - (wanted)) < 0.05)

static void what_is_stored_lacks_the_largest_shortfall(void **state)
{
	struct lab_scenario s = network("8Mbit/10ms,8Mbit/10ms/cost=1,play=4Mbit,msg=1400");
	/* Twice what the free path carries from its half on, begun after a second. */
	struct lab_stream t = {.startup_us = 1000000, .play_bps = 2 * lab_path_ceiling_bps(&s, 0, true)};

	(void)state;
	t.bytes = t.play_bps / 8 * 10;
	/* It plays 10 s of media in 10 s, and the free path has brought 5.5 by then. */
	assert_seconds(late_s(&s, &t, false), 4.5);
	assert_seconds(late_s(&s, &t, true), 0);
	t.startup_us = 10000000;
	assert_seconds(late_s(&s, &t, false), 0);
}

static void an_outage_is_played_from_the_buffer_as_long_as_that_lasts(void **state)
{
	struct lab_scenario s = network("8Mbit/10ms/down=5s-8s,8Mbit/10ms/cost=1,play=4Mbit,msg=1400");
	struct lab_stream t = {
	    .startup_us = 1010000, .made_bps = 4e6, .play_bps = 4e6, .bytes = 4e6 / 8 * 20};

	(void)state;
	/* Live: there is a second in the buffer, and no more to be had. */
	assert_seconds(late_s(&s, &t, false), 2);
	assert_seconds(late_s(&s, &t, true), 0);
	/* Stored: five seconds on a link of twice the rate have brought another five. */
	t.made_bps = 0;
	assert_seconds(late_s(&s, &t, false), 0);
}

static void what_is_late_is_skipped_not_waited_for(void **state)
{
	/* Half of what is played is carried all the time: half of it has to go elsewhere, however long that
	 * is. */
	struct lab_scenario s = network("8Mbit/10ms,8Mbit/10ms/cost=1,play=4Mbit,msg=1400");
	double bps = 2 * lab_path_ceiling_bps(&s, 0, true);
	struct lab_stream t = {
	    .startup_us = 1000000, .made_bps = bps, .play_bps = bps, .bytes = bps / 8 * 40};

	(void)state;
	assert_seconds(late_s(&s, &t, false), 19.5); /* and one second is in the buffer */
}

static void both_together_can_be_too_little(void **state)
{
	struct lab_scenario s =
	    network("8Mbit/10ms/down=5s-8s,8Mbit/10ms/down=6s-8s/cost=1,play=4Mbit,msg=1400");
	struct lab_stream t = {
	    .startup_us = 1010000, .made_bps = 4e6, .play_bps = 4e6, .bytes = 4e6 / 8 * 20};

	(void)state;
	assert_seconds(late_s(&s, &t, true), 1);
}

static void a_stream_is_metered_where_it_has_a_choice(void **state)
{
	struct lab_scenario s =
	    network("8Mbit/10ms,8Mbit/10ms/cost=1,play=4Mbit:2s,source=cbr:4Mbit,msg=1400");
	struct lab_stream t = lab_stream_of(&s, 7, 8, 9);

	(void)state;
	assert_true(lab_is_metered(&s));
	assert_true(t.made_bps == 4e6 && t.play_bps == 4e6 && t.bytes == 9);
	assert_int_equal(t.start_us, 7);
	assert_int_equal(t.startup_us, 8);
	s.use[0].cost = 1;
	assert_false(lab_is_metered(&s));
	s.use[0].cost = s.use[1].cost = 0;
	assert_false(lab_is_metered(&s));
	s.use[1].cost = 1;
	s.play_bps = 0;
	assert_false(lab_is_metered(&s));
	/* 1400 bytes in a packet of 1464. */
	assert_true(fabs(lab_metered_wire_bytes(&s, true, 1400) - 1464) < 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_is_stored_lacks_the_largest_shortfall),
	    cmocka_unit_test(an_outage_is_played_from_the_buffer_as_long_as_that_lasts),
	    cmocka_unit_test(what_is_late_is_skipped_not_waited_for),
	    cmocka_unit_test(both_together_can_be_too_little),
	    cmocka_unit_test(a_stream_is_metered_where_it_has_a_choice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
