/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Wang, Liao, Li 2013 (OSIA): figures 7, 8 and 9; 7 and 8 also with the cross traffic and the bit errors of
 * section 5.1. */
#include "figures/plans/plans.h"

#define SERIES                                                                                               \
	{                                                                                                    \
		{.scheduler = "rr"}, {.scheduler = "cwnd"}, {.scheduler = "flow"}, {.scheduler = "osia"},    \
		    {.scheduler = "lcm"}, {.scheduler = "arrival"}, {.scheduler = "auto"},                   \
	}

#define DELAYS                                                                                               \
	{                                                                                                    \
		.title = "delay ratio D2/D1",                                                                \
		.values = {{.label = "0.5", .set = "path.2.delay=25ms"},                                     \
		           {.label = "1", .set = "path.2.delay=50ms"},                                       \
		           {.label = "2", .set = "path.2.delay=100ms"},                                      \
		           {.label = "3", .set = "path.2.delay=150ms"},                                      \
		           {.label = "4", .set = "path.2.delay=200ms"}},                                     \
	}

#define RATES                                                                                                \
	{                                                                                                    \
		.title = "bandwidth ratio BW2/BW1",                                                          \
		.values = {{.label = "0.5", .set = "path.2.rate=0.5Mbit"},                                   \
		           {.label = "1", .set = "path.2.rate=1Mbit"},                                       \
		           {.label = "2", .set = "path.2.rate=2Mbit"},                                       \
		           {.label = "3", .set = "path.2.rate=3Mbit"},                                       \
		           {.label = "4", .set = "path.2.rate=4Mbit"}},                                      \
	}

#define DUPACKS                                                                                              \
	{                                                                                                    \
		.title = "3-dupACK events", .key = "three_dupack_events", .decimals = 0, .log = true         \
	}
#define OF_CEILING                                                                                           \
	{                                                                                                    \
		.title = "goodput (% of ceiling)", .key = "goodput_ratio", .factor = 100, .decimals = 1      \
	}
#define GOODPUT                                                                                              \
	{                                                                                                    \
		.title = "goodput (Mbit/s)", .key = "goodput_bps", .factor = 1e-6, .decimals = 2,            \
		.bound_key = "ceiling_bps", .from = 2, .bound_label = "ceiling"                              \
	}

#define NOTE                                                                                                 \
	"500 messages of 1000 bytes, path 1: 1 Mbit/s 50 ms, receive buffer 1 MB, without the paper's "      \
	"cross "                                                                                             \
	"traffic and bit errors: what is out of order is the scheduler's doing."

/* Section 5.1: half of path 1 for half of the time, and a bit in 50 000. */
#define CROSS  "pareto:500:8ms:505ms:505ms"
#define ERRORS "2e-5"
#define ROUGH                                                                                                \
	"path.1.cross=" CROSS " path.2.cross=" CROSS " path.1.bit_error=" ERRORS " path.2.bit_error=" ERRORS

const struct lab_plan lab_plans_osia[] = {
    {
        .name = "osia-fig7",
        .what = "Wang et al. (OSIA), Figure 7: 3-dupACK events over delay and bandwidth ratio",
        .claim = "The paper: round robin \"causes a lot of 3 dupACKs events\", CWND-aware scheduling fewer; "
                 "flow-level and OSIA are \"comparable\": reordering events \"are considerably prevented\".",
        .note = NOTE,
        .kind = LAB_PLAN_GRID,
        .scenario = "osia-base",
        .series = SERIES,
        .x = DELAYS,
        .y = RATES,
        .metrics = {DUPACKS, OF_CEILING},
        .claims = {{.text = "round robin \"causes a lot\": events, mean of the grid",
                    .series = "rr",
                    .relation = LAB_PLAN_ABOVE,
                    .than = "osia"},
                   {.text = "CWND-aware \"can lessen\" them: events, mean of the grid",
                    .series = "cwnd",
                    .relation = LAB_PLAN_BELOW,
                    .than = "rr"},
                   {.text = "OSIA \"considerably prevents\": grid points without any event; at least 95 %",
                    .of = LAB_PLAN_ZEROS,
                    .series = "osia",
                    .relation = LAB_PLAN_ABOVE,
                    .factor = 94.9},
                   {.text = "the same for arrival (ours): grid points without any event; at least 95 %",
                    .of = LAB_PLAN_ZEROS,
                    .series = "arrival",
                    .relation = LAB_PLAN_ABOVE,
                    .factor = 94.9},
                   {.text = "most events of a grid point", .of = LAB_PLAN_MOST}},
    },
    {
        .name = "osia-fig8",
        .what = "Wang et al. (OSIA), Figure 8: goodput over delay and bandwidth ratio",
        .claim =
            "The paper: round robin's goodput \"increases much slow\", CWND-aware falls \"when the paths "
            "have different delays\", flow-level cannot leave a congested path; OSIA \"succeeds in "
            "splitting\" at every ratio.",
        .note =
            NOTE " A transfer of 500 kB is over within seconds, so that slow start costs a good part of it.",
        .kind = LAB_PLAN_GRID,
        .scenario = "osia-base",
        .series = SERIES,
        .x = DELAYS,
        .y = RATES,
        .metrics = {OF_CEILING, GOODPUT, DUPACKS},
        .claims = {{.text = "OSIA above round robin: goodput (% of ceiling), mean of the grid",
                    .series = "osia",
                    .relation = LAB_PLAN_ABOVE,
                    .than = "rr"},
                   {.text = "CWND-aware falls with different delays: goodput, delay ratio 4 (% of ceiling)",
                    .x = "4",
                    .series = "osia",
                    .relation = LAB_PLAN_ABOVE,
                    .than = "cwnd"},
                   {.text = "\"poor accuracy of flow splitting\": goodput (% of ceiling), mean of the grid",
                    .series = "osia",
                    .relation = LAB_PLAN_ABOVE,
                    .than = "flow"},
                   {.text = "worst point of the grid (% of ceiling)", .of = LAB_PLAN_LEAST}},
    },
    {
        .name = "osia-fig9",
        .what = "Wang et al. (OSIA), Figure 9: goodput over the number of paths",
        .claim =
            "The paper: 4 Mbit/s in all; round robin is the smallest, CWND-aware and flow-level lose with "
            "more paths, OSIA splits over paths whose delays differ by 80 ms \"without hurting the "
            "overall goodput\".",
        .note = "Table 1's paths, 20 s, receive buffer 1 MB, no cross traffic.",
        .kind = LAB_PLAN_LINES,
        .scenario = "osia-paths1",
        .series = SERIES,
        .x = {.title = "number of paths",
              .values = {{.label = "1", .scenario = "osia-paths1"},
                         {.label = "2", .scenario = "osia-paths2"},
                         {.label = "3", .scenario = "osia-paths3"},
                         {.label = "4", .scenario = "osia-paths4"}}},
        .metrics = {GOODPUT,
                    {.title = "3-dupACK events", .key = "three_dupack_events", .decimals = 0},
                    {.title = "goodput (% of ceiling)",
                     .key = "goodput_ratio",
                     .factor = 100,
                     .decimals = 1,
                     .not_drawn = true}},
        .claims = {{.text = "round robin is \"the smallest\": goodput with 4 paths (Mbit/s)",
                    .x = "4",
                    .series = "rr",
                    .relation = LAB_PLAN_BELOW,
                    .than = "osia"},
                   {.text =
                        "OSIA \"without hurting\": least goodput, 1 to 4 paths (% of ceiling); at least 95",
                    .metric = 2,
                    .of = LAB_PLAN_LEAST,
                    .series = "osia",
                    .relation = LAB_PLAN_ABOVE,
                    .factor = 95},
                   {.text = "the same for arrival (ours); at least 95",
                    .metric = 2,
                    .of = LAB_PLAN_LEAST,
                    .series = "arrival",
                    .relation = LAB_PLAN_ABOVE,
                    .factor = 95},
                   {.text = "3-dupACK events with 4 paths", .metric = 1, .x = "4"}},
    },
    {
        .name = "osia-cross",
        .what =
            "Wang et al. (OSIA), Figures 7 and 8 with cross traffic and bit errors: goodput, 3-dupACK events",
        .claim =
            "The paper, whose Figures 7 and 8 are with both: round robin's goodput \"increases much slow\", "
            "OSIA \"succeeds in splitting\" and events \"are considerably prevented\".",
        .note =
            "500 messages of 1000 bytes, path 1: 1 Mbit/s 50 ms, receive buffer 1 MB. On both paths 500 "
            "bytes every 8 ms, on and off for 505 ms (Pareto), and bit errors, which lose a packet in six: "
            "that is what limits every scheduler, and most events are losses.",
        .kind = LAB_PLAN_GRID,
        .scenario = "osia-base",
        .set = ROUGH,
        .series = SERIES,
        .x = DELAYS,
        .y = RATES,
        .metrics = {{.title = "goodput (Mbit/s)", .key = "goodput_bps", .factor = 1e-6, .decimals = 3},
                    DUPACKS,
                    {.title = "fast retransmissions", .key = "fast_retransmits", .decimals = 0}},
        .claims = {{.text = "OSIA above round robin: goodput (Mbit/s), mean of the grid",
                    .series = "osia",
                    .relation = LAB_PLAN_ABOVE,
                    .than = "rr"},
                   {.text = "OSIA above CWND-aware: goodput (Mbit/s), mean of the grid",
                    .series = "osia",
                    .relation = LAB_PLAN_ABOVE,
                    .than = "cwnd"},
                   {.text = "OSIA \"considerably prevents\": 3-dupACK events, mean of the grid",
                    .metric = 1,
                    .series = "osia",
                    .relation = LAB_PLAN_BELOW,
                    .than = "rr"},
                   {.text = "fast retransmissions, mean of the grid", .metric = 2}},
    },
    {.name = NULL},
};
