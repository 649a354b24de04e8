/* SPDX-License-Identifier: BSD-3-Clause
 *
 * veno - every bottleneck as if it were alone, and losses that are not of a queue are taken for random (after
 * Fu and Liew, "TCP Veno", IEEE JSAC 21(2), 2003). What a path loses its packets by is judged by their delays
 * (cmt_loss_cause.h); whether it holds a queue now, too:
 *
 *     losses        queue now                                no queue
 *     of a queue    half the window, or what it holds        four fifths; grows as CUBIC
 *                   without one; grows as CUBIC
 *     unknown       the same                                 four fifths; grows by a 16th per round trip
 *     random        the same                                 nothing;     grows by a 16th per round trip
 *
 * As CUBIC: by 1/w_r, as a single path, or by what RFC 9438 gives for the time since the last loss, whichever
 * is more; the 16th is a lower bound, too. Paths through one bottleneck grow together as one path does, so
 * that an association takes no more of it than one flow (RFC 6356, section 2, "do no harm").
 *
 * While round trips deliver more and more and there is no queue, the link is not full: no loss ends the first
 * slow start then. One that a loss has ended goes on when losses turn out to be random and there is no queue.
 *
 * What the path holds without a queue is rate times round trip (Mascolo et al., "TCP Westwood", MobiCom
 * 2001), four fifths of the window at most. Where one packet in ten is lost, as by a policer, no loss is
 * taken for random, and half the window goes.
 *
 * TCP derives the queue from round trips; here it is the forward delay above the base delay, without what
 * jitter adds and without the return path. Growth stays as it is also while there is a queue, where TCP Veno
 * halves it: schedulers and options bound the queue. */
#include "cmt_cc_sums.h"

#include "../util/cmt_tuned.h"

static enum cmt_loss_cause_verdict cause(const struct cmt_cc_path *p)
{
	return cmt_loss_cause_verdict(&p->loss_cause);
}

static int64_t veno_increase(const struct cmt_cc *cc, unsigned i, uint32_t bytes)
{
	const struct cmt_cc_path *p = &cc->paths[i];
	const uint32_t share = cmt_cc_share_of_bottleneck(cc, i);
	int64_t growth =
	    cmt_max_us(cmt_cc_reno_growth(p, bytes, share), cmt_cc_cubic_growth(p, bytes, share));

	if (p->rate_bps == 0 || cmt_cc_has_queue(cc, i) || cause(p) == CMT_LOSS_CAUSE_QUEUE)
		return growth;
	return cmt_max_us(growth, (int64_t)bytes * CMT_CC_GROWTH_ONE / CMT_GROWTH_SHARE);
}

static uint32_t veno_decrease(const struct cmt_cc *cc, unsigned i)
{
	const struct cmt_cc_path *p = &cc->paths[i];
	uint32_t half = cmt_cc_half(cc, i), most = p->cwnd_bytes / 5 * 4;
	uint64_t held_bytes = cmt_cc_bytes_in(p, p->quiet_us); /* without a queue */
	const bool queue = cmt_cc_has_queue(cc, i);

	if (p->rate_bps == 0 || cmt_cc_loses_by_load(p) || (queue && held_bytes <= half))
		return half;
	return queue && held_bytes < most ? (uint32_t)held_bytes : most;
}

static bool veno_reduces(const struct cmt_cc *cc, unsigned i, const struct cmt_cc_loss *loss)
{
	const struct cmt_cc_path *p = &cc->paths[i];

	(void)loss;
	if (p->rate_bps == 0 || cmt_cc_has_queue(cc, i) || cmt_cc_loses_by_load(p))
		return true;
	return cause(p) != CMT_LOSS_CAUSE_RANDOM && !(p->growing && cmt_cc_in_first_start(p));
}

static bool veno_resumes_start(const struct cmt_cc *cc, unsigned i)
{
	return cause(&cc->paths[i]) == CMT_LOSS_CAUSE_RANDOM && !cmt_cc_has_queue(cc, i);
}

const struct cmt_cc_ops cmt_cc_veno = {
    .name = "veno",
    .summary = "uncoupled, gives up less for a loss without a queue",
    .increase = veno_increase,
    .decrease = veno_decrease,
    .reduces = veno_reduces,
    .resumes_start = veno_resumes_start,
};
