/* SPDX-License-Identifier: BSD-3-Clause */
#include "cross.h"

#include <math.h>

#define CROSS_SHAPE 1.5

/* Random times can be huge; a double beyond SIMNET_TIME_MAX_US must not be converted. */
uint64_t simnet_to_us(double us)
{
	if (us <= 0.0) {
		return 0;
	}
	return us >= (double)SIMNET_TIME_MAX_US ? SIMNET_TIME_MAX_US : (uint64_t)llround(us);
}

bool simnet_cross_is_same(const struct usrsctp_cmt_sim_cross *a, const struct usrsctp_cmt_sim_cross *b)
{
	return a->kind == b->kind && a->packet_bytes == b->packet_bytes && a->interval_us == b->interval_us &&
	       a->on_us == b->on_us && a->off_us == b->off_us && a->from_us == b->from_us &&
	       a->until_us == b->until_us;
}

static void begin_cross_burst(struct simnet_link *link, uint64_t at_us)
{
	const struct usrsctp_cmt_sim_cross *cross = &link->config.cross;

	link->cross_next_us = at_us;
	link->cross_on_until_us = SIMNET_NEVER_US;
	if (cross->kind == USRSCTP_CMT_SIM_CROSS_PARETO) {
		link->cross_on_until_us =
		    at_us + simnet_to_us(simnet_rng_pareto(&link->draws[SIMNET_DRAW_CROSS],
		                                           (double)cross->on_us, CROSS_SHAPE));
	}
}

static void stop_cross_at_its_end(struct simnet_link *link)
{
	uint64_t until_us = link->config.cross.until_us;

	if (until_us > 0 && link->cross_next_us >= until_us) {
		link->cross_next_us = SIMNET_NEVER_US;
	}
}

void simnet_cross_start(struct simnet_link *link, uint64_t now_us)
{
	const struct usrsctp_cmt_sim_cross *cross = &link->config.cross;

	link->cross_next_us = SIMNET_NEVER_US;
	if (cross->kind != USRSCTP_CMT_SIM_CROSS_NONE) {
		begin_cross_burst(link, cross->from_us > now_us ? cross->from_us : now_us);
		stop_cross_at_its_end(link);
	}
}

void simnet_cross_next(struct simnet_link *link)
{
	const struct usrsctp_cmt_sim_cross *cross = &link->config.cross;

	link->cross_next_us += cross->interval_us;
	if (link->cross_next_us >= link->cross_on_until_us) {
		double off_us = 0.0;

		if (cross->off_us > 0) {
			off_us = simnet_rng_pareto(&link->draws[SIMNET_DRAW_CROSS], (double)cross->off_us,
			                           CROSS_SHAPE);
		}
		/* Not before the interval is over: an on time below it would otherwise raise the rate. */
		uint64_t at_us = link->cross_on_until_us + simnet_to_us(off_us);
		begin_cross_burst(link, at_us > link->cross_next_us ? at_us : link->cross_next_us);
	}
	stop_cross_at_its_end(link);
}
