/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How long pages take: short waves, with a pause of a round trip between them. */
#include <stdio.h>

#include "bench/benches/pairs.h"

static const struct {
	const char *name, *bytes, *source;
} pages[] = {
    {"small", "300kB", "page:3"},
    {"usual", "2MB", "page:4"},
    {"large", "6MB", "page:6"},
};

static int list(const char *folder, struct lab_bench_points *out, struct lab_error *error)
{
	(void)folder;
	(void)error;
	for (size_t page = 0; page < sizeof(pages) / sizeof(pages[0]); page++) {
		for (size_t i = 0; i < 2 * LAB_BENCH_PAIRS; i++) {
			const char *const *paths = lab_bench_pairs[i / 2].paths;
			struct lab_bench_point *point =
			    lab_bench_add(out, pages[page].name, "%s %s %s", lab_bench_pairs[i / 2].name,
			                  i % 2 == 0 ? "1-2" : "2-1", pages[page].name);

			snprintf(point->scenario, sizeof(point->scenario),
			         "%s,%s,msg=1400,rcvbuf=4MB,bytes=%s,source=%s", paths[i % 2],
			         paths[1 - i % 2], pages[page].bytes, pages[page].source);
		}
	}
	return 0;
}

const struct lab_bench lab_bench_pages = {
    .name = "pages",
    .title = "Benchmark: pages",
    .what = "300 kB in 3 waves, 2 MB in 4, 6 MB in 6, each twice the one before and asked for when that was read, "
            "over seven pairs of paths in either order; the best plain path is the one that is best for this page",
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
