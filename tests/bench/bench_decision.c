/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bench_decision.c - cost of next() with 16 and 4096 units waiting, on 2 and 8 paths, for every built-in
 * scheduler. Prints a table, or with --json one object a line. 4096 units may cost 1.5 times as much as 16
 * (times.h); what costs more is measured again, five times in all: a machine that changed its pace between
 * the two looks like that once.
 *
 * A time is the median of many batches of decisions. Between decisions the path that has room changes, so
 * that the positions looked up, near and far, change too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmt_sched.h"
#include "batches.h"
#include "times.h"

enum { TRIES = 5, BATCHES = 401, DECISIONS = 2000, UNIT_BYTES = 1000, CAPACITY = 4096, ROUNDS = 64 };

static uint64_t state[CMT_SCHED_STATE_MAX / sizeof(uint64_t)];
static struct cmt_units units;
static uint32_t unit_memory[CAPACITY * 2];

#define TABLE_FORMAT "%-12s %5u %7.1f ns %9.1f ns %6.2f\n"
#define JSON_FORMAT                                                                                          \
	"{\"scheduler\":\"%s\",\"paths\":%u,\"ns_16_units\":%.1f,\"ns_4096_units\":%.1f,\"ratio\":%.3f}\n"

static const double RATIO_MAX = 1.5;

/* Keeps the compiler from leaving decisions out. */
static volatile uint32_t sink;

/* Path 0 is the fastest; the delays of the others spread the positions over all units waiting. */
static void fill_paths(struct cmt_path_view *paths, uint8_t n_paths, uint32_t n_units, unsigned round)
{
	for (uint8_t i = 0; i < n_paths; i++) {
		int64_t extra_us =
		    (int64_t)n_units * 1000 * i * (round + 1) / (n_paths * n_paths * (ROUNDS + 1));

		paths[i] = (struct cmt_path_view){.id = i,
		                                  .usable = true,
		                                  .cwnd_bytes = 100000000,
		                                  .room_bytes = round % n_paths == i ? UNIT_BYTES : 0,
		                                  .srtt_us = 20000,
		                                  .min_rtt_us = 20000,
		                                  .rate_bps = 8000000,
		                                  .rate_measured = true,
		                                  .base_us = 10000 + extra_us,
		                                  .start_us = 10000 + extra_us,
		                                  .delay_us = 10000 + extra_us};
	}
}

static double batch_ns(const struct cmt_sched_ops *ops, const struct cmt_view *views)
{
	double start_ns = process_ns();
	uint32_t sum = 0;

	for (unsigned i = 0; i < DECISIONS; i++)
		sum += ops->next(state, &views[i % ROUNDS]).tsn;
	sink = sum;
	return (process_ns() - start_ns) / DECISIONS;
}

static double median_ns(const struct cmt_sched_ops *ops, uint8_t n_paths, uint32_t n_units)
{
	static struct cmt_path_view paths[ROUNDS][CMT_SCHED_MAX_PATHS];
	static struct cmt_view views[ROUNDS];
	static double batches[BATCHES];

	cmt_units_init(&units, CAPACITY, 1, unit_memory);
	for (uint32_t tsn = 1; tsn <= n_units; tsn++) {
		if (cmt_units_add(&units, tsn, UNIT_BYTES) != 0)
			abort();
	}
	for (unsigned round = 0; round < ROUNDS; round++) {
		fill_paths(paths[round], n_paths, n_units, round);
		views[round] = (struct cmt_view){.units = &units,
		                                 .n_paths = n_paths,
		                                 .paths = paths[round],
		                                 .packet_bytes = UNIT_BYTES,
		                                 .wire_bytes = UNIT_BYTES,
		                                 .limit_tsn = CAPACITY,
		                                 .peer_rwnd_bytes = 1000000000,
		                                 .window_packet_bytes = UNIT_BYTES,
		                                 .window_unit_bytes = UNIT_BYTES,
		                                 .window_reserve_bytes = UNIT_BYTES};
	}
	memset(state, 0, sizeof(state));
	if (ops->init != NULL && ops->init(state, NULL) != 0)
		abort();
	if (ops->plan != NULL)
		ops->plan(state, &views[ROUNDS - 1]);
	for (unsigned i = 0; i < BATCHES; i++)
		batches[i] = batch_ns(ops, views);
	qsort(batches, BATCHES, sizeof(batches[0]), by_value);
	return batches[BATCHES / 2];
}

int main(int argc, char **argv)
{
	static const uint8_t n_paths[] = {2, 8};
	bool met = true;
	const int json = argc == 2 && strcmp(argv[1], "--json") == 0;

	if (argc > 1 && !json) {
		(void)fprintf(stderr, "bench_decision: unknown argument \"%s\"; only --json is known\n",
		              argv[1]);
		return 2;
	}
	if (!json)
		printf("%-12s %5s %10s %12s %6s\n", "scheduler", "paths", "16 units", "4096 units", "ratio");
	for (size_t i = 0; cmt_sched_builtin(i) != NULL; i++) {
		const struct cmt_sched_ops *ops = cmt_sched_builtin(i);

		for (unsigned k = 0; k < sizeof(n_paths) / sizeof(n_paths[0]); k++) {
			double few_ns = 0, many_ns = 1;

			for (int tries = 0; tries < TRIES && many_ns > RATIO_MAX * few_ns; tries++) {
				few_ns = median_ns(ops, n_paths[k], 16);
				many_ns = median_ns(ops, n_paths[k], 4096);
			}
			printf(json ? JSON_FORMAT : TABLE_FORMAT, ops->name, n_paths[k], few_ns, many_ns,
			       many_ns / few_ns);
			if (many_ns > RATIO_MAX * few_ns)
				met = false;
		}
	}
	return report_times(met);
}
