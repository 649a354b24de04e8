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

#define AT_EACH_POINT .each_x = true, .each_y = true

#define SENDER_MEASURES                                                                                     \
	.reason = "the paper's senders know rates and delays and send at the links' rate from the "         \
	          "first packet on; here SCTP measures both on paths that vary, and bursts of a "           \
	          "window wait in front of the links"

static const double table_1[][LAB_PLAN_VALUES] = {
    {2, 3, 3, 3}, {3, 4, 4, 4}, {4, 4, 4, 5}, {5, 5, 5, 5}, {5, 6, 6, 6},
};

const struct lab_plan lab_plans_yabandeh[] = {
    {
        .name = "yabandeh-table1",
        .what = "Yabandeh et al., Table I: buffer length at the receiver",
        .claim = "The paper (analysis of its bulk scheduling): 2 to 6 packets suffice in 95 % of all "
                 "situations; more with larger delay and bandwidth ratios.",
        .note = NETWORK " 500 kB; the most that ever waited, the first 2 s left out. With a ratio of 0.48 "
                        "the start is not over by then: the packets of the thin path take 73 ms.",
        .kind = LAB_PLAN_GRID,
        .scenario = "yabandeh",
        .set = PACKETS "bytes=500kB",
        .series = MULTIPATH,
        .x = DELAYS,
        .y = RATES,
        .cells = table_1,
        .cells_label = "the paper",
        .cells_of = "bulk, paper's step",
        .metrics = {BUFFER_MOST, BUFFER_MEAN},
        .claims =
            {{.text = "2 to 6 packets in \"95% of situations\"",
              .test = "bulk: the most that waited, in each cell at most 6",
              .paper = "2 to 6 packets",
              AT_EACH_POINT,
              .series = {"bulk, paper's step"},
              .relation = LAB_CLAIM_AT_MOST,
              .factor = 6,
              .reason =
                  "the most of a whole transfer is above what suffices in 95 % of situations; the cells "
                  "above 6 have the thin path or the far one, whose rate and delay are measured last"},
             {.text = "\"both results increase as the ratio of B2/B1 becomes higher\"",
              .test = "bulk: change from ratio 0.48 to 1.64, at each delay ratio, above 0",
              .paper = "+1 packet",
              .y = {"0.48", "1.64"},
              .each_x = true,
              .of = LAB_CLAIM_RISE,
              .series = {"bulk, paper's step"},
              .relation = LAB_CLAIM_ABOVE,
              .reason = "at 0.48 the thin path takes 73 ms for a packet, and the start is not over after the "
                        "2 s that are left out"},
             {.text = "more with a larger delay ratio (rows of the table)",
              .test = "bulk: change from ratio 2 to 4, at each bandwidth ratio, above 0",
              .paper = "+3 packets",
              .x = {"2", "4"},
              .each_y = true,
              .of = LAB_CLAIM_RISE,
              .series = {"bulk, paper's step"},
              .relation = LAB_CLAIM_ABOVE},
             {.text = "ours: at most 6 with arrival",
              .test = "arrival: the most that waited, in each cell at most 6",
              AT_EACH_POINT,
              .series = {"arrival"},
              .relation = LAB_CLAIM_AT_MOST,
              .factor = 6}},
    },
    {
        .name = "yabandeh-fig4",
        .what = "Yabandeh et al., Figure 4: additional pause, BPT - d1, over the difference of delays",
        .claim = "The paper (analysis): BPT - d1 = (d2 - d1) f_2 (Eq. 12): it grows with the difference of "
                 "the delays and with the slower path's share; no scheduler can do better.",
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
                     .not_drawn = true},
                    {.title = "the bound: Eq. 8 less 50 ms (ms)",
                     .key = "bpt_bound_us",
                     .factor = 1e-3,
                     .less = 50000,
                     .decimals = 0,
                     .not_drawn = true}},
        .claims = {{.text = "BPT - d1 grows with the difference of the delays (Eq. 12)",
                    .test = "bulk: change from 50 to 150 ms above 0, at each bandwidth ratio",
                    .x = {"50", "150"},
                    .each_y = true,
                    .of = LAB_CLAIM_RISE,
                    .series = {"bulk, paper's step"},
                    .relation = LAB_CLAIM_ABOVE},
                   {.text = "\"and also by the raise in the fraction of data which will be conveyed across "
                            "the slower path\"",
                    .test = "bulk: change from bandwidth ratio 0.48 to 1.64 above 0, at each difference",
                    .y = {"0.48", "1.64"},
                    .each_x = true,
                    .of = LAB_CLAIM_RISE,
                    .series = {"bulk, paper's step"},
                    .relation = LAB_CLAIM_ABOVE,
                    .reason = "a thin path takes longer for each packet, 73 ms at 0.48 and 22 ms at 1.64, "
                              "which the fluid of Eq. 12 does not"},
                   {.text = "\"the BPT obtained by all other algorithms would be greater than or equal to "
                            "this value\"",
                    .test = "rr, bulk, arrival: BPT - d1 at least the bound, at each point",
                    AT_EACH_POINT,
                    .series = {"rr", "bulk, paper's step", "arrival"},
                    .relation = LAB_CLAIM_AT_LEAST,
                    .than_metric = 2,
                    .reason = "the bound is of paths that carry their shares of the bandwidth; one that gives the "
                              "far path less pauses less, and carries less"},
                   {.text = "\"the BPT which the receiver experiences by our algorithm is optimal\"",
                    .test = "bulk: BPT - d1 at most 1.2 times the bound, at each point",
                    AT_EACH_POINT,
                    .series = {"bulk, paper's step"},
                    .relation = LAB_CLAIM_AT_MOST,
                    .than_metric = 2,
                    .factor = 1.2,
                    .reason = "packets wait in front of links and take 22 to 73 ms to be sent; the bound has "
                              "neither. Against the delays that packets really had (second metric) little is "
                              "missing"}},
    },
    {
        .name = "yabandeh-fig5",
        .what = "Yabandeh et al., Figure 5: beginning pause time of a transfer of 100 kB",
        .claim =
            "The paper: one path of the same rate is best; its bulk scheduling \"significantly improves\" "
            "simple multipath, more so with larger delay ratios, and is 20 % above Eq. 8 on average.",
        .note = NETWORK
        " The paper's sender knows rates and delays, so the file is the 100 kB behind the first 8 s, in "
        "which ours learns them: by how much a player at the links' rate must stay behind what they have "
        "taken (`bpt_settled_us`). A player of all data, from the first packet on (`play_wait_us`), also "
        "waits for the second path, which carries data one round trip later than the first one (ADR 6).",
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
                     .not_drawn = true},
                    {.title = "Eq. 8 (ms)",
                     .key = "bpt_bound_us",
                     .factor = 1e-3,
                     .decimals = 0,
                     .not_drawn = true}},
        .claims = {{.text = "\"the one-path method completely outperforms two other multipath approaches\"",
                    .test = "one path: BPT below that of simple multipath and of bulk, at each point",
                    AT_EACH_POINT,
                    .series = {"one path of B1+B2"},
                    .relation = LAB_CLAIM_BELOW,
                    .than = {"rr (simple multipath)", "bulk, paper's step"}},
                   {.text = "\"our enhanced multipath method significantly improves the BPT\"",
                    .test = "bulk: BPT below that of simple multipath, mean over the bandwidth ratios, at "
                            "each delay ratio",
                    .each_x = true,
                    .series = {"bulk, paper's step"},
                    .relation = LAB_CLAIM_BELOW,
                    .than = {"rr (simple multipath)"},
                    SENDER_MEASURES},
                   {.text = "\"As much as the delay ratio ... becomes higher, this improvement becomes more "
                            "apparent\"",
                    .test = "bulk: change of the BPT from delay ratio 2 to 4 below that of simple multipath, "
                            "at bandwidth ratio 0.86",
                    .x = {"2", "4"},
                    .y = {"0.86"},
                    .of = LAB_CLAIM_RISE,
                    .series = {"bulk, paper's step"},
                    .relation = LAB_CLAIM_BELOW,
                    .than = {"rr (simple multipath)"},
                    SENDER_MEASURES},
                   {.text = "\"on average 20% above the analytical ones\"",
                    .test = "bulk: BPT, mean of all points, at 1.2 times Eq. 8, +-10 %",
                    .paper = "1.2 times Eq. 8",
                    .series = {"bulk, paper's step"},
                    .relation = LAB_CLAIM_NEAR,
                    .than_metric = 2,
                    .factor = 1.2,
                    .within = 0.1,
                    SENDER_MEASURES}},
    },
    {
        .name = "yabandeh-fig6",
        .what = "Yabandeh et al., Figure 6: buffer at the receiver",
        .claim = "The paper: simple multipath's buffer \"grows drastically with the increase in the delay of "
                 "the slower path\"; with bulk scheduling \"its variation has been well controlled\".",
        .note = NETWORK " Ours counts what arrived and was not read, by a reader that reads at once; the "
                        "paper's player reads from the beginning pause time on.",
        .kind = LAB_PLAN_LINES,
        .scenario = "yabandeh",
        .set = PACKETS "bytes=500kB",
        .series = SERIES,
        .x = DELAYS,
        .y = RATES,
        .metrics = {BUFFER_MOST, BUFFER_MEAN},
        .claims =
            {{.text =
                  "simple multipath \"grows drastically with the increase in the delay of the slower path\"",
              .test = "simple multipath: change from delay ratio 2 to 4 above 0, at each bandwidth ratio",
              .x = {"2", "4"},
              .each_y = true,
              .of = LAB_CLAIM_RISE,
              .series = {"rr (simple multipath)"},
              .relation = LAB_CLAIM_ABOVE,
              .reason = "round robin here deals out by turns, not by bandwidth: unless the rates are nearly "
                        "equal, what waits is the thinner path's queue"},
             {.text = "bulk's \"variation has been well controlled\"",
              .test = "bulk: change from delay ratio 2 to 4 below that of simple multipath, at each "
                      "bandwidth ratio",
              .x = {"2", "4"},
              .each_y = true,
              .of = LAB_CLAIM_RISE,
              .series = {"bulk, paper's step"},
              .relation = LAB_CLAIM_BELOW,
              .than = {"rr (simple multipath)"},
              .reason = "where the thin path's queue rules, simple multipath waits for it at any delay ratio "
                        "and grows no further"},
             {.text = "bulk below simple multipath (the figure)",
              .test = "bulk: most packets below those of simple multipath, at each point",
              AT_EACH_POINT,
              .series = {"bulk, paper's step"},
              .relation = LAB_CLAIM_BELOW,
              .than = {"rr (simple multipath)"}},
             {.text = "\"the consumed buffer space generally increases with the raise in the effective "
                      "bandwidth ratio\"",
              .test = "bulk: change from bandwidth ratio 0.48 to 1.64 above 0, at each delay ratio",
              .y = {"0.48", "1.64"},
              .each_x = true,
              .of = LAB_CLAIM_RISE,
              .series = {"bulk, paper's step"},
              .relation = LAB_CLAIM_ABOVE,
              .reason = "at 0.48 the thin path takes 73 ms for a packet, and the start is not over after the "
                        "2 s that are left out"}},
    },
    {
        .name = "yabandeh-fig7",
        .what = "Yabandeh et al., Figure 7: buffer at the receiver, bandwidth ratio 0.86",
        .claim = "The paper: bulk scheduling's buffer is \"close to the inevitable level implied by the "
                 "one-path method\" and \"remains steady throughout the increase in the delay ratio\".",
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
        .claims =
            {{.text = "bulk's buffer is \"close to the inevitable level implied by the one-path method\"",
              .test = "bulk: most packets below half of simple multipath's, at each delay ratio: nearer "
                      "to one path, where nothing waits",
              .each_x = true,
              .series = {"bulk, paper's step"},
              .relation = LAB_CLAIM_BELOW,
              .than = {"rr (simple multipath)"},
              .factor = 0.5,
              .reason =
                  "at the larger ratios bulk holds several packets, for the reason of the next sentence"},
             {.text = "it \"remains steady throughout the increase in the delay ratio\"",
              .test = "bulk: most packets at each larger delay ratio at most twice those at 2, as in the "
                      "paper's Table I (3 to 6)",
              .paper = "3 to 6 packets (Table I)",
              .x = {"2.5", "3", "3.5", "4"},
              .each_x = true,
              .series = {"bulk, paper's step"},
              .relation = LAB_CLAIM_AT_MOST,
              .than_x = {"2"},
              .factor = 2,
              .reason = "steps are planned from rates and delays that SCTP measures on a path with "
                        "exponential variation; an error of a packet's time costs packets, and the more "
                        "the further apart the delays"},
             {.text = "simple multipath \"raises drastically with the increase in the delay ratio\"",
              .test = "simple multipath: most packets at delay ratio 4 at least 1.5 times those at 2",
              .x = {"4"},
              .series = {"rr (simple multipath)"},
              .relation = LAB_CLAIM_AT_LEAST,
              .than_x = {"2"},
              .factor = 1.5}},
    },
    {.name = NULL},
};
