/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rr - the next path in rotation that has congestion window left carries the lowest unsent TSN: upstream's
 * order, Eq. 1 of LCM, the baseline of OSIA. */
#include "../cmt_sched.h"

struct rr {
	uint8_t last_path_id;
};

static struct cmt_decision rr_next(const void *st, const struct cmt_view *v)
{
	const struct rr *r = st;
	const struct cmt_path_view *chosen = NULL;

	for (unsigned i = 0; i < v->n_paths; i++) {
		const struct cmt_path_view *p = &v->paths[i];

		if (!p->usable || p->room_bytes == 0)
			continue;
		if (chosen == NULL || (chosen->id <= r->last_path_id && p->id > r->last_path_id))
			chosen = p;
	}
	if (chosen == NULL)
		return (struct cmt_decision){.verdict = CMT_WAIT, .wake_us = CMT_NEVER_US};
	return (struct cmt_decision){.verdict = CMT_SEND,
	                             .path_id = chosen->id,
	                             .tsn = cmt_units_first(v->units),
	                             .wake_us = CMT_NEVER_US};
}

static void rr_on_sent(void *st, const struct cmt_sent *e)
{
	struct rr *r = st;

	r->last_path_id = e->path_id;
}

const struct cmt_sched_ops cmt_sched_rr = {
    .size = CMT_SCHED_CONTRACT_BYTES,
    .name = "rr",
    .summary = "path rotation by free congestion window, head of the queue (upstream's order)",
    .state_bytes = sizeof(struct rr),
    .next = rr_next,
    .on_sent = rr_on_sent,
};
