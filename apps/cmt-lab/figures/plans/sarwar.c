/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sarwar et al. 2013 (LCM, "delay aware packet scheduling"): tables I and II, figures 1, 2 and 5 to 8. */
#include "figures/plans/plans.h"

#define PACKETS 1e-3 /* of 1000 bytes */
#define MBPS    8e-6
#define SECTION "1.6 Mbit/s 10 ms + 0.4 Mbit/s 100 ms"
/* The paper's windows and queues are a bandwidth-delay product: 4 packets of path 1, 10 of path 2. Windows of
 * the stack grow, so paths are held to the rate that such windows allow. */
#define WINDOWS "path.1.cap=1.6Mbit path.2.cap=0.4Mbit path.1.queue=4p path.2.queue=10p"
#define LOAD    "duration=10s sndbuf=200kB " WINDOWS

#define WINDOW_NOTE                                                                                          \
	"Windows and queues are the bandwidth-delay product, by caps at the links' rates. "                  \
	"The stack charges packets on their way against the receive window, too; the paper's model charges " \
	"only what waits for reordering. With 10 kB, less than W_min = 14 kB, `lcm` and `arrival` "          \
	"therefore leave the slow path alone. A burst of `lcm` takes up to 100 ms on the slow link, in the " \
	"paper's model no time: what the fast path delivers meanwhile waits."

#define SERIES                                                                                               \
	{                                                                                                    \
		{.scheduler = "rr"}, {.scheduler = "lcm"}, {.scheduler = "arrival"}, {.scheduler = "auto"},  \
	}

#define BUFFERS                                                                                              \
	{                                                                                                    \
		.title = "receive buffer",                                                                   \
		.values = {{.label = "10 kB", .set = "rcvbuf=10kB"},                                         \
		           {.label = "20 kB", .set = "rcvbuf=20kB"},                                         \
		           {.label = "50 kB", .set = "rcvbuf=50kB"}},                                        \
	}

#define GOODPUT                                                                                              \
	{                                                                                                    \
		.title = "goodput (Mbit/s)", .key = "goodput_bps", .factor = 1e-6, .decimals = 2             \
	}
#define BUFFER_MEAN                                                                                          \
	{                                                                                                    \
		.title = "receive buffer, mean (packets)", .key = "rcvbuf_mean_bytes", .factor = PACKETS,    \
		.decimals = 2                                                                                \
	}
#define BUFFER_MOST                                                                                          \
	{                                                                                                    \
		.title = "receive buffer, most (packets)", .key = "rcvbuf_max_bytes", .factor = PACKETS,     \
		.decimals = 0                                                                                \
	}
#define OF_CEILING                                                                                           \
	{                                                                                                    \
		.title = "goodput (% of ceiling)", .key = "goodput_ratio", .factor = 100, .decimals = 1      \
	}

/* Delivered to the application, and waiting. What the table has at 10 ms is complete at 20 ms here: two
 * packets take 10 ms on the link. */
static const struct lab_plan_paper_moment table_1[] = {
    {0.02, {2, 0}},  {0.03, {2, 2}},  {0.04, {2, 4}},  {0.05, {2, 6}},  {0.06, {2, 8}}, {0.07, {2, 10}},
    {0.08, {2, 10}}, {0.09, {2, 10}}, {0.10, {2, 10}}, {0.11, {17, 0}}, {0, {0}},
};

static const struct lab_plan_paper_moment table_2[] = {
    {10.01, {2, 0}},  {10.02, {4, 0}},  {10.03, {6, 0}},  {10.04, {8, 0}},
    {10.05, {10, 0}}, {10.06, {12, 0}}, {10.07, {14, 0}}, {10.08, {16, 0}},
    {10.09, {18, 0}}, {10.10, {25, 0}}, {0, {0}},
};

/* Delay errors of lcm, the paper's scheduler, between its own and the worst of ours. */
#define ERRORS                                                                                               \
	{                                                                                                    \
		{.scheduler = "rr"}, {.scheduler = "lcm", .label = "lcm, exact delays"},                     \
		    {.scheduler = "lcm", .label = "lcm, +10 %", .set = "delay_error=10", .darker = 20},      \
		    {.scheduler = "lcm", .label = "lcm, +25 %", .set = "delay_error=25", .darker = 40},      \
		    {.scheduler = "lcm", .label = "lcm, +50 %", .set = "delay_error=50", .darker = 60},      \
		    {.scheduler = "lcm", .label = "lcm, +100 %", .set = "delay_error=100", .darker = 80},    \
		    {.scheduler = "arrival", .label = "arrival, exact delays"},                              \
		    {.scheduler = "arrival",                                                                 \
		     .label = "arrival, +100 %",                                                             \
		     .set = "delay_error=100",                                                               \
		     .darker = 45},                                                                          \
		    {.scheduler = "auto", .label = "auto, +100 %", .set = "delay_error=100"},                \
	}

#define WRONG_DELAYS "lcm, +10 %", "lcm, +25 %", "lcm, +50 %", "lcm, +100 %"
#define LINK_REASON                                                                                          \
	.reason = "with windows and queues of the bandwidth-delay product round robin misses little from 50 "  \
	          "packets of buffer on (Eq. 2), and on a link a burst of lcm takes up to its path's delay, in " \
	          "which what the other path delivers waits"
#define TOP_REASON                                                                                           \
	"with delays 10 % too long the far path gets packets a little earlier and carries a little more, "   \
	"and what then waits at the receiver has room there"
#define LCM_ABOVE_RR      .series = {"lcm"}, .relation = LAB_CLAIM_ABOVE, .than = {"rr"}
#define DOUBLED_ABOVE_RR  .series = {"lcm, +100 %"}, .relation = LAB_CLAIM_ABOVE, .than = {"rr"}
#define AT_LARGER_BUFFERS .x = {"20 kB", "50 kB"}, .each_x = true

/* A twentieth of the data: else no delay estimate takes part. */
#define IF_PATH_2_IS_USED                                                                                    \
	.given_metric = 2, .given_least = 5,                                                                 \
	.given = "path 2 carries next to nothing, so that no delay estimate takes part"

const struct lab_plan lab_plans_sarwar[] = {
    {
        .name = "sarwar-table1",
        .what = "Sarwar et al., Table I: round robin fills the receive buffer",
        .claim = "The paper: with room for 10 packets the buffer is full from 50 to 100 ms: the first "
                 "packets of the slow path are still on their way, and \"the receiver's buffer is blocked\".",
        .note = "The transfer's start, " SECTION
                ", receive buffer 10 packets. The paper's windows are 2 and 5 packets; the stack starts with "
                "its initial window, and a packet takes 5 and 20 ms on the links, so that what the paper has "
                "at 10 ms is complete at 20 ms.",
        .kind = LAB_PLAN_TIME,
        .scenario = "sarwar1",
        .set = LOAD " rcvbuf=10kB",
        .series = SERIES,
        .from_s = 0,
        .to_s = 0.2,
        .bin_s = 0.01,
        .panels = {{"delivered in order (packets)", "delivered_bytes", LAB_TRACE_SINCE, PACKETS, 1},
                   {"in the receive buffer (packets)", "rcvbuf_bytes", LAB_TRACE_MEAN, PACKETS, 1}},
        .paper = table_1,
        .metrics = {GOODPUT,
                    BUFFER_MEAN,
                    BUFFER_MOST,
                    {.title = "wait from 60 to 100 ms (packets)", .key = "panel_2[6..9]", .decimals = 1},
                    {.title = "delivered by 100 ms (packets)", .key = "panel_1[9..9]", .decimals = 1}},
        .claims =
            {{.text = "\"receiver buffer is blocked during 50ms - 100ms\"",
              .test = "round robin: packets that wait from 60 to 100 ms, at 10, +-10 %",
              .paper = "10 of 10 packets",
              .metric = 3,
              .series = {"rr"},
              .relation = LAB_CLAIM_NEAR,
              .factor = 10,
              .reason =
                  "the stack's receive window counts packets on their way, too: before ten wait, it is shut"},
             {.text = "column \"Good-put\": nothing between packet 2 and 100 ms",
              .test = "round robin: packets delivered by 100 ms, at 2, +-10 %",
              .paper = "2 packets",
              .metric = 4,
              .series = {"rr"},
              .relation = LAB_CLAIM_NEAR,
              .factor = 2,
              .reason = "the first packets are dealt out by turns, not two and five at a time as the paper's "
                        "windows do it"}},
    },
    {
        .name = "sarwar-table2",
        .what = "Sarwar et al., Table II: delay aware scheduling never blocks",
        .claim = "The paper: 25 packets in 100 ms, path 2 carries 5 of them far ahead: \"the buffer is "
                 "always empty due to the proper in order arrival of the packets\".",
        .note = "100 ms of the steady state (from 10 s on), " SECTION
                ", receive buffer 20 kB. " WINDOW_NOTE,
        .kind = LAB_PLAN_TIME,
        .scenario = "sarwar1",
        .set = "duration=12s sndbuf=200kB rcvbuf=20kB " WINDOWS,
        .series = SERIES,
        .from_s = 10,
        .to_s = 10.1,
        .bin_s = 0.01,
        .panels = {{"delivered in order (packets)", "delivered_bytes", LAB_TRACE_SINCE, PACKETS, 1},
                   {"in the receive buffer (packets)", "rcvbuf_bytes", LAB_TRACE_MEAN, PACKETS, 1}},
        .paper = table_2,
        .metrics = {OF_CEILING,
                    BUFFER_MEAN,
                    BUFFER_MOST,
                    {.title = "wait in the 100 ms (packets)", .key = "panel_2[0..9]", .decimals = 2},
                    {.title = "delivered in the 100 ms (packets)", .key = "panel_1[9..9]", .decimals = 1}},
        .claims = {{.text = "\"the buffer is always empty\"",
                    .test = "lcm: packets that wait, mean of the 100 ms of the table; at most 0.1",
                    .paper = "0 packets",
                    .metric = 3,
                    .series = {"lcm"},
                    .relation = LAB_CLAIM_AT_MOST,
                    .factor = 0.1},
                   {.text = "N = 25 packets in 100 ms (Eq. 4)",
                    .test = "lcm: packets delivered in the 100 ms; at 25, +-10 %",
                    .paper = "25 packets",
                    .metric = 4,
                    .series = {"lcm"},
                    .relation = LAB_CLAIM_NEAR,
                    .factor = 25}},
    },
    {
        .name = "sarwar-fig1",
        .what = "Sarwar et al., Figure 1: what buffer blocking does to received packets",
        .claim = "The paper: with round robin packets arrive over both paths, but \"the application-received "
                 "packets are controlled by the worse bandwidth-delay path\".",
        .note = SECTION ", receive buffer 10 packets. " WINDOW_NOTE,
        .kind = LAB_PLAN_TIME,
        .scenario = "sarwar1",
        .set = LOAD " rcvbuf=10kB",
        .series = SERIES,
        .to_s = 5,
        .bin_s = 0.05,
        .panels = {{"received over path 1 (packets)", "path_1_bytes", LAB_TRACE_SINCE, PACKETS, 0},
                   {"received over path 2 (packets)", "path_2_bytes", LAB_TRACE_SINCE, PACKETS, 0},
                   {"received by the application (packets)", "delivered_bytes", LAB_TRACE_SINCE, PACKETS, 0}},
        .metrics = {OF_CEILING,
                    BUFFER_MEAN,
                    BUFFER_MOST,
                    {.title = "delivered by 5 s (packets)", .key = "panel_3[99..99]"},
                    {.title = "over path 2 by 5 s (packets)", .key = "panel_2[99..99]"}},
        .claims =
            {{.text = "\"the application-received packets are controlled by the worse bandwidth-delay path\"",
              .test = "round robin: delivered by 5 s at most 1.1 times what Table I has for the packets over "
                      "path 2, 17 for 5",
              .metric = 3,
              .series = {"rr"},
              .relation = LAB_CLAIM_AT_MOST,
              .than_metric = 4,
              .factor = 1.1 * 17 / 5}},
    },
    {
        .name = "sarwar-fig2",
        .what = "Sarwar et al., Figure 2: what buffer blocking does to the goodput",
        .claim = "The paper: with round robin \"the transport protocol utilizes only a part of the available "
                 "total capacity\" (2 Mbit/s).",
        .note = SECTION ", receive buffer 10 packets. " WINDOW_NOTE,
        .kind = LAB_PLAN_TIME,
        .scenario = "sarwar1",
        .set = LOAD " rcvbuf=10kB",
        .series = SERIES,
        .to_s = 10,
        .bin_s = 1,
        .panels = {{"throughput of path 1 (Mbit/s)", "path_1_bytes", LAB_TRACE_RATE, MBPS, 2},
                   {"throughput of path 2 (Mbit/s)", "path_2_bytes", LAB_TRACE_RATE, MBPS, 2},
                   {"goodput (Mbit/s)", "delivered_bytes", LAB_TRACE_RATE, MBPS, 2}},
        .metrics = {OF_CEILING, GOODPUT},
        .claims = {{.text = "\"utilizes only a part of the available total capacity\"",
                    .test = "round robin: goodput below 90 % of the ceiling",
                    .series = {"rr"},
                    .relation = LAB_CLAIM_BELOW,
                    .factor = 90}},
    },
    {
        .name = "sarwar-fig5",
        .what = "Sarwar et al., Figure 5: round robin and delay aware scheduling",
        .claim = "The paper: delay aware scheduling \"is clearly much better than the round-robin scheduling "
                 "both in terms of overall goodput and minimization of jitter\".",
        .note = SECTION ". " WINDOW_NOTE,
        .kind = LAB_PLAN_TIME,
        .scenario = "sarwar1",
        .set = LOAD,
        .series = SERIES,
        .x = BUFFERS,
        .to_s = 10,
        .bin_s = 0.5,
        .panels = {{"received by the application (packets)", "delivered_bytes", LAB_TRACE_SINCE, PACKETS, 0},
                   {"goodput (Mbit/s)", "delivered_bytes", LAB_TRACE_RATE, MBPS, 2}},
        .metrics =
            {OF_CEILING,
             {.title = "longest silence (ms)", .key = "max_delivery_gap_us", .factor = 1e-3, .decimals = 0}},
        .claims = {{.text = "\"clearly much better than the round-robin scheduling ... in terms of overall "
                            "goodput\" (10 packets of buffer)",
                    .test = "lcm: goodput at 10 kB above 1.1 times round robin's",
                    .x = {"10 kB"},
                    LCM_ABOVE_RR,
                    .factor = 1.1},
                   {.text = "better goodput with larger buffers, too (not in the paper)",
                    .test = "lcm: goodput at 20 and at 50 kB above 1.1 times round robin's",
                    AT_LARGER_BUFFERS,
                    LCM_ABOVE_RR,
                    .factor = 1.1,
                    LINK_REASON},
                   {.text = "Eq. 2: a buffer of 50 packets suffices for round robin",
                    .test = "rr: goodput at 50 kB above 95 % of the ceiling",
                    .x = {"50 kB"},
                    .series = {"rr"},
                    .relation = LAB_CLAIM_ABOVE,
                    .factor = 95},
                   {.text = "\"minimization of jitter experienced by the application\"",
                    .test = "lcm: longest silence below round robin's, at each buffer",
                    .metric = 1,
                    .each_x = true,
                    .series = {"lcm"},
                    .relation = LAB_CLAIM_BELOW,
                    .than = {"rr"},
                    LINK_REASON}},
    },
    {
        .name = "sarwar-fig6",
        .what = "Sarwar et al., Figure 6: receive-buffer occupancy and packets on the flight",
        .claim = "The paper: delay aware scheduling \"clearly results in lower occupancy of the receiver's "
                 "buffer, while also emitting more data packets\".",
        .note = SECTION ". On the flight is what was sent and has not arrived; the paper counts what is not "
                        "acknowledged. " WINDOW_NOTE,
        .kind = LAB_PLAN_TIME,
        .scenario = "sarwar1",
        .set = LOAD,
        .series = SERIES,
        .x = BUFFERS,
        .to_s = 10,
        .bin_s = 0.1,
        .panels = {{"receive buffer (packets)", "rcvbuf_bytes", LAB_TRACE_MEAN, PACKETS, 1},
                   {"on the flight (packets)", "flight_bytes", LAB_TRACE_MEAN, PACKETS, 1}},
        .metrics = {BUFFER_MEAN,
                    OF_CEILING,
                    {.title = "on the flight, mean (packets)", .key = "panel_2[0..99]", .decimals = 1}},
        .claims = {{.text = "\"lower occupancy of the receiver's buffer\"",
                    .test = "lcm: mean of the buffer below round robin's, at each buffer",
                    .each_x = true,
                    .series = {"lcm"},
                    .relation = LAB_CLAIM_BELOW,
                    .than = {"rr"}},
                   {.text = "\"while also emitting more data packets\"",
                    .test = "lcm: packets on the flight, the figure's second curve, above round robin's, at "
                            "each buffer",
                    .metric = 2,
                    .each_x = true,
                    LCM_ABOVE_RR,
                    .reason = "round robin fills the queue of the slow link: what stands there is on the "
                              "flight, too. More arrives with lcm nevertheless, as the next sentence says"},
                   {.text = "\"which eventually leads to higher application goodput\"",
                    .test = "lcm: goodput above round robin's, at each buffer",
                    .metric = 1,
                    .each_x = true,
                    LCM_ABOVE_RR,
                    LINK_REASON}},
    },
    {
        .name = "sarwar-fig7",
        .what = "Sarwar et al., Figure 7: goodput with wrong delay estimates",
        .claim = "The paper: \"there is a solid gain by the delay aware scheduling mechanism, even for the "
                 "case when there is a 100% error\".",
        .note = SECTION ". Every delay estimate is falsified by the percentage. " WINDOW_NOTE,
        .kind = LAB_PLAN_TIME,
        .scenario = "sarwar1",
        .set = LOAD,
        .series = ERRORS,
        .x = BUFFERS,
        .to_s = 10,
        .bin_s = 1,
        .panels = {{"goodput (Mbit/s)", "delivered_bytes", LAB_TRACE_RATE, MBPS, 2}},
        .metrics = {OF_CEILING,
                    BUFFER_MEAN,
                    {.title = "share of path 2 (%)", .key = "path.2.share", .factor = 100, .decimals = 1}},
        .claims =
            {{.text =
                  "\"a solid gain ... even for the case when there is a 100% error\", 10 packets of buffer",
              .test = "lcm, +100 %: goodput at 10 kB above 1.1 times round robin's",
              .x = {"10 kB"},
              DOUBLED_ABOVE_RR,
              .factor = 1.1,
              IF_PATH_2_IS_USED},
             {.text = "\"a solid gain\" with an error of 100 %, 20 kB",
              .test = "lcm, +100 %: goodput above 1.1 times round robin's",
              .x = {"20 kB"},
              DOUBLED_ABOVE_RR,
              .factor = 1.1,
              IF_PATH_2_IS_USED},
             {.text = "\"a solid gain\" with an error of 100 %, 50 kB",
              .test = "lcm, +100 %: goodput above 1.1 times round robin's",
              .x = {"50 kB"},
              DOUBLED_ABOVE_RR,
              .factor = 1.1,
              IF_PATH_2_IS_USED,
              LINK_REASON},
             {.text = "round robin is the \"bottom curve\"",
              .test = "round robin: goodput below that of lcm with every error, at each buffer",
              .each_x = true,
              .series = {"rr"},
              .relation = LAB_CLAIM_BELOW,
              .than = {"lcm, exact delays", WRONG_DELAYS},
              LINK_REASON},
             {.text = "no error is the \"top curve\"",
              .test = "lcm with exact delays: goodput above that with every error, at 20 and 50 kB",
              AT_LARGER_BUFFERS,
              .series = {"lcm, exact delays"},
              .relation = LAB_CLAIM_ABOVE,
              .than = {WRONG_DELAYS},
              .reason = TOP_REASON}},
    },
    {
        .name = "sarwar-fig8",
        .what = "Sarwar et al., Figure 8: received packets with wrong delay estimates",
        .claim =
            "The paper: round robin is the bottom curve, exact delays are the top one, errors of 10 to 100 % "
            "lie between: \"still providing an improvement compared to the round robin scheduling\".",
        .note = SECTION ", first 5 s. Every delay estimate is falsified by the percentage. The paper's text "
                        "next to the figure says that a considerable error \"cannot be tolerated\"; its "
                        "curves, and ours, say the opposite.",
        .kind = LAB_PLAN_TIME,
        .scenario = "sarwar1",
        .set = LOAD,
        .series = ERRORS,
        .x = BUFFERS,
        .to_s = 5,
        .bin_s = 0.1,
        .panels = {{"received by the application (packets)", "delivered_bytes", LAB_TRACE_SINCE, PACKETS, 0}},
        .metrics = {GOODPUT, BUFFER_MEAN, {.title = "received by 5 s (packets)", .key = "panel_1[49..49]"}},
        .claims =
            {{.text = "\"the bottom curve represents the result for the round-robin scheduling\"",
              .test =
                  "round robin: packets received by 5 s below those of lcm with every error, at each buffer",
              .metric = 2,
              .each_x = true,
              .series = {"rr"},
              .relation = LAB_CLAIM_BELOW,
              .than = {"lcm, exact delays", WRONG_DELAYS},
              LINK_REASON},
             {.text = "\"the top curve the delay aware scheduling where there is no error\"",
              .test = "lcm with exact delays: packets received by 5 s above those with every error, at 20 "
                      "and 50 kB",
              .metric = 2,
              AT_LARGER_BUFFERS,
              .series = {"lcm, exact delays"},
              .relation = LAB_CLAIM_ABOVE,
              .than = {WRONG_DELAYS},
              .reason = TOP_REASON},
             {.text = "\"still providing an improvement compared to the round robin scheduling\"",
              .test = "lcm, +100 %: packets received by 5 s above round robin's, at 20 and 50 kB",
              .metric = 2,
              AT_LARGER_BUFFERS,
              DOUBLED_ABOVE_RR,
              LINK_REASON}},
    },
    {.name = NULL},
};
