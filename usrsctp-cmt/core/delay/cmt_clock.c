/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_clock.h"

#include <stddef.h>

#include "../util/cmt_serial.h"
#include "../util/cmt_time.h"

enum {
	/* Drift that 500 ppm builds up over the window of ten minutes. */
	STEP_TOLERANCE_US = 300000,
	/* Smaller changes of the skew are noise: 5 ppm move a delay by 3 ms in ten minutes. */
	TILT_MIN_PPB = 5000
};

static void restart_bounds(struct cmt_clock *c)
{
	cmt_winfilter_init(&c->upper, CMT_BASE_BUCKET_US);
	cmt_winfilter_init(&c->lower, CMT_BASE_BUCKET_US);
	cmt_skew_init(&c->skew);
}

void cmt_clock_init(struct cmt_clock *c)
{
	*c = (struct cmt_clock){.known = false};
	restart_bounds(c);
}

/* Of a stamp near the newest one. */
static int64_t raw_us_of(const struct cmt_clock *c, uint32_t stamp)
{
	return c->newest_raw_us + cmt_serial_diff(stamp, (uint32_t)c->newest_raw_us);
}

static int64_t unwrap(struct cmt_clock *c, uint32_t stamp)
{
	int64_t raw_us;

	if (!c->known) {
		c->known = true;
		c->newest_raw_us = stamp;
		c->tilt_raw_us = stamp;
		c->tilt_us = stamp;
	}
	raw_us = raw_us_of(c, stamp);
	if (raw_us > c->newest_raw_us)
		c->newest_raw_us = raw_us;
	return raw_us;
}

static int64_t drift_us(int64_t run_us, int64_t ppb)
{
	return run_us / 1000 * ppb / 1000000;
}

static int64_t receiver_time(const struct cmt_clock *c, int64_t raw_us)
{
	int64_t run_us = raw_us - c->tilt_raw_us;

	return c->tilt_us + run_us - drift_us(run_us, c->skew_ppb);
}

static bool is_step(const struct cmt_clock *c, int64_t upper, int64_t minus_lower)
{
	int64_t old_upper = cmt_winfilter_min(&c->upper);
	int64_t old_minus_lower = cmt_winfilter_min(&c->lower);

	return old_upper != CMT_UNKNOWN_US &&
	       (upper + old_minus_lower < -STEP_TOLERANCE_US || old_upper + minus_lower < -STEP_TOLERANCE_US);
}

/* Adopts a better skew. Receiver time stays continuous; what was measured before gets the slope that it
 * lacked. */
static int64_t adopt_skew(struct cmt_clock *c, int64_t raw_us, uint64_t now_us)
{
	int64_t ppb = cmt_skew_ppb(&c->skew, c->skew_ppb);
	int64_t tilt = ppb - c->skew_ppb;

	if (tilt < TILT_MIN_PPB && tilt > -TILT_MIN_PPB)
		return 0;
	c->tilt_us = receiver_time(c, raw_us);
	c->tilt_raw_us = raw_us;
	c->skew_ppb = ppb;
	cmt_winfilter_tilt(&c->upper, now_us, tilt);
	cmt_winfilter_tilt(&c->lower, now_us, -tilt);
	return tilt;
}

struct cmt_clock_reading cmt_clock_on_echo(struct cmt_clock *c, const struct cmt_clock_echo *echo)
{
	int64_t raw_us = unwrap(c, echo->tr_us);
	struct cmt_clock_reading r = {.built_us = receiver_time(c, raw_us), .news = CMT_CLOCK_STEADY};
	int64_t upper, minus_lower;

	r.arrival_us = r.built_us - echo->elapsed_us;
	upper = r.arrival_us - (int64_t)echo->sent_us;
	minus_lower = (int64_t)echo->now_us - r.built_us;
	if (is_step(c, upper, minus_lower)) {
		restart_bounds(c);
		c->newest_raw_us = raw_us;
		c->steps++;
		r.news = CMT_CLOCK_STEPPED;
	}
	cmt_winfilter_add(&c->upper, echo->now_us, upper);
	cmt_winfilter_add(&c->lower, echo->now_us, minus_lower);
	if (cmt_skew_add(&c->skew, echo->return_path_id, echo->now_us, (int64_t)echo->now_us - raw_us)) {
		r.tilt_ppb = adopt_skew(c, raw_us, echo->now_us);
		if (r.tilt_ppb != 0 && r.news == CMT_CLOCK_STEADY)
			r.news = CMT_CLOCK_TILTED;
	}
	return r;
}

int64_t cmt_clock_receiver_us(const struct cmt_clock *c, uint32_t stamp_us)
{
	return c->known ? receiver_time(c, raw_us_of(c, stamp_us)) : CMT_UNKNOWN_US;
}

int64_t cmt_clock_offset_us(const struct cmt_clock *c, int64_t *uncertainty_us)
{
	int64_t upper = cmt_winfilter_min(&c->upper);
	int64_t lower;

	if (upper == CMT_UNKNOWN_US)
		return CMT_UNKNOWN_US;
	lower = -cmt_winfilter_min(&c->lower);
	if (uncertainty_us != NULL)
		*uncertainty_us = upper > lower ? (upper - lower) / 2 : 0;
	return lower + (upper - lower) / 2;
}
