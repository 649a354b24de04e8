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
        .claims = {{.text = "round robin \"causes a lot of 3 dupACKs events\"",
                    .test = "round robin: events, mean of the grid, above ten times OSIA's",
                    .series = {"rr"},
                    .relation = LAB_CLAIM_ABOVE,
                    .than = {"osia"},
                    .factor = 10},
                   {.text = "\"nearly independent of the delays of the paths\"",
                    .test = "round robin: events at delay ratios 2 to 4, at those at 0.5, +-25 %",
                    .x = {"2", "3", "4"},
                    .each_x = true,
                    .series = {"rr"},
                    .relation = LAB_CLAIM_NEAR,
                    .than_x = {"0.5"},
                    .within = 0.25,
                    .reason = "the further apart the delays, the longer the gap that waits for the far path; "
                              "with equal delays nothing overtakes"},
                   {.text = "\"CWND-aware scheduling can lessen the occurring of 3 dupACKs\"",
                    .test = "CWND-aware: events, mean of the grid, below round robin's",
                    .series = {"cwnd"},
                    .relation = LAB_CLAIM_BELOW,
                    .than = {"rr"},
                    .reason = "windows divide the load, and say nothing of delays; in slow start, which "
                              "lasts for most of 500 packets, they are alike"},
                   {.text = "\"the performance of flow-level and OSIA scheme are comparable\"",
                    .test = "flow-level: events, mean of the grid, at OSIA's, +-25 %",
                    .series = {"flow"},
                    .relation = LAB_CLAIM_NEAR,
                    .than = {"osia"},
                    .within = 0.25,
                    .reason = "a transfer is one flow: what moves it to another path every second reorders "
                              "at each move, and OSIA hardly ever does"},
                   {.text = "events \"are considerably prevented by our OSIA scheduling scheme\"",
                    .test = "OSIA: events, mean of the grid, below a tenth of round robin's",
                    .series = {"osia"},
                    .relation = LAB_CLAIM_BELOW,
                    .than = {"rr"},
                    .factor = 0.1},
                   {.text = "ours: arrival prevents them, too",
                    .test = "arrival: events, mean of the grid, below a tenth of round robin's",
                    .series = {"arrival"},
                    .relation = LAB_CLAIM_BELOW,
                    .than = {"rr"},
                    .factor = 0.1}},
    },
    {
        .name = "osia-fig8",
        .what = "Wang et al. (OSIA), Figure 8: goodput over delay and bandwidth ratio",
        .claim = "The paper: round robin's goodput \"increases much slow\", CWND-aware falls \"when the "
                 "paths have different delays\", flow-level cannot leave a congested path; OSIA \"succeeds "
                 "in splitting\" at every ratio.",
        .note =
            NOTE " A transfer of 500 kB is over within seconds, so that slow start costs a good part of it.",
        .kind = LAB_PLAN_GRID,
        .scenario = "osia-base",
        .series = SERIES,
        .x = DELAYS,
        .y = RATES,
        .metrics = {OF_CEILING, GOODPUT, DUPACKS},
        .claims =
            {{.text = "round robin \"increases much slow\"",
              .test = "round robin: rise of the goodput (Mbit/s) from bandwidth ratio 0.5 to 4 below OSIA's, "
                      "at each delay ratio",
              .metric = 1,
              .each_x = true,
              .of = LAB_CLAIM_RISE,
              .series = {"rr"},
              .relation = LAB_CLAIM_BELOW,
              .than = {"osia"},
              .reason = "500 packets are over within slow start, in which the scheduler that fills every "
                        "open window at once is ahead of one that holds packets back for the paths' order"},
             {.text = "CWND-aware \"can increase the goodput, with the increase of CWND of the auxiliary "
                      "path 2\"",
              .test = "CWND-aware: rise of the goodput from bandwidth ratio 0.5 to 4 above 0, at each delay "
                      "ratio",
              .metric = 1,
              .each_x = true,
              .of = LAB_CLAIM_RISE,
              .series = {"cwnd"},
              .relation = LAB_CLAIM_ABOVE},
             {.text = "\"it reduces the end-to-end goodput when the paths have different delays\"",
              .test = "CWND-aware: goodput at delay ratios 2 to 4 below that at 1, at each bandwidth ratio",
              .x = {"2", "3", "4"},
              .each_x = true,
              .each_y = true,
              .series = {"cwnd"},
              .relation = LAB_CLAIM_BELOW,
              .than_x = {"1"}},
             {.text = "not so OSIA (not in the paper's words)",
              .test = "CWND-aware: change of the goodput from delay ratio 1 to 4 below OSIA's, at each "
                      "bandwidth ratio",
              .x = {"1", "4"},
              .each_y = true,
              .of = LAB_CLAIM_RISE,
              .series = {"cwnd"},
              .relation = LAB_CLAIM_BELOW,
              .than = {"osia"},
              .reason = "most of the fall with the delay is slow start's, which takes as many round trips "
                        "under either"},
             {.text = "\"the poor accuracy of flow splitting ... can hurt the network goodput\"",
              .test = "flow-level: goodput below OSIA's, at each ratio of delays and bandwidths",
              .each_x = true,
              .each_y = true,
              .series = {"flow"},
              .relation = LAB_CLAIM_BELOW,
              .than = {"osia"},
              .reason = "at equal rates two halves are the right division, and flow-level, which holds "
                        "nothing back for an order, is ahead of OSIA there"},
             {.text = "OSIA \"succeeds in splitting a TCP-like flow\"",
              .test =
                  "OSIA: goodput at least that of the three others, at each ratio of delays and bandwidths",
              .each_x = true,
              .each_y = true,
              .series = {"osia"},
              .relation = LAB_CLAIM_AT_LEAST,
              .than = {"rr", "cwnd", "flow"},
              .reason = "500 packets are over within slow start, in which the scheduler that fills every "
                        "open window at once is ahead of one that holds packets back for the paths' order"}},
    },
    {
        .name = "osia-fig9",
        .what = "Wang et al. (OSIA), Figure 9: goodput over the number of paths",
        .claim = "The paper: 4 Mbit/s in all; round robin is the smallest, CWND-aware and flow-level lose "
                 "with more paths, OSIA splits over paths whose delays differ by 80 ms \"without hurting the "
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
        .claims =
            {
                {.text = "round robin's goodput \"is the smallest\"",
                 .test = "round robin: goodput below each of the three others, with 2, 3 and 4 paths",
                 .x = {"2", "3", "4"},
                 .each_x = true,
                 .series = {"rr"},
                 .relation = LAB_CLAIM_BELOW,
                 .than = {"cwnd", "flow", "osia"},
                 .reason = "reordering costs round robin no goodput here: the stack counts missing reports "
                           "path by path, so that what another path overtakes is not sent again; the "
                           "smallest is CWND-aware, whose windows say nothing of delays"},
                {.text = "\"With the increase of number of paths, the goodput gained by CWND-aware ... gets "
                         "reduced\"",
                 .test = "CWND-aware: goodput with 4 paths below 0.98 times that with 1",
                 .x = {"4"},
                 .series = {"cwnd"},
                 .relation = LAB_CLAIM_BELOW,
                 .than_x = {"1"},
                 .factor = 0.98},
                {.text = "\"With the increase of number of paths, the goodput gained by ... Flow-level "
                         "scheduling gets reduced\"",
                 .test = "flow-level: goodput with 4 paths below 0.98 times that with 1",
                 .x = {"4"},
                 .series = {"flow"},
                 .relation = LAB_CLAIM_BELOW,
                 .than_x = {"1"},
                 .factor = 0.98,
                 .reason =
                     "without the paper's cross traffic no path is congested, and a flow has none to leave"},
                {.text = "OSIA splits \"without hurting the overall goodput\"",
                 .test = "OSIA: goodput with 2, 3 and 4 paths at least 0.95 times that with 1",
                 .x = {"2", "3", "4"},
                 .each_x = true,
                 .series = {"osia"},
                 .relation = LAB_CLAIM_AT_LEAST,
                 .than_x = {"1"},
                 .factor = 0.95},
                {.text = "\"reordering caused by packet-based splitting can hurt the goodput significantly\"",
                 .test = "round robin and CWND-aware: goodput with 4 paths below 0.9 times OSIA's",
                 .x = {"4"},
                 .series = {"rr", "cwnd"},
                 .relation = LAB_CLAIM_BELOW,
                 .than = {"osia"},
                 .factor = 0.9,
                 .reason = "reordering costs round robin no goodput here: the stack counts missing reports "
                           "path by path, so that what another path overtakes is not sent again; the "
                           "smallest is CWND-aware, whose windows say nothing of delays"},
                {.text = "ours: arrival splits without hurting the goodput, too",
                 .test = "arrival: goodput with 2, 3 and 4 paths at least 0.95 times that with 1",
                 .x = {"2", "3", "4"},
                 .each_x = true,
                 .series = {"arrival"},
                 .relation = LAB_CLAIM_AT_LEAST,
                 .than_x = {"1"},
                 .factor = 0.95}},
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
        .claims = {{.text = "\"the goodput of round-robin increases much slow\": OSIA above it",
                    .test = "osia: goodput, mean of the grid, above round robin's",
                    .series = {"osia"},
                    .relation = LAB_CLAIM_ABOVE,
                    .than = {"rr"},
                    .reason = "one packet in six is lost, and control halves a window for each; what a "
                              "scheduler adds is small beside it, and OSIA's thin paths lose most"},
                   {.text = "OSIA above the CWND-aware scheme",
                    .test = "osia: goodput, mean of the grid, above cwnd's",
                    .series = {"osia"},
                    .relation = LAB_CLAIM_ABOVE,
                    .than = {"cwnd"}},
                   {.text = "3-dupACK events \"are considerably prevented\"",
                    .test = "osia: events, mean of the grid, below half of round robin's",
                    .metric = 1,
                    .series = {"osia"},
                    .relation = LAB_CLAIM_BELOW,
                    .than = {"rr"},
                    .factor = 0.5,
                    .reason = "most events are losses here, which no scheduler prevents"}},
    },
    {.name = NULL},
};
