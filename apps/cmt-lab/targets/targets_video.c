/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the viewer of a film is promised: 6 Mbit/s over links that carry 8, with the scheduler that servers
 * have unless told otherwise. */
#include <usrsctp_cmt.h>

#include "targets/targets.h"

#define WIFI_LTE                                                                                             \
	"wifi-lte", .set = "path.1.rate=5714kbit path.2.rate=2286kbit bytes=22.5MB rcvbuf=256kB play=6Mbit "
#define SARWAR2                                                                                              \
	"sarwar2",                                                                                           \
	    .set = "path.1.rate=7273kbit path.2.rate=727kbit msg=1400 bytes=22.5MB rcvbuf=256kB play=6Mbit "
#define LIVE "source=cbr:6Mbit"

#define STALLS(network, kind, load)                                                                          \
	{                                                                                                    \
		.what = "stalls after a start with 1 s of film, " kind, .scenarios = network load,           \
		.scheduler = USRSCTP_CMT_DEFAULT_SCHEDULER, .key = "play_stalls", .as_written = true,        \
		.limit = 0, .lcm = LAB_NO_TARGET                                                             \
	}
/* The bound presumes that what path 2 carries is sent ahead. A live film has nothing to send ahead: what path
 * 2 carries comes as late as that path with its jitter, so over a path with jitter nothing is promised. */
#define START_UP(network, kind, load, promise)                                                               \
	{                                                                                                    \
		.what = "start-up without a later stall / (1.2 x bound + round trip), " kind,                \
		.scenarios = network load, .scheduler = USRSCTP_CMT_DEFAULT_SCHEDULER,                       \
		.key = "play_wait_us", .of = LAB_OF_START_UP_BOUND, .as_written = true, .limit = promise,    \
		.lcm = LAB_NO_TARGET                                                                         \
	}

const struct lab_target lab_video_targets[] = {
    STALLS(WIFI_LTE, "WLAN and LTE, stored", ""),
    STALLS(WIFI_LTE, "WLAN and LTE, live", LIVE),
    STALLS(SARWAR2, "fast and far, stored", ""),
    STALLS(SARWAR2, "fast and far, live", LIVE),
    START_UP(WIFI_LTE, "WLAN and LTE, stored", "", 1),
    START_UP(WIFI_LTE, "WLAN and LTE, live", LIVE, LAB_NO_TARGET),
    START_UP(SARWAR2, "fast and far, stored", "", 1),
    START_UP(SARWAR2, "fast and far, live", LIVE, 1),
};
const size_t lab_n_video_targets = sizeof(lab_video_targets) / sizeof(lab_video_targets[0]);
