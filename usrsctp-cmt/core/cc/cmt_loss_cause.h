/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_loss_cause.h - does a path lose packets when its delay is long, or at any time?
 *
 * Pure. A queue that overflows loses packets when it is longest, however short that is; a radio link loses
 * them whenever. So the delay of the packet behind a loss is compared with those of the last round trips:
 * after a random loss some 40 % are long, behind a full queue about 90 %. Cen, Cosman and Voelker
 * ("End-to-end differentiation of congestion and wireless losses", IEEE/ACM Transactions on Networking 11(5),
 * 2003) tell the cause of each loss so; here the path is judged, by a sequential test (Wald, 1945) over its
 * losses. */
#ifndef CMT_LOSS_CAUSE_H
#define CMT_LOSS_CAUSE_H

#include <stdbool.h>
#include <stdint.h>

#include "../util/cmt_tuned.h"

/* Times and delays modulo 2^32. */
struct cmt_loss_cause {
	uint32_t sampled_at_us, judged_at_us;
	/* Of the delays of the last round trips. What is less than CMT_MEMORY_SAMPLES microseconds above
	 * the mean moves it, too: its rest are parts of one, as many. */
	uint32_t mean_us;
	uint32_t deviation; /* times CMT_MEMORY_SAMPLES */
	int8_t mean_rest;
	uint8_t samples; /* so far, up to CMT_MEMORY_SAMPLES */
	int8_t evidence; /* in favour of random losses; less than 0: in favour of those of a queue */
};

enum cmt_loss_cause_verdict {
	CMT_LOSS_CAUSE_UNKNOWN, /* as for a path that has lost nothing */
	CMT_LOSS_CAUSE_QUEUE,
	CMT_LOSS_CAUSE_RANDOM,
};

void cmt_loss_cause_init(struct cmt_loss_cause *c);

/* `delay_us`: of a packet, any constant offset; `behind_loss`: those just before it did not arrive. A round
 * trip counts once, as a queue loses many packets at a time. */
void cmt_loss_cause_on_delay(struct cmt_loss_cause *c, uint64_t now_us, int64_t delay_us, uint32_t rtt_us,
                             bool behind_loss);

/* More is lost when more is sent, and no queue is seen that loses it: losses that were taken for random are
 * not, and will not be for long. */
void cmt_loss_cause_is_load(struct cmt_loss_cause *c);

enum cmt_loss_cause_verdict cmt_loss_cause_verdict(const struct cmt_loss_cause *c);

#endif
