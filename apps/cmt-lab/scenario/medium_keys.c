/* SPDX-License-Identifier: BSD-3-Clause */
#include "scenario/medium_keys.h"

#include <math.h>
#include <string.h>

#include "scenario/link_values.h"
#include "text/units.h"

enum {
	GRANT_MIN_US = 100,
	GRANT_MAX_US = 1000000,
	BURST_MAX_US = 1000000,
	WIFI_OVERHEAD_US = 200 /* contention, preamble and block acknowledgement of 802.11n */
};

bool lab_set_policer(struct usrsctp_cmt_sim_link *link, const char *value)
{
	const char *fields[LAB_MAX_FIELDS];
	char buf[LAB_MAX_FIELD_TEXT];

	if (strcmp(value, "none") == 0) {
		link->policer.rate_bps = 0;
		return true;
	}
	return lab_split(value, buf, fields) == 2 &&
	       lab_parse_link_rate(fields[0], &link->policer.rate_bps) &&
	       lab_parse_link_size(fields[1], &link->policer.burst_bytes);
}

bool lab_set_lte(struct usrsctp_cmt_sim_link *link, const char *value)
{
	const char *fields[LAB_MAX_FIELDS];
	char buf[LAB_MAX_FIELD_TEXT];
	unsigned n = lab_split(value, buf, fields);

	link->grants.block_failure = 0;
	if (strcmp(value, "none") == 0) {
		link->grants.interval_us = 0;
		return true;
	}
	if (n < 1 || n > 2 || !lab_parse_link_time(fields[0], &link->grants.interval_us)) {
		return false;
	}
	return link->grants.interval_us >= GRANT_MIN_US && link->grants.interval_us <= GRANT_MAX_US &&
	       (n == 1 || app_parse_probability(fields[1], &link->grants.block_failure));
}

static const char *const aqm_names[] = {[USRSCTP_CMT_SIM_AQM_NONE] = "none",
                                        [USRSCTP_CMT_SIM_AQM_CODEL] = "codel",
                                        [USRSCTP_CMT_SIM_AQM_FQ_CODEL] = "fq_codel",
                                        [USRSCTP_CMT_SIM_AQM_PIE] = "pie",
                                        [USRSCTP_CMT_SIM_AQM_CAKE] = "cake"};

const char *lab_aqm_name(enum usrsctp_cmt_sim_aqm aqm)
{
	return aqm_names[aqm];
}

bool lab_set_aqm(struct usrsctp_cmt_sim_link *link, const char *value)
{
	for (unsigned i = 0; i < sizeof(aqm_names) / sizeof(aqm_names[0]); i++) {
		if (strcmp(value, aqm_names[i]) == 0) {
			link->aqm = (enum usrsctp_cmt_sim_aqm)i;
			return true;
		}
	}
	return false;
}

bool lab_set_ecn(struct usrsctp_cmt_sim_link *link, const char *value)
{
	return app_parse_bool(value, &link->ecn);
}

bool lab_set_wifi(struct usrsctp_cmt_sim_link *link, const char *value)
{
	struct usrsctp_cmt_sim_wifi *wifi = &link->wifi;
	const char *fields[LAB_MAX_FIELDS];
	char buf[LAB_MAX_FIELD_TEXT];
	unsigned n = lab_split(value, buf, fields);

	if (strcmp(value, "none") == 0) {
		wifi->burst_pkts = 0;
		return true;
	}
	wifi->overhead_us = WIFI_OVERHEAD_US;
	return (n == 2 || n == 3) && lab_parse_link_pkts(fields[0], &wifi->burst_pkts) &&
	       lab_parse_link_time(fields[1], &wifi->burst_us) && wifi->burst_us <= BURST_MAX_US &&
	       (n == 2 ||
	        (lab_parse_link_time(fields[2], &wifi->overhead_us) && wifi->overhead_us <= BURST_MAX_US));
}

double lab_medium_bps(const struct usrsctp_cmt_sim_link *link, double packet_bytes)
{
	const struct usrsctp_cmt_sim_wifi *wifi = &link->wifi;
	double bps = (double)link->rate_bps, policed_bps = (double)link->policer.rate_bps;

	if (wifi->burst_pkts > 0 && bps > 0) {
		double tx_time_us = packet_bytes * 8e6 / bps, fit = floor((double)wifi->burst_us / tx_time_us);
		double n = fit < 1 ? 1 : fmin(fit, wifi->burst_pkts);

		bps *= n * tx_time_us / (n * tx_time_us + (double)wifi->overhead_us);
	}
	return policed_bps > 0 && policed_bps < bps ? policed_bps : bps;
}
