/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a host with several uplinks behind NATs is promised, with the scheduler that programs have unless told
 * otherwise. A silence is the longest time between two deliveries of the whole run; an uplink begins when the
 * host has its address. */
#include <usrsctp_cmt.h>

#include "targets/targets.h"

#define GOODPUT(name, networks, result, divisor)                                                             \
	{                                                                                                    \
		.what = name, .scenarios = networks, .scheduler = USRSCTP_CMT_DEFAULT_SCHEDULER,             \
		.key = result, .of = divisor, .as_written = true, .at_least = true, .limit = 0.93,           \
		.lcm = LAB_NO_TARGET                                                                         \
	}
#define SILENCE(name, networks, settings)                                                                    \
	{                                                                                                    \
		.what = name ": silence / (shortest RTT + 100 ms)", .scenarios = networks, .set = settings,  \
		.scheduler = USRSCTP_CMT_DEFAULT_SCHEDULER, .key = "max_delivery_gap_us",                    \
		.of = LAB_OF_SILENCE_BOUND, .as_written = true, .limit = 1, .lcm = LAB_NO_TARGET             \
	}
#define BEGINS(name, networks, settings, path)                                                               \
	{                                                                                                    \
		.what = name ": RTTs to first data", .scenarios = networks, .set = settings,                 \
		.scheduler = USRSCTP_CMT_DEFAULT_SCHEDULER, .key = "path." path ".reuse_delay_us",           \
		.of = LAB_OF_ROUND_TRIP, .as_written = true, .limit = 3, .lcm = LAB_NO_TARGET                \
	}

const struct lab_target lab_path_targets[] = {
    GOODPUT("one server address, one or two NATs: goodput / sum of links", "road-warrior cgnat",
            "goodput_bps", LAB_OF_CAPACITY),
    GOODPUT("uplinks go and come: goodput / ceiling of those there", "camera-van roaming", "goodput_ratio",
            LAB_OF_NOTHING),
    SILENCE("other ports", "cgnat", ""),
    SILENCE("another address", "cgnat", "nat.provider.rebind=5s:address"),
    SILENCE("other ports of one uplink", "road-warrior", "nat.phone.rebind=5s"),
    SILENCE("an uplink goes", "camera-van roaming", ""),
    BEGINS("new uplink, one server address", "road-warrior", "path.2.from_absent=0s-5s", "2"),
    BEGINS("uplink back, two server addresses", "camera-van", "", "2"),
    BEGINS("uplink back, one server address", "roaming", "", "1"),
};
const size_t lab_n_path_targets = sizeof(lab_path_targets) / sizeof(lab_path_targets[0]);
