/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Links that change and links that others use, too. */
#include "targets/targets.h"

#define LONGER_ROUTE "10Mbit/20ms/q=100p/at.5s.delay=40ms,duration=60s"
#define FORWARD_ONLY "20Mbit/10ms/at.10s.forward.delay=40ms,duration=60s"
#define HAND_OVERS                                                                                           \
	"10Mbit/30ms/q=100p/at.15s.delay=45ms/at.30s.delay=35ms/at.45s.delay=50ms/at.60s.delay=32ms,"        \
	"duration=75s"
#define RAMP                                                                                                 \
	"10Mbit/20ms/q=100p/at.5s.delay=25ms/at.6s.delay=30ms/at.7s.delay=35ms/at.8s.delay=40ms/"            \
	"at.9s.delay=45ms,duration=40s"
#define JITTER     "10Mbit/30ms/q=100p/jitter=normal:3ms/at.5s.delay=50ms,duration=60s"
#define ONE_OF_TWO "10Mbit/20ms/q=100p/at.5s.delay=40ms,5Mbit/40ms/q=100p,duration=40s"
#define BOTH       "20Mbit/20ms/q=100p/at.5s.delay=50ms,20Mbit/50ms/q=100p/at.10s.delay=20ms,duration=30s"
#define SHORTER    "20Mbit/40ms/at.10s.forward.delay=10ms,duration=60s"
#define ONE_PATH   LONGER_ROUTE " " FORWARD_ONLY " " HAND_OVERS " " RAMP " " SHORTER
#define TWO_PATHS  ONE_OF_TWO " " BOTH

/* Half of the link is fair. */
#define SHARED_LINK(text, link)                                                                              \
	{                                                                                                    \
		.what = "somebody else's download, queue of " text ": goodput / capacity",                   \
		.scenarios = link ",competitor=uncoupled@1,duration=60s", .scheduler = "auto",               \
		.key = "goodput_bps", .of = LAB_OF_CAPACITY, .as_written = true, .at_least = true,           \
		.limit = 0.4, .at_most = 0.675, .lcm = LAB_NO_TARGET                                         \
	}

#define BOTH_THROUGH(queue) "20Mbit/5ms/via=core,20Mbit/15ms/via=core,link.core=10Mbit/15ms/q=" queue

#define CHANGING_LINKS(text, links, share)                                                                   \
	{                                                                                                    \
		.what = text ": goodput / minrtt", .scenarios = links, .scheduler = "auto",                  \
		.key = "goodput_bps", .of = LAB_OF_OTHER, .other = "scheduler=minrtt", .as_written = true,   \
		.at_least = true, .limit = share, .lcm = LAB_NO_TARGET                                       \
	}

#define LOSSY(share) "10Mbit/20ms/q=100p,5Mbit/60ms/q=100p,loss=" share ",duration=30s"

/* With radio loss on all paths. */
#define LOSSY_LINKS(share, ceiling_share)                                                                    \
	{                                                                                                    \
		.what = share " of loss on both paths: goodput / ceiling", .scenarios = LOSSY(share),        \
		.scheduler = "auto", .key = "goodput_ratio", .as_written = true, .at_least = true,           \
		.limit = ceiling_share, .lcm = LAB_NO_TARGET                                                 \
	}

const struct lab_target lab_link_targets[] = {
    CHANGING_LINKS("delays that change, one path", ONE_PATH, 0.97),
    CHANGING_LINKS("delays that change, two paths", TWO_PATHS, 0.97),
    CHANGING_LINKS("a delay that changes under jitter", JITTER, 0.97),
    {.what = "5 Mbit/s over a route that grows 20 ms longer: latency p99 / minrtt",
     .scenarios = LONGER_ROUTE,
     .set = "source=cbr:5Mbit",
     .scheduler = "auto",
     .key = "latency_p99_us",
     .of = LAB_OF_OTHER,
     .other = "scheduler=minrtt",
     .as_written = true,
     .limit = 1.5,
     .lcm = LAB_NO_TARGET},
    SHARED_LINK("20 packets", "10Mbit/20ms/q=20p"),
    SHARED_LINK("50 packets", "10Mbit/20ms/q=50p"),
    SHARED_LINK("100 packets", "10Mbit/20ms/q=100p"),
    SHARED_LINK("200 packets", "10Mbit/20ms/q=200p"),
    SHARED_LINK("500 packets", "10Mbit/20ms/q=500p"),
    SHARED_LINK("200 packets at 50 Mbit/s", "50Mbit/10ms/q=200p"),
    SHARED_LINK("20 packets, both paths", BOTH_THROUGH("20p")),
    SHARED_LINK("100 packets, both paths", BOTH_THROUGH("100p")),
    SHARED_LINK("500 packets, both paths", BOTH_THROUGH("500p")),
    {.what = "one of two paths shared with a download: goodput / capacity",
     .scenarios = "10Mbit/20ms/q=100p,10Mbit/40ms/q=100p,competitor=uncoupled@1,duration=60s",
     .scheduler = "auto",
     .key = "goodput_bps",
     .of = LAB_OF_CAPACITY,
     .as_written = true,
     .at_least = true,
     .limit = 0.675,
     .lcm = LAB_NO_TARGET},
    LOSSY_LINKS("1%", 0.9),
    LOSSY_LINKS("5%", 0.8),
    {.what = "late chunks behind a full send buffer: goodput / best path alone",
     .scenarios = "16Mbit/20ms/q=300kB,16Mbit/50ms/q=1MB/at.5s.forward.rate=0.2Mbit,duration=30s",
     .set = "rcvbuf=4MB sndbuf=1MB",
     .scheduler = "auto",
     .key = "goodput_bps",
     .of = LAB_OF_OTHER,
     .other = "only_path=1",
     .as_written = true,
     .at_least = true,
     .limit = 0.97,
     .lcm = LAB_NO_TARGET},
};
const size_t lab_n_link_targets = sizeof(lab_link_targets) / sizeof(lab_link_targets[0]);
