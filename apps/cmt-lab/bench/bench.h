/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bench.h - benchmarks as data: many networks, what is measured on each, and what that is compared with.
 *
 * A benchmark is a table in a file of benches/, and a function there that lists its networks. Networks are
 * text, as the command line takes it, so that every one can be run again by hand. */
#ifndef LAB_BENCH_H
#define LAB_BENCH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

#define LAB_BENCH_MEASURES 6

struct lab_bench_point {
	char group[32]; /* curve of the picture */
	char name[96];
	char scenario[760]; /* as lab_scenario_load() takes it */
	char settings[600]; /* on top, as lab_run_settings() takes it; keys of a scenario only */
	double weight;
};

struct lab_bench_points {
	struct lab_bench_point *points; /* the caller frees them */
	size_t n;
};

/* What a value is. */
enum lab_bench_of {
	LAB_BENCH_ITSELF,     /* the key of the result, divided by the unit */
	LAB_BENCH_OF_CEILING, /* goodput over the ceiling of all paths without CMT-TIMESTAMP */
	LAB_BENCH_OF_PLAIN,   /* how many times as good as plain SCTP on the best path for it */
	LAB_BENCH_OF_SAME,    /* how many times as good as the same stack on the best path for it */
	LAB_BENCH_BENEFIT,    /* lab_aggregation_benefit() over the same stack on each path */
	/* Beside competitors on one path: goodput over a fair share of what that path carries, and, of ours,
	 * of everything else. */
	LAB_BENCH_FAIR_OURS,
	LAB_BENCH_FAIR_THEIRS,
	LAB_BENCH_FAIR /* the smaller of both, 1 at most */
};

struct lab_bench_measure {
	const char *name;
	const char *key; /* of the result, as lab_summarise() takes it */
	enum lab_bench_of of;
	double unit; /* 0 = 1 */
	bool less;   /* of LAB_BENCH_ITSELF: less is better; of the two after OF_CEILING: of the key */
};

struct lab_bench {
	const char *name, *title;
	const char *what; /* networks, load, and what is known of others on them */
	bool recorded;    /* the networks are files of the folder of networks */
	int (*list)(const char *networks, struct lab_bench_points *out, struct lab_error *error);
	struct lab_bench_measure
	    measures[LAB_BENCH_MEASURES]; /* the first one is the score: more is better */
	unsigned n_measures;
};

extern const struct lab_bench lab_bench_conext17, lab_bench_wifi_cellular, lab_bench_starlink_cellular,
    lab_bench_mahimahi, lab_bench_steps, lab_bench_shared, lab_bench_aqm, lab_bench_radio, lab_bench_fct,
    lab_bench_pages, lab_bench_video, lab_bench_encoder, lab_bench_metered;

/* NULL past the last; NULL when there is none of that name. */
const struct lab_bench *lab_bench(size_t i);
const struct lab_bench *lab_bench_by_name(const char *name);

/* All networks, a few to steer by, or fewer still, to notice when something got worse. */
enum lab_bench_sample { LAB_BENCH_ALL, LAB_BENCH_QUICK, LAB_BENCH_GUARD, LAB_BENCH_SAMPLES };

/* The networks of a sample; none where it leaves the benchmark out. `networks` is the folder of recorded
 * networks. 0, or -1 with the reason. */
int lab_bench_points(const struct lab_bench *b, enum lab_bench_sample sample, const char *networks,
                     struct lab_bench_points *out, struct lab_error *error);

/* Adds a point of weight 1 without settings; its name as by printf. */
struct lab_bench_point *lab_bench_add(struct lab_bench_points *all, const char *group, const char *name, ...)
    __attribute__((format(printf, 3, 4)));

/* Pure: keeps `n` points that do not have `without` in their name, spread over the list: number i is at the
 * place of the fractional part of 1/2 + i x golden ratio, or the next one that is not taken. */
void lab_bench_choose(struct lab_bench_points *all, size_t n, const char *without);

#endif
