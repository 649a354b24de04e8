/* SPDX-License-Identifier: BSD-3-Clause */
#include "grants.h"

uint64_t simnet_grants_next_us(const struct usrsctp_cmt_sim_grants *config, uint64_t at_us)
{
	uint64_t into_us = at_us % config->interval_us;

	return into_us == 0 ? at_us : at_us - into_us + config->interval_us;
}

static uint64_t again_us(const struct usrsctp_cmt_sim_grants *config, struct simnet_rng *rng)
{
	uint64_t times = 0;

	while (times < USRSCTP_CMT_SIM_HARQ_MOST && simnet_rng_uniform(rng) < config->block_failure) {
		times++;
	}
	return times * USRSCTP_CMT_SIM_HARQ_US;
}

uint64_t simnet_harq_arrives_us(struct simnet_harq *harq, const struct usrsctp_cmt_sim_grants *config,
                                struct simnet_rng *rng, uint64_t from_us, uint64_t until_us)
{
	/* Nobody waits for what came earlier than that. */
	const uint64_t matter = USRSCTP_CMT_SIM_HARQ_MOST * USRSCTP_CMT_SIM_HARQ_US / config->interval_us + 1;
	uint64_t last = until_us / config->interval_us, block;

	if (config->block_failure <= 0) {
		return until_us;
	}
	block = (from_us > harq->decided_us ? from_us : harq->decided_us) / config->interval_us;
	block = last > matter && block < last - matter ? last - matter : block;
	for (; block < last; block++) {
		uint64_t us = (block + 1) * config->interval_us + again_us(config, rng);

		harq->delivered_us = us > harq->delivered_us ? us : harq->delivered_us;
	}
	harq->decided_us = until_us > harq->decided_us ? until_us : harq->decided_us;
	return harq->delivered_us > until_us ? harq->delivered_us : until_us;
}
