/* SPDX-License-Identifier: BSD-3-Clause */
#include "watch/cmt_hint.h"
#include "association/cmt_asoc.h"
#include "delay/cmt_capacity.h"
#include "delay/cmt_capacity_hint.h"
#include "delay/cmt_path_est.h"
#include "delay/cmt_rate.h"
#include "paths/cmt_failover.h"
#include "paths/cmt_paths.h"
#include "seams/cmt_seams.h"
#include "util/cmt_time.h"
#include "util/cmt_winfilter.h"

enum {
	/* A SACK may wait for so long (RFC 9260, section 6.2). */
	SACK_WAIT_US = 200000,
	/* What a queue was lately. */
	QUEUE_FOR_US = 300000,
	PPM = 1000000
};

void cmt_hint_on_echo(struct cmt_path *path, uint64_t now_us, uint32_t number, int64_t arrival_us,
                      uint32_t heard)
{
	const int64_t base_us = cmt_path_est_base_us(&path->est);

	if (path->capacity == NULL || base_us == CMT_UNKNOWN_US)
		return;
	cmt_capacity_on_echo(path->capacity, &path->est.log,
	                     &(struct cmt_capacity_echo){.now_us = now_us,
	                                                 .number = number,
	                                                 .arrival_us = arrival_us,
	                                                 .base_us = base_us,
	                                                 .slack_us = cmt_path_est_slack_us(&path->est),
	                                                 .heard = heard,
	                                                 .clumped = cmt_rate_is_clumped(&path->est.rate)});
}

void cmt_hint_clock_step(struct cmt_path *path)
{
	if (path->capacity != NULL)
		cmt_capacity_clock_step(path->capacity);
}

/* For how long something should have been heard of the path. */
static int64_t overdue_us(const struct cmt_path *path, uint64_t now_us)
{
	const int64_t min_rtt_us = cmt_winfilter_min(&path->min_rtt);
	const uint64_t due_us =
	    min_rtt_us == CMT_UNKNOWN_US ? 0 : cmt_path_est_next_ack_us(&path->est, (uint32_t)min_rtt_us);

	return due_us == 0 ? 0 : (int64_t)(now_us - max(due_us, path->capacity->heard_us)) - SACK_WAIT_US;
}

static struct cmt_capacity_of_path look_at(const struct cmt_path *path, uint64_t now_us)
{
	const struct cmt_capacity *c = path->capacity;

	return (struct cmt_capacity_of_path){
	    .bps = cmt_capacity_bps(c, overdue_us(path, now_us)),
	    .carried_bps = cmt_capacity_carried_bps(c, now_us),
	    .bounded = c->bounded,
	    .measured_ago_us = c->measured_us != 0 ? now_us - c->measured_us : CMT_NEVER_US,
	    .base_us = cmt_path_est_base_us(&path->est),
	    .queue_us = now_us - c->heard_us < QUEUE_FOR_US ? c->queue_us : 0};
}

void cmt_hint_get(struct cmt_asoc *ca, uint64_t budget_us, struct cmt_capacity_hint *out)
{
	const uint64_t now_us = cmt_seam_now_us();
	struct cmt_capacity_input in = {.budget_us = budget_us};
	const struct sctp_association *asoc = &ca->stcb->asoc;
	uint64_t user_bytes = 0, sent_bytes = 0;

	cmt_asoc_sync_paths(ca);
	for (unsigned i = 0; i < ca->n_slots; i++) {
		struct cmt_path *path = &ca->paths[i];

		if (path->net == NULL)
			continue;
		if (path->capacity == NULL)
			path->capacity = calloc(1, sizeof(*path->capacity));
		user_bytes += path->counts.user_bytes;
		sent_bytes += path->est.log.sent_bytes;
		if (path->capacity != NULL && cmt_path_usable(ca, path->net))
			in.paths[in.n_paths++] = look_at(path, now_us);
	}
	if (sent_bytes > 0)
		in.user_ppm = (uint32_t)(user_bytes * PPM / sent_bytes);
	if (asoc->total_output_queue_size > asoc->total_flight)
		in.backlog_bytes = asoc->total_output_queue_size - asoc->total_flight;
	cmt_capacity_hint(&in, out);
}
