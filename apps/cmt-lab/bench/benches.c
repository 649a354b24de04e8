/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which benchmarks there are, and how much of each the samples have. */
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"

static const struct {
	const struct lab_bench *bench;
	struct {
		size_t points;       /* 0 = none */
		const char *set;     /* on top of each point's settings */
		const char *without; /* leave out points that have this in their name */
	} quick, guard;
} benches[] = {
    {&lab_bench_conext17, {160, NULL, "200MB"}, {0}},
    {&lab_bench_wifi_cellular, {15, "duration=30s", NULL}, {0}},
    {&lab_bench_starlink_cellular, {2, "duration=20s", NULL}, {0}},
    {&lab_bench_mahimahi, {12, "duration=60s", NULL}, {0}},
    {&lab_bench_steps, {48, NULL, NULL}, {8, NULL, NULL}},
    {&lab_bench_shared, {18, NULL, NULL}, {6, NULL, NULL}},
    {&lab_bench_aqm, {16, NULL, NULL}, {5, "duration=8s", NULL}},
    {&lab_bench_radio, {18, NULL, NULL}, {5, "duration=8s", NULL}},
    {&lab_bench_fct, {98, NULL, NULL}, {24, NULL, "10MB"}},
    {&lab_bench_pages, {28, NULL, NULL}, {8, NULL, NULL}},
    {&lab_bench_video, {24, NULL, NULL}, {6, NULL, NULL}},
    {&lab_bench_encoder, {27, "duration=60s", NULL}, {0}},
    {&lab_bench_metered, {24, NULL, "starlink"}, {0}},
};

#define N_BENCHES (sizeof(benches) / sizeof(benches[0]))

const struct lab_bench *lab_bench(size_t i)
{
	return i < N_BENCHES ? benches[i].bench : NULL;
}

const struct lab_bench *lab_bench_by_name(const char *name)
{
	for (size_t i = 0; i < N_BENCHES; i++) {
		if (strcmp(benches[i].bench->name, name) == 0) {
			return benches[i].bench;
		}
	}
	return NULL;
}

static void take_sample(struct lab_bench_points *all, size_t n, const char *set, const char *without)
{
	lab_bench_choose(all, n, without);
	for (size_t i = 0; set != NULL && i < all->n; i++) {
		char *settings = all->points[i].settings;
		size_t len = strlen(settings);

		snprintf(settings + len, sizeof(all->points[i].settings) - len, "%s%s", len > 0 ? " " : "",
		         set);
	}
}

int lab_bench_points(const struct lab_bench *b, enum lab_bench_sample sample, const char *networks,
                     struct lab_bench_points *out, struct lab_error *error)
{
	size_t i = 0;

	*out = (struct lab_bench_points){.n = 0};
	while (benches[i].bench != b) {
		i++;
	}
	if (sample == LAB_BENCH_GUARD && benches[i].guard.points == 0) {
		return 0;
	}
	if (b->list(networks, out, error) != 0) {
		return -1;
	}
	switch (sample) {
	case LAB_BENCH_ALL:
	case LAB_BENCH_SAMPLES: break;
	case LAB_BENCH_QUICK:
		take_sample(out, benches[i].quick.points, benches[i].quick.set, benches[i].quick.without);
		break;
	case LAB_BENCH_GUARD:
		take_sample(out, benches[i].guard.points, benches[i].guard.set, benches[i].guard.without);
		break;
	}
	return 0;
}
