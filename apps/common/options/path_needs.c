/* SPDX-License-Identifier: BSD-3-Clause */
#include "options/path_needs.h"

#define INTERVAL_US 100000u
#define IN_MAX_US   UINT64_C(1000000000)

void app_path_needs_tell(struct app_path_needs *needs, const struct app_metered *metered, struct socket *so,
                         uint64_t rate_bps, uint64_t in_us, uint64_t now_us)
{
	const struct sctp_cmt_needed needed = {.size = sizeof(needed),
	                                       .assoc_id = SCTP_FUTURE_ASSOC,
	                                       .in_us = (uint32_t)(in_us < IN_MAX_US ? in_us : IN_MAX_US),
	                                       .rate_bps = rate_bps};
	const bool is_known = rate_bps > 0, was_known = needs->rate_bps > 0;

	if (metered->n == 0 || (!is_known && !was_known) ||
	    (is_known && was_known && now_us - needs->at_us < INTERVAL_US)) {
		return;
	}
	if (usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_CMT_NEEDED, &needed, sizeof(needed)) == 0) {
		*needs = (struct app_path_needs){.rate_bps = rate_bps, .at_us = now_us};
	}
}
