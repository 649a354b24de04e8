/* SPDX-License-Identifier: BSD-3-Clause
 *
 * arrival - units in the order in which they will arrive: the packet that path i sends now carries the unit
 * behind those which the other paths will deliver before it.
 *
 *     ahead_i = sum of  floor((A_i - A_j) / interval_j) + 1 packets  over the usable paths j with A_j < A_i
 *
 * with A the predicted arrival of a path's next packet. LCM, FPS and OSIA approximate this order from delays
 * and windows; here each echo from the receiver corrects it. */
#include "cmt_probing.h"

struct arrival {
	struct cmt_ahead_options options;
};

static struct cmt_decision arrival_next(const void *st, const struct cmt_view *v)
{
	const struct arrival *a = st;

	return cmt_ahead_next(st, &a->options, v, cmt_ahead_by_arrival);
}

static uint64_t arrival_look_ahead(const void *st, const struct cmt_view *v)
{
	const struct arrival *a = st;

	return cmt_ahead_look_ahead(st, &a->options, v, cmt_ahead_by_arrival);
}

const struct cmt_sched_ops cmt_sched_arrival = {
    .size = CMT_SCHED_CONTRACT_BYTES,
    .name = "arrival",
    .summary = "order of predicted arrival over all paths",
    .option_help = CMT_AHEAD_OPTION_HELP,
    .state_bytes = sizeof(struct arrival),
    .init = cmt_ahead_init,
    .next = arrival_next,
    .copy = cmt_probing_copy,
    .copies_to_measure = true,
    .look_ahead = arrival_look_ahead,
};
