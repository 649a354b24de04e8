/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fps - forward prediction (Mirani et al. 2010, as in section II of the OCPS paper): the packet that path i
 * sends now carries unit N + 1, with N the packets that the other paths deliver during its transmission,
 * their windows growing round by round (cmt_forward.h).
 *
 * The paper takes durations from RTT (`rtt`) and lets every path fill its window. Here durations are
 * differences of predicted arrivals, so queues count, and a round carries no more than link and window share
 * let through. What remains of the prediction is the growth: in slow start and where windows bound the rate.
 */
#include "cmt_forward.h"

struct fps {
	struct cmt_forward_options options;
};

static uint64_t count(const void *st, const struct cmt_view *v, const struct cmt_ahead_path *p,
                      int64_t lead_us)
{
	const struct cmt_forward_path forward = cmt_forward_of(st, v, p);

	return cmt_forward_fps(&forward, lead_us);
}

uint64_t cmt_fps_ahead(const void *st, const struct cmt_view *v, const struct cmt_ahead_path *paths,
                       unsigned index)
{
	return cmt_forward_ahead(st, v, paths, index, count);
}

static struct cmt_decision fps_next(const void *st, const struct cmt_view *v)
{
	const struct fps *f = st;

	return cmt_ahead_next(st, &f->options.ahead, v, cmt_fps_ahead);
}

static uint64_t fps_look_ahead(const void *st, const struct cmt_view *v)
{
	const struct fps *f = st;

	return cmt_ahead_look_ahead(st, &f->options.ahead, v, cmt_fps_ahead);
}

const struct cmt_sched_ops cmt_sched_fps = {
    .size = CMT_SCHED_CONTRACT_BYTES,
    .name = "fps",
    .summary = "forward prediction: what the other paths deliver meanwhile, windows growing (Mirani et al.)",
    .option_help = CMT_FORWARD_OPTION_HELP,
    .state_bytes = sizeof(struct fps),
    .init = cmt_forward_init,
    .next = fps_next,
    .look_ahead = fps_look_ahead,
};
