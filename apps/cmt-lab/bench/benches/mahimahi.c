/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two of the cellular links that Winstein et al. recorded in a moving car (NSDI 2013), in either order. */
#include "bench/benches/recorded.h"

#define FOLDER "mahimahi/"

static int list(const char *networks, struct lab_bench_points *out, struct lab_error *error)
{
	static const struct lab_recorded_link links[] = {
	    {"verizon-lte", FOLDER "Verizon-LTE-short.down", FOLDER "Verizon-LTE-short.up", 25, 500},
	    {"att-lte", FOLDER "ATT-LTE-driving-2016.down", FOLDER "ATT-LTE-driving-2016.up", 30, 500},
	    {"tmobile-umts", FOLDER "TMobile-UMTS-driving.down", NULL, 60, 1000},
	    {"verizon-evdo", FOLDER "Verizon-EVDO-driving.down", NULL, 80, 1000},
	};
	const size_t n = sizeof(links) / sizeof(links[0]);

	for (size_t i = 0; i < n * n; i++) {
		const struct lab_recorded_link *const pair[] = {&links[i / n], &links[i % n]};

		if (i / n != i % n &&
		    lab_bench_add_recorded(out, networks, pair[0]->name, pair, "rcvbuf=6MB", error) != 0) {
			return -1;
		}
	}
	return 0;
}

const struct lab_bench lab_bench_mahimahi = {
    .name = "mahimahi",
    .title = "Benchmark: cellular links on the move",
    .what =
        "pairs of LTE, UMTS and EVDO as recorded in a car (Winstein, Sivaraman, Balakrishnan, NSDI 2013), "
        "both orders; chosen: 25 ms to 80 ms one way, queues of 0.5 s and 1 s, receive buffer 6 MB",
    .recorded = true,
    .list = list,
    .measures = {{.name = "of the ceiling", .key = "goodput_bps", .of = LAB_BENCH_OF_CEILING},
                 {.name = "benefit (EBen)", .key = "goodput_bps", .of = LAB_BENCH_BENEFIT},
                 {.name = "of the best plain path", .key = "goodput_bps", .of = LAB_BENCH_OF_PLAIN},
                 {.name = "of our best path", .key = "goodput_bps", .of = LAB_BENCH_OF_SAME},
                 {.name = "silence (ms)", .key = "max_delivery_gap_us", .unit = 1e3, .less = true}},
    .n_measures = 5,
};
