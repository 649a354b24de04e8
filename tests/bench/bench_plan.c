/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bench_plan.c - cost of a plan for 2 and 8 paths over a million random inputs: water filling alone (with its
 * shares and Theorem 2), and plan() of osia and lcm, which lay out a new period for every input. Prints a
 * table, and Theorem 2's K for the paths of the OSIA paper's Table 1. 8 paths may cost 16 times as much as 2,
 * the square of what there are more (times.h). Exit status 1 when a state exceeds 4 KiB. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmt_sched.h"
#include "fill/cmt_pwf.h"
#include "batches.h"
#include "times.h"
#include "util/cmt_random.h"

enum { BATCHES = 1000, BATCH = 1000, PLAN_BYTES_MAX = 4096, MERGE_US = 10000 };

static const double RATIO_MAX = 16;

/* Keeps the compiler from leaving plans out. */
static volatile uint64_t sink;

static struct cmt_path_view paths[BATCH][CMT_SCHED_MAX_PATHS];

/* Up to a minute and 100 Gbit/s, all orders of magnitude alike. */
static void draw(uint64_t *seed)
{
	for (unsigned k = 0; k < BATCH; k++) {
		for (uint8_t i = 0; i < CMT_SCHED_MAX_PATHS; i++) {
			uint64_t number = cmt_random_take(seed);
			int64_t delay_us = (int64_t)(number % 60000000) >> (number % 16);

			paths[k][i] = (struct cmt_path_view){
			    .id = i,
			    .usable = true,
			    .cwnd_bytes = 1u << (number % 31),
			    .min_rtt_us = 2 * (uint32_t)delay_us,
			    .rate_bps = 1 + ((number >> 16) % CMT_PWF_RATE_MAX_BPS >> (number % 20)),
			    .base_us = delay_us,
			    .delay_us = delay_us,
			    .start_us = delay_us};
		}
	}
}

static void fill(unsigned k, uint8_t n_paths)
{
	struct cmt_pwf_path filled[CMT_MAX_PATHS];
	struct cmt_pwf p;
	uint64_t sum = 0;

	for (uint8_t i = 0; i < n_paths; i++)
		filled[i] = (struct cmt_pwf_path){paths[k][i].delay_us, paths[k][i].rate_bps};
	cmt_pwf_plan(&p, filled, n_paths, MERGE_US);
	for (uint8_t h = 0; h < p.n; h++)
		sum += cmt_pwf_f_ppm(&p, h) + cmt_pwf_g_ppm(&p, 0, h);
	sink = sum + cmt_pwf_timeout_ppm(&p, 1500);
}

static void lay_out(const struct cmt_sched_ops *ops, void *st, unsigned k, uint8_t n_paths)
{
	static uint32_t memory[CMT_UNITS_MIN_CAPACITY * 2];
	struct cmt_units units;
	struct cmt_view v = {.units = &units,
	                     .paths = paths[k],
	                     .n_paths = n_paths,
	                     .packet_bytes = 1400,
	                     .wire_bytes = 1460,
	                     .peer_rwnd_bytes = 1000000000,
	                     .window_packet_bytes = 1656,
	                     .window_unit_bytes = 1656,
	                     .window_reserve_bytes = 1656};

	cmt_units_init(&units, CMT_UNITS_MIN_CAPACITY, 1, memory);
	ops->plan(st, &v);
}

/* Nanoseconds a plan, in the median batch; NULL: water filling alone. */
static double cost_ns(const struct cmt_sched_ops *ops, uint8_t n_paths)
{
	static uint64_t st[CMT_SCHED_STATE_MAX / sizeof(uint64_t)];
	static double batches[BATCHES];
	uint64_t seed = 1;

	memset(st, 0, sizeof(st));
	if (ops != NULL && ops->init(st, NULL) != 0)
		abort();
	for (unsigned i = 0; i < BATCHES; i++) {
		double start_ns;

		draw(&seed);
		start_ns = process_ns();
		for (unsigned k = 0; k < BATCH; k++) {
			if (ops == NULL)
				fill(k, n_paths);
			else
				lay_out(ops, st, k, n_paths);
		}
		batches[i] = (process_ns() - start_ns) / BATCH;
	}
	qsort(batches, BATCHES, sizeof(batches[0]), by_value);
	return batches[BATCHES / 2];
}

static const struct cmt_sched_ops *builtin(const char *name)
{
	for (size_t i = 0; cmt_sched_builtin(i) != NULL; i++) {
		if (strcmp(cmt_sched_builtin(i)->name, name) == 0)
			return cmt_sched_builtin(i);
	}
	abort();
}

/* Whether the times are as wanted. */
static bool judge(const char *name, const struct cmt_sched_ops *ops, size_t bytes)
{
	double two_ns = cost_ns(ops, 2), eight_ns = cost_ns(ops, 8);

	printf("%-14s %7zu %9.0f ns %9.0f ns %6.2f\n", name, bytes, two_ns, eight_ns, eight_ns / two_ns);
	if (bytes > PLAN_BYTES_MAX)
		exit(1);
	return eight_ns <= RATIO_MAX * two_ns;
}

static void report_theorem_2(void)
{
	static const struct cmt_pwf_path table_1[][4] = {
	    {{40000, 3000000}, {80000, 1000000}},
	    {{40000, 2000000}, {80000, 1250000}, {60000, 750000}},
	    {{40000, 1250000}, {20000, 1000000}, {100000, 1000000}, {80000, 750000}}};

	for (uint8_t n = 2; n <= 4; n++) {
		struct cmt_pwf p;

		cmt_pwf_plan(&p, table_1[n - 2], n, MERGE_US);
		printf("OSIA Table 1, %u paths: no timeout for K > %.2f (K = 4)\n", n,
		       (double)cmt_pwf_timeout_ppm(&p, 1000) / 1e6);
	}
}

int main(void)
{
	const struct cmt_sched_ops *osia = builtin("osia"), *lcm = builtin("lcm");
	bool met;

	printf("%-14s %7s %12s %12s %6s\n", "plan", "bytes", "2 paths", "8 paths", "ratio");
	met = judge("water filling", NULL, sizeof(struct cmt_pwf));
	met &= judge("osia", osia, osia->state_bytes);
	met &= judge("lcm", lcm, lcm->state_bytes);
	report_theorem_2();
	return report_times(met);
}
