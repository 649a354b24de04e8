/* SPDX-License-Identifier: BSD-3-Clause
 *
 * policer.h - a token bucket that drops what exceeds it: RFC 2697 with one rate, its committed burst and no
 * excess burst; green passes, red is dropped.
 *
 * Pure. Tokens are kept as work (rates.h), so that no fraction of a byte is lost. The bucket is full at
 * first. */
#ifndef SIMNET_POLICER_H
#define SIMNET_POLICER_H

#include <stdbool.h>
#include <stdint.h>

#include "usrsctp_cmt_sim.h"

struct simnet_policer {
	uint64_t missing_work; /* until it is full */
	uint64_t at_us;        /* when that was so */
};

/* Fills it up to now_us, never decreasing. */
void simnet_policer_fill(struct simnet_policer *policer, const struct usrsctp_cmt_sim_policer *config,
                         uint64_t now_us);

/* Whether a packet passes; takes its tokens if it does. */
bool simnet_policer_passes(struct simnet_policer *policer, const struct usrsctp_cmt_sim_policer *config,
                           uint64_t now_us, uint32_t bytes);

#endif
