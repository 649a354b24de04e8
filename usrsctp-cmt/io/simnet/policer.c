/* SPDX-License-Identifier: BSD-3-Clause */
#include "policer.h"

#include "rates.h"

void simnet_policer_fill(struct simnet_policer *policer, const struct usrsctp_cmt_sim_policer *config,
                         uint64_t now_us)
{
	uint64_t passed_us = now_us - policer->at_us;

	policer->at_us = now_us;
	if (config->rate_bps == 0 || passed_us > policer->missing_work / config->rate_bps) {
		policer->missing_work = 0;
	} else {
		policer->missing_work -= passed_us * config->rate_bps;
	}
}

bool simnet_policer_passes(struct simnet_policer *policer, const struct usrsctp_cmt_sim_policer *config,
                           uint64_t now_us, uint32_t bytes)
{
	uint64_t work = bytes * SIMNET_WORK_PER_BYTE;

	if (config->rate_bps == 0) {
		return true;
	}
	simnet_policer_fill(policer, config, now_us);
	if (policer->missing_work + work > config->burst_bytes * SIMNET_WORK_PER_BYTE) {
		return false;
	}
	policer->missing_work += work;
	return true;
}
