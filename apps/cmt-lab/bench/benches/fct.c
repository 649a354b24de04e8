/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How long transfers of 10 kB to 10 MB take, whichever of the paths comes first. */
#include <stdio.h>

#include "bench/bench.h"

static const char *const sizes[] = {"10kB", "30kB", "100kB", "300kB", "1MB", "3MB", "10MB"};

static const struct {
	const char *name, *paths[2];
} networks[] = {
    {"wifi lte", {"30Mbit/8ms/q=100p", "12Mbit/35ms/q=200p"}},
    {"dsl lte", {"16Mbit/12ms/q=100p", "20Mbit/30ms/q=200p"}},
    {"fibre lte", {"100Mbit/5ms/q=200p", "20Mbit/30ms/q=200p"}},
    {"lte satellite", {"12Mbit/35ms/q=200p", "20Mbit/300ms/q=800p"}},
    {"equal", {"10Mbit/20ms/q=60p", "10Mbit/20ms/q=60p"}},
    {"fast slow", {"20Mbit/10ms/q=60p", "500kbit/100ms/q=20p"}},
    {"lossy wifi lte", {"30Mbit/8ms/q=100p/loss=1%", "12Mbit/35ms/q=200p/loss=0.1%"}},
};

static int list(const char *folder, struct lab_bench_points *out, struct lab_error *error)
{
	(void)folder;
	(void)error;
	for (size_t size = 0; size < sizeof(sizes) / sizeof(sizes[0]); size++) {
		for (size_t i = 0; i < 2 * sizeof(networks) / sizeof(networks[0]); i++) {
			const char *const *paths = networks[i / 2].paths;
			struct lab_bench_point *point =
			    lab_bench_add(out, sizes[size], "%s %s %s", networks[i / 2].name,
			                  i % 2 == 0 ? "1-2" : "2-1", sizes[size]);

			snprintf(point->scenario, sizeof(point->scenario),
			         "%s,%s,msg=1400,rcvbuf=4MB,bytes=%s", paths[i % 2], paths[1 - i % 2],
			         sizes[size]);
		}
	}
	return 0;
}

const struct lab_bench lab_bench_fct = {
    .name = "fct",
    .title = "Benchmark: how long transfers take",
    .what =
        "10 kB to 10 MB over seven pairs of paths in either order, from the first message to the last byte "
        "read; the best plain path is the one that is best for this size",
    .list = list,
    .measures =
        {{.name = "faster than the best plain path",
          .key = "duration_us",
          .of = LAB_BENCH_OF_PLAIN,
          .less = true},
         {.name = "faster than our best path", .key = "duration_us", .of = LAB_BENCH_OF_SAME, .less = true},
         {.name = "completion (ms)", .key = "duration_us", .unit = 1e3, .less = true}},
    .n_measures = 3,
};
