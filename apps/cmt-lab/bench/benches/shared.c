/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Others on the link: one transfer of another, or short ones that come and go, on a bottleneck that both our
 * paths, or one of them, go through. */
#include <stdio.h>

#include "bench/bench.h"

#define MBIT           10.0
#define LEAST_QUEUE_KB 6.0

static const char *const rivals[] = {"uncoupled", "cubic", "bbr", "flows:5Mbit"};
static const double round_trips_ms[] = {20, 80, 200}, queues[] = {0.5, 1, 4}; /* times rate x round trip */

static void add(struct lab_bench_points *out, const char *rival, double rtt_ms, double queue, bool both)
{
	struct lab_bench_point *point =
	    lab_bench_add(out, both ? "both paths" : "one path", "%s %s %gms %gBDP", rival,
	                  both ? "both" : "one", rtt_ms, queue);
	double queue_kb = queue * MBIT * rtt_ms / 8;

	queue_kb = queue_kb < LEAST_QUEUE_KB ? LEAST_QUEUE_KB : queue_kb;
	snprintf(point->scenario, sizeof(point->scenario),
	         "%gMbit/%gms/via=core,%gMbit/%gms%s/q=%.0fkB,link.core=%gMbit/%gms/q=%.0fkB,msg=1400,"
	         "rcvbuf=4MB,duration=30s,competitor=%s@1",
	         both ? 2 * MBIT : 3 * MBIT, rtt_ms / 4, both ? 2 * MBIT : MBIT,
	         both ? rtt_ms / 3 : rtt_ms / 2, both ? "/via=core" : "", both ? 2 * queue_kb : queue_kb,
	         MBIT, rtt_ms / 4, queue_kb, rival);
}

static int list(const char *networks, struct lab_bench_points *out, struct lab_error *error)
{
	(void)networks;
	(void)error;
	for (size_t i = 0; i < sizeof(rivals) / sizeof(rivals[0]); i++) {
		for (size_t r = 0; r < sizeof(round_trips_ms) / sizeof(round_trips_ms[0]); r++) {
			for (size_t q = 0; q < sizeof(queues) / sizeof(queues[0]); q++) {
				add(out, rivals[i], round_trips_ms[r], queues[q], true);
				add(out, rivals[i], round_trips_ms[r], queues[q], false);
			}
		}
	}
	return 0;
}

const struct lab_bench lab_bench_shared = {
    .name = "shared",
    .title = "Benchmark: others on the link",
    .what =
        "a bottleneck of 10 Mbit/s with another transfer, or short ones that ask for half of it; both our "
        "paths go through it, or one does and the other has 10 Mbit/s of its own; 30 s, queues of 0.5 to 4 times rate x round trip. A fair share is "
        "half of the bottleneck; the score is what the one that is worse off has of its own",
    .list = list,
    .measures = {{.name = "worse off, of a fair share", .key = "competitor_ratio", .of = LAB_BENCH_FAIR},
                 {.name = "ours, of a fair share", .key = "goodput_bps", .of = LAB_BENCH_FAIR_OURS},
                 {.name = "theirs, of a fair share",
                  .key = "competitor_goodput_bps",
                  .of = LAB_BENCH_FAIR_THEIRS}},
    .n_measures = 3,
};
