/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sched_unequal_pair.h - the two paths of sched_pair.h, filled in. */
#ifndef SCHED_UNEQUAL_PAIR_H
#define SCHED_UNEQUAL_PAIR_H

#include "sched_pair.h"

/* 4 Mbit/s and 20 ms, and as much at 100 ms; nothing is under way, and nothing has room. */
static void fill_pair(void)
{
	paths[FAST] = (struct cmt_path_view){.id = 0,
	                                     .usable = true,
	                                     .cwnd_bytes = 10 * PKT,
	                                     .room_at_us = CMT_NEVER_US,
	                                     .srtt_us = 20000,
	                                     .min_rtt_us = 20000,
	                                     .rate_bps = 4000000,
	                                     .rate_measured = true,
	                                     .base_us = 10000,
	                                     .start_us = 1010000,
	                                     .delay_us = 10000,
	                                     .weight_pct = 100};
	paths[SLOW] = paths[FAST];
	paths[SLOW].id = 1;
	paths[SLOW].srtt_us = paths[SLOW].min_rtt_us = 100000;
	paths[SLOW].base_us = paths[SLOW].delay_us = 50000;
	paths[SLOW].start_us = 1050000;
}

#endif
