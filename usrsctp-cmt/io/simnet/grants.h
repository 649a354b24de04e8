/* SPDX-License-Identifier: BSD-3-Clause
 *
 * grants.h - a radio link that a base station schedules: what waits when an interval begins leaves as one
 * block at its end, in bytes what the rate carries in an interval; a block that fails is sent again a HARQ
 * round trip later, and those behind it wait for it, as RLC delivers in order.
 *
 * Pure; draws from the generator that it is given. */
#ifndef SIMNET_GRANTS_H
#define SIMNET_GRANTS_H

#include <stdint.h>

#include "rng.h"
#include "usrsctp_cmt_sim.h"

/* When the first interval begins that is not over before it began: at_us, or the next multiple. */
uint64_t simnet_grants_next_us(const struct usrsctp_cmt_sim_grants *config, uint64_t at_us);

struct simnet_harq {
	uint64_t decided_us;   /* the blocks that end until then */
	uint64_t delivered_us; /* when all of them have arrived */
};

/* When what was sent in the blocks from from_us up to the one that ends at until_us has arrived, delay not
 * counted. Neither goes back. */
uint64_t simnet_harq_arrives_us(struct simnet_harq *harq, const struct usrsctp_cmt_sim_grants *config,
                                struct simnet_rng *rng, uint64_t from_us, uint64_t until_us);

#endif
