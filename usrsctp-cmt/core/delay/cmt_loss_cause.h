/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_loss_cause.h - do packets of a path get lost when its delay is long, or at any time?
 *
 * Pure. A queue that overflows loses packets when it is longest; a radio link loses them whenever. So the
 * delay of the packet behind a loss is compared with those of all packets: of random losses one in four meets
 * a delay in the upper quartile, of those of a full queue nearly all do, however short that queue is. Cen,
 * Cosman and Voelker ("End-to-end differentiation of congestion and wireless losses", IEEE/ACM Transactions
 * on Networking 11(5), 2003) judge each loss by its delay; here the path is judged, by its last few dozen. */
#ifndef CMT_LOSS_CAUSE_H
#define CMT_LOSS_CAUSE_H

#include <stdbool.h>
#include <stdint.h>

struct cmt_loss_cause {
	uint64_t sampled_at_us, judged_at_us;
	int64_t mean_us, deviation_us; /* of the delays of the last round trips */
	int32_t random_share;          /* of the last losses without a long delay, of CMT_LOSS_CAUSE_ONE */
};

#define CMT_LOSS_CAUSE_ONE 65536

/* Delay of a packet, any constant offset; `behind_loss`: packets just before it did not arrive. */
void cmt_loss_cause_on_delay(struct cmt_loss_cause *c, uint64_t now_us, int64_t delay_us, int64_t rtt_us,
                             bool behind_loss);

/* Whether the path loses packets at any time. Not before a dozen losses said so. */
static inline bool cmt_loss_cause_is_random(const struct cmt_loss_cause *c)
{
	return c->random_share > CMT_LOSS_CAUSE_ONE / 2;
}

#endif
