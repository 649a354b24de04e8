/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ocps - offset compensation (Ni et al., OCPS) around a scheduler that is a function "so many bytes ahead":
 * what the base predicts is corrected by what SACKs said about the round before (cmt_ocps.h).
 *
 * A base is its ops and its cmt_ahead_fn; its state begins with struct cmt_forward_options. */
#include <errno.h>
#include <string.h>

#include "cmt_forward.h"
#include "cmt_ocps.h"
#include "../util/cmt_options.h"

enum { BASE_STATE_BYTES = 512, THRESHOLD_PKTS = 8 };

struct base {
	const struct cmt_sched_ops *ops;
	cmt_ahead_fn *ahead;
};

struct ocps {
	const struct base *base;
	struct cmt_ocps offsets;
	union {
		struct cmt_forward_options options;
		uint64_t words[BASE_STATE_BYTES / sizeof(uint64_t)];
	} base_state;
};

/* The wrapper's own option is taken out of the text; the base parses the rest. */
static int ocps_init(void *st, const char *text, const struct base *base)
{
	struct ocps *o = st;
	struct cmt_forward_options options = CMT_FORWARD_OPTIONS_DEFAULT;
	uint64_t threshold_pkts = THRESHOLD_PKTS, every_sack = 0;
	const struct cmt_option all[] = {CMT_FORWARD_OPTIONS(options),
	                                 {"threshold_pkts", &threshold_pkts, 1, 1000},
	                                 {"every_sack", &every_sack, 0, 1}};
	int error = cmt_options_parse(text, all, sizeof(all) / sizeof(all[0]));

	if (error == 0)
		error = base->ops->init(&o->base_state, NULL);
	if (error != 0)
		return error;
	o->base = base;
	o->base_state.options = options;
	cmt_ocps_init(&o->offsets, (uint32_t)threshold_pkts, every_sack != 0);
	return 0;
}

static uint64_t ahead(const void *st, const struct cmt_view *v, const struct cmt_ahead_path *paths,
                      unsigned index)
{
	const struct ocps *o = st;

	return cmt_ocps_correct(&o->offsets, v, v->paths[index].id,
	                        o->base->ahead(&o->base_state, v, paths, index));
}

static struct cmt_decision ocps_next(const void *st, const struct cmt_view *v)
{
	const struct ocps *o = st;

	return cmt_ahead_next(st, &o->base_state.options.ahead, v, ahead);
}

static uint64_t ocps_look_ahead(const void *st, const struct cmt_view *v)
{
	const struct ocps *o = st;

	return cmt_ahead_look_ahead(st, &o->base_state.options.ahead, v, ahead);
}

static void ocps_plan(void *st, const struct cmt_view *v)
{
	struct ocps *o = st;

	cmt_ocps_plan(&o->offsets, v);
	if (o->base->ops->plan != NULL)
		o->base->ops->plan(&o->base_state, v);
}

static void ocps_on_sent(void *st, const struct cmt_sent *e)
{
	struct ocps *o = st;

	cmt_ocps_on_sent(&o->offsets, e);
	if (o->base->ops->on_sent != NULL)
		o->base->ops->on_sent(&o->base_state, e);
}

static void ocps_on_acked(void *st, const struct cmt_acked *e)
{
	struct ocps *o = st;

	cmt_ocps_on_acked(&o->offsets, e);
	if (o->base->ops->on_acked != NULL)
		o->base->ops->on_acked(&o->base_state, e);
}

static void ocps_on_lost(void *st, const struct cmt_lost *e)
{
	struct ocps *o = st;

	cmt_ocps_on_lost(&o->offsets, e);
	if (o->base->ops->on_lost != NULL)
		o->base->ops->on_lost(&o->base_state, e);
}

static void ocps_on_spurious(void *st, const struct cmt_lost *e)
{
	struct ocps *o = st;

	if (o->base->ops->on_spurious != NULL)
		o->base->ops->on_spurious(&o->base_state, e);
}

static void ocps_on_path(void *st, uint8_t path_id, bool usable, uint64_t now_us)
{
	struct ocps *o = st;

	cmt_ocps_on_path(&o->offsets, path_id, usable);
	if (o->base->ops->on_path != NULL)
		o->base->ops->on_path(&o->base_state, path_id, usable, now_us);
}

/* clang-format off */
#define OCPS_OVER(base_name, text) \
	extern const struct cmt_sched_ops cmt_sched_##base_name; \
	static const struct base base_name = {&cmt_sched_##base_name, cmt_##base_name##_ahead}; \
	static int base_name##_init(void *st, const char *options) \
	{ \
		return ocps_init(st, options, &base_name); \
	} \
	const struct cmt_sched_ops cmt_sched_##base_name##_ocps = { \
	    .size = CMT_SCHED_CONTRACT_BYTES, \
	    .name = #base_name "+ocps", \
	    .summary = text, \
	    .option_help = "threshold_pkts=8 [1..1000]: up to this an offset doubles every round, from there it grows by one; " \
	                   "every_sack=0 [0..1]: 1 moves offsets at every SACK with a hole, as in the paper, 0 by rounds; " \
	                   CMT_FORWARD_OPTION_HELP, \
	    .state_bytes = sizeof(struct ocps), \
	    .window_tsns = CMT_OCPS_TSNS, \
	    .init = base_name##_init, \
	    .plan = ocps_plan, \
	    .next = ocps_next, \
	    .look_ahead = ocps_look_ahead, \
	    .on_sent = ocps_on_sent, \
	    .on_acked = ocps_on_acked, \
	    .on_lost = ocps_on_lost, \
	    .on_spurious = ocps_on_spurious, \
	    .on_path = ocps_on_path, \
	}
/* clang-format on */

OCPS_OVER(fps, "fps, corrected by what SACKs say about the round before (OCPS, Ni et al.)");
OCPS_OVER(f2p, "f2p, corrected by what SACKs say about the round before (OCPS, Ni et al.)");
