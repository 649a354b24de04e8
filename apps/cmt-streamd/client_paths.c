/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What metered paths are kept for. A viewer whose gateway asks for a pace plays at it, and has in its buffer
 * what left before: then it is known by when it needs more. */
#include "client_parts.h"

#include "options/path_costs.h"

void client_heed_costs(struct client *c, const struct app_assoc_stats *stats)
{
	app_path_costs_set(usrsctp_cmt_conn_socket(c->conn), c->env->metered, stats);
}

/* The one whose body is being sent; NULL: none or several, of which the sum is not known. */
static const struct request *only_body(const struct client *c)
{
	const struct request *found = NULL, *r;

	TAILQ_FOREACH(r, &c->requests, in_client)
	{
		if (r->left_bytes > 0 && found != NULL) {
			return NULL;
		}
		found = r->left_bytes > 0 ? r : found;
	}
	return found;
}

void client_tell_needs(struct client *c, uint64_t now_us)
{
	const struct request *r = only_body(c);

	app_path_needs_tell(&c->needs, c->env->metered, usrsctp_cmt_conn_socket(c->conn),
	                    r != NULL ? r->pacer.rate_bps : 0, r != NULL ? request_lead_us(r, now_us) : 0,
	                    now_us);
}
