/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How long transfers of 10 kB to 10 MB take, whichever of the paths comes first. */
#include <stdio.h>

#include "bench/benches/pairs.h"

static const char *const sizes[] = {"10kB", "30kB", "100kB", "300kB", "1MB", "3MB", "10MB"};

static int list(const char *folder, struct lab_bench_points *out, struct lab_error *error)
{
	(void)folder;
	(void)error;
	for (size_t size = 0; size < sizeof(sizes) / sizeof(sizes[0]); size++) {
		for (size_t i = 0; i < 2 * LAB_BENCH_PAIRS; i++) {
			const char *const *paths = lab_bench_pairs[i / 2].paths;
			struct lab_bench_point *point =
			    lab_bench_add(out, sizes[size], "%s %s %s", lab_bench_pairs[i / 2].name,
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
