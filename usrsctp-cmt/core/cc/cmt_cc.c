/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_cc_sums.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "../util/cmt_options.h"
#include "../util/cmt_serial.h"
#include "../util/cmt_tuned.h"

extern const struct cmt_cc_ops cmt_cc_uncoupled, cmt_cc_coupled, cmt_cc_linked, cmt_cc_rttcomp, cmt_cc_olia,
    cmt_cc_balia, cmt_cc_veno, cmt_cc_rate;

/* The default first. */
static const struct cmt_cc_ops *const builtins[] = {
    &cmt_cc_veno,    &cmt_cc_uncoupled, &cmt_cc_coupled, &cmt_cc_linked,
    &cmt_cc_rttcomp, &cmt_cc_olia,      &cmt_cc_balia,   &cmt_cc_rate,
};

static const struct cmt_cc_options defaults = {
    .hystart = 1, .pacing = 1, .queue_us = 0, .initial_pkts = 10, .undo = CMT_CC_UNDO_WINDOW};

#define MAX_QUEUE_US     UINT64_C(10000000)
#define MAX_INITIAL_PKTS UINT64_C(100)

const char cmt_cc_option_help[] =
    "hystart=1 [0..1]: 1 ends slow start when delays grow, 0 with the first loss only; "
    "pacing=1 [0..1]: 1 spreads packets over the round trip, 0 sends what the window allows; "
    "queue_us=0 [0..10000000]: no growth while packets wait longer than this in the path's queue, 0 for no "
    "bound; "
    "initial_pkts=10 [2..100]: packets that a path may have in flight before anything is acknowledged there; "
    "undo=2 [0..2]: what a spurious loss gives back: 2 window and threshold, 1 the threshold, up to which "
    "slow start goes, 0 nothing";

enum {
	/* In slow start one acknowledgement lets the window grow by this much at most (L): RFC 3465,
	 * section 2.3. RFC 9406, section 4.3, has 8, or no bound with pacing. With
	 * less a window that stretch ACKs report grows by as much for each, in place of doubling. */
	BURST_LIMIT_PKTS = 2 * CMT_GROUP_PKTS,
	/* Windows in cwnd per srtt, in quarters: 2 lets slow start double, 1.25 lets congestion avoidance use
	 * its window in spite of timers that are late. */
	PACING_SLOW_START_QUARTERS = 8,
	PACING_AVOIDANCE_QUARTERS = 5,
	PACING_ONCE_QUARTERS = 4,
	MIN_AFTER_LOSS_PKTS = 2,
	MIN_SSTHRESH_AFTER_TIMEOUT_PKTS = 4, /* RFC 9260, section 7.2.3 */
	INITIAL_MSS_BYTES = 1472, /* larger packets count as more than one: RFC 9002, section 7.2 */
};

/* A recovery_end that lies further behind says nothing any more and would soon seem to lie ahead. */
#define STALE_DISTANCE (INT32_MAX / 2)

const struct cmt_cc_ops *cmt_cc_builtin(size_t i)
{
	return i < sizeof(builtins) / sizeof(builtins[0]) ? builtins[i] : NULL;
}

const struct cmt_cc_ops *cmt_cc_find(const char *name)
{
	for (size_t i = 0; name != NULL && cmt_cc_builtin(i) != NULL; i++) {
		if (strcmp(builtins[i]->name, name) == 0)
			return builtins[i];
	}
	return NULL;
}

static uint32_t clamp_bytes(uint64_t bytes)
{
	return bytes < CMT_CC_MAX_CWND_BYTES ? (uint32_t)bytes : CMT_CC_MAX_CWND_BYTES;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static bool in_slow_start(const struct cmt_cc_path *p)
{
	return p->cwnd_bytes < p->ssthresh_bytes;
}

/* In the first slow start packets leave in trains, which show the receiver the rate of the link at once;
 * paced ones show the pace. */
static bool in_startup(const struct cmt_cc_path *p)
{
	return !p->full && cmt_cc_in_first_start(p);
}

/* Quarters of so many bytes for each smoothed round trip, which is known. Rounded up: 0 would mean not
 * paced. */
static uint64_t pace_bps(const struct cmt_cc_path *p, uint32_t bytes, uint64_t quarters)
{
	return (bytes * quarters * (CMT_BPS_PER_BYTE_PER_US / 4) + p->srtt_us - 1) / p->srtt_us;
}

static void pace(const struct cmt_cc *cc, struct cmt_cc_path *p)
{
	p->pacing_bps = 0;
	if (cc->options.pacing == 0 || p->srtt_us == 0 || in_startup(p))
		return;
	p->pacing_bps = pace_bps(p, p->cwnd_bytes,
	                         in_slow_start(p) ? PACING_SLOW_START_QUARTERS : PACING_AVOIDANCE_QUARTERS);
	if (p->pacing_bps < p->undone_bps)
		p->pacing_bps = p->undone_bps;
}

/* Moves the window by `growth` and keeps what is less than a byte. */
static void grant(struct cmt_cc_path *p, int64_t growth)
{
	const int64_t sum = (int64_t)p->growth + growth;
	int64_t bytes = sum / CMT_CC_GROWTH_ONE;

	if (sum % CMT_CC_GROWTH_ONE < 0)
		bytes--;
	p->growth = (uint64_t)(sum - bytes * CMT_CC_GROWTH_ONE);
	bytes += p->cwnd_bytes;
	p->cwnd_bytes = bytes > 0 ? clamp_bytes((uint64_t)bytes) : 0;
}

/* No window is below one packet, whatever the caller or a control made of it. */
static void keep_bounds(struct cmt_cc_path *p)
{
	if (p->mss_bytes == 0)
		p->mss_bytes = 1;
	if (p->cwnd_bytes < p->mss_bytes)
		p->cwnd_bytes = p->mss_bytes;
	p->cwnd_bytes = clamp_bytes(p->cwnd_bytes);
}

int cmt_cc_set(struct cmt_cc *cc, const struct cmt_cc_ops *ops, const char *options)
{
	struct cmt_cc_options parsed = defaults;
	const struct cmt_option list[] = {
	    {"hystart", &parsed.hystart, 0, 1},
	    {"pacing", &parsed.pacing, 0, 1},
	    {"queue_us", &parsed.queue_us, 0, MAX_QUEUE_US},
	    {"initial_pkts", &parsed.initial_pkts, 2, MAX_INITIAL_PKTS},
	    {"undo", &parsed.undo, CMT_CC_UNDO_NOTHING, CMT_CC_UNDO_WINDOW},
	};
	int error;

	if (ops == NULL || ops->name == NULL || ops->increase == NULL || ops->decrease == NULL)
		return -EINVAL;
	error = cmt_options_parse(options, list, sizeof(list) / sizeof(list[0]));
	if (error != 0)
		return error;
	cc->ops = ops;
	cc->options = parsed;
	for (unsigned i = 0; i < CMT_MAX_PATHS; i++) {
		if (cc->paths[i].in_use)
			pace(cc, &cc->paths[i]);
	}
	return 0;
}

uint32_t cmt_cc_initial_window_bytes(const struct cmt_cc *cc, uint32_t mss_bytes)
{
	const uint64_t window = cc->options.initial_pkts * mss_bytes;
	const uint64_t most = cc->options.initial_pkts * INITIAL_MSS_BYTES;
	const uint64_t least = UINT64_C(2) * mss_bytes;

	return clamp_bytes(window < most ? window : most > least ? most : least);
}

void cmt_cc_open(struct cmt_cc *cc, unsigned i, uint32_t cwnd_bytes, uint32_t mss_bytes)
{
	struct cmt_cc_path *p = &cc->paths[i];

	assert(i < CMT_MAX_PATHS);
	*p = (struct cmt_cc_path){
	    .in_use = true,
	    .mss_bytes = mss_bytes,
	    .cwnd_bytes = cwnd_bytes,
	    .ssthresh_bytes = CMT_CC_NO_SSTHRESH,
	};
	cmt_hystart_init(&p->hystart);
	cmt_loss_cause_init(&p->loss_cause);
	keep_bounds(p);
}

void cmt_cc_close(struct cmt_cc *cc, unsigned i)
{
	assert(i < CMT_MAX_PATHS);
	cc->paths[i] = (struct cmt_cc_path){.in_use = false};
}

/* What is older than CMT_LOAD_PKTS weighs half. */
static void remember(struct cmt_cc_path *p, uint32_t acked_bytes, uint32_t lost_bytes)
{
	struct cmt_cc_recent *r = &p->recent;
	uint64_t acked = (uint64_t)r->acked_bytes + acked_bytes, lost = (uint64_t)r->lost_bytes + lost_bytes;
	unsigned halvings = 0;

	while ((acked + lost) >> halvings > (uint64_t)CMT_LOAD_PKTS * p->mss_bytes)
		halvings++;
	r->acked_bytes = (uint32_t)(acked >> halvings);
	r->lost_bytes = (uint32_t)(lost >> halvings);
}

/* --- acknowledgements ---------------------------------------------------------------------------------- */

/* Congestion avoidance uses up its window or does not grow; slow start doubles, so half of it will do. A
 * sender that spreads its packets is rarely at the limit at the moment a SACK comes in, which is when
 * upstream looks (RFC 9002, section 7.8; RFC 7661). What pacing holds back the window would have let through.
 */
bool cmt_cc_was_limited(const struct cmt_cc_path *p, uint32_t peak_bytes, bool paced)
{
	bool half = peak_bytes > p->cwnd_bytes / 2;

	return in_slow_start(p) ? half : peak_bytes >= p->cwnd_bytes || (paced && half);
}

static void leave_recovery(struct cmt_cc_path *p, uint32_t number)
{
	if (p->in_recovery && cmt_serial_ge(number, p->recovery_end)) {
		p->in_recovery = false;
		p->timed_out = false;
		/* What was lost by doubling says nothing of what the path loses else. */
		if (p->start == CMT_CC_START_OVERSHOT) {
			p->recent.acked_bytes = p->recent.lost_bytes = 0;
			p->start = CMT_CC_START_OVER;
		}
	}
	if (!p->in_recovery && cmt_serial_diff(number, p->recovery_end) > STALE_DISTANCE)
		p->reduced = false;
}

/* RFC 9406: for the first slow start only; later ones end at what a loss has taught. */
static enum cmt_hystart_phase slow_start_phase(const struct cmt_cc *cc, struct cmt_cc_path *p,
                                               const struct cmt_cc_ack *ack)
{
	if (cc->options.hystart == 0 || !cmt_cc_in_first_start(p))
		return CMT_HYSTART_SLOW_START;
	return cmt_hystart_on_ack(&p->hystart, &(struct cmt_hystart_ack){.now_us = ack->now_us,
	                                                                 .bytes = ack->bytes,
	                                                                 .cwnd_bytes = p->cwnd_bytes,
	                                                                 .number = ack->number,
	                                                                 .next_number = ack->next_number,
	                                                                 .delay_us = ack->delay_us,
	                                                                 .srtt_us = p->srtt_us});
}

/* What an acknowledgement adds to the window, when one of so many new bytes counts. */
static uint64_t slow_start_bytes(const struct cmt_cc_path *p, const struct cmt_cc_ack *ack, uint32_t divisor)
{
	const uint64_t room_bytes = p->ssthresh_bytes - p->cwnd_bytes;
	const uint64_t limit_bytes = (uint64_t)BURST_LIMIT_PKTS * p->mss_bytes;
	uint64_t bytes = ack->bytes / divisor;

	bytes = bytes < limit_bytes ? bytes : limit_bytes;
	return bytes < room_bytes ? bytes : room_bytes;
}

static bool may_grow(const struct cmt_cc *cc, const struct cmt_cc_path *p, const struct cmt_cc_ack *ack)
{
	/* After a timeout the window grows at once (RFC 9260, section 7.2.3). */
	if ((p->in_recovery && !p->timed_out) || !ack->cwnd_limited)
		return false;
	return cc->options.queue_us == 0 || p->queue_us <= (int64_t)cc->options.queue_us;
}

static void resume_start(struct cmt_cc *cc, unsigned i)
{
	struct cmt_cc_path *p = &cc->paths[i];

	if (p->start != CMT_CC_START_LOST || cc->ops->resumes_start == NULL)
		return;
	if (cmt_cc_loses_by_load(p)) {
		p->start = CMT_CC_START_OVER;
	} else if (cc->ops->resumes_start(cc, i)) {
		p->start = CMT_CC_START_RESUMED;
		p->ssthresh_bytes = CMT_CC_NO_SSTHRESH;
		cmt_hystart_init(&p->hystart);
	}
}

static void refill(struct cmt_cc *cc, unsigned i, const struct cmt_cc_ack *ack)
{
	struct cmt_cc_path *p = &cc->paths[i];

	if (!p->refill.active)
		return;
	if (!in_slow_start(p))
		p->refill.active = false;
	else if (!cmt_refill_on_ack(&p->refill, ack->number, ack->next_number, p->min_rtt_us,
	                            cmt_cc_has_queue(cc, i)))
		p->ssthresh_bytes = larger(p->cwnd_bytes, p->refill.ssthresh_bytes);
}

static void grow(struct cmt_cc *cc, unsigned i, const struct cmt_cc_ack *ack)
{
	struct cmt_cc_path *p = &cc->paths[i];
	const bool may = may_grow(cc, p, ack);
	uint32_t divisor = 1;

	resume_start(cc, i);
	refill(cc, i, ack);
	if (in_slow_start(p)) {
		/* Round trips are followed also while the window must not grow. */
		switch (slow_start_phase(cc, p, ack)) {
		case CMT_HYSTART_SLOW_START: break;
		case CMT_HYSTART_CONSERVATIVE: divisor = CMT_HYSTART_GROWTH_DIVISOR; break;
		case CMT_HYSTART_DONE: p->ssthresh_bytes = p->cwnd_bytes; break;
		}
	}
	if (p->refill.active)
		divisor = CMT_REFILL_GROWTH_DIVISOR;
	if (!in_slow_start(p))
		cmt_cubic_on_ack(&p->cubic, ack->now_us, may, p->cwnd_bytes, p->mss_bytes);
	if (!may)
		return;
	if (in_slow_start(p)) {
		grant(p, (int64_t)(slow_start_bytes(p, ack, divisor) * CMT_CC_GROWTH_ONE));
	} else {
		/* More than a window cannot be news about this window: one packet per round trip is the most
		 * (RFC 9260, section 7.2.2). */
		const uint32_t bytes = ack->bytes < p->cwnd_bytes ? ack->bytes : p->cwnd_bytes;

		grant(p, cc->ops->increase(cc, i, bytes));
	}
}

static uint32_t less(uint32_t us, int64_t by_us)
{
	return (uint32_t)cmt_max_us(0, us - by_us);
}

void cmt_cc_see_others(struct cmt_cc_path *p, int64_t others_us)
{
	if (p->shared_with == 0)
		return;
	p->min_rtt_us = less(p->min_rtt_us, others_us);
	p->quiet_us = less(p->quiet_us, others_us);
	p->queue_us += others_us;
}

void cmt_cc_on_delay(struct cmt_cc *cc, unsigned i, const struct cmt_cc_delay *delay)
{
	struct cmt_cc_path *p = &cc->paths[i];

	assert(i < CMT_MAX_PATHS);
	if (p->in_use)
		cmt_loss_cause_on_delay(&p->loss_cause, delay->now_us, delay->delay_us, p->srtt_us,
		                        delay->behind_loss);
}

void cmt_cc_on_ack(struct cmt_cc *cc, unsigned i, const struct cmt_cc_ack *ack)
{
	struct cmt_cc_path *p = &cc->paths[i];

	assert(i < CMT_MAX_PATHS && cc->ops != NULL);
	if (!p->in_use)
		return;
	p->acked_since_loss_bytes += ack->bytes;
	remember(p, ack->bytes, 0);
	keep_bounds(p);
	leave_recovery(p, ack->number);
	if (cc->ops->on_ack != NULL) {
		cc->ops->on_ack(cc, i, ack);
		keep_bounds(p);
		if (cc->options.pacing == 0)
			p->pacing_bps = 0;
	} else {
		grow(cc, i, ack);
		keep_bounds(p);
		pace(cc, p);
	}
}

void cmt_cc_on_longer_route(struct cmt_cc *cc, unsigned i, uint64_t held_bytes, uint32_t next_number)
{
	struct cmt_cc_path *p = &cc->paths[i];

	assert(i < CMT_MAX_PATHS);
	if (!p->in_use || p->ssthresh_bytes >= held_bytes)
		return;
	cmt_refill_begin(&p->refill, next_number, p->min_rtt_us, p->ssthresh_bytes);
	p->ssthresh_bytes = clamp_bytes(held_bytes);
}

/* --- losses -------------------------------------------------------------------------------------------- */

static void save_undo(struct cmt_cc_path *p)
{
	p->undo = (struct cmt_cc_undo){
	    .possible = true,
	    .cwnd_bytes = p->cwnd_bytes,
	    .ssthresh_bytes = p->ssthresh_bytes,
	    .acked_since_loss_bytes = p->acked_since_loss_bytes,
	    .acked_between_losses_bytes = p->acked_between_losses_bytes,
	};
}

/* Window and threshold are set; what was sent until now belongs to this loss event. */
static void enter_recovery(const struct cmt_cc *cc, struct cmt_cc_path *p, const struct cmt_cc_loss *loss)
{
	p->in_recovery = true;
	p->reduced = true;
	p->refill.active = false;
	cmt_cubic_restart(&p->cubic, p->undo.cwnd_bytes);
	p->undone_bps = 0;
	p->recovery_end = loss->next_number - 1;
	/* A timeout after a timeout, with nothing in between, ends no interval. */
	if (p->acked_since_loss_bytes > 0) {
		p->acked_between_losses_bytes = p->acked_since_loss_bytes;
		p->acked_since_loss_bytes = 0;
	}
	pace(cc, p);
}

bool cmt_cc_on_loss(struct cmt_cc *cc, unsigned i, const struct cmt_cc_loss *loss)
{
	struct cmt_cc_path *p = &cc->paths[i];
	uint64_t least_bytes;
	uint32_t after_bytes;

	assert(i < CMT_MAX_PATHS && cc->ops != NULL);
	if (!p->in_use)
		return false;
	remember(p, 0, loss->bytes);
	if (p->reduced && !cmt_serial_gt(loss->number, p->recovery_end))
		return false;
	if (cc->ops->reduces != NULL && !cc->ops->reduces(cc, i, loss))
		return false;
	keep_bounds(p);
	save_undo(p);
	least_bytes = (uint64_t)MIN_AFTER_LOSS_PKTS * p->mss_bytes;
	if (cmt_cc_in_first_start(p))
		p->start = p->start == CMT_CC_START_RESUMED ? CMT_CC_START_OVERSHOT : CMT_CC_START_LOST;
	if (p->start != CMT_CC_START_OVERSHOT && cmt_cc_loses_by_load(p) && !cmt_cc_has_queue(cc, i))
		cmt_loss_cause_is_load(&p->loss_cause);
	after_bytes = cc->ops->decrease(cc, i);
	p->ssthresh_bytes = clamp_bytes(after_bytes > least_bytes ? after_bytes : least_bytes);
	if (p->cwnd_bytes > p->ssthresh_bytes)
		p->cwnd_bytes = p->ssthresh_bytes;
	p->timed_out = false;
	enter_recovery(cc, p, loss);
	return true;
}

void cmt_cc_on_timeout(struct cmt_cc *cc, unsigned i, const struct cmt_cc_loss *loss)
{
	struct cmt_cc_path *p = &cc->paths[i];
	uint64_t half_bytes, least_bytes;

	assert(i < CMT_MAX_PATHS && cc->ops != NULL);
	if (!p->in_use)
		return;
	remember(p, 0, loss->bytes);
	keep_bounds(p);
	if (!p->timed_out) {
		save_undo(p);
		p->undo.bps = p->srtt_us > 0 ? pace_bps(p, p->cwnd_bytes, PACING_ONCE_QUARTERS) : 0;
	}
	/* Timeouts in a row tell of one outage: the first halves (RFC 5681, section 3.1). */
	half_bytes = p->timed_out ? p->ssthresh_bytes : p->cwnd_bytes / 2;
	least_bytes = (uint64_t)MIN_SSTHRESH_AFTER_TIMEOUT_PKTS * p->mss_bytes;
	p->ssthresh_bytes = clamp_bytes(half_bytes > least_bytes ? half_bytes : least_bytes);
	p->cwnd_bytes = clamp_bytes(p->mss_bytes);
	p->timed_out = true;
	enter_recovery(cc, p, loss);
}

/* The window that an undo gives back at once: after a timeout nothing was heard for a while, so no burst (RFC
 * 4015, section 3.2, step 5). */
static uint64_t restored_bytes(const struct cmt_cc *cc, const struct cmt_cc_path *p, uint32_t flight_bytes)
{
	const uint64_t quiet_bytes = flight_bytes + (uint64_t)cmt_cc_initial_window_bytes(cc, p->mss_bytes);

	if (cc->options.undo != CMT_CC_UNDO_WINDOW)
		return p->cwnd_bytes;
	return p->timed_out && quiet_bytes < p->undo.cwnd_bytes ? quiet_bytes : p->undo.cwnd_bytes;
}

void cmt_cc_undo(struct cmt_cc *cc, unsigned i, uint32_t flight_bytes)
{
	struct cmt_cc_path *p = &cc->paths[i];
	uint64_t bytes;

	assert(i < CMT_MAX_PATHS && cc->ops != NULL);
	if (!p->in_use || !p->undo.possible || cc->options.undo == CMT_CC_UNDO_NOTHING)
		return;
	bytes = restored_bytes(cc, p, flight_bytes);
	if (p->cwnd_bytes < bytes)
		p->cwnd_bytes = (uint32_t)bytes;
	if (p->ssthresh_bytes < p->undo.ssthresh_bytes)
		p->ssthresh_bytes = p->undo.ssthresh_bytes;
	/* The rest of the way is slow start's (section 3.2, step 1: pipe_prev). */
	if (p->cwnd_bytes < p->undo.cwnd_bytes && p->ssthresh_bytes < p->undo.cwnd_bytes)
		p->ssthresh_bytes = p->undo.cwnd_bytes;
	p->acked_since_loss_bytes += p->undo.acked_since_loss_bytes;
	p->acked_between_losses_bytes = p->undo.acked_between_losses_bytes;
	p->refill.ssthresh_bytes = larger(p->refill.ssthresh_bytes, p->undo.cwnd_bytes);
	p->undone_bps = p->undo.bps;
	cmt_cubic_restart(&p->cubic, p->cwnd_bytes);
	p->undo.possible = false;
	p->in_recovery = false;
	p->reduced = false;
	p->timed_out = false;
	/* Delays from before the loss say nothing about a slow start that goes on after it. */
	cmt_hystart_init(&p->hystart);
	keep_bounds(p);
	pace(cc, p);
}
