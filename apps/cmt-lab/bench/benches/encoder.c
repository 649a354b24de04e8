/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bit rates for a live encoder, over recorded links. */
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"

#define ENCODER ",source=encoder:150kbit-60Mbit"

static int list(const char *networks, struct lab_bench_points *out, struct lab_error *error)
{
	if (lab_bench_wifi_cellular.list(networks, out, error) != 0 ||
	    lab_bench_mahimahi.list(networks, out, error) != 0) {
		return -1;
	}
	for (size_t i = 0; i < out->n; i++) {
		struct lab_bench_point *point = &out->points[i];
		const size_t len = strlen(point->scenario);

		snprintf(point->scenario + len, sizeof(point->scenario) - len, ENCODER);
	}
	return 0;
}

const struct lab_bench lab_bench_encoder = {
    .name = "encoder",
    .title = "Benchmark: bit rates for an encoder",
    .what =
        "an encoder of 30 frames a second, 150 kbit/s to 60 Mbit/s, that makes what SCTP_CMT_CAPACITY says, "
        "on the networks of wifi-cellular and mahimahi",
    .recorded = true,
    .list = list,
    .measures = {{.name = "bit rate, of what the links carry", .key = "hint_of_ceiling"},
                 {.name = "longest above it (s)", .key = "hint_above_us", .unit = 1e6, .less = true},
                 {.name = "median delay (ms)", .key = "latency_p50_us", .unit = 1e3, .less = true},
                 {.name = "95th percentile (ms)", .key = "latency_p95_us", .unit = 1e3, .less = true}},
    .n_measures = 4,
};
