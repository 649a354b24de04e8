/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Yabandeh et al. (bulk): table I, figures 4 to 7. */
#include "figures/plans/plans.h"

#define PAPERS_STEP                                                                                          \
	{                                                                                                    \
		.scheduler = "bulk", .label = "bulk, paper's step", .set = "options=bulk_pkts=0",            \
		.darker = 45                                                                                 \
	}

#define SERIES                                                                                               \
	{                                                                                                    \
		{.scheduler = "arrival", .label = "one path of B1+B2", .set = "only_path=1", .alone = true}, \
		    {.scheduler = "rr", .label = "rr (simple multipath)"}, PAPERS_STEP,                      \
		    {.scheduler = "bulk"}, {.scheduler = "arrival"}, {.scheduler = "auto"},                  \
	}

#define MULTIPATH                                                                                            \
	{                                                                                                    \
		{.scheduler = "rr"}, PAPERS_STEP, {.scheduler = "bulk"}, {.scheduler = "arrival"},           \
		    {.scheduler = "auto"},                                                                   \
	}

/* Mean delay: 9/10 fixed, 1/10 the mean of the exponential variation. */
#define DELAYS                                                                                               \
	{                                                                                                    \
		.title = "delay ratio d2/d1",                                                                \
		.values = {{.label = "2", .set = "path.2.delay=90ms path.2.jitter=exp:10ms"},                \
		           {.label = "2.5", .set = "path.2.delay=112.5ms path.2.jitter=exp:12.5ms"},         \
		           {.label = "3", .set = "path.2.delay=135ms path.2.jitter=exp:15ms"},               \
		           {.label = "3.5", .set = "path.2.delay=157.5ms path.2.jitter=exp:17.5ms"},         \
		           {.label = "4", .set = "path.2.delay=180ms path.2.jitter=exp:20ms"}},              \
	}

#define RATES                                                                                                \
	{                                                                                                    \
		.title = "bandwidth ratio B2/B1",                                                            \
		.values = {                                                                                  \
		    {.label = "0.48", .set = "path.2.rate=61.44kbit", .alone = "path.1.rate=189.44kbit"},    \
		    {.label = "0.86", .set = "path.2.rate=110.08kbit", .alone = "path.1.rate=238.08kbit"},   \
		    {.label = "1.25", .set = "path.2.rate=160kbit", .alone = "path.1.rate=288kbit"},         \
		    {.label = "1.64", .set = "path.2.rate=209.92kbit", .alone = "path.1.rate=337.92kbit"}},  \
	}

#define BUFFER_MOST                                                                                          \
	{                                                                                                    \
		.title = "most in the receive buffer (packets)", .key = "rcvbuf_settled_max_bytes",          \
		.factor = 1 / 500.0, .decimals = 0                                                           \
	}
#define BUFFER_MEAN                                                                                          \
	{                                                                                                    \
		.title = "mean in the receive buffer (packets)", .key = "rcvbuf_mean_bytes",                 \
		.factor = 1 / 500.0, .decimals = 2, .not_drawn = true                                        \
	}

/* The paper's packets have 0.5 kB. */
#define PACKETS "path.1.mtu=576 path.2.mtu=576 "
/* 100 kB behind those of the first 8 s. */
#define FILES                                                                                                \
	{                                                                                                    \
		.title = "bandwidth ratio B2/B1",                                                            \
		.values = {{.label = "0.48",                                                                 \
		            .set = "path.2.rate=61.44kbit bytes=268kB",                                      \
		            .alone = "path.1.rate=189.44kbit bytes=268kB"},                                  \
		           {.label = "0.86",                                                                 \
		            .set = "path.2.rate=110.08kbit bytes=311kB",                                     \
		            .alone = "path.1.rate=238.08kbit bytes=311kB"},                                  \
		           {.label = "1.25",                                                                 \
		            .set = "path.2.rate=160kbit bytes=355kB",                                        \
		            .alone = "path.1.rate=288kbit bytes=355kB"},                                     \
		           {.label = "1.64",                                                                 \
		            .set = "path.2.rate=209.92kbit bytes=400kB",                                     \
		            .alone = "path.1.rate=337.92kbit bytes=400kB"}},                                 \
	}

#define NETWORK                                                                                              \
	"Messages of 500 bytes, one a packet, path 1: 128 kbit/s, 50 ms on average, with exponential "       \
	"variation of a tenth of the mean. The paper sends UDP at the links' rate from the first packet "    \
	"on; here SCTP finds rates and delays out while it sends."

static const double table_1[][LAB_PLAN_VALUES] = {
    {2, 3, 3, 3}, {3, 4, 4, 4}, {4, 4, 4, 5}, {5, 5, 5, 5}, {5, 6, 6, 6},
};

const struct lab_plan lab_plans_yabandeh[] = {
    {
        .name = "yabandeh-table1",
        .what = "Yabandeh et al., Table I: buffer length at the receiver",
        .claim =
            "The paper (analysis of its bulk scheduling): 2 to 6 packets suffice in 95 % of all situations; "
            "more with larger delay and bandwidth ratios.",
        .note =
            NETWORK " 500 kB; the most that ever waited, the first 2 s left out. With a ratio of 0.48 the "
                    "start is not over by then: the packets of the thin path take 73 ms.",
        .kind = LAB_PLAN_GRID,
        .scenario = "yabandeh",
        .set = PACKETS "bytes=500kB",
        .series = MULTIPATH,
        .x = DELAYS,
        .y = RATES,
        .cells = table_1,
        .cells_label = "the paper",
        .metrics = {BUFFER_MOST, BUFFER_MEAN},
        .claims = {{.text = "2 to 6 packets suffice: most packets, bandwidth ratio 0.86; at most 6",
                    .y = "0.86",
                    .series = "bulk, paper's step",
                    .relation = LAB_PLAN_BELOW,
                    .factor = 6.1},
                   {.text = "the same for bulk's shortest step (ours); at most 6",
                    .y = "0.86",
                    .series = "bulk",
                    .relation = LAB_PLAN_BELOW,
                    .factor = 6.1},
                   {.text = "the same for arrival (ours); at most 6",
                    .y = "0.86",
                    .series = "arrival",
                    .relation = LAB_PLAN_BELOW,
                    .factor = 6.1},
                   {.text = "most packets, mean of the table"},
                   {.text = "packets in the buffer, mean over time and table", .metric = 1}},
    },
    {
        .name = "yabandeh-fig4",
        .what = "Yabandeh et al., Figure 4: additional pause, BPT - d1, over the difference of delays",
        .claim =
            "The paper (analysis): BPT - d1 = (d2 - d1) f_2 (Eq. 12): it grows with the difference of the "
            "delays and with the slower path's share; no scheduler can do better.",
        .note = NETWORK
        " Here without variation, 500 kB, the first 8 s left out: by how much a player at the links' rate "
        "must stay behind what they have taken (`bpt_settled_us`). The paper's step waits up to (1 - f_1) of "
        "it longer, as links take bulks at their own rates (ADR 20). The mean of the delays that packets "
        "really had, with what they waited in front of the links, is beside it.",
        .kind = LAB_PLAN_LINES,
        .scenario = "yabandeh",
        .set = PACKETS "bytes=500kB warm_up=8s path.1.delay=50ms path.1.jitter=none path.2.jitter=none",
        .series = MULTIPATH,
        .x = {.title = "d2 - d1 (ms)",
              .values = {{.label = "50", .set = "path.2.delay=100ms"},
                         {.label = "75", .set = "path.2.delay=125ms"},
                         {.label = "100", .set = "path.2.delay=150ms"},
                         {.label = "125", .set = "path.2.delay=175ms"},
                         {.label = "150", .set = "path.2.delay=200ms"}}},
        .y = RATES,
        .metrics = {{.title = "BPT - d1 (ms)",
                     .key = "bpt_settled_us",
                     .factor = 1e-3,
                     .less = 50000,
                     .from = 10,
                     .log = true,
                     .decimals = 0,
                     .bound_key = "bpt_bound_us",
                     .bound_label = "bound: Eq. 8 less 50 ms"},
                    {.title = "the bound with measured delays (ms)",
                     .key = "fwd_delay_mean_us",
                     .factor = 1e-3,
                     .less = 50000,
                     .decimals = 0,
                     .not_drawn = true}},
        .claims =
            {{.text = "BPT - d1, mean (ms)",
              .series = "bulk, paper's step",
              .relation = LAB_PLAN_BELOW,
              .than = "rr"},
             {.text = "mean of f_i times the delays that packets had, less d1 (ms)", .metric = 1},
             {.text = "grows with the difference: d2 - d1 = 50 ms (ms)", .x = "50"},
             {.text = "grows with the difference: d2 - d1 = 150 ms (ms)", .x = "150"}},
    },
    {
        .name = "yabandeh-fig5",
        .what = "Yabandeh et al., Figure 5: beginning pause time of a transfer of 100 kB",
        .claim =
            "The paper: one path of the same rate is best; its bulk scheduling \"significantly improves\" "
            "simple multipath, more so with larger delay ratios, and is 20 % above Eq. 8 on average.",
        .note =
            NETWORK " The paper's sender knows rates and delays, so the file is the 100 kB behind the first "
                    "8 s, in which ours learns them: by how much a player at the links' rate must stay "
                    "behind what they have taken (`bpt_settled_us`). A player of all data, from the first "
                    "packet on (`play_wait_us`), also waits for the second path, which carries data one "
                    "round trip later than the first one (ADR 6).",
        .kind = LAB_PLAN_LINES,
        .scenario = "yabandeh",
        .set = PACKETS "warm_up=8s",
        .series = SERIES,
        .x = DELAYS,
        .y = FILES,
        .metrics = {{.title = "beginning pause time (ms)",
                     .key = "bpt_settled_us",
                     .factor = 1e-3,
                     .decimals = 0,
                     .bound_key = "bpt_bound_us",
                     .bound_label = "bound: Eq. 8"},
                    {.title = "with start-up (ms)",
                     .key = "play_wait_us",
                     .factor = 1e-3,
                     .decimals = 0,
                     .not_drawn = true}},
        .claims = {{.text = "bulk \"significantly improves\" simple multipath: BPT, mean (ms)",
                    .series = "bulk, paper's step",
                    .relation = LAB_PLAN_BELOW,
                    .than = "rr (simple multipath)"},
                   {.text = "the same at delay ratio 4 (ms)",
                    .x = "4",
                    .series = "bulk, paper's step",
                    .relation = LAB_PLAN_BELOW,
                    .than = "rr (simple multipath)"},
                   {.text = "one path \"outperforms\" multipath: BPT, mean (ms)",
                    .series = "one path of B1+B2",
                    .relation = LAB_PLAN_BELOW,
                    .than = "bulk, paper's step"},
                   {.text = "player from the first packet on, mean (ms)", .metric = 1}},
    },
    {
        .name = "yabandeh-fig6",
        .what = "Yabandeh et al., Figure 6: buffer at the receiver",
        .claim =
            "The paper: simple multipath's buffer \"grows drastically with the increase in the delay of the "
            "slower path\"; with bulk scheduling \"its variation has been well controlled\".",
        .note =
            NETWORK " Ours counts what arrived and was not read, by a reader that reads at once; the paper's "
                    "player reads from the beginning pause time on.",
        .kind = LAB_PLAN_LINES,
        .scenario = "yabandeh",
        .set = PACKETS "bytes=500kB",
        .series = SERIES,
        .x = DELAYS,
        .y = RATES,
        .metrics = {BUFFER_MOST, BUFFER_MEAN},
        .claims = {{.text = "bulk below simple multipath: most packets, mean of all points",
                    .series = "bulk, paper's step",
                    .relation = LAB_PLAN_BELOW,
                    .than = "rr (simple multipath)"},
                   {.text = "most packets at delay ratio 2", .x = "2"},
                   {.text = "\"grows drastically\": most packets at delay ratio 4",
                    .x = "4",
                    .series = "bulk, paper's step",
                    .relation = LAB_PLAN_BELOW,
                    .than = "rr (simple multipath)"},
                   {.text = "packets in the buffer, mean over time and points", .metric = 1}},
    },
    {
        .name = "yabandeh-fig7",
        .what = "Yabandeh et al., Figure 7: buffer at the receiver, bandwidth ratio 0.86",
        .claim =
            "The paper: bulk scheduling's buffer is \"close to the inevitable level implied by the one-path "
            "method\" and \"remains steady throughout the increase in the delay ratio\".",
        .note = NETWORK " 500 kB, the first 2 s left out.",
        .kind = LAB_PLAN_LINES,
        .scenario = "yabandeh",
        .set = PACKETS "bytes=500kB path.2.rate=110.08kbit",
        .series = SERIES,
        .x = DELAYS,
        .y = {.title = "bandwidth ratio B2/B1",
              .values =
                  {{.label = "0.86", .set = "path.2.rate=110.08kbit", .alone = "path.1.rate=238.08kbit"}}},
        .metrics = {BUFFER_MOST,
                    {.title = "mean in the receive buffer (packets)",
                     .key = "rcvbuf_mean_bytes",
                     .factor = 1 / 500.0,
                     .decimals = 2}},
        .claims = {{.text = "\"remains steady\": most packets at delay ratio 2", .x = "2"},
                   {.text = "\"remains steady\": most packets at delay ratio 4",
                    .x = "4",
                    .series = "bulk, paper's step",
                    .relation = LAB_PLAN_BELOW,
                    .than = "rr (simple multipath)"},
                   {.text = "packets in the buffer, mean over time", .metric = 1}},
    },
    {.name = NULL},
};
