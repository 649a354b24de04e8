/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_clock.h"

#include <stddef.h>

#include "../util/cmt_serial.h"
#include "../util/cmt_time.h"

enum {
	BUCKET_US = 60000000,
	/* Drift that 500 ppm builds up over the window of ten minutes. */
	STEP_TOLERANCE_US = 300000
};

void cmt_clock_init(struct cmt_clock *c)
{
	*c = (struct cmt_clock){.known = false};
	cmt_winfilter_init(&c->upper, BUCKET_US);
	cmt_winfilter_init(&c->lower, BUCKET_US);
}

int64_t cmt_clock_unwrap(struct cmt_clock *c, uint32_t receiver_us)
{
	int64_t us;

	if (!c->known) {
		c->known = true;
		c->newest_us = receiver_us;
		return receiver_us;
	}
	us = c->newest_us + cmt_serial_diff(receiver_us, (uint32_t)c->newest_us);
	if (us > c->newest_us)
		c->newest_us = us;
	return us;
}

bool cmt_clock_on_echo(struct cmt_clock *c, uint64_t sent_us, int64_t arrival_us, int64_t built_us,
                       uint64_t now_us)
{
	int64_t upper = arrival_us - (int64_t)sent_us;
	int64_t minus_lower = (int64_t)now_us - built_us;
	int64_t old_upper = cmt_winfilter_min(&c->upper);
	int64_t old_minus_lower = cmt_winfilter_min(&c->lower);
	bool step = old_upper != CMT_UNKNOWN_US && (upper + old_minus_lower < -STEP_TOLERANCE_US ||
	                                            old_upper + minus_lower < -STEP_TOLERANCE_US);

	if (step) {
		cmt_winfilter_init(&c->upper, BUCKET_US);
		cmt_winfilter_init(&c->lower, BUCKET_US);
		c->newest_us = built_us;
		c->steps++;
	}
	cmt_winfilter_add(&c->upper, now_us, upper);
	cmt_winfilter_add(&c->lower, now_us, minus_lower);
	return step;
}

int64_t cmt_clock_offset_us(const struct cmt_clock *c, int64_t *uncertainty_us)
{
	int64_t upper = cmt_winfilter_min(&c->upper);
	int64_t lower;

	if (upper == CMT_UNKNOWN_US)
		return CMT_UNKNOWN_US;
	lower = -cmt_winfilter_min(&c->lower);
	if (uncertainty_us != NULL)
		*uncertainty_us = (upper - lower) / 2;
	return lower + (upper - lower) / 2;
}
