/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Video over recorded links, the second of which costs something: how much of it goes there, beside how
 * little would do for whoever knew what the links are going to carry. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "measure/metered.h"
#include "scenario/ceiling.h"
#include "setup/run_settings.h"

#define BUFFER_S  4u
#define LONGEST_S 60.0

/* Of what the free link carries on average: it cannot always, and it cannot. */
static const double loads[] = {0.8, 1.2};

static const struct {
	const char *name;
	bool live; /* else all of it is there from the beginning */
} kinds[] = {{"live", true}, {"stored", false}};

/* A stream over a network. */
struct stream {
	const struct lab_bench_point *network;
	const struct lab_scenario *links;
	double load, bps, seconds;
	bool live;
	const char *kind;
};

/* Whether both links together can play it without a stall. */
static bool can_be_played(const struct stream *t)
{
	const struct lab_stream stream = {.startup_us = BUFFER_S * 1000000u + t->links->links[0][0].delay_us,
	                                  .made_bps = t->live ? t->bps : 0,
	                                  .play_bps = t->bps,
	                                  .bytes = t->bps / 8 * t->seconds};

	return lab_stream_late_bytes(t->links, true, &stream, true) == 0;
}

static void add_stream(struct lab_bench_points *out, const struct stream *t)
{
	struct lab_bench_point *point =
	    lab_bench_add(out, t->kind, "%s %s %.0f%%", t->kind, t->network->name, 100 * t->load);
	char load[80];

	if (t->live) {
		snprintf(load, sizeof(load), "source=cbr:%.0fkbit,duration=%.0fs", t->bps / 1e3, t->seconds);
	} else {
		snprintf(load, sizeof(load), "bytes=%.0fkB", t->bps / 8e3 * t->seconds);
	}
	snprintf(point->scenario, sizeof(point->scenario),
	         "%.500s,path.2.cost=1,play=%.0fkbit:%us,play_told=yes,%s", t->network->scenario,
	         t->bps / 1e3, BUFFER_S, load);
	snprintf(point->settings, sizeof(point->settings), "%s", t->network->settings);
}

static int add_streams(struct lab_bench_points *out, const struct lab_bench_point *network,
                       struct lab_error *error)
{
	struct lab_run run = {.only_path = -1};
	struct stream t = {.network = network, .links = &run.scenario};
	struct lab_span span = {.from_us = 0};
	double carried_bps;

	if (lab_scenario_load(&run.scenario, network->scenario, error) != 0 ||
	    lab_run_settings(&run, network->settings, error) != 0) {
		return -1;
	}
	t.seconds = fmin(LONGEST_S, (double)run.scenario.duration_us / 1e6);
	span.until_us = (uint64_t)(t.seconds * 1e6);
	carried_bps = lab_ceiling_over_bps(&run.scenario, 0, true, span);
	for (size_t i = 0; i < sizeof(loads) / sizeof(loads[0]); i++) {
		t.load = loads[i];
		t.bps = floor(carried_bps * t.load / 1e3) * 1e3;
		for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
			t.live = kinds[k].live;
			t.kind = kinds[k].name;
			if (can_be_played(&t)) {
				add_stream(out, &t);
			}
		}
	}
	return 0;
}

static int list(const char *networks, struct lab_bench_points *out, struct lab_error *error)
{
	struct lab_bench_points links = {.n = 0};
	int rc = lab_bench_wifi_cellular.list(networks, &links, error) != 0 ||
	                 lab_bench_mahimahi.list(networks, &links, error) != 0 ||
	                 lab_bench_starlink_cellular.list(networks, &links, error) != 0
	             ? -1
	             : 0;

	for (size_t i = 0; rc == 0 && i < links.n; i++) {
		rc = add_streams(out, &links.points[i], error);
	}
	free(links.points);
	return rc;
}

const struct lab_bench lab_bench_metered = {
    .name = "metered",
    .title = "Benchmark: video with a link that costs something",
    .what = "a stream of 0.8 and 1.2 of what the first link carries, up to 60 s, that a player with 4 s "
            "buffered plays, of which the sender's stack is told: live, or stored, on those networks of "
            "wifi-cellular, mahimahi and "
            "starlink-cellular where both links together play it without a stall; the second link costs",
    .recorded = true,
    .list = list,
    .measures = {{.name = "needed, of what went over the costly link", .key = "metered_needed"},
                 {.name = "stalls", .key = "play_stalls", .less = true},
                 {.name = "stalled (ms)", .key = "play_stalled_us", .unit = 1e3, .less = true},
                 {.name = "over the costly link, of the stream", .key = "metered_part", .less = true},
                 {.name = "the least there, of the stream", .key = "metered_least_part", .less = true},
                 {.name = "start-up (ms)", .key = "play_startup_us", .unit = 1e3, .less = true}},
    .n_measures = 6,
};
