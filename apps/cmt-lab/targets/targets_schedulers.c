/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the papers' schedulers and the automatic choice promise, measured with transfers. */
#include "targets/targets.h"

/* OSIA, Figure 7, without loss: rate and delay of path 2 are 0.5 to 4 times those of path 1. */
#define THREE_DUPACKS(name)                                                                                  \
	{                                                                                                    \
		.what = "OSIA's grid of delays and rates: three-dupACK events, " name,                       \
		.scenarios = "osia-base", .grid = "path.2.rate path.2.delay", .scheduler = name,             \
		.key = "three_dupack_events", .as_written = true, .share = 0.95, .limit = 0,                 \
		.lcm = LAB_NO_TARGET                                                                         \
	}
#define OSIA_PATHS(name)                                                                                     \
	{                                                                                                    \
		.what = "OSIA, 1 to 4 paths: goodput / ceiling, " name,                                      \
		.scenarios = "osia-paths1 osia-paths2 osia-paths3 osia-paths4", .scheduler = name,           \
		.key = "goodput_ratio", .at_least = true, .limit = 0.95, .lcm = LAB_NO_TARGET                \
	}
/* The paper's definition: how long delivery must pause so that it is never interrupted. In a transfer that
 * has settled, as the paper's sender knows all rates from the start; packets of one message. */
#define YABANDEH(name, text, measured, baseline, bound)                                                      \
	{                                                                                                    \
		.what = "Yabandeh, settled: " text ", " name, .scenarios = "yabandeh",                       \
		.set = "path.1.jitter=none path.2.jitter=none msg=1000 bytes=500kB warm_up=8s",              \
		.grid = "path.2.rate path.2.delay", .scheduler = name, .key = measured, .of = baseline,      \
		.as_written = true, .limit = bound, .lcm = LAB_NO_TARGET                                     \
	}
#define BPT(name, bound)                                                                                     \
	YABANDEH(name, "beginning pause time / sum f d", "bpt_settled_us", LAB_OF_BPT_BOUND, bound)
/* With what waits in front of the links, and the steps of whole packets. */
#define LAG(name)                                                                                            \
	YABANDEH(name, "from leaving the host to delivery / that of whole packets", "in_order_lag_us",       \
	         LAB_OF_BPT_PACKETS, LAB_NO_TARGET)
/* 100 seeds when 20 are asked for. What the paper counts in its Figure 6 is the packets that wait in the
 * receive buffer; the share of packets that arrive behind a larger one is RFC 4737's. */
#define OCPS(text, base, quantity, more)                                                                     \
	{                                                                                                    \
		.what = "ocps, 80 s, seed by seed: " text ", " base "+ocps / " base, .scenarios = "ocps",    \
		.scheduler = base "+ocps", .other = "scheduler=" base, .key = quantity, .of = LAB_OF_OTHER,  \
		.paired = true, .as_written = true, .at_least = (more), .seeds = 5, .limit = 1,              \
		.lcm = LAB_NO_TARGET                                                                         \
	}
#define OCPS_OVER(base)                                                                                      \
	OCPS("goodput", base, "goodput_bps", true),                                                          \
	    OCPS("packets waiting for order", base, "rcvbuf_mean_bytes", false),                             \
	    OCPS("packets out of order", base, "reordered_ratio", false)

const struct lab_target lab_scheduler_targets[] = {
    {.what = "OSIA's grid of delays and rates: three-dupACK events, rr, the most of a point",
     .scenarios = "osia-base",
     .grid = "path.2.rate path.2.delay",
     .scheduler = "rr",
     .key = "three_dupack_events",
     .as_written = true,
     .best_counts = true,
     .at_least = true,
     .limit = 1,
     .lcm = LAB_NO_TARGET},
    THREE_DUPACKS("osia"),
    THREE_DUPACKS("lcm"),
    THREE_DUPACKS("arrival"),
    OSIA_PATHS("osia"),
    OSIA_PATHS("arrival"),
    BPT("bulk", 1.1),
    BPT("arrival", 1.05),
    LAG("bulk"),
    LAG("arrival"),
    OCPS_OVER("fps"),
    OCPS_OVER("f2p"),
    {.what = "receive buffer mean / rr's, every scenario without loss",
     .scenarios = LAB_ALL_LOSSLESS,
     .key = "rcvbuf_mean_bytes",
     .of = LAB_OF_OTHER,
     .other = "scheduler=rr",
     .limit = 0.05,
     .lcm = LAB_NO_TARGET},
    {.what = "sarwar1, constant rate, 75 % of the ceiling: latency p99, us",
     .scenarios = "sarwar1",
     .set = "load=75%",
     .scheduler = "auto",
     .key = "latency_p99_us",
     .limit = 25e3,
     .lcm = LAB_NO_TARGET},
    {.what = "100 random networks: goodput / the best other scheduler or path, same control",
     .scenarios = "random:1..100",
     .scheduler = "auto",
     .key = "goodput_bps",
     .of = LAB_OF_BEST_OTHER,
     .as_written = true,
     .at_least = true,
     .seeds = 0.25,
     .limit = 0.97,
     .lcm = LAB_NO_TARGET},
    {.what = "100 random networks with loss: goodput / the best other scheduler or path, same control",
     .scenarios = "random-lossy:1..100",
     .scheduler = "auto",
     .key = "goodput_bps",
     .of = LAB_OF_BEST_OTHER,
     .as_written = true,
     .at_least = true,
     .limit = 0.92,
     .lcm = LAB_NO_TARGET},
};
const size_t lab_n_scheduler_targets = sizeof(lab_scheduler_targets) / sizeof(lab_scheduler_targets[0]);
