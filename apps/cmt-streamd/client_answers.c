/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a client gets: its answers in turn, as the connection has room, their windows are open and their pace
 * allows. */
#include "client_parts.h"

#include <errno.h>
#include <stdlib.h>

#include <event2/event.h>

#include "loop/loop_events.h"
#include "loop/wall_clock.h"
#include "net/path_stats.h"
#include "options/shared_options.h"

#define WRITES_PER_TURN 4 /* then other clients have theirs */
#define SHARE_STEP      8 /* a share that differs by less than this part is left as it is */

/* On stream 0. False when there was no room. */
static bool write_pending(struct client *c, bool *pending, const struct media_message *m)
{
	const struct usrsctp_cmt_message header = {.ppid = MEDIA_PPID_CONTROL};
	size_t len;
	char *text;

	if (!*pending) {
		return true;
	}
	text = media_encode(m, &len);
	*pending = text == NULL || usrsctp_cmt_conn_write(c->conn, text, len, &header) != 0;
	free(text);
	return !*pending;
}

static bool write_all_pending(struct client *c)
{
	struct media_message welcome = {.type = MEDIA_WELCOME,
	                                .has = MEDIA_M_VERSION | MEDIA_M_REQUESTS_MAX | MEDIA_M_AGENT,
	                                .version = MEDIA_VERSION,
	                                .requests_max = c->env->max_requests};
	const struct media_message bye = {.type = MEDIA_BYE};

	app_release_text("cmt-streamd", welcome.agent, sizeof(welcome.agent));
	return write_pending(c, &c->owes_welcome, &welcome) && write_pending(c, &c->owes_bye, &bye);
}

/* The next in turn that has something to write; else NULL, and when one will. */
static struct request *find_ready(const struct client *c, uint64_t now_us, uint64_t *at_us)
{
	struct request *r;

	*at_us = REQUEST_NEVER_US;
	TAILQ_FOREACH(r, &c->requests, in_client)
	{
		const uint64_t ready_us = request_ready_us(r, now_us);

		if (ready_us <= now_us) {
			return r;
		}
		*at_us = ready_us < *at_us ? ready_us : *at_us;
	}
	return NULL;
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
	struct client *c = arg;

	(void)fd;
	(void)what;
	client_pump(c);
	client_settle(c);
}

static void go_on_in(struct client *c, uint64_t us)
{
	if (c->timer == NULL) {
		c->timer = evtimer_new(c->env->base, on_timer, c);
	}
	if (c->timer == NULL || app_timer_start(c->timer, us) != 0) {
		client_refuse(c, "no memory");
	}
}

/* Follows what the paths need and what the others leave. */
static void set_share(struct client *c, const struct app_assoc_stats *stats)
{
	const uint64_t need_bytes = budget_need_bytes(stats->paths, stats->n_paths);
	const uint32_t most_bytes = budget_share_bytes(&c->env->budget, c->queued_bytes);
	const uint32_t share_bytes = need_bytes < most_bytes ? (uint32_t)need_bytes : most_bytes;
	const struct usrsctp_cmt_watermarks marks = {
	    .size = sizeof(marks), .write_low = share_bytes / 4 * 3, .write_high = share_bytes};
	const uint32_t step_bytes = c->share_bytes / SHARE_STEP;

	if (share_bytes + step_bytes < c->share_bytes || share_bytes > c->share_bytes + step_bytes) {
		(void)usrsctp_cmt_conn_setwatermarks(c->conn, &marks);
		c->share_bytes = share_bytes;
	}
}

static void set_queued(struct client *c, size_t queued_bytes, uint64_t now_us)
{
	c->env->budget.queued_bytes += queued_bytes - c->queued_bytes;
	if (queued_bytes < c->queued_bytes) {
		c->moved_us = now_us;
	}
	c->queued_bytes = queued_bytes;
}

void client_look_at_queue(struct client *c, uint64_t now_us)
{
	set_queued(c, usrsctp_cmt_conn_queued(c->conn), now_us);
}

/* False: this was the last that can be written now. */
static bool write_one(struct client *c, struct request *r, uint64_t now_us)
{
	switch (request_write(r, c->conn, now_us)) {
	case REQUEST_WROTE:
		TAILQ_REMOVE(&c->requests, r, in_client);
		TAILQ_INSERT_TAIL(&c->requests, r, in_client);
		break;
	case REQUEST_ENDED: client_remove_request(c, r); break;
	case REQUEST_BLOCKED: return false;
	case REQUEST_FAILED:
		client_refuse(c, errno == EINVAL ? "a request came on a stream that the server does not have"
		                                 : "the connection was lost");
		return false;
	}
	c->moved_us = now_us;
	return true;
}

void client_pump(struct client *c)
{
	const uint64_t now_us = app_wall_clock_us();
	struct app_assoc_stats stats;
	uint64_t at_us;

	if (c->state >= CLIENT_ENDING || !write_all_pending(c)) {
		return;
	}
	app_assoc_stats_read(usrsctp_cmt_conn_socket(c->conn), &stats);
	set_queued(c, stats.all.send_queue_bytes, now_us);
	set_share(c, &stats);
	client_heed_costs(c, &stats);
	client_tell_needs(c, now_us);
	for (int i = 0; i < WRITES_PER_TURN; i++) {
		struct request *r = find_ready(c, now_us, &at_us);

		if (r == NULL) {
			if (at_us != REQUEST_NEVER_US) {
				go_on_in(c, at_us - now_us);
			}
			return;
		}
		if (!write_one(c, r, now_us)) {
			client_look_at_queue(c, now_us);
			return;
		}
	}
	client_look_at_queue(c, now_us);
	go_on_in(c, 0);
}
