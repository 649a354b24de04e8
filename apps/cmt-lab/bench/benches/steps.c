/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Links that change while a transfer runs: one step, several, ramps, outages, hand-overs. */
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"

#define LEAST_QUEUE_KB 30.0
#define MAX_CHANGES    12

enum what { RATE = 1, DELAY, DOWN, UP };

/* Factors are of what the path begins with. */
struct change {
	unsigned at_ms;
	int path;
	enum what what; /* 0 = no more */
	double factor;
};

static const struct {
	const char *name;
	struct change changes[MAX_CHANGES];
} cases[] = {
    {"rate up", {{6000, 1, RATE, 4}}},
    {"rate down", {{6000, 1, RATE, 0.25}}},
    {"rate of the slower path up", {{6000, 2, RATE, 4}}},
    {"rate down and up", {{5000, 1, RATE, 0.2}, {10000, 1, RATE, 1}}},
    {"delay up", {{6000, 1, DELAY, 5}}},
    {"delay down", {{6000, 2, DELAY, 0.2}}},
    {"delays change places", {{6000, 1, DELAY, 5}, {6000, 2, DELAY, 0.2}}},
    {"ramp up",
     {{5000, 1, RATE, 1.5},
      {5500, 1, RATE, 2},
      {6000, 1, RATE, 2.5},
      {6500, 1, RATE, 3},
      {7000, 1, RATE, 3.5},
      {7500, 1, RATE, 4}}},
    {"ramp down",
     {{5000, 1, RATE, 0.85},
      {5500, 1, RATE, 0.7},
      {6000, 1, RATE, 0.55},
      {6500, 1, RATE, 0.4},
      {7000, 1, RATE, 0.3},
      {7500, 1, RATE, 0.2}}},
    {"outage", {{6000, 1, DOWN, 0}, {8000, 1, UP, 0}}},
    {"outages one after the other",
     {{5000, 1, DOWN, 0}, {7000, 1, UP, 0}, {10000, 2, DOWN, 0}, {12000, 2, UP, 0}}},
    /* As Starlink's every 15 s: a short silence, then another satellite. */
    {"hand-overs",
     {{4000, 1, DOWN, 0},
      {4150, 1, UP, 0},
      {4150, 1, RATE, 0.5},
      {4150, 1, DELAY, 1.4},
      {9000, 1, DOWN, 0},
      {9150, 1, UP, 0},
      {9150, 1, RATE, 1.3},
      {9150, 1, DELAY, 0.9},
      {14000, 1, DOWN, 0},
      {14150, 1, UP, 0},
      {14150, 1, RATE, 0.8},
      {14150, 1, DELAY, 1.2}}},
};

/* Rates in Mbit/s, delays in ms one way. */
static const struct {
	const char *name;
	double rate_mbit[2], delay_ms[2];
} bases[] = {
    {"phone", {30, 12}, {8, 35}},
    {"uplinks", {8, 4}, {30, 60}},
    {"home", {50, 20}, {10, 15}},
};

/* Times rate x round trip. */
static const double queues[] = {0.5, 2};

static int write_path(size_t base, int path, double queue, const struct change *changes, char *out,
                      size_t out_bytes)
{
	const double mbit = bases[base].rate_mbit[path], ms = bases[base].delay_ms[path];
	double queue_kb = queue * mbit * 2 * ms / 8;
	size_t len;

	queue_kb = queue_kb < LEAST_QUEUE_KB ? LEAST_QUEUE_KB : queue_kb;
	len = (size_t)snprintf(out, out_bytes, "%gMbit/%gms/q=%.0fkB", mbit, ms, queue_kb);
	for (const struct change *c = changes; c < changes + MAX_CHANGES && c->what != 0; c++) {
		if (c->path != path + 1) {
			continue;
		}
		len += (size_t)snprintf(out + len, out_bytes - len, "/at.%ums.", c->at_ms);
		switch (c->what) {
		case RATE:
			len += (size_t)snprintf(out + len, out_bytes - len, "rate=%gMbit", mbit * c->factor);
			break;
		case DELAY:
			len += (size_t)snprintf(out + len, out_bytes - len, "delay=%gms", ms * c->factor);
			break;
		case DOWN: len += (size_t)snprintf(out + len, out_bytes - len, "down=yes"); break;
		case UP: len += (size_t)snprintf(out + len, out_bytes - len, "down=no"); break;
		}
	}
	return (int)len;
}

static void add(struct lab_bench_points *out, size_t which, size_t base, double queue)
{
	struct lab_bench_point *point =
	    lab_bench_add(out, bases[base].name, "%s %s %gBDP", bases[base].name, cases[which].name, queue);
	char paths[2][340];

	for (int p = 0; p < 2; p++) {
		write_path(base, p, queue, cases[which].changes, paths[p], sizeof(paths[p]));
	}
	snprintf(point->scenario, sizeof(point->scenario), "%s,%s,msg=1400,rcvbuf=4MB,duration=18s", paths[0],
	         paths[1]);
}

static int list(const char *networks, struct lab_bench_points *out, struct lab_error *error)
{
	(void)networks;
	(void)error;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (size_t b = 0; b < sizeof(bases) / sizeof(bases[0]); b++) {
			for (size_t q = 0; q < sizeof(queues) / sizeof(queues[0]); q++) {
				add(out, i, b, queues[q]);
			}
		}
	}
	return 0;
}

const struct lab_bench lab_bench_steps = {
    .name = "steps",
    .title = "Benchmark: links that change",
    .what =
        "rate and delay steps, ramps, outages and hand-overs on one of two paths, 18 s, queues of 0.5 and "
        "2 times rate x round trip",
    .list = list,
    .measures = {{.name = "of the ceiling", .key = "goodput_bps", .of = LAB_BENCH_OF_CEILING},
                 {.name = "recovery (ms)", .key = "recovery_us", .unit = 1e3, .less = true},
                 {.name = "silence (ms)", .key = "max_delivery_gap_us", .unit = 1e3, .less = true},
                 {.name = "of the best plain path", .key = "goodput_bps", .of = LAB_BENCH_OF_PLAIN}},
    .n_measures = 4,
};
