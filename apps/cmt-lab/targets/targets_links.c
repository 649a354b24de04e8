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
#define JITTER       "10Mbit/30ms/q=100p/jitter=normal:3ms/at.5s.delay=50ms,duration=60s"
#define ONE_OF_TWO   "10Mbit/20ms/q=100p/at.5s.delay=40ms,5Mbit/40ms/q=100p,duration=40s"
#define BOTH         "20Mbit/20ms/q=100p/at.5s.delay=50ms,20Mbit/50ms/q=100p/at.10s.delay=20ms,duration=30s"
#define SHORTER      "20Mbit/40ms/at.10s.forward.delay=10ms,duration=60s"
#define SHARED(link) link ",competitor=uncoupled@1,duration=60s"
#define CHANGES                                                                                              \
	LONGER_ROUTE " " FORWARD_ONLY " " HAND_OVERS " " RAMP " " JITTER " " ONE_OF_TWO " " BOTH " " SHORTER
#define COMPETITORS                                                                                          \
	SHARED("10Mbit/20ms/q=20p")                                                                          \
	" " SHARED("10Mbit/20ms/q=50p") " " SHARED("10Mbit/20ms/q=100p") " " SHARED(                         \
	    "10Mbit/20ms/q=200p") " " SHARED("10Mbit/20ms/q=500p") " " SHARED("50Mbit/10ms/q=200p")

const struct lab_target lab_link_targets[] = {
    {.what = "delays that change, one and two paths: goodput / minrtt",
     .scenarios = CHANGES,
     .scheduler = "auto",
     .key = "goodput_bps",
     .of = LAB_OF_OTHER,
     .other = "scheduler=minrtt",
     .as_written = true,
     .at_least = true,
     .limit = 0.97,
     .lcm = LAB_NO_TARGET},
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
    {.what = "one download of somebody else on the link: goodput / capacity, half is fair",
     .scenarios = COMPETITORS,
     .scheduler = "auto",
     .key = "goodput_bps",
     .of = LAB_OF_CAPACITY,
     .as_written = true,
     .at_least = true,
     .limit = 0.4,
     .at_most = 0.675,
     .lcm = LAB_NO_TARGET},
    {.what = "one of two paths is shared with a download: goodput / capacity, 3/4 is fair",
     .scenarios = SHARED("10Mbit/20ms/q=100p,10Mbit/40ms/q=100p"),
     .scheduler = "auto",
     .key = "goodput_bps",
     .of = LAB_OF_CAPACITY,
     .as_written = true,
     .at_least = true,
     .limit = 0.675,
     .lcm = LAB_NO_TARGET},
};
const size_t lab_n_link_targets = sizeof(lab_link_targets) / sizeof(lab_link_targets[0]);
