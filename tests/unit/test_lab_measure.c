/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The measuring parts of the lab that need no stack. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "measure/aggregation.h"
#include "measure/outages.h"
#include "measure/packet.h"
#include "run/pattern.h"
#include "measure/player.h"
#include "measure/prediction.h"
#include "measure/recovery.h"
#include "measure/reordering.h"
#include "base/samples.h"
#include "measure/timed_level.h"
#include "measure/tsn_tracker.h"
#include "measure/windows.h"

static void a_level_counts_as_long_as_it_lasts(void **state)
{
	struct lab_timed_level t;

	(void)state;
	lab_timed_level_start(&t, 1000);
	lab_timed_level_add(&t, 1100, 500);
	lab_timed_level_add(&t, 1100, 9000); /* read at the same moment: never there */
	lab_timed_level_add(&t, 1100, -9000);
	lab_timed_level_add(&t, 1300, -500);
	lab_timed_level_settle(&t, 2000);
	assert_float_equal(lab_timed_level_mean(&t), 500.0 * 200 / 1000, 1e-9);
	assert_int_equal(t.max, 500);
}

static void bytes_are_counted_in_the_second_in_which_they_came(void **state)
{
	struct lab_windows w = {.width_us = LAB_WINDOW_US};

	(void)state;
	lab_windows_add(&w, 0, 10);
	lab_windows_add(&w, 999999, 5);
	lab_windows_add(&w, 1000000, 7);
	lab_windows_add(&w, 200000000, 1);
	assert_int_equal(lab_windows_bytes(&w, 0), 15);
	assert_int_equal(lab_windows_bytes(&w, 1), 7);
	assert_int_equal(lab_windows_bytes(&w, 2), 0);
	assert_int_equal(lab_windows_bytes(&w, 200), 1);
	assert_int_equal(lab_windows_bytes(&w, 1000), 0);
	assert_int_equal(w.n, 201);
	lab_windows_free(&w);
}

/* The formula: (g - best) / (sum - best) above the best path, (g - best) / best below. */
static void the_aggregation_benefit_is_0_for_the_best_path_and_1_for_the_sum(void **state)
{
	const double alone[] = {4e6, 10e6, 1e6}, one_of_two[] = {8e6, 0};

	(void)state;
	assert_float_equal(lab_aggregation_benefit(15e6, alone, 3), 1, 1e-9);
	assert_float_equal(lab_aggregation_benefit(12e6, alone, 3), 0.4, 1e-9);
	assert_float_equal(lab_aggregation_benefit(10e6, alone, 3), 0, 1e-9);
	assert_float_equal(lab_aggregation_benefit(5e6, alone, 3), -0.5, 1e-9);
	assert_float_equal(lab_aggregation_benefit(0, alone, 3), -1, 1e-9);
	assert_float_equal(lab_aggregation_benefit(17.5e6, alone, 3), 1.5, 1e-9);
	assert_float_equal(lab_aggregation_benefit(9e6, one_of_two, 2), 0, 1e-9);
	assert_float_equal(lab_aggregation_benefit(6e6, one_of_two, 2), -0.25, 1e-9);
}

/* `bytes` in every slice of [from_us, until_us). */
static void bring(struct lab_windows *w, uint64_t from_us, uint64_t until_us, uint64_t bytes)
{
	for (uint64_t at_us = from_us; at_us < until_us; at_us += w->width_us) {
		lab_windows_add(w, at_us, bytes);
	}
}

/* 8 Mbit/s are 50 kB a slice. */
static void recovery_is_when_a_second_of_the_new_rate_begins(void **state)
{
	struct lab_windows w = {.width_us = LAB_RECOVERY_SLICE_US};

	(void)state;
	bring(&w, 0, 2300000, 10000);
	bring(&w, 2300000, 5000000, 48000); /* 0.96 of it */
	/* One slice of twenty may be short: 19 x 48000 + 10000 are less than 950000, 20 x 48000 are not. */
	assert_int_equal(lab_recovery_us(&w, 1000000, 5000000, 8e6), 1300000);
	assert_int_equal(lab_recovery_us(&w, 2300000, 5000000, 8e6), 0);
	assert_int_equal(lab_recovery_us(&w, 2301000, 5000000, 8e6), 49000); /* whole slices */
	assert_int_equal(lab_recovery_us(&w, 1000000, 3300000, 8e6), 1300000);
	assert_int_equal(lab_recovery_us(&w, 1000000, 3299999, 8e6), LAB_NOT_RECOVERED_US);
	assert_int_equal(lab_recovery_us(&w, 1000000, 5000000, 8.2e6), LAB_NOT_RECOVERED_US);
	lab_windows_free(&w);
}

static void the_longest_recovery_counts_and_one_that_never_comes_for_as_long_as_the_change_holds(void **state)
{
	struct lab_windows w = {.width_us = LAB_RECOVERY_SLICE_US};
	struct lab_scenario s;
	struct lab_error error;
	struct lab_samples changes;
	struct lab_recoveries r;
	const struct lab_span span = {100000, 20100000};

	(void)state;
	/* Half a second apart: one change. That at 30 s is past the end, and that at 0 s no change. */
	assert_int_equal(lab_scenario_load_inline(&s,
	                                          "8Mbit/10ms/at.0s.rate=8Mbit/at.5100ms.rate=4Mbit/"
	                                          "at.9600ms.rate=5Mbit/at.10100ms.rate=16Mbit/"
	                                          "at.15100ms.delay=40ms/at.30s.rate=1Mbit,msg=1400",
	                                          &error),
	                 0);
	changes = lab_recovery_changes(&s, span);
	assert_int_equal(changes.n, 3);
	assert_int_equal(changes.values[0], 5100000);
	assert_int_equal(changes.values[1], 10100000);
	assert_int_equal(changes.values[2], 15100000);
	lab_samples_free(&changes);
	bring(&w, 0, 5000000, 50000);
	bring(&w, 5000000, 12500000, 25000);
	bring(&w, 12500000, 17000000, 100000);
	r = lab_recoveries(&s, -1, false, &w, span);
	assert_int_equal(r.changes, 3);
	assert_int_equal(r.missed, 0);
	/* Two slices of 25 kB are allowed: 0.95 of 15.47 Mbit/s of payload are 1.84 MB. */
	assert_int_equal(r.longest_us, 2400000);
	w.n = 16000000 / LAB_RECOVERY_SLICE_US; /* and nothing after it */
	memset(&w.bytes[15000000 / LAB_RECOVERY_SLICE_US], 0, 20 * sizeof(w.bytes[0]));
	r = lab_recoveries(&s, -1, false, &w, span);
	assert_int_equal(r.missed, 1);
	assert_int_equal(r.longest_us, 5000000);
	lab_windows_free(&w);
}

/* 8 kbit/s are a byte a millisecond. */
static void a_player_stalls_when_it_has_played_what_came(void **state)
{
	struct lab_player p;

	(void)state;
	lab_player_start(&p, 8000, 100000);
	lab_player_read(&p, 60, 50000);
	assert_false(p.started);
	lab_player_read(&p, 60, 80000); /* 120 >= 100: plays from 80 to 200 ms */
	assert_true(p.started);
	assert_int_equal(p.startup_us, 80000);
	lab_player_read(&p, 50, 150000); /* to 250 */
	assert_int_equal(p.stalls, 0);
	lab_player_read(&p, 70, 300000); /* dry since 250; 70 are not enough */
	assert_int_equal(p.stalls, 1);
	assert_false(p.playing);
	lab_player_read(&p, 30, 310000);
	assert_true(p.playing);
	assert_int_equal(p.stalled_us, 60000);
	lab_player_read(&p, 10, 500000); /* dry since 410, and that was all */
	lab_player_end(&p);
	assert_int_equal(p.stalls, 2);
	assert_int_equal(p.stalled_us, 60000 + 90000);
	assert_int_equal(p.wait_us, 500000 - 270000); /* the last 10 came when 270 were there */
}

static void a_player_that_waits_long_enough_never_stalls(void **state)
{
	struct lab_player p;

	(void)state;
	lab_player_start(&p, 8000, 0);
	lab_player_read(&p, 100, 30000); /* no buffer: starts at once, dry at 130 */
	lab_player_read(&p, 100, 125000);
	lab_player_end(&p);
	assert_int_equal(p.startup_us, 30000);
	assert_int_equal(p.stalls, 0);
	assert_int_equal(p.wait_us, 30000);
}

static void reuse_counts_from_the_end_of_an_outage_to_the_next_data(void **state)
{
	static struct lab_scenario s;
	struct lab_error error;
	struct lab_outages o;
	uint64_t us;

	(void)state;
	assert_int_equal(lab_scenario_load_inline(&s,
	                                          "1Mbit/1ms/down=6s-8s,1Mbit/1ms/via=core,1Mbit/1ms,"
	                                          "link.core=1Mbit/1ms/down=1s-2s",
	                                          &error),
	                 0);
	assert_int_equal(lab_scenario_set(&s, "path.1.down", "1s-3s", &error), 0);
	lab_outages_start(&o, &s, 0);
	lab_outages_used(&o, 2999999);
	assert_false(lab_outages_reuse_us(&o, &us));
	lab_outages_used(&o, 3400000);
	lab_outages_used(&o, 7000000);
	assert_false(lab_outages_reuse_us(&o, &us)); /* the second one has not ended */
	lab_outages_used(&o, 8100000);
	lab_outages_used(&o, 9999999);
	assert_true(lab_outages_reuse_us(&o, &us));
	assert_int_equal(us, 400000);
	lab_outages_free(&o);
	lab_outages_start(&o, &s, 1); /* the link that it shares was down */
	lab_outages_used(&o, 2000000);
	assert_true(lab_outages_reuse_us(&o, &us));
	assert_int_equal(us, 0);
	lab_outages_free(&o);
	lab_outages_start(&o, &s, 2);
	lab_outages_used(&o, 9000000);
	assert_false(lab_outages_reuse_us(&o, &us));
	lab_outages_free(&o);
	assert_int_equal(lab_scenario_set(&s, "path.3.from_absent", "2s-3s", &error), 0);
	assert_int_equal(lab_scenario_set(&s, "path.3.down", "1s-2s", &error), 0);
	lab_outages_start(&o, &s, 2);
	lab_outages_used(&o, 2000000);
	assert_false(lab_outages_reuse_us(&o, &us));
	lab_outages_used(&o, 3000007);
	assert_true(lab_outages_reuse_us(&o, &us));
	assert_int_equal(us, 7);
	lab_outages_free(&o);
}

static void percentiles_are_nearest_ranks(void **state)
{
	struct lab_samples s = {.n = 0};

	(void)state;
	for (uint64_t v = 100; v >= 1; v--) {
		lab_samples_add(&s, v);
	}
	assert_int_equal(lab_samples_percentile(&s, 50), 50);
	assert_int_equal(lab_samples_percentile(&s, 95), 95);
	assert_int_equal(lab_samples_percentile(&s, 100), 100);
	assert_float_equal(lab_samples_mean(&s), 50.5, 1e-9);
	lab_samples_free(&s);
	assert_int_equal(lab_samples_percentile(&s, 50), 0);
}

static void reordering_follows_rfc_4737(void **state)
{
	/* 0 1 5 6 7 2 3 8 4: 2 and 3 come 3 and 4 places behind the first larger one; before 2 came three
	 * larger numbers, before 3 a smaller one, and 4 comes behind 3. */
	static const uint64_t order[] = {0, 1, 5, 6, 7, 2, 3, 8, 4};
	struct lab_reordering r = {.arrivals = 0};

	(void)state;
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		lab_reordering_arrival(&r, order[i]);
	}
	assert_int_equal(r.reordered, 3);
	assert_int_equal(r.n_reordered, 1);
	assert_int_equal(r.extent_max, 6);
	lab_reordering_free(&r);
}

static void a_retransmission_is_spurious_while_a_copy_lives(void **state)
{
	struct lab_tsn_tracker t = {.started = false};
	struct lab_data_chunk first = {.tsn = UINT32_MAX, .payload_bytes = 100},
	                      second = {.tsn = 0, .payload_bytes = 50};

	(void)state;
	lab_tsn_tracker_start(&t, UINT32_MAX);
	assert_false(lab_tsn_tracker_sent(&t, &first));
	assert_false(lab_tsn_tracker_sent(&t, &second));
	lab_tsn_tracker_lost(&t, &first);
	assert_true(lab_tsn_tracker_sent(&t, &first));
	assert_int_equal(t.spurious_retransmits, 0);
	assert_true(lab_tsn_tracker_sent(&t, &second));
	assert_int_equal(t.spurious_retransmits, 1);
	assert_true(lab_tsn_tracker_arrived(&t, &second));
	assert_true(lab_tsn_tracker_arrived(&t, &first));
	assert_false(lab_tsn_tracker_arrived(&t, &second));
	assert_int_equal(t.retransmits, 2);
	assert_int_equal(t.duplicates, 1);
	assert_int_equal(t.arrived_bytes, 150);
	assert_int_equal(t.reordering.reordered, 1);
	lab_tsn_tracker_free(&t);
}

static void predictions_are_compared_modulo_two_to_the_32(void **state)
{
	struct lab_prediction p = {.n_paths = 0};
	struct lab_samples *errors;

	(void)state;
	lab_prediction_sent(&p, 3, UINT32_MAX, UINT32_MAX - 9);
	lab_prediction_sent(&p, 3, 0, LAB_PREDICTION_UNKNOWN);
	lab_prediction_sent(&p, 3, 1, 5000);
	lab_prediction_arrived(&p, 3, UINT32_MAX, 10); /* 20 us late, over the wrap */
	lab_prediction_arrived(&p, 3, 0, 1);
	lab_prediction_arrived(&p, 3, 1, 4000);
	lab_prediction_arrived(&p, 3, 1, 4000); /* a duplicate */
	lab_prediction_arrived(&p, 4, 1, 1);
	errors = lab_prediction_errors(&p, 3);
	assert_non_null(errors);
	assert_int_equal(errors->n, 2);
	assert_int_equal(lab_samples_percentile(errors, 50), 20);
	assert_int_equal(lab_samples_percentile(errors, 100), 1000);
	assert_null(lab_prediction_errors(&p, 4));
	lab_prediction_free(&p);
}

static void count(void *arg, const struct lab_data_chunk *chunk)
{
	uint32_t *sum = arg;

	*sum += chunk->payload_bytes + chunk->tsn;
}

static void data_chunks_are_found_behind_others_and_padding(void **state)
{
	/* Header; CMT-TIMESTAMP; DATA of 1 byte (padded), TSN 7; I-DATA of 2 bytes, TSN 9. */
	uint8_t packet[12 + 16 + 20 + 24] = {0};
	uint32_t sum = 0;

	(void)state;
	packet[12] = 0x9e;
	packet[15] = 16;
	packet[28] = 0;
	packet[31] = 17;
	packet[35] = 7;
	packet[48] = 64;
	packet[51] = 22;
	packet[55] = 9;
	assert_int_equal(lab_packet_data(packet, sizeof(packet), count, &sum), 2);
	assert_int_equal(sum, 1 + 7 + 2 + 9);
	assert_true(lab_packet_has_timestamp(packet, sizeof(packet)));
	/* Cut anywhere, nothing behind the end is read, and a chunk that is cut does not count. */
	for (size_t len = 0; len < sizeof(packet) - 2; len++) {
		assert_true(lab_packet_data(packet, len, count, &sum) <= (len < 45 ? 0u : 1u));
	}
}

static void one_flipped_bit_breaks_the_checksum(void **state)
{
	/* A COOKIE-ACK with its CRC32c. */
	uint8_t packet[16] = {[8] = 0x2a, 0xe7, 0x8c, 0x11, [12] = 11, [15] = 4};

	(void)state;
	assert_true(lab_packet_intact(packet, sizeof(packet)));
	for (size_t bit = 0; bit < 8 * sizeof(packet); bit++) {
		packet[bit / 8] ^= (uint8_t)(1u << bit % 8);
		assert_false(lab_packet_intact(packet, sizeof(packet)));
		packet[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
	assert_false(lab_packet_intact(packet, 11));
}

static void the_pattern_checks_itself_at_any_offset(void **state)
{
	uint8_t bytes[1000];

	(void)state;
	for (uint64_t offset = 0; offset < 20; offset++) {
		lab_pattern_fill(bytes, offset, sizeof(bytes));
		assert_int_equal(lab_pattern_match(bytes, offset, sizeof(bytes)), sizeof(bytes));
		assert_true(lab_pattern_match(bytes, offset + 8, sizeof(bytes)) < 8);
		for (size_t from = 1; from < sizeof(bytes); from += 111) {
			assert_int_equal(lab_pattern_match(bytes + from, offset + from, sizeof(bytes) - from),
			                 sizeof(bytes) - from);
		}
		bytes[999] ^= 1;
		assert_int_equal(lab_pattern_match(bytes, offset, sizeof(bytes)), 999);
		bytes[500] ^= 1;
		assert_int_equal(lab_pattern_match(bytes, offset, sizeof(bytes)), 500);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_level_counts_as_long_as_it_lasts),
	    cmocka_unit_test(bytes_are_counted_in_the_second_in_which_they_came),
	    cmocka_unit_test(the_aggregation_benefit_is_0_for_the_best_path_and_1_for_the_sum),
	    cmocka_unit_test(recovery_is_when_a_second_of_the_new_rate_begins),
	    cmocka_unit_test(
	        the_longest_recovery_counts_and_one_that_never_comes_for_as_long_as_the_change_holds),
	    cmocka_unit_test(a_player_stalls_when_it_has_played_what_came),
	    cmocka_unit_test(a_player_that_waits_long_enough_never_stalls),
	    cmocka_unit_test(reuse_counts_from_the_end_of_an_outage_to_the_next_data),
	    cmocka_unit_test(percentiles_are_nearest_ranks),
	    cmocka_unit_test(reordering_follows_rfc_4737),
	    cmocka_unit_test(a_retransmission_is_spurious_while_a_copy_lives),
	    cmocka_unit_test(predictions_are_compared_modulo_two_to_the_32),
	    cmocka_unit_test(data_chunks_are_found_behind_others_and_padding),
	    cmocka_unit_test(one_flipped_bit_breaks_the_checksum),
	    cmocka_unit_test(the_pattern_checks_itself_at_any_offset),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
