/* SPDX-License-Identifier: BSD-3-Clause */
#include "options/path_costs.h"

#include "net/interfaces.h"

void app_path_costs_set(struct socket *so, const struct app_metered *metered,
                        const struct app_assoc_stats *stats)
{
	for (size_t i = 0; metered->n > 0 && i < stats->n_paths; i++) {
		const struct sctp_cmt_path_stats *p = &stats->paths[i];
		struct sctp_cmt_path path = {.size = sizeof(path),
		                             .assoc_id = SCTP_FUTURE_ASSOC,
		                             .address = p->remote,
		                             .local = p->local};
		const uint32_t cost =
		    app_metered_cost(metered, app_interface_of(&p->local), &p->local, &p->remote);
		socklen_t len = sizeof(path);

		if (p->local.ss_family != AF_UNSPEC &&
		    usrsctp_getsockopt(so, IPPROTO_SCTP, SCTP_CMT_PATH, &path, &len) == 0 &&
		    path.cost != cost) {
			path.cost = cost;
			(void)usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_CMT_PATH, &path, sizeof(path));
		}
	}
}
