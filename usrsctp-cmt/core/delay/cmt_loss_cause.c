/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_loss_cause.h"

enum { LOSSES = 8, DELAYS = 32, DELAYS_PER_RTT = 4 };

static bool is_long(const struct cmt_loss_cause *c, int64_t delay_us)
{
	return delay_us > c->mean_us + c->deviation_us / 2;
}

void cmt_loss_cause_on_delay(struct cmt_loss_cause *c, uint64_t now_us, int64_t delay_us, int64_t rtt_us,
                             bool behind_loss)
{
	int64_t above_us = delay_us - c->mean_us;

	if (c->sampled_at_us == 0) {
		*c = (struct cmt_loss_cause){.sampled_at_us = now_us, .mean_us = delay_us};
		return;
	}
	if (behind_loss && (int64_t)(now_us - c->judged_at_us) >= rtt_us) {
		c->judged_at_us = now_us;
		c->random_share +=
		    ((is_long(c, delay_us) ? 0 : CMT_LOSS_CAUSE_ONE) - c->random_share) / LOSSES;
	}
	if ((int64_t)(now_us - c->sampled_at_us) < rtt_us / DELAYS_PER_RTT)
		return;
	c->sampled_at_us = now_us;
	c->deviation_us += ((above_us > 0 ? above_us : -above_us) - c->deviation_us) / DELAYS;
	c->mean_us += above_us / DELAYS;
}
