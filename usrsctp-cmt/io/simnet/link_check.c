/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which descriptions of a link make sense. */
#include "link.h"

#include <errno.h>

#define RATE_MAX_BPS    UINT64_C(1000000000000000)
#define IP_PACKET_BYTES 65535
#define GRANT_MIN_US    100

static bool is_probability(double p)
{
	return p >= 0.0 && p <= 1.0;
}

static int check_cross(const struct usrsctp_cmt_sim_cross *cross)
{
	if (cross->kind == USRSCTP_CMT_SIM_CROSS_NONE) {
		return 0;
	}
	if (cross->kind != USRSCTP_CMT_SIM_CROSS_CBR && cross->kind != USRSCTP_CMT_SIM_CROSS_PARETO) {
		return -EINVAL;
	}
	if (cross->packet_bytes == 0 || cross->packet_bytes > IP_PACKET_BYTES || cross->interval_us == 0 ||
	    cross->interval_us > SIMNET_TIME_MAX_US || cross->on_us > SIMNET_TIME_MAX_US ||
	    cross->off_us > SIMNET_TIME_MAX_US) {
		return -EINVAL;
	}
	return cross->kind == USRSCTP_CMT_SIM_CROSS_PARETO && cross->on_us == 0 ? -EINVAL : 0;
}

static bool check_server(const struct usrsctp_cmt_sim_link *config)
{
	const struct usrsctp_cmt_sim_wifi *wifi = &config->wifi;

	if (wifi->burst_pkts > 0 && (config->grants.interval_us > 0 || wifi->burst_us > SIMNET_TIME_MAX_US ||
	                             wifi->overhead_us > SIMNET_TIME_MAX_US)) {
		return false;
	}
	switch (config->aqm) {
	case USRSCTP_CMT_SIM_AQM_NONE:
	case USRSCTP_CMT_SIM_AQM_CODEL:
	case USRSCTP_CMT_SIM_AQM_FQ_CODEL:
	case USRSCTP_CMT_SIM_AQM_PIE:
	case USRSCTP_CMT_SIM_AQM_CAKE: return true;
	}
	return false;
}

static int check_medium(const struct usrsctp_cmt_sim_link *config)
{
	const struct usrsctp_cmt_sim_policer *policer = &config->policer;
	const struct usrsctp_cmt_sim_grants *grants = &config->grants;

	if (policer->rate_bps > RATE_MAX_BPS || (policer->rate_bps > 0 && policer->burst_bytes == 0)) {
		return -EINVAL;
	}
	if (grants->interval_us > 0 &&
	    (grants->interval_us < GRANT_MIN_US || grants->interval_us > SIMNET_TIME_MAX_US)) {
		return -EINVAL;
	}
	return is_probability(grants->block_failure) && check_server(config) ? 0 : -EINVAL;
}

int simnet_link_check(const struct usrsctp_cmt_sim_link *config)
{
	if (!is_probability(config->loss) || !is_probability(config->ge_bad) ||
	    !is_probability(config->ge_good) || !is_probability(config->ge_loss_bad) ||
	    !is_probability(config->bit_error) || !is_probability(config->duplicate) ||
	    !is_probability(config->reorder) || !is_probability(config->corrupt)) {
		return -EINVAL;
	}
	if (config->rate_bps > RATE_MAX_BPS || config->delay_us > SIMNET_TIME_MAX_US ||
	    config->jitter_us > SIMNET_TIME_MAX_US || config->reorder_us > SIMNET_TIME_MAX_US) {
		return -EINVAL;
	}
	if ((config->rates != NULL && simnet_rates_check(config->rates) != 0) ||
	    (config->delays != NULL && simnet_delays_check(config->delays) != 0)) {
		return -EINVAL;
	}
	if (check_medium(config) != 0) {
		return -EINVAL;
	}
	switch (config->jitter) {
	case USRSCTP_CMT_SIM_JITTER_NONE:
	case USRSCTP_CMT_SIM_JITTER_NORMAL:
	case USRSCTP_CMT_SIM_JITTER_EXPONENTIAL:
	case USRSCTP_CMT_SIM_JITTER_PARETO: return check_cross(&config->cross);
	}
	return -EINVAL;
}

uint32_t simnet_link_mtu_bytes(const struct usrsctp_cmt_sim_link *config)
{
	return config->mtu_bytes > 0 ? config->mtu_bytes : SIMNET_DEFAULT_MTU_BYTES;
}

bool simnet_link_may_become(const struct simnet_link *link, const struct usrsctp_cmt_sim_link *config)
{
	return link->config.aqm == config->aqm &&
	       (link->config.wifi.burst_pkts > 0) == (config->wifi.burst_pkts > 0);
}
