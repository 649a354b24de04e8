/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ni et al. (OCPS): figures 5 to 8. */
#include "figures/plans/plans.h"

/* To the letter: durations from RTTs, an offset moves at every SACK with a hole. */
#define PAPERS(name, options)                                                                                \
	{                                                                                                    \
		.scheduler = name, .label = name ", paper's", .set = "options=" options, .darker = 45        \
	}

#define SERIES                                                                                               \
	{                                                                                                    \
		PAPERS("fps", "rtt=1"), PAPERS("fps+ocps", "rtt=1,every_sack=1"), PAPERS("f2p", "rtt=1"),    \
		    PAPERS("f2p+ocps", "rtt=1,every_sack=1"), {.scheduler = "fps"},                          \
		    {.scheduler = "fps+ocps"}, {.scheduler = "f2p"}, {.scheduler = "f2p+ocps"},              \
		    {.scheduler = "arrival"}, {.scheduler = "auto"},                                         \
		    {.scheduler = "stock", .label = "path 1 alone", .set = "only_path=1"},                   \
	}

#define GOODPUT                                                                                              \
	{                                                                                                    \
		.title = "throughput (Mbit/s)", .key = "goodput_bps", .factor = 1e-6, .decimals = 3          \
	}
#define OUT_OF_ORDER                                                                                         \
	{                                                                                                    \
		.title = "out-of-order packets, mean", .key = "rcvbuf_mean_bytes", .factor = 1 / 1400.0,     \
		.decimals = 2, .not_drawn = true                                                             \
	}
#define REORDERED                                                                                            \
	{                                                                                                    \
		.title = "reordered packets (%)", .key = "reordered_ratio", .factor = 100, .decimals = 2,    \
		.not_drawn = true                                                                            \
	}

#define NETWORK                                                                                              \
	"2 Mbit/s 50 ms with loss + 387 kbit/s 200 ms, cross traffic on path 2 from 20 to 40 s, "            \
	"RTT-compensated "                                                                                   \
	"congestion control as in the paper; path 1 alone is plain SCTP. The paper averages 100 runs. "      \
	"Its algorithms to the letter (\"paper's\") take durations from RTTs and move an offset at every "   \
	"SACK with a hole; ours from predicted arrivals, and by rounds (ADR 22)."

const struct lab_plan lab_plans_ocps[] = {
    {
        .name = "ocps-fig5",
        .what = "Ni et al. (OCPS), Figure 5: throughput over time",
        .claim = "The paper: \"OCPS has larger throughput than FPS and F2P-DPS\"; F2P-DPS is \"much higher\" "
                 "than FPS under loss; from 20 to 40 s cross traffic takes throughput away.",
        .note = NETWORK,
        .kind = LAB_PLAN_TIME,
        .scenario = "ocps",
        .set = "cc=rttcomp",
        .series = SERIES,
        .to_s = 80,
        .bin_s = 4,
        .panels = {{"throughput (Mbit/s)", "delivered_bytes", LAB_TRACE_RATE, 8e-6, 3}},
        .metrics = {GOODPUT, OUT_OF_ORDER, REORDERED},
        .claims = {{.text = "OCPS above FPS: throughput (Mbit/s)",
                    .series = "fps+ocps, paper's",
                    .relation = LAB_PLAN_ABOVE,
                    .than = "fps, paper's"},
                   {.text = "OCPS above F2P-DPS: throughput (Mbit/s)",
                    .series = "f2p+ocps, paper's",
                    .relation = LAB_PLAN_ABOVE,
                    .than = "f2p, paper's"},
                   {.text = "F2P-DPS \"works better than FPS\": throughput (Mbit/s)",
                    .series = "f2p, paper's",
                    .relation = LAB_PLAN_ABOVE,
                    .than = "fps, paper's"},
                   {.text = "ours, OCPS above FPS: throughput (Mbit/s)",
                    .series = "fps+ocps",
                    .relation = LAB_PLAN_ABOVE,
                    .than = "fps"},
                   {.text = "ours, OCPS above F2P-DPS: throughput (Mbit/s)",
                    .series = "f2p+ocps",
                    .relation = LAB_PLAN_ABOVE,
                    .than = "f2p"}},
    },
    {
        .name = "ocps-fig6",
        .what = "Ni et al. (OCPS), Figure 6: out-of-order packets over time",
        .claim =
            "The paper: \"the number of out-of-order packets is much fewer when adopting OCPS\"; it grows "
            "large from 20 to 40 s.",
        .note = NETWORK " Packets that arrived and wait at the receiver, mean of 4 s.",
        .kind = LAB_PLAN_TIME,
        .scenario = "ocps",
        .set = "cc=rttcomp",
        .series = SERIES,
        .to_s = 80,
        .bin_s = 4,
        .panels = {{"out-of-order packets in the receive buffer", "rcvbuf_bytes", LAB_TRACE_MEAN, 1 / 1400.0,
                    1}},
        .metrics = {OUT_OF_ORDER, REORDERED},
        .claims = {{.text = "OCPS below FPS: waiting packets, mean",
                    .series = "fps+ocps, paper's",
                    .relation = LAB_PLAN_BELOW,
                    .than = "fps, paper's"},
                   {.text = "OCPS below F2P-DPS: waiting packets, mean",
                    .series = "f2p+ocps, paper's",
                    .relation = LAB_PLAN_BELOW,
                    .than = "f2p, paper's"},
                   {.text = "ours, OCPS below FPS: waiting packets, mean",
                    .series = "fps+ocps",
                    .relation = LAB_PLAN_BELOW,
                    .than = "fps"},
                   {.text = "ours, OCPS below F2P-DPS: waiting packets, mean",
                    .series = "f2p+ocps",
                    .relation = LAB_PLAN_BELOW,
                    .than = "f2p"},
                   {.text = "reordered packets (%)", .metric = 1}},
    },
    {
        .name = "ocps-fig7",
        .what = "Ni et al. (OCPS), Figure 7: throughput over the loss rate of path 1",
        .claim =
            "The paper: throughput \"heavily degrades when the loss rate increases\"; OCPS improves both "
            "schedulers, F2P-DPS is \"always larger\" than FPS and gains less.",
        .note = NETWORK,
        .kind = LAB_PLAN_LINES,
        .scenario = "ocps",
        .set = "cc=rttcomp",
        .series = SERIES,
        .x = {.title = "loss rate of path 1",
              .values = {{.label = "0.5 %", .set = "path.1.forward.loss=0.5%"},
                         {.label = "1 %", .set = "path.1.forward.loss=1%"},
                         {.label = "2 %", .set = "path.1.forward.loss=2%"},
                         {.label = "3 %", .set = "path.1.forward.loss=3%"},
                         {.label = "4 %", .set = "path.1.forward.loss=4%"},
                         {.label = "5 %", .set = "path.1.forward.loss=5%"}}},
        .metrics = {GOODPUT, OUT_OF_ORDER, REORDERED},
        .claims = {{.text = "OCPS above FPS: throughput, mean of all loss rates (Mbit/s)",
                    .series = "fps+ocps, paper's",
                    .relation = LAB_PLAN_ABOVE,
                    .than = "fps, paper's"},
                   {.text = "OCPS above F2P-DPS: throughput, mean of all loss rates (Mbit/s)",
                    .series = "f2p+ocps, paper's",
                    .relation = LAB_PLAN_ABOVE,
                    .than = "f2p, paper's"},
                   {.text = "ours, OCPS above FPS: throughput, mean of all loss rates (Mbit/s)",
                    .series = "fps+ocps",
                    .relation = LAB_PLAN_ABOVE,
                    .than = "fps"},
                   {.text = "ours, OCPS above F2P-DPS: throughput, mean of all loss rates (Mbit/s)",
                    .series = "f2p+ocps",
                    .relation = LAB_PLAN_ABOVE,
                    .than = "f2p"},
                   {.text = "F2P-DPS \"always larger than FPS\": throughput at 5 % (Mbit/s)",
                    .x = "5 %",
                    .series = "f2p, paper's",
                    .relation = LAB_PLAN_ABOVE,
                    .than = "fps, paper's"},
                   {.text = "throughput at 0.5 % (Mbit/s)", .x = "0.5 %"}},
    },
    {
        .name = "ocps-fig8",
        .what = "Ni et al. (OCPS), Figure 8: throughput over the receive buffer",
        .claim = "The paper: from 64 to 100 kB \"the throughput nearly doubles\", then \"the gradient "
                 "decreases\"; OCPS improves both schedulers.",
        .note = NETWORK,
        .kind = LAB_PLAN_LINES,
        .scenario = "ocps",
        .set = "cc=rttcomp",
        .series = SERIES,
        .x = {.title = "receive buffer",
              .values = {{.label = "64 kB", .set = "rcvbuf=64kB"},
                         {.label = "100 kB", .set = "rcvbuf=100kB"},
                         {.label = "140 kB", .set = "rcvbuf=140kB"},
                         {.label = "200 kB", .set = "rcvbuf=200kB"},
                         {.label = "256 kB", .set = "rcvbuf=256kB"}}},
        .metrics = {GOODPUT, OUT_OF_ORDER, REORDERED},
        .claims = {{.text = "throughput at 64 kB (Mbit/s)",
                    .x = "64 kB",
                    .series = "fps+ocps, paper's",
                    .relation = LAB_PLAN_ABOVE,
                    .than = "fps, paper's"},
                   {.text = "throughput at 100 kB (Mbit/s)",
                    .x = "100 kB",
                    .series = "fps+ocps, paper's",
                    .relation = LAB_PLAN_ABOVE,
                    .than = "fps, paper's"},
                   {.text = "throughput at 256 kB (Mbit/s)",
                    .x = "256 kB",
                    .series = "fps+ocps, paper's",
                    .relation = LAB_PLAN_ABOVE,
                    .than = "fps, paper's"}},
    },
    {.name = NULL},
};
