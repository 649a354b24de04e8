/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Radio links: Wi-Fi that aggregates beside LTE with grants and HARQ, and losses that neither repairs. */
#include <stdio.h>

#include "bench/bench.h"

static const char *const aggregates[] = {"4p:1ms", "16p:2ms", "64p:5ms"};
static const char *const grants[] = {"1ms", "1ms:10%", "5ms:30%"};
static const double losses_percent[] = {0, 0.5, 1, 2, 5};

static int list(const char *folder, struct lab_bench_points *out, struct lab_error *error)
{
	(void)folder;
	(void)error;
	for (size_t l = 0; l < sizeof(losses_percent) / sizeof(losses_percent[0]); l++) {
		for (size_t w = 0; w < sizeof(aggregates) / sizeof(aggregates[0]); w++) {
			for (size_t g = 0; g < sizeof(grants) / sizeof(grants[0]); g++) {
				struct lab_bench_point *point;
				char group[32];

				snprintf(group, sizeof(group), "%g%% lost", losses_percent[l]);
				point = lab_bench_add(out, group, "wifi %s lte %s %s", aggregates[w],
				                      grants[g], group);
				snprintf(point->scenario, sizeof(point->scenario),
				         "40Mbit/5ms/q=200p/wifi=%s,15Mbit/30ms/q=200p/lte=%s,loss=%g%%,"
				         "msg=1400,rcvbuf=4MB,duration=15s",
				         aggregates[w], grants[g], losses_percent[l]);
			}
		}
	}
	return 0;
}

const struct lab_bench lab_bench_radio = {
    .name = "radio",
    .title = "Benchmark: radio links",
    .what = "Wi-Fi that sends up to 4, 16, 64 packets at once beside LTE with grants every 1 or 5 ms, of which "
            "0 to 30 % fail and are repeated; 0 to 5 % of loss on both, each way, beyond that; 15 s",
    .list = list,
    .measures = {{.name = "of the ceiling", .key = "goodput_bps", .of = LAB_BENCH_OF_CEILING},
                 {.name = "of the best plain path", .key = "goodput_bps", .of = LAB_BENCH_OF_PLAIN},
                 {.name = "of our best path", .key = "goodput_bps", .of = LAB_BENCH_OF_SAME},
                 {.name = "silence (ms)", .key = "max_delivery_gap_us", .unit = 1e3, .less = true}},
    .n_measures = 4,
};
