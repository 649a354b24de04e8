/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A film of 6 Mbit/s over two paths: what its viewer waits for. */
#include "figures/plans/plans.h"

#define SERIES                                                                                               \
	{                                                                                                    \
		{.scheduler = "stock", .label = "stock CMT"}, {.scheduler = "rr"}, {.scheduler = "lcm"},     \
		    {.scheduler = "arrival"}, {.scheduler = "auto"},                                         \
		    {.scheduler = "stock", .label = "path 1 alone", .set = "only_path=1"},                   \
	}

#define STORED "stored, as fast as the paths take it"
#define LIVE   "live, as it is made"

#define KINDS                                                                                                \
	{                                                                                                    \
		.title = "film",                                                                             \
		.values = {{.label = STORED, .set = "play=6Mbit:1s"},                                        \
		           {.label = LIVE, .set = "source=cbr:6Mbit play=6Mbit:300ms"}},                     \
	}

#define WAIT                                                                                                 \
	{                                                                                                    \
		.title = "start-up without a later stall (s)", .key = "play_wait_us", .factor = 1e-6,        \
		.from = 0.01, .log = true, .decimals = 3, .bound_key = "bpt_bound_us",                       \
		.bound_label = "bound: Eq. 8 of Yabandeh et al."                                             \
	}
#define STALLED                                                                                              \
	{                                                                                                    \
		.title = "picture stands still in 30 s (s)", .key = "play_stalled_us", .factor = 1e-6,       \
		.decimals = 2                                                                                \
	}
#define STALLS                                                                                               \
	{                                                                                                    \
		.title = "stalls in 30 s", .key = "play_stalls", .decimals = 1, .not_drawn = true            \
	}
#define STARTUP                                                                                              \
	{                                                                                                    \
		.title = "start of the player (s)", .key = "play_startup_us", .factor = 1e-6, .decimals = 2, \
		.not_drawn = true                                                                            \
	}

#define NOTE                                                                                                 \
	"30 s of film, receive buffer 256 kB. Above: the least time that a player must wait at first so "    \
	"that it "                                                                                           \
	"never runs dry; below: how long the picture stands still with a player that starts, and goes on "   \
	"after a stall, with 1 s of film (stored) or 300 ms (live). A path that carries less than the film " \
	"needs all of the rest as start-up."

/* At three quarters of the capacity. */
#define ARRIVAL_AT(kind) .x = {"75 %"}, .y = {kind}, .series = {"arrival"}
#define STARTS_SOONER(what, kind)                                                                            \
	{                                                                                                    \
		.text = "ours: sooner without a stall, " what,                                               \
		.test = "arrival: start-up at 75 % below stock CMT's", ARRIVAL_AT(kind),                     \
		.relation = LAB_CLAIM_BELOW, .than = {                                                       \
			"stock CMT"                                                                          \
		}                                                                                            \
	}
#define STANDS_STILL_NEVER(what, kind)                                                                       \
	{                                                                                                    \
		.text = "ours: no stall at 75 %, " what,                                                     \
		.test = "arrival: the picture stands still for at most 1 ms", .metric = 1, ARRIVAL_AT(kind), \
		.relation = LAB_CLAIM_AT_MOST, .factor = 0.001                                               \
	}
#define CLAIMS                                                                                               \
	{                                                                                                    \
		STARTS_SOONER("stored", STORED), STARTS_SOONER("live", LIVE),                                \
		    STANDS_STILL_NEVER("stored", STORED), STANDS_STILL_NEVER("live", LIVE),                  \
	}

const struct lab_plan lab_plans_video[] = {
    {
        .name = "video-wifi-lte",
        .what = "A film of 6 Mbit/s over WLAN and LTE, divided as in wifi-lte",
        .claim = "Ours: up to 75 % of the capacity no stall, and a start-up near the bound.",
        .note = "Links 2.5 : 1, 8 ms with jitter 3 ms and 0.2 % loss, 35 ms with jitter 8 ms. " NOTE,
        .kind = LAB_PLAN_LINES,
        .scenario = "wifi-lte",
        .set = "bytes=22.5MB rcvbuf=256kB",
        .series = SERIES,
        .x = {.title = "film / capacity of both links",
              .values = {{.label = "50 %", .set = "path.1.rate=8571kbit path.2.rate=3429kbit"},
                         {.label = "60 %", .set = "path.1.rate=7143kbit path.2.rate=2857kbit"},
                         {.label = "75 %", .set = "path.1.rate=5714kbit path.2.rate=2286kbit"},
                         {.label = "85 %", .set = "path.1.rate=5042kbit path.2.rate=2017kbit"}}},
        .y = KINDS,
        .metrics = {WAIT, STALLED, STALLS, STARTUP},
        .claims = CLAIMS,
    },
    {
        .name = "video-sarwar2",
        .what = "A film of 6 Mbit/s over a fast and a far path, divided as in sarwar2",
        .claim = "Ours: up to 75 % of the capacity no stall, and a start-up near the bound.",
        .note = "Links 10 : 1, 10 ms and 100 ms. " NOTE,
        .kind = LAB_PLAN_LINES,
        .scenario = "sarwar2",
        .set = "msg=1400 bytes=22.5MB rcvbuf=256kB",
        .series = SERIES,
        .x = {.title = "film / capacity of both links",
              .values = {{.label = "50 %", .set = "path.1.rate=10909kbit path.2.rate=1091kbit"},
                         {.label = "60 %", .set = "path.1.rate=9091kbit path.2.rate=909kbit"},
                         {.label = "75 %", .set = "path.1.rate=7273kbit path.2.rate=727kbit"},
                         {.label = "85 %", .set = "path.1.rate=6417kbit path.2.rate=642kbit"}}},
        .y = KINDS,
        .metrics = {WAIT, STALLED, STALLS, STARTUP},
        .claims = CLAIMS,
    },
    {.name = NULL},
};
