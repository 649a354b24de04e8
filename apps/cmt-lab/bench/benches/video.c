/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Frames, 30 a second, each a message: how late they are. */
#include <stdio.h>

#include "bench/bench.h"

#define FRAMES_PER_S 30

static const struct {
	const char *name, *paths[2];
	double mbit; /* of both, payload or so */
} networks[] = {
    {"phone", {"30Mbit/8ms/q=100p/jitter=exp:2ms/loss=0.2%", "12Mbit/35ms/q=200p/jitter=exp:4ms"}, 40},
    {"uplinks", {"4Mbit/30ms/q=100p/loss=0.5%", "8Mbit/60ms/q=200p/loss=0.1%"}, 11},
    {"bursts", {"10Mbit/15ms/q=60p/ge=0.2%:20%:50%", "10Mbit/25ms/q=60p"}, 19},
    {"outage", {"10Mbit/15ms/q=60p/down=8s-10s", "10Mbit/40ms/q=100p"}, 19},
    {"rate falls", {"12Mbit/15ms/q=100p/at.8s.rate=3Mbit", "8Mbit/40ms/q=100p"}, 19},
    {"satellite", {"20Mbit/40ms/q=100p", "20Mbit/300ms/q=800p"}, 38},
};

/* Of what both paths carry. */
static const double loads[] = {0.2, 0.4, 0.6, 0.8};

static int list(const char *folder, struct lab_bench_points *out, struct lab_error *error)
{
	(void)folder;
	(void)error;
	for (size_t i = 0; i < sizeof(networks) / sizeof(networks[0]); i++) {
		for (size_t k = 0; k < sizeof(loads) / sizeof(loads[0]); k++) {
			const double bps = networks[i].mbit * 1e6 * loads[k];
			struct lab_bench_point *point = lab_bench_add(out, networks[i].name, "%s %.0f%%",
			                                              networks[i].name, 100 * loads[k]);

			snprintf(point->scenario, sizeof(point->scenario),
			         "%s,%s,msg=%.0f,rcvbuf=4MB,duration=20s,source=cbr:%.0fkbit",
			         networks[i].paths[0], networks[i].paths[1], bps / 8 / FRAMES_PER_S,
			         bps / 1e3);
		}
	}
	return 0;
}

const struct lab_bench lab_bench_video = {
    .name = "video",
    .title = "Benchmark: frames of a video call",
    .what = "30 frames a second for 20 s at 20 to 80 % of what two paths carry; late is later than 150 ms "
            "(ITU-T G.114) after the frame was due",
    .list = list,
    .measures = {{.name = "frames in time", .key = "on_time_ratio"},
                 {.name = "median delay (ms)", .key = "latency_p50_us", .unit = 1e3, .less = true},
                 {.name = "95th percentile (ms)", .key = "latency_p95_us", .unit = 1e3, .less = true},
                 {.name = "longest (ms)", .key = "latency_max_us", .unit = 1e3, .less = true},
                 {.name = "95th percentile, times less than the best plain path",
                  .key = "latency_p95_us",
                  .of = LAB_BENCH_OF_PLAIN,
                  .less = true}},
    .n_measures = 5,
};
