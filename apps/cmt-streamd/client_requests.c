/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a client has asked for, as a list; each leaves a line in the access log. */
#include "client_parts.h"

#include <string.h>
#include <time.h>

#include "loop/wall_clock.h"
#include "net/path_stats.h"

struct request *client_find_request(const struct client *c, uint16_t stream_id)
{
	struct request *r = TAILQ_FIRST(&c->requests);

	while (r != NULL && r->stream_id != stream_id) {
		r = TAILQ_NEXT(r, in_client);
	}
	return r;
}

void client_add_request(struct client *c, struct request *r)
{
	TAILQ_INSERT_TAIL(&c->requests, r, in_client);
	if (c->n_requests++ == 0) {
		c->env->budget.busy++;
	}
}

static void log_request(struct client *c, const struct request *r)
{
	struct app_assoc_stats stats;
	struct app_error error;
	char shares[64];
	struct access_entry entry = {.client = c->name,
	                             .method = r->method == MEDIA_HEAD ? "HEAD" : "GET",
	                             .path = r->path,
	                             .agent = c->agent,
	                             .status = r->status,
	                             .first = r->first,
	                             .bytes = r->bytes,
	                             .size = r->size,
	                             .sent_bytes = r->sent_bytes,
	                             .took_us = app_wall_clock_us() - r->began_us,
	                             .at_s = (int64_t)time(NULL)};

	app_assoc_stats_read(usrsctp_cmt_conn_socket(c->conn), &stats);
	app_assoc_stats_shares(&stats, shares, sizeof(shares));
	shares[strcspn(shares, " ")] = '\0';
	entry.shares = shares[0] != '\0' ? shares : NULL;
	entry.why = r->why[0] != '\0' ? r->why : NULL;
	if (access_log_write(&c->env->log, &entry, &error) != 0) {
		c->env->say(error.text, c->env->arg);
	}
}

void client_remove_request(struct client *c, struct request *r)
{
	log_request(c, r);
	TAILQ_REMOVE(&c->requests, r, in_client);
	if (--c->n_requests == 0) {
		c->env->budget.busy--;
	}
	request_free(r);
}

void client_drop_requests(struct client *c, const char *why)
{
	struct request *r;

	while ((r = TAILQ_FIRST(&c->requests)) != NULL) {
		request_stop(r, why);
		client_remove_request(c, r);
	}
}
