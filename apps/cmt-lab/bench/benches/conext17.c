/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The networks of De Coninck, Bonaventure, "Multipath QUIC" (CoNEXT 2017): a line is two paths with rate
 * (Mbit/s), one-way delay (ms), queue (seconds of the rate) and loss (%). */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"

#define LEAST_QUEUE_KB 3.0 /* two packets */

static const char *const classes[] = {"low-bdp", "low-bdp-loss", "high-bdp", "high-bdp-loss"};
static const char *const sizes[] = {"256kB", "20MB", "200MB"};

struct path {
	double rate_mbit, delay_ms, queue_s, loss_percent;
};

static int write_path(const struct path *p, char *out, size_t out_bytes)
{
	double queue_kb = ceil(p->rate_mbit * 1e3 * p->queue_s / 8);

	return snprintf(out, out_bytes, "%.2fMbit/%.1fms/q=%.0fkB/loss=%.2f%%", p->rate_mbit, p->delay_ms,
	                queue_kb < LEAST_QUEUE_KB ? LEAST_QUEUE_KB : queue_kb, p->loss_percent);
}

static void add_pair(struct lab_bench_points *out, const char *of_class, unsigned number,
                     const struct path pair[2])
{
	char text[2][120];

	for (int p = 0; p < 2; p++) {
		write_path(&pair[p], text[p], sizeof(text[p]));
	}
	for (size_t size = 0; size < sizeof(sizes) / sizeof(sizes[0]); size++) {
		for (int first = 0; first < 2; first++) {
			struct lab_bench_point *point =
			    lab_bench_add(out, of_class, "%s %u %s %s", of_class, number,
			                  first == 0 ? "1-2" : "2-1", sizes[size]);

			snprintf(point->scenario, sizeof(point->scenario),
			         "%s,%s,rcvbuf=6MB,msg=1400,bytes=%s", text[first], text[1 - first],
			         sizes[size]);
		}
	}
}

static int read_class(const char *networks, const char *of_class, struct lab_bench_points *out,
                      struct lab_error *error)
{
	char path[400], line[200];
	struct path pair[2];
	unsigned number = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%.300s/conext17/%s.csv", networks, of_class);
	file = fopen(path, "r");
	if (file == NULL) {
		snprintf(error->text, sizeof(error->text), "%s: %s", path, strerror(errno));
		return -1;
	}
	while (fgets(line, sizeof(line), file) != NULL) {
		int n = sscanf(line, "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", &pair[0].rate_mbit, &pair[0].delay_ms,
		               &pair[0].queue_s, &pair[0].loss_percent, &pair[1].rate_mbit, &pair[1].delay_ms,
		               &pair[1].queue_s, &pair[1].loss_percent);

		if (n == 8) {
			add_pair(out, of_class, ++number, pair);
		}
	}
	fclose(file);
	if (number == 0) {
		snprintf(error->text, sizeof(error->text), "%s: no line with eight numbers", path);
		return -1;
	}
	return 0;
}

static int list(const char *networks, struct lab_bench_points *out, struct lab_error *error)
{
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		if (read_class(networks, classes[i], out, error) != 0) {
			return -1;
		}
	}
	return 0;
}

const struct lab_bench lab_bench_conext17 = {
    .name = "conext17",
    .title = "Benchmark: the networks of Multipath QUIC",
    .what = "253 pairs of paths in each of four classes, both orders (De Coninck, Bonaventure, CoNEXT 2017), "
            "256 kB, 20 MB and 200 MB; loss in both directions, receive buffer 6 MB",
    .recorded = true,
    .list = list,
    .measures = {{.name = "benefit (EBen)", .key = "goodput_bps", .of = LAB_BENCH_BENEFIT},
                 {.name = "of the ceiling", .key = "goodput_bps", .of = LAB_BENCH_OF_CEILING},
                 {.name = "of the best plain path", .key = "goodput_bps", .of = LAB_BENCH_OF_PLAIN},
                 {.name = "of our best path", .key = "goodput_bps", .of = LAB_BENCH_OF_SAME},
                 {.name = "silence (ms)", .key = "max_delivery_gap_us", .unit = 1e3, .less = true}},
    .n_measures = 5,
};
