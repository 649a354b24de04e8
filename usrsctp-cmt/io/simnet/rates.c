/* SPDX-License-Identifier: BSD-3-Clause */
#include "rates.h"

#include <errno.h>
#include <stddef.h>

#define PERIOD_MAX_US (UINT64_C(1) << 40)
#define BPS_MAX       UINT64_C(1000000000000000)
#define BYTES_MAX     UINT64_C(1000000000)

static bool ascend(const struct usrsctp_cmt_sim_point *points, size_t n, uint64_t first_us, uint64_t last_us)
{
	if (points == NULL || n == 0 || points[0].at_us < first_us || points[n - 1].at_us > last_us) {
		return false;
	}
	for (size_t i = 1; i < n; i++) {
		if (points[i].at_us <= points[i - 1].at_us) {
			return false;
		}
	}
	return true;
}

static bool period_is_valid(uint64_t period_us)
{
	return period_us > 0 && period_us <= PERIOD_MAX_US;
}

int simnet_rates_check(const struct usrsctp_cmt_sim_rates *rates)
{
	uint64_t most = rates->opportunities ? BYTES_MAX : BPS_MAX;
	bool carries = false;

	if (!period_is_valid(rates->period_us) ||
	    !(rates->opportunities ? ascend(rates->points, rates->n, 1, rates->period_us)
	                           : ascend(rates->points, rates->n, 0, rates->period_us - 1) &&
	                                 rates->points[0].at_us == 0)) {
		return -EINVAL;
	}
	for (size_t i = 0; i < rates->n; i++) {
		if (rates->points[i].value > most) {
			return -EINVAL;
		}
		carries = carries || rates->points[i].value > 0;
	}
	return carries ? 0 : -EINVAL;
}

int simnet_delays_check(const struct usrsctp_cmt_sim_delays *delays)
{
	if (!period_is_valid(delays->period_us) ||
	    !ascend(delays->points, delays->n, 0, delays->period_us - 1) || delays->points[0].at_us != 0) {
		return -EINVAL;
	}
	for (size_t i = 0; i < delays->n; i++) {
		if (delays->points[i].value > PERIOD_MAX_US) {
			return -EINVAL;
		}
	}
	return 0;
}

/* How many of the points are at or before `at_us`. */
static size_t points_until(const struct usrsctp_cmt_sim_point *points, size_t n, uint64_t at_us)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (points[middle].at_us <= at_us) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

/* At most this much can be done from at_us to end_us, evenly, or all of it at once at end_us. */
struct stretch {
	uint64_t end_us;
	uint64_t bps;
};

static struct stretch stretch_at(const struct usrsctp_cmt_sim_rates *rates, uint64_t rate_bps, uint64_t at_us)
{
	uint64_t within_us, begins_us;
	size_t n;

	if (rates == NULL) {
		return (struct stretch){.end_us = SIMNET_NEVER_US, .bps = rate_bps};
	}
	within_us = at_us % rates->period_us;
	begins_us = at_us - within_us;
	n = points_until(rates->points, rates->n, within_us);
	return (struct stretch){.end_us =
	                            begins_us + (n < rates->n ? rates->points[n].at_us : rates->period_us),
	                        .bps = rates->points[n - 1].value};
}

/* The first opportunity at or after `at_us`. */
static struct usrsctp_cmt_sim_point opportunity_at(const struct usrsctp_cmt_sim_rates *rates, uint64_t at_us)
{
	/* Those of a period end with its last microsecond. */
	uint64_t before_us = at_us == 0 ? 0 : at_us - 1;
	uint64_t within_us = before_us % rates->period_us, begins_us = before_us - within_us;
	size_t n = points_until(rates->points, rates->n, within_us);
	struct usrsctp_cmt_sim_point point = rates->points[n < rates->n ? n : 0];

	point.at_us += n < rates->n ? begins_us : begins_us + rates->period_us;
	return point;
}

static struct simnet_position after_opportunities(const struct usrsctp_cmt_sim_rates *rates,
                                                  struct simnet_position from, uint64_t work)
{
	struct usrsctp_cmt_sim_point point = opportunity_at(rates, from.at_us);

	if (point.at_us == from.at_us) {
		work += from.work;
	}
	while (work > point.value * SIMNET_WORK_PER_BYTE) {
		work -= point.value * SIMNET_WORK_PER_BYTE;
		point = opportunity_at(rates, point.at_us + 1);
	}
	return (struct simnet_position){.at_us = point.at_us, .work = work};
}

struct simnet_position simnet_rates_after(const struct usrsctp_cmt_sim_rates *rates, uint64_t rate_bps,
                                          struct simnet_position from, uint32_t bytes)
{
	uint64_t work = bytes * SIMNET_WORK_PER_BYTE;

	if (rates == NULL && rate_bps == 0) {
		return from;
	}
	if (rates != NULL && rates->opportunities) {
		return after_opportunities(rates, from, work);
	}
	work += from.work;
	while (work > 0) {
		struct stretch s = stretch_at(rates, rate_bps, from.at_us);
		uint64_t take_us = s.bps == 0 ? SIMNET_NEVER_US : work / s.bps;

		if (take_us < s.end_us - from.at_us) {
			return (struct simnet_position){.at_us = from.at_us + take_us, .work = work % s.bps};
		}
		work -= s.bps * (s.end_us - from.at_us);
		from.at_us = s.end_us;
	}
	from.work = 0;
	return from;
}

uint64_t simnet_rates_until_us(const struct usrsctp_cmt_sim_rates *rates, struct simnet_position position)
{
	return position.at_us + (position.work > 0 && (rates == NULL || !rates->opportunities));
}

double simnet_rates_bits(const struct usrsctp_cmt_sim_rates *rates, uint64_t from_us, uint64_t until_us)
{
	double bits = 0;

	while (from_us < until_us && rates->opportunities) {
		struct usrsctp_cmt_sim_point point = opportunity_at(rates, from_us);

		if (point.at_us < until_us) {
			bits += 8.0 * (double)point.value;
		}
		from_us = point.at_us + 1;
	}
	while (from_us < until_us) {
		struct stretch s = stretch_at(rates, 0, from_us);
		uint64_t end_us = s.end_us < until_us ? s.end_us : until_us;

		bits += (double)s.bps * (double)(end_us - from_us) / 1e6;
		from_us = end_us;
	}
	return bits;
}

uint64_t simnet_delays_at_us(const struct usrsctp_cmt_sim_delays *delays, uint64_t now_us)
{
	if (delays == NULL) {
		return 0;
	}
	return delays->points[points_until(delays->points, delays->n, now_us % delays->period_us) - 1].value;
}
