/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One run over time: what a path carried, how long packets took, what waited. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "measure/packet_log.h"
#include "picture/run_bins.h"

#define assert_near(value, wanted, error) assert_true(fabs((value) - (wanted)) < (error))

/* Ten packets of 1250 bytes meet a link of 10 Mbit/s and 2 ms at once, so that each leaves 1 ms behind the one
 * before it; of somebody else one more, in front of them. Predicted 0.5 ms too early, the first one not. */
static FILE *burst(void)
{
	FILE *file = tmpfile();

	assert_non_null(file);
	fputs(LAB_PACKET_LOG_HEAD, file);
	fputs("0,0,1250,0,2000,3000,-1\n", file);
	for (int i = 0; i < 10; i++) {
		const int arrived_us = 4000 + 1000 * i;

		fprintf(file, "0,1,1250,0,2000,%d,%d\n", arrived_us, i == 0 ? -1 : arrived_us - 500);
	}
	return file;
}

static void network(struct lab_scenario *s, const char *text)
{
	struct lab_error error;

	assert_int_equal(lab_scenario_load(s, text, &error), 0);
}

static void a_burst_waits_until_the_link_has_sent_it(void **state)
{
	static struct lab_scenario s;
	struct lab_run_bins bins;
	FILE *file = burst();
	double waited = 0, carried = 0;

	(void)state;
	network(&s, "10Mbit/2ms,duration=1s");
	/* From 0 to 13 ms: 1 ms each. */
	assert_int_equal(lab_run_bins_read(file, &s, 13, &bins), 0);
	assert_int_equal(bins.n_paths, 1);
	assert_near(bins.bin_us, 1000, 1e-9);
	for (size_t i = 0; i < bins.n; i++) {
		const struct lab_run_bin *bin = &bins.bins[0][i];

		assert_near(bin->could_bps, 10e6, 1e3);
		/* In millisecond i the i-th of our ten is sent; those behind it wait. */
		assert_near(bin->queue_bytes[LAB_OURS],
		                   i == 0 ? 12500 : i <= 10 ? 1250.0 * (10 - (double)i) : 0, 1);
		assert_near(bin->queue_bytes[LAB_THEIRS], 0, 1); /* sent at once */
		waited += bin->queue_bytes[LAB_OURS];
		carried += bin->carried_bps[LAB_OURS] / 8e6 * bins.bin_us;
	}
	assert_near(carried, 12500, 1e-6);
	assert_near(waited, 12500 + 1250 * 45, 2);
	/* At 5 ms the second one: it took 5 ms, 2 of them without queues. */
	assert_near(bins.bins[0][5].delay_us, 5000, 1e-9);
	assert_near(bins.bins[0][5].way_us, 2000, 1e-9);
	assert_near(bins.bins[0][5].predicted_us, 4500, 1e-9);
	assert_true(isnan(bins.bins[0][4].predicted_us));
	assert_true(isnan(bins.bins[0][1].delay_us));
	assert_near(bins.bins[0][3].carried_bps[LAB_THEIRS], 10e6, 1);
	lab_run_bins_free(&bins);
	fclose(file);
}

static void others_wait_where_a_link_is_shared_and_nowhere_else(void **state)
{
	static struct lab_scenario s;
	static const char text[] = LAB_PACKET_LOG_HEAD "0,0,1250,0,2000,13000,-1\n"
	                                               "1,1,1250,0,2000,13000,-1\n";
	struct lab_run_bins bins;

	(void)state;
	for (int shared = 0; shared < 2; shared++) {
		FILE *file = tmpfile();

		assert_non_null(file);
		fputs(text, file);
		network(&s, shared ? "10Mbit/1ms/via=c,10Mbit/1ms/via=c,link.c=10Mbit/1ms,duration=1s"
		                   : "10Mbit/2ms,10Mbit/2ms,duration=1s");
		assert_int_equal(lab_run_bins_read(file, &s, 13, &bins), 0);
		assert_near(bins.bins[0][5].queue_bytes[LAB_THEIRS], 1250, 1);
		assert_near(bins.bins[1][5].queue_bytes[LAB_THEIRS], shared ? 1250 : 0, 1);
		assert_near(bins.bins[0][5].queue_bytes[LAB_OURS], 0, 1);
		assert_near(bins.bins[1][5].queue_bytes[LAB_OURS], 1250, 1);
		lab_run_bins_free(&bins);
		fclose(file);
	}
}

static void what_a_path_could_carry_follows_its_changes(void **state)
{
	static struct lab_scenario s;
	struct lab_run_bins bins;
	FILE *file = burst();

	(void)state;
	network(&s, "10Mbit/2ms/at.5ms.rate=4Mbit/at.9ms.down=yes,duration=1s");
	assert_int_equal(lab_run_bins_read(file, &s, 13, &bins), 0);
	assert_near(bins.bins[0][4].could_bps, 10e6, 1e3);
	assert_near(bins.bins[0][5].could_bps, 4e6, 1e3);
	assert_near(bins.bins[0][9].could_bps, 0, 1);
	lab_run_bins_free(&bins);
	fclose(file);
}

static void a_run_without_arrivals_has_no_picture(void **state)
{
	static struct lab_scenario s;
	struct lab_run_bins bins;
	FILE *file = tmpfile();

	(void)state;
	assert_non_null(file);
	network(&s, "10Mbit/2ms,duration=1s");
	assert_int_equal(lab_run_bins_read(file, &s, 12, &bins), -1);
	fputs(LAB_PACKET_LOG_HEAD "0,0,1250,0,2000,3000,-1\n", file);
	assert_int_equal(lab_run_bins_read(file, &s, 12, &bins), -1);
	fclose(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_burst_waits_until_the_link_has_sent_it),
	    cmocka_unit_test(others_wait_where_a_link_is_shared_and_nowhere_else),
	    cmocka_unit_test(what_a_path_could_carry_follows_its_changes),
	    cmocka_unit_test(a_run_without_arrivals_has_no_picture),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
