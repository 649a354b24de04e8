/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_jitter.h"

#include "../util/cmt_time.h"
#include "../util/cmt_tuned.h"

static void start_group(struct cmt_jitter *j, int64_t arrival_us, int64_t late_us, uint64_t bps)
{
	j->most_us = j->least_us = late_us;
	j->bps = bps;
	j->since_us = arrival_us;
	j->n = 0;
}

void cmt_jitter_on_arrival(struct cmt_jitter *j, int64_t arrival_us, int64_t late_us, uint64_t bps,
                           int64_t least_group_us)
{
	if (j->n == 0 || bps > j->bps + j->bps / CMT_LITTLE_SHARE || bps < j->bps - j->bps / CMT_LITTLE_SHARE)
		start_group(j, arrival_us, late_us, bps);
	j->most_us = cmt_max_us(j->most_us, late_us);
	j->least_us = cmt_min_us(j->least_us, late_us);
	if (++j->n < CMT_GROUP_PKTS || arrival_us - j->since_us < least_group_us)
		return;
	j->smoothed_us += ((j->most_us - j->least_us) / 2 - j->smoothed_us) / CMT_SMOOTHING;
	j->n = 0;
}
