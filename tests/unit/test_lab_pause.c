/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Beginning pause time of a transfer under way: what counts as sent, and that whole packets in order over
 * busy links pause for no longer than sum f_i d_i (docs/adr/0020-bulks-on-links.md). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "measure/pause.h"

static void a_queue_does_not_count_and_a_message_is_wanted_from_its_first_byte(void **state)
{
	struct lab_pause pause = {.n_paths = 0};

	(void)state;
	lab_pause_path(&pause, 8e6); /* a byte per microsecond */
	lab_pause_sent(&pause, 0, 100, 80, 1000);
	lab_pause_sent(&pause, 0, 100, 80, 1000); /* the link takes it from 1100 on */
	lab_pause_sent(&pause, 0, 40, 0, 1000);
	lab_pause_sent(&pause, 0, 100, 80, 1000);
	lab_pause_delivered(&pause, 80, 1150, 1050); /* sent before 1050 */
	assert_int_equal(pause.most_us, 0);
	lab_pause_delivered(&pause, 160, 1250, 1050);
	assert_int_equal(pause.most_us, 150);
	lab_pause_delivered(&pause, 200, 1340, 1050); /* 160 are gone at 1200: shorter */
	assert_int_equal(pause.most_us, 150);
	lab_pause_delivered(&pause, 240, 1500, 1050); /* 200 at 1240 + 50 */
	assert_int_equal(pause.most_us, 210);
	lab_pause_free(&pause);
}

static void two_links_take_bytes_together(void **state)
{
	struct lab_pause pause = {.n_paths = 0};

	(void)state;
	lab_pause_path(&pause, 8e6);
	lab_pause_path(&pause, 2e6);
	lab_pause_sent(&pause, 1, 100, 100, 0); /* a quarter of a byte per microsecond, until 400 */
	lab_pause_sent(&pause, 0, 100, 100, 200);
	lab_pause_delivered(&pause, 100, 500, 0); /* byte 0 */
	assert_int_equal(pause.most_us, 500);
	lab_pause_delivered(&pause, 200, 800, 0); /* byte 100: 50 until 200, then 1.25 per microsecond: 240 */
	assert_int_equal(pause.most_us, 560);
	lab_pause_free(&pause);
}

static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

/* Each path sends packets of 1000 bytes one behind the other, from any time in the first packet on. */
static void in_order_over_busy_links_pauses_for_no_longer_than_sum_f_d(void **state)
{
	enum { PATHS = 4, PACKET_BYTES = 1000, PKTS = 500 };
	uint64_t seed = 11;

	(void)state;
	print_message("seed %llu\n", (unsigned long long)seed);
	for (int instance = 0; instance < 200; instance++) {
		struct lab_pause pause = {.n_paths = 0};
		double rate_bps[PATHS], delay_us[PATHS], arrives_us[PATHS], sum_bps = 0, bound_us = 0;
		const int n = 1 + (int)(next_random(&seed) % PATHS);
		double settled_us = 0;

		for (int i = 0; i < n; i++) {
			double tx_time_us, begin_us;

			rate_bps[i] = 50000 + (double)(next_random(&seed) % 1000000);
			tx_time_us = PACKET_BYTES * 8e6 / rate_bps[i];
			delay_us[i] = (double)(next_random(&seed) % 300000) + tx_time_us;
			begin_us = (double)(next_random(&seed) % (uint64_t)tx_time_us);
			sum_bps += rate_bps[i];
			bound_us += rate_bps[i] * delay_us[i];
			lab_pause_path(&pause, rate_bps[i]);
			for (int k = 0; k < PKTS; k++)
				lab_pause_sent(&pause, i, PACKET_BYTES, PACKET_BYTES, (uint64_t)begin_us);
			arrives_us[i] = (double)(uint64_t)begin_us + delay_us[i];
			settled_us =
			    settled_us < 2 * tx_time_us + 300000 ? 2 * tx_time_us + 300000 : settled_us;
		}
		bound_us /= sum_bps;
		for (uint64_t bytes = PACKET_BYTES; bytes <= (uint64_t)PKTS * PACKET_BYTES;
		     bytes += PACKET_BYTES) {
			int first = 0;

			for (int i = 1; i < n; i++)
				first = arrives_us[i] < arrives_us[first] ? i : first;
			lab_pause_delivered(&pause, bytes, (uint64_t)arrives_us[first], (uint64_t)settled_us);
			arrives_us[first] += PACKET_BYTES * 8e6 / rate_bps[first];
		}
		assert_in_range(pause.most_us, (uint64_t)(0.5 * bound_us), (uint64_t)bound_us + 1);
		lab_pause_free(&pause);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_queue_does_not_count_and_a_message_is_wanted_from_its_first_byte),
	    cmocka_unit_test(two_links_take_bytes_together),
	    cmocka_unit_test(in_order_over_busy_links_pauses_for_no_longer_than_sum_f_d),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
