/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_loss_cause.h"

/* Logarithms of how much likelier a random loss is where the delay was long, 40 % to 85 %, and where it was
 * not, 60 % to 15 %: -0.75 and 1.39, in units of 0.7. */
enum { LONG = -1, SHORT = 2 };
/* Of evidence. Two losses without a long delay make up one's mind, as long as there were no others. */
enum { UNKNOWN = CMT_LOSS_EVIDENCE, RANDOM = 2 * UNKNOWN, MOST = 4 * UNKNOWN };

void cmt_loss_cause_init(struct cmt_loss_cause *c)
{
	*c = (struct cmt_loss_cause){.evidence = UNKNOWN};
}

static void judge(struct cmt_loss_cause *c, int weight)
{
	int sum = c->evidence + weight, least = c->evidence < 0 ? c->evidence : 0;

	c->evidence = (int8_t)(sum < least ? least : sum > MOST ? MOST : sum);
}

void cmt_loss_cause_on_delay(struct cmt_loss_cause *c, uint64_t now_us, int64_t delay_us, uint32_t rtt_us,
                             bool behind_loss)
{
	int32_t above_us = (int32_t)((uint32_t)delay_us - c->mean_us);
	uint32_t now = (uint32_t)now_us,
	         distance_us = (uint32_t)(above_us < 0 ? -(int64_t)above_us : above_us);
	int64_t sum;

	if (c->samples == 0) {
		c->samples = 1;
		c->mean_us = (uint32_t)delay_us;
		c->sampled_at_us = now;
		return;
	}
	if (behind_loss && now - c->judged_at_us >= rtt_us) {
		c->judged_at_us = now;
		judge(c, above_us > 0 && distance_us > c->deviation / CMT_MEMORY_SAMPLES / 2 ? LONG : SHORT);
	}
	if (now - c->sampled_at_us < rtt_us / CMT_LARGE_SHARE)
		return;
	c->sampled_at_us = now;
	/* The first ones weigh alike: to a deviation that grows from nothing half of all delays are long. */
	if (c->samples < CMT_MEMORY_SAMPLES)
		c->samples++;
	sum = (int64_t)above_us + c->mean_rest;
	c->mean_us += (uint32_t)(sum / c->samples);
	c->mean_rest = (int8_t)(sum % c->samples);
	if (distance_us < UINT32_MAX / CMT_MEMORY_SAMPLES)
		c->deviation +=
		    (uint32_t)(((int64_t)distance_us * CMT_MEMORY_SAMPLES - c->deviation) / c->samples);
}

void cmt_loss_cause_is_load(struct cmt_loss_cause *c)
{
	if (cmt_loss_cause_verdict(c) == CMT_LOSS_CAUSE_RANDOM)
		c->evidence = -MOST;
}

enum cmt_loss_cause_verdict cmt_loss_cause_verdict(const struct cmt_loss_cause *c)
{
	if (c->evidence < UNKNOWN)
		return CMT_LOSS_CAUSE_QUEUE;
	return c->evidence < RANDOM ? CMT_LOSS_CAUSE_UNKNOWN : CMT_LOSS_CAUSE_RANDOM;
}
