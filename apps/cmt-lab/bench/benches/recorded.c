/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/benches/recorded.h"

#include <stdio.h>
#include <string.h>

#include "scenario/scenario.h"

#define LEAST_QUEUE_BYTES 30000.0

/* Mean rate and length of a recording. */
static int look_at(const char *path, double *bps, double *seconds, struct lab_error *error)
{
	struct lab_scenario s;

	lab_scenario_init(&s);
	if (lab_scenario_set(&s, "path.1.trace", path, error) != 0) {
		return -1;
	}
	*bps = (double)s.links[0][0].rate_bps;
	*seconds = (double)s.links[0][0].rates->period_us / 1e6;
	return 0;
}

static int add_link(struct lab_bench_point *point, const char *networks, int number,
                    const struct lab_recorded_link *link, double *seconds, struct lab_error *error)
{
	const char *files[2] = {link->forward, link->back == NULL ? link->forward : link->back};
	static const char *const directions[2] = {"forward", "back"};

	for (int d = 0; d < 2; d++) {
		size_t len = strlen(point->settings);
		double bps, its_seconds, bytes;
		char path[300];

		snprintf(path, sizeof(path), "%.200s/%.90s", networks, files[d]);
		if (look_at(path, &bps, &its_seconds, error) != 0) {
			return -1;
		}
		bytes = bps / 8e3 * link->queue_ms;
		*seconds = its_seconds < *seconds ? its_seconds : *seconds;
		snprintf(point->settings + len, sizeof(point->settings) - len,
		         "%spath.%d.%s.trace=%s path.%d.%s.queue=%.0fkB", len > 0 ? " " : "", number,
		         directions[d], path, number, directions[d],
		         (bytes < LEAST_QUEUE_BYTES ? LEAST_QUEUE_BYTES : bytes) / 1e3);
	}
	return 0;
}

int lab_bench_add_recorded(struct lab_bench_points *out, const char *networks, const char *group,
                           const struct lab_recorded_link *const links[2], const char *load,
                           struct lab_error *error)
{
	struct lab_bench_point *point = lab_bench_add(out, group, "%s %s", links[0]->name, links[1]->name);
	double seconds = 1e6;

	for (int p = 0; p < 2; p++) {
		if (add_link(point, networks, p + 1, links[p], &seconds, error) != 0) {
			return -1;
		}
	}
	/* The rates are those of the recordings. */
	snprintf(point->scenario, sizeof(point->scenario), "1Mbit/%ums,1Mbit/%ums,msg=1400,%s,duration=%.0fs",
	         links[0]->delay_ms, links[1]->delay_ms, load, seconds);
	return 0;
}
