/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Arabi et al.: figures 8 and 9, and what they conclude of all congestion controls with all detectors of
 * spurious retransmissions. */
#include "figures/plans/plans.h"

#define GOODPUT                                                                                              \
	{                                                                                                    \
		.title = "goodput (Mbit/s)", .key = "goodput_bps", .factor = 1e-6, .decimals = 2             \
	}
#define SPURIOUS                                                                                             \
	{                                                                                                    \
		.title = "spurious retransmissions", .key = "spurious_retransmits"                           \
	}
#define RESENT                                                                                               \
	{                                                                                                    \
		.title = "retransmissions", .key = "retransmits"                                             \
	}

/* The paper's MPTCP does not look ahead, as `rr`; `arrival` is ours. */
#define SCHEDULERS                                                                                           \
	{                                                                                                    \
		.title = "scheduler", .values = {                                                            \
			{.label = "rr", .scheduler = "rr"},                                                  \
			{.label = "arrival", .scheduler = "arrival"}                                         \
		}                                                                                            \
	}

#define REORDER(path)     "path." path ".reorder=0.2%:60ms "
#define LATE(path, delay) "path." path ".at.5s.delay=1500ms path." path ".at.5.3s.delay=" delay " "
#define DISTURBED_2       REORDER("1") REORDER("2") LATE("1", "100ms") LATE("2", "100ms")
#define DISTURBED_3                                                                                          \
	REORDER("1")                                                                                         \
	REORDER("2") REORDER("3") LATE("1", "100ms") LATE("2", "10ms") LATE("3", "50ms")

/* What the paper has Eifel and F-RTO cost. */
#define TAKES_BACK                                                                                           \
	.reason = "a detector takes reductions of the window back, or does nothing: goodput rises where there " \
	          "is something to find"

#define NOTE                                                                                                 \
	"SCTP in place of ns-3's MPTCP. The paper's links reorder nothing; what its MPTCP sends again for "  \
	"nothing it takes for lost because subflows overtake each other. Here a packet is lost when later "  \
	"ones of its own path were delivered, so that detectors would find next to nothing: 0.2 % of the "   \
	"packets of every path are late by 60 ms, and from 5 to 5.3 s all are late by 1.5 s. Eifel finds "   \
	"both at once, DSACK after what was sent again has arrived, F-RTO timeouts alone. An undo gives the " \
	"window back (RFC 4015); the paper's responses are curves of their own: DSACK's leads back in slow " \
	"start (undo=1), F-RTO's leaves the window (undo=0). `all` and `arrival` are ours."

#define PAPERS(detector, cc)                                                                                 \
	{                                                                                                    \
		.scheduler = "rr", .label = detector ", paper's response", .set = "recovery=" detector " cc=" cc, \
		.look = detector, .darker = 45                                                               \
	}

const struct lab_plan lab_plans_arabi[] = {
    {
        .name = "arabi-fig8",
        .what = "Arabi et al., Figure 8: linked increases, two subflows, goodput over time",
        .claim = "The paper: DSACK \"stays the same\", \"both the Eifel and FRTO algorithms is decreased\", "
                 "and without detection it \"remains the same as when using uncoupled\".",
        .note = NOTE,
        .kind = LAB_PLAN_TIME,
        .scenario = "arabi1",
        .set = DISTURBED_2 "cc=linked",
        .series = {{.scheduler = "rr", .label = "none", .set = "recovery=none", .look = "none"},
                   {.scheduler = "rr", .label = "dsack", .set = "recovery=dsack", .look = "dsack"},
                   {.scheduler = "rr", .label = "eifel", .set = "recovery=eifel", .look = "eifel"},
                   {.scheduler = "rr", .label = "frto", .set = "recovery=frto", .look = "frto"},
                   PAPERS("dsack", "linked:undo=1"),
                   PAPERS("frto", "linked:undo=0"),
                   {.scheduler = "rr", .label = "all", .set = "recovery=all", .look = "all"},
                   {.scheduler = "rr",
                    .label = "none, uncoupled",
                    .set = "recovery=none cc=uncoupled",
                    .look = "stock"}},
        .x = SCHEDULERS,
        .to_s = 20,
        .bin_s = 1,
        .panels = {{"goodput (Mbit/s)", "delivered_bytes", LAB_TRACE_RATE, 8e-6, 2}},
        .metrics = {GOODPUT, SPURIOUS, RESENT},
        .claims =
            {{.text = "\"the throughput of using DSACK stays the same\"",
              .test = "DSACK: goodput at that of none, +-2 %, round robin",
              .x = {"rr"},
              .series = {"dsack"},
              .relation = LAB_CLAIM_NEAR,
              .than = {"none"},
              .within = 0.02,
              .given_metric = 1,
              .given_least = 1,
              .given = "no retransmission was spurious, so that there was nothing to detect",
              TAKES_BACK},
             {.text = "\"the throughput of both the Eifel and FRTO algorithms is decreased when they detects "
                      "a spurious retransmission\"",
              .test = "Eifel and F-RTO: goodput below that of none, round robin",
              .x = {"rr"},
              .series = {"eifel", "frto"},
              .relation = LAB_CLAIM_BELOW,
              .than = {"none"},
              .given_metric = 1,
              .given_least = 1,
              .given = "no retransmission was spurious, so that there was nothing to detect",
              TAKES_BACK},
             {.text = "without detection it \"remains the same as when using uncoupled\"",
              .test = "none: goodput at that of uncoupled without detection, +-2 %, round robin",
              .x = {"rr"},
              .series = {"none"},
              .relation = LAB_CLAIM_NEAR,
              .than = {"none, uncoupled"},
              .within = 0.02,
              .reason = "what is taken for lost for nothing keeps windows small, and linked increases make them "
                        "grow more slowly than uncoupled ones"}},
    },
    {
        .name = "arabi-fig9",
        .what = "Arabi et al., Figure 9: uncoupled, three subflows, goodput over time",
        .claim = "The paper: \"the best result is the throughput for DSACK as it reaches about 10 Mbps and "
                 "the throughput of both FRTO and Eifel algorithms is 40 less\" than without.",
        .note = NOTE,
        .kind = LAB_PLAN_TIME,
        .scenario = "arabi2",
        .set = DISTURBED_3 "cc=uncoupled",
        .series = {{.scheduler = "rr", .label = "none", .set = "recovery=none", .look = "none"},
                   {.scheduler = "rr", .label = "dsack", .set = "recovery=dsack", .look = "dsack"},
                   {.scheduler = "rr", .label = "eifel", .set = "recovery=eifel", .look = "eifel"},
                   {.scheduler = "rr", .label = "frto", .set = "recovery=frto", .look = "frto"},
                   PAPERS("dsack", "uncoupled:undo=1"),
                   PAPERS("frto", "uncoupled:undo=0"),
                   {.scheduler = "rr", .label = "all", .set = "recovery=all", .look = "all"}},
        .x = SCHEDULERS,
        .to_s = 20,
        .bin_s = 1,
        .panels = {{"goodput (Mbit/s)", "delivered_bytes", LAB_TRACE_RATE, 8e-6, 2}},
        .metrics = {GOODPUT, SPURIOUS, RESENT},
        .claims =
            {{.text = "\"the best result is the throughput for DSACK\"",
              .test = "DSACK: goodput above that of none, Eifel and F-RTO, round robin",
              .x = {"rr"},
              .series = {"dsack"},
              .relation = LAB_CLAIM_ABOVE,
              .than = {"none", "eifel", "frto"},
              .given_metric = 1,
              .given_least = 1,
              .given = "no retransmission was spurious, so that there was nothing to detect",
              .reason = "Eifel finds the same retransmissions with the first acknowledgement, DSACK a round "
                        "trip later"},
             {.text = "\"it reaches about 10 Mbps\"",
              .test = "DSACK: goodput at 10 Mbit/s, +-10 %, round robin",
              .paper = "10 Mbit/s",
              .x = {"rr"},
              .series = {"dsack"},
              .relation = LAB_CLAIM_NEAR,
              .factor = 10,
              .reason =
                  "more is reached: the links carry 14 Mbit/s, and nothing but full queues loses packets"},
             {.text = "\"the throughput of both FRTO and Eifel algorithms is 40 less\"",
              .test = "Eifel and F-RTO: goodput at 0.6 times that of none, +-10 %, round robin",
              .paper = "40 (no unit), read as per cent",
              .x = {"rr"},
              .series = {"eifel", "frto"},
              .relation = LAB_CLAIM_NEAR,
              .than = {"none"},
              .factor = 0.6,
              .given_metric = 1,
              .given_least = 1,
              .given = "no retransmission was spurious, so that there was nothing to detect",
              TAKES_BACK},
             {.text = "\"both the Eifel and FRTO do not improve the performance\"",
              .test = "Eifel and F-RTO: goodput at most that of none, round robin",
              .x = {"rr"},
              .series = {"eifel", "frto"},
              .relation = LAB_CLAIM_AT_MOST,
              .than = {"none"},
              .given_metric = 1,
              .given_least = 1,
              .given = "no retransmission was spurious, so that there was nothing to detect",
              TAKES_BACK}},
    },
    {
        .name = "arabi-matrix",
        .what = "Arabi et al., conclusion: four congestion controls, each with each detector",
        .claim = "The paper: \"none of the three packet reordering algorithms is the optimal solution\"; "
                 "DSACK with uncoupled is the best of three subflows, \"about 10Mbps\".",
        .note = NOTE,
        .kind = LAB_PLAN_GRID,
        .scenario = "arabi1",
        .series = {{.scheduler = "rr"}, {.scheduler = "arrival"}},
        .x = {.title = "detector",
              .values = {{.label = "none", .set = "recovery=none"},
                         {.label = "dsack", .set = "recovery=dsack"},
                         {.label = "eifel", .set = "recovery=eifel"},
                         {.label = "frto", .set = "recovery=frto"},
                         {.label = "all", .set = "recovery=all"}}},
        .y = {.title = "" /* the labels say it */,
              .values = {{.label = "2 uncoupled", .scenario = "arabi1", .set = DISTURBED_2 "cc=uncoupled"},
                         {.label = "2 coupled", .scenario = "arabi1", .set = DISTURBED_2 "cc=coupled"},
                         {.label = "2 linked", .scenario = "arabi1", .set = DISTURBED_2 "cc=linked"},
                         {.label = "2 rttcomp", .scenario = "arabi1", .set = DISTURBED_2 "cc=rttcomp"},
                         {.label = "3 uncoupled", .scenario = "arabi2", .set = DISTURBED_3 "cc=uncoupled"},
                         {.label = "3 coupled", .scenario = "arabi2", .set = DISTURBED_3 "cc=coupled"},
                         {.label = "3 linked", .scenario = "arabi2", .set = DISTURBED_3 "cc=linked"},
                         {.label = "3 rttcomp", .scenario = "arabi2", .set = DISTURBED_3 "cc=rttcomp"}}},
        .metrics = {GOODPUT, SPURIOUS, RESENT},
        .claims =
            {{.text = "two subflows: DSACK with RTT compensation \"good results but is not the best\"",
              .test = "round robin: goodput of that cell below the most of the 16 cells",
              .x = {"dsack"},
              .y = {"2 rttcomp"},
              .series = {"rr"},
              .relation = LAB_CLAIM_BELOW,
              .than_x = {"none", "dsack", "eifel", "frto"},
              .than_y = {"2 uncoupled", "2 coupled", "2 linked", "2 rttcomp"},
              .than_of = LAB_CLAIM_MOST},
             {.text = "\"The best throughput ... of three subflows is when using DSACK with uncoupled\"",
              .test = "round robin: goodput of that cell at least the most of the 16 cells",
              .x = {"dsack"},
              .y = {"3 uncoupled"},
              .series = {"rr"},
              .relation = LAB_CLAIM_AT_LEAST,
              .than_x = {"none", "dsack", "eifel", "frto"},
              .than_y = {"3 uncoupled", "3 coupled", "3 linked", "3 rttcomp"},
              .than_of = LAB_CLAIM_MOST,
              .reason = "Eifel finds the same with the first acknowledgement, and what DSACK cannot"},
             {.text = "\"which is about 10Mbps\"",
              .test = "round robin: goodput of that cell at 10 Mbit/s, +-10 %",
              .paper = "10 Mbit/s",
              .x = {"dsack"},
              .y = {"3 uncoupled"},
              .series = {"rr"},
              .relation = LAB_CLAIM_NEAR,
              .factor = 10,
              .reason =
                  "more is reached: the links carry 14 Mbit/s, and nothing but full queues loses packets"},
             {.text = "Eifel improves \"when using two subflows with uncoupled, linked increases and RTT "
                      "compensation\"",
              .test = "round robin: goodput with Eifel above that with none, for each of the three controls",
              .x = {"eifel"},
              .y = {"2 uncoupled", "2 linked", "2 rttcomp"},
              .each_y = true,
              .series = {"rr"},
              .relation = LAB_CLAIM_ABOVE,
              .than_x = {"none"},
              .given_metric = 1,
              .given_least = 1,
              .given = "no retransmission was spurious, so that there was nothing to detect",
              TAKES_BACK},
             {.text = "Eifel improves \"only\" with two subflows and those three",
              .test = "round robin: goodput with Eifel at most that with none, in the five other rows",
              .x = {"eifel"},
              .y = {"2 coupled", "3 uncoupled", "3 coupled", "3 linked", "3 rttcomp"},
              .each_y = true,
              .series = {"rr"},
              .relation = LAB_CLAIM_AT_MOST,
              .than_x = {"none"},
              .given_metric = 1,
              .given_least = 1,
              .given = "no retransmission was spurious, so that there was nothing to detect",
              .reason = "taking back what a spurious retransmission took from the window helps wherever "
                        "there is one"},
             {.text = "none of the three is optimal, \"although they improve the performance\"",
              .test = "round robin: goodput, mean of the controls and scenarios, with each of the three "
                      "above that with none",
              .x = {"dsack", "eifel", "frto"},
              .each_x = true,
              .series = {"rr"},
              .relation = LAB_CLAIM_ABOVE,
              .than_x = {"none"},
              .given_metric = 1,
              .given_least = 1,
              .given = "no retransmission was spurious, so that there was nothing to detect",
              TAKES_BACK}},
    },
    {.name = NULL},
};
