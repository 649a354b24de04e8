/* SPDX-License-Identifier: BSD-3-Clause */
#include "scenario/medium_keys.h"

#include <string.h>

#include "text/units.h"

enum { GRANT_MIN_US = 100, GRANT_MAX_US = 1000000 };

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

double lab_medium_bps(const struct usrsctp_cmt_sim_link *link, double rate_bps)
{
	double policed_bps = (double)link->policer.rate_bps;

	return policed_bps > 0 && policed_bps < rate_bps ? policed_bps : rate_bps;
}
