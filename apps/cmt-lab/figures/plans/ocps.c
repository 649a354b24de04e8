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
		    PAPERS("f2p+ocps", "rtt=1,every_sack=1"), {.scheduler = "fps+ocps"},                     \
		    {.scheduler = "f2p+ocps"}, {.scheduler = "arrival"},                                     \
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

#define LOSSES                                                                                              \
	.reason = "a loss makes holes, too: at every SACK with one the offsets move, and are "              \
	          "wrong when it is repaired (ours move after two rounds that say the same)"

#define ONE_ALONE                                                                                           \
	.reason = "the coupled congestion control shares one flow's growth between both paths, "            \
	          "and every loss of path 1, one packet in 200 or more, costs growth that path 2 "          \
	          "with its sixth of the capacity does not bring back"

#define WINDOWS_FIT                                                                                         \
	.reason = "64 kB hold what both paths have under way; with losses the windows are smaller "         \
	          "than that most of the time"

#define SAME_N                                                                                              \
	.reason = "with rates and delays measured by echoes both predict nearly the same N; what "          \
	          "is left of the difference is the losses'"

const struct lab_plan lab_plans_ocps[] = {
    {
        .name = "ocps-fig5",
        .more_seeds = 12,
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
        .metrics = {GOODPUT,
                    OUT_OF_ORDER,
                    REORDERED,
                    {.title = "throughput from 20 to 40 s (Mbit/s)", .key = "panel_1[5..9]", .decimals = 3},
                    {.title = "throughput from 40 to 60 s (Mbit/s)",
                     .key = "panel_1[10..14]",
                     .decimals = 3}},
        .claims = {{.text = "\"OCPS has larger throughput than FPS\"",
                    .test = "fps+ocps: throughput above that of fps",
                    .series = {"fps+ocps, paper's"},
                    .relation = LAB_CLAIM_ABOVE,
                    .than = {"fps, paper's"},
                    LOSSES},
                   {.text = "\"OCPS has larger throughput than ... F2P-DPS\"",
                    .test = "f2p+ocps: throughput above that of f2p",
                    .series = {"f2p+ocps, paper's"},
                    .relation = LAB_CLAIM_ABOVE,
                    .than = {"f2p, paper's"},
                    LOSSES},
                   {.text = "\"F2P-DPS works better than FPS, so the throughput is much higher\"",
                    .test = "f2p: throughput above that of fps",
                    .series = {"f2p, paper's"},
                    .relation = LAB_CLAIM_ABOVE,
                    .than = {"fps, paper's"},
                    SAME_N},
                   {.text = "with cross traffic from 20 to 40 s \"the throughput of MPTCP degrades\"",
                    .test = "the four: throughput from 20 to 40 s below that from 40 to 60 s",
                    .metric = 3,
                    .series = {"fps, paper's", "fps+ocps, paper's", "f2p, paper's", "f2p+ocps, paper's"},
                    .relation = LAB_CLAIM_BELOW,
                    .than_metric = 4},
                   {.text = "not in the paper: two paths carry more than the better one alone",
                    .test = "the four: throughput above that of path 1 alone",
                    .series = {"fps, paper's", "fps+ocps, paper's", "f2p, paper's", "f2p+ocps, paper's"},
                    .relation = LAB_CLAIM_ABOVE,
                    .than = {"path 1 alone"},
                    ONE_ALONE}},
    },
    {
        .name = "ocps-fig6",
        .more_seeds = 12,
        .what = "Ni et al. (OCPS), Figure 6: out-of-order packets over time",
        .claim = "The paper: \"the number of out-of-order packets is much fewer when adopting OCPS\"; it "
                 "grows large from 20 to 40 s.",
        .note = NETWORK " Packets that arrived and wait at the receiver, mean of 4 s.",
        .kind = LAB_PLAN_TIME,
        .scenario = "ocps",
        .set = "cc=rttcomp",
        .series = SERIES,
        .to_s = 80,
        .bin_s = 4,
        .panels = {{"out-of-order packets in the receive buffer", "rcvbuf_bytes", LAB_TRACE_MEAN, 1 / 1400.0,
                    1}},
        .metrics = {OUT_OF_ORDER,
                    REORDERED,
                    {.title = "out-of-order packets from 20 to 40 s", .key = "panel_1[5..9]", .decimals = 2},
                    {.title = "out-of-order packets from 40 to 60 s",
                     .key = "panel_1[10..14]",
                     .decimals = 2}},
        .claims = {{.text = "\"the number of out-of-order packets is much fewer when adopting OCPS\", on FPS",
                    .test = "fps+ocps: waiting packets, mean, below those of fps",
                    .series = {"fps+ocps, paper's"},
                    .relation = LAB_CLAIM_BELOW,
                    .than = {"fps, paper's"},
                    LOSSES},
                   {.text = "the same \"when adopting OCPS\", on F2P-DPS",
                    .test = "f2p+ocps: waiting packets, mean, below those of f2p",
                    .series = {"f2p+ocps, paper's"},
                    .relation = LAB_CLAIM_BELOW,
                    .than = {"f2p, paper's"},
                    LOSSES},
                   {.text = "\"From 20s ~ 40s ... the number of out-of-order packets grows large\"",
                    .test = "the four: waiting packets from 20 to 40 s above those from 40 to 60 s",
                    .metric = 2,
                    .series = {"fps, paper's", "fps+ocps, paper's", "f2p, paper's", "f2p+ocps, paper's"},
                    .relation = LAB_CLAIM_ABOVE,
                    .than_metric = 3}},
    },
    {
        .name = "ocps-fig7",
        .more_seeds = 3,
        .what = "Ni et al. (OCPS), Figure 7: throughput over the loss rate of path 1",
        .claim = "The paper: throughput \"heavily degrades when the loss rate increases\"; OCPS improves "
                 "both schedulers, F2P-DPS is \"always larger\" than FPS and gains less.",
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
        .claims =
            {{.text = "\"The average throughput heavily degrades when the loss rate increases\"",
              .test = "the four: throughput at 5 % below half of that at 0.5 %",
              .x = {"5 %"},
              .series = {"fps, paper's", "fps+ocps, paper's", "f2p, paper's", "f2p+ocps, paper's"},
              .relation = LAB_CLAIM_BELOW,
              .than_x = {"0.5 %"},
              .factor =
                  0.5},
             {.text = "\"OCPS improves the throughput ... no matter which basic scheduling algorithm\", FPS",
              .test = "fps+ocps: throughput above that of fps, at each loss rate",
              .each_x = true,
              .series = {"fps+ocps, paper's"},
              .relation = LAB_CLAIM_ABOVE,
              .than = {"fps, paper's"},
              LOSSES},
             {.text =
                  "\"OCPS improves the throughput ... no matter which basic scheduling algorithm\", F2P-DPS",
              .test = "f2p+ocps: throughput above that of f2p, at each loss rate",
              .each_x = true,
              .series = {"f2p+ocps, paper's"},
              .relation = LAB_CLAIM_ABOVE,
              .than = {"f2p, paper's"},
              LOSSES},
             {.text = "\"the average throughput of F2P-DPS is always larger than that of FPS\"",
              .test = "f2p: throughput above that of fps, at each loss rate",
              .each_x = true,
              .series = {"f2p, paper's"},
              .relation = LAB_CLAIM_ABOVE,
              .than = {"fps, paper's"},
              SAME_N},
             {.text = "not in the paper: two paths carry more than the better one alone",
              .test = "the four: throughput above that of path 1 alone, at each loss rate",
              .each_x = true,
              .series = {"fps, paper's", "fps+ocps, paper's", "f2p, paper's", "f2p+ocps, paper's"},
              .relation = LAB_CLAIM_ABOVE,
              .than = {"path 1 alone"},
              ONE_ALONE}},
    },
    {
        .name = "ocps-fig8",
        .more_seeds = 3,
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
        .claims =
            {{.text =
                  "\"As the buffer size grows, the throughput of different scheduling mechanisms improves\"",
              .test = "the four: throughput at 256 kB above that at 64 kB",
              .x = {"256 kB"},
              .series = {"fps, paper's", "fps+ocps, paper's", "f2p, paper's", "f2p+ocps, paper's"},
              .relation = LAB_CLAIM_ABOVE,
              .than_x = {"64 kB"},
              WINDOWS_FIT},
             {.text = "\"from 64KB to 100KB, the throughput nearly doubles\"",
              .test = "the four: throughput at 100 kB, at twice that at 64 kB, +-15 %",
              .paper = "2 times",
              .x = {"100 kB"},
              .series = {"fps, paper's", "fps+ocps, paper's", "f2p, paper's", "f2p+ocps, paper's"},
              .relation = LAB_CLAIM_NEAR,
              .than_x = {"64 kB"},
              .factor = 2,
              .within = 0.15,
              WINDOWS_FIT},
             {.text = "OCPS improves FPS at every size",
              .test = "fps+ocps: throughput above that of fps, at each size",
              .each_x = true,
              .series = {"fps+ocps, paper's"},
              .relation = LAB_CLAIM_ABOVE,
              .than = {"fps, paper's"},
              LOSSES},
             {.text = "OCPS improves F2P-DPS at every size",
              .test = "f2p+ocps: throughput above that of f2p, at each size",
              .each_x = true,
              .series = {"f2p+ocps, paper's"},
              .relation = LAB_CLAIM_ABOVE,
              .than = {"f2p, paper's"},
              LOSSES}},
    },
    {.name = NULL},
};
