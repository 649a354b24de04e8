/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Queues, managed or not, of uplinks whose ways there and back differ: a transfer alone, whatever the algorithm
 * drops or marks. */
#include <stdio.h>

#include "bench/bench.h"

/* The first one is a queue of up to seconds, which drops its tail. */
static const struct {
	const char *name;
	bool marks;
} algorithms[] = {{"none", false},    {"codel", false}, {"codel", true}, {"fq_codel", false}, {"fq_codel", true},
                  {"pie", false},     {"pie", true},    {"cake", false}, {"cake", true}};

/* Two uplinks; of `back`, the other direction of each. */
static const struct {
	const char *name, *paths[2], *back[2];
} networks[] = {
    {"home", {"20Mbit/10ms", "10Mbit/30ms"}, {"5Mbit", "2Mbit"}},
    {"dsl lte", {"4Mbit/15ms", "12Mbit/35ms"}, {"1Mbit", "4Mbit"}},
    {"fibre lte", {"60Mbit/5ms", "20Mbit/30ms"}, {"30Mbit", "10Mbit"}},
    {"far", {"10Mbit/80ms", "10Mbit/120ms"}, {"10Mbit", "10Mbit"}},
};

static int list(const char *folder, struct lab_bench_points *out, struct lab_error *error)
{
	(void)folder;
	(void)error;
	for (size_t i = 0; i < sizeof(networks) / sizeof(networks[0]); i++) {
		for (size_t k = 0; k < sizeof(algorithms) / sizeof(algorithms[0]); k++) {
			const char *algorithm = algorithms[k].name;
			const bool marks = algorithms[k].marks;
			struct lab_bench_point *point =
			    lab_bench_add(out, k == 0 ? "drop tail" : marks ? "marks" : "drops", "%s %s %s", networks[i].name,
			                  algorithm, marks ? "marks" : "drops");

			snprintf(point->scenario, sizeof(point->scenario),
			         "%s/back.rate=%s,%s/back.rate=%s,q=1000p,aqm=%s,ecn=%s,msg=1400,rcvbuf=4MB,"
			         "duration=15s",
			         networks[i].paths[0], networks[i].back[0], networks[i].paths[1],
			         networks[i].back[1], algorithm, marks ? "yes" : "no");
		}
	}
	return 0;
}

const struct lab_bench lab_bench_aqm = {
    .name = "aqm",
    .title = "Benchmark: managed queues",
    .what = "four pairs of paths with slower ways back, each queue managed by CoDel, FQ-CoDel, PIE or CAKE's flow "
            "isolation, which drops or marks, or not at all; 15 s, 1000 packets fit, up to 3 s there and 12 s back",
    .list = list,
    .measures = {{.name = "of the ceiling", .key = "goodput_bps", .of = LAB_BENCH_OF_CEILING},
                 {.name = "of the best plain path", .key = "goodput_bps", .of = LAB_BENCH_OF_PLAIN},
                 {.name = "of our best path", .key = "goodput_bps", .of = LAB_BENCH_OF_SAME},
                 {.name = "silence (ms)", .key = "max_delivery_gap_us", .unit = 1e3, .less = true}},
    .n_measures = 4,
};
