/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_cc_conformance.c - what every congestion control has to keep, over random events on paths of any size.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cc/cmt_cc.h"
#include "util/cmt_serial.h"

enum { RUNS = 300, EVENTS = 1000, MAX_SRTT_US = 60000000, MAX_MSS = 65535, CLOSE_ONE_IN = 200 };

static const uint64_t first_seed = UINT64_C(0x5ca1ab1e0c0ffee5);

/* A control, its paths, and what happened on them. A control may tolerate losses or take growth over; what
 * follows for the others is checked for the others only. */
struct subject {
	struct cmt_cc cc;
	uint64_t seed;
	struct history {
		uint32_t acked, next;
		bool event; /* losses up to event_end are known */
		uint32_t event_end;
		bool timeouts; /* nothing but timeouts since `saved` */
		bool undoable;
		struct cmt_cc_path saved;
	} paths[CMT_MAX_PATHS];
};

static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

static bool chance(uint64_t *seed, unsigned one_in)
{
	return next_random(seed) % one_in == 0;
}

/* Any order of magnitude up to `max` alike; now and then the ends. */
static uint64_t any_size(uint64_t *seed, uint64_t max)
{
	const uint64_t value = next_random(seed) >> next_random(seed) % 64;

	if (chance(seed, 20))
		return chance(seed, 2) ? 0 : max;
	return value <= max ? value : value % (max + 1);
}

static void check_bounds(const struct subject *s, unsigned i)
{
	const struct cmt_cc_path *p = &s->cc.paths[i];

	assert_in_range(p->cwnd_bytes, p->mss_bytes, CMT_CC_MAX_CWND_BYTES);
	assert_in_range(p->growth, 0, CMT_CC_GROWTH_ONE - 1);
	if (s->cc.options.pacing == 0)
		assert_int_equal(p->pacing_bps, 0);
	else if (s->cc.ops->on_ack == NULL)
		assert_int_equal(p->pacing_bps > 0,
		                 p->srtt_us > 0 && (p->full || p->ssthresh_bytes != CMT_CC_NO_SSTHRESH));
}

static void open_path(struct subject *s, unsigned i)
{
	const uint32_t first = chance(&s->seed, 2) ? (uint32_t)next_random(&s->seed)
	                                           : UINT32_MAX - (uint32_t)any_size(&s->seed, 5000);

	s->paths[i] = (struct history){.acked = first - 1, .next = first};
	cmt_cc_open(&s->cc, i, (uint32_t)any_size(&s->seed, UINT32_MAX),
	            1 + (uint32_t)any_size(&s->seed, MAX_MSS - 1));
}

/* What the caller measures, and now and then what it changes. */
static void measure(struct subject *s, unsigned i)
{
	struct cmt_cc_path *p = &s->cc.paths[i];

	if (chance(&s->seed, 4))
		p->srtt_us = (uint32_t)any_size(&s->seed, MAX_SRTT_US);
	if (chance(&s->seed, 50))
		p->mss_bytes = 1 + (uint32_t)any_size(&s->seed, MAX_MSS - 1);
	if (chance(&s->seed, 50))
		p->cwnd_bytes = (uint32_t)any_size(&s->seed, UINT32_MAX);
	if (chance(&s->seed, 50))
		p->ssthresh_bytes = (uint32_t)any_size(&s->seed, UINT32_MAX);
	p->queue_us = (int64_t)any_size(&s->seed, 1000000);
	p->rate_bps = any_size(&s->seed, UINT64_C(100000000000));
	p->min_rtt_us = (uint32_t)any_size(&s->seed, p->srtt_us);
	p->full = chance(&s->seed, 2);
}

static void acknowledge(struct subject *s, unsigned i)
{
	struct history *h = &s->paths[i];
	struct cmt_cc_path *p = &s->cc.paths[i];
	struct cmt_cc_ack ack = {.bytes = (uint32_t)any_size(&s->seed, UINT32_MAX),
	                         .delay_us = (int64_t)next_random(&s->seed),
	                         .cwnd_limited = !chance(&s->seed, 4)};
	struct cmt_cc_path before;

	h->acked += (uint32_t)any_size(&s->seed, h->next - 1 - h->acked);
	ack.number = h->acked;
	ack.next_number = h->next;
	if (chance(&s->seed, 2))
		ack.delay_us =
		    chance(&s->seed, 4) ? CMT_UNKNOWN_US : 50000 + (int64_t)any_size(&s->seed, 20000);
	before = *p;
	cmt_cc_on_ack(&s->cc, i, &ack);
	if (before.in_recovery && p->in_recovery && !before.timed_out &&
	    before.cwnd_bytes >= before.mss_bytes && before.cwnd_bytes <= CMT_CC_MAX_CWND_BYTES &&
	    s->cc.ops->on_ack == NULL)
		assert_int_equal(p->cwnd_bytes, before.cwnd_bytes);
	assert_int_equal(p->in_recovery, before.in_recovery && !cmt_serial_ge(h->acked, h->event_end));
	if (!p->in_recovery)
		h->timeouts = false;
	check_bounds(s, i);
}

static void lose(struct subject *s, unsigned i)
{
	struct history *h = &s->paths[i];
	struct cmt_cc_path *p = &s->cc.paths[i];
	const uint32_t in_flight = h->next - h->acked;
	const struct cmt_cc_loss loss = {.bytes = (uint32_t)any_size(&s->seed, UINT32_MAX),
	                                 .number = h->next - 1 - (uint32_t)any_size(&s->seed, in_flight),
	                                 .next_number = h->next};
	const bool timeout = chance(&s->seed, 4);
	const bool known = !timeout && h->event && !cmt_serial_gt(loss.number, h->event_end);
	const struct cmt_cc_path before = *p;

	if (timeout)
		cmt_cc_on_timeout(&s->cc, i, &loss);
	else
		(void)cmt_cc_on_loss(&s->cc, i, &loss);
	if (known) {
		assert_int_equal(p->cwnd_bytes, before.cwnd_bytes);
		assert_int_equal(p->ssthresh_bytes, before.ssthresh_bytes);
		assert_int_equal(p->recovery_end, before.recovery_end);
		return;
	}
	if (!timeout && s->cc.ops->reduces != NULL && p->reduced == before.reduced &&
	    p->recovery_end == before.recovery_end) {
		assert_int_equal(p->cwnd_bytes, before.cwnd_bytes);
		return;
	}
	check_bounds(s, i);
	assert_true(p->in_recovery);
	assert_int_equal(p->recovery_end, h->next - 1);
	assert_true(p->cwnd_bytes <= before.cwnd_bytes || before.cwnd_bytes < before.mss_bytes);
	assert_true(p->cwnd_bytes <= p->ssthresh_bytes);
	assert_true(p->ssthresh_bytes >= 2 * p->mss_bytes);
	if (timeout)
		assert_int_equal(p->cwnd_bytes, p->mss_bytes);
	if (!timeout || !h->timeouts)
		h->saved = before;
	h->timeouts = timeout;
	h->event = h->undoable = true;
	h->event_end = p->recovery_end;
}

static void undo(struct subject *s, unsigned i)
{
	struct history *h = &s->paths[i];
	struct cmt_cc_path *p = &s->cc.paths[i];
	const struct cmt_cc_path before = *p;
	const uint32_t flight_bytes = (uint32_t)any_size(&s->seed, UINT32_MAX);
	const uint32_t least_bytes =
	    h->timeouts && h->saved.cwnd_bytes > flight_bytes ? flight_bytes : h->saved.cwnd_bytes;
	const uint32_t saved_bytes =
	    h->saved.cwnd_bytes < CMT_CC_MAX_CWND_BYTES ? h->saved.cwnd_bytes : CMT_CC_MAX_CWND_BYTES;
	uint32_t ssthresh_bytes =
	    h->saved.ssthresh_bytes > before.ssthresh_bytes ? h->saved.ssthresh_bytes : before.ssthresh_bytes;

	cmt_cc_undo(&s->cc, i, flight_bytes);
	if (!h->undoable) {
		assert_int_equal(p->cwnd_bytes, before.cwnd_bytes);
		assert_int_equal(p->ssthresh_bytes, before.ssthresh_bytes);
		return;
	}
	assert_true(p->cwnd_bytes >= least_bytes || p->cwnd_bytes == CMT_CC_MAX_CWND_BYTES);
	if (p->cwnd_bytes < saved_bytes && ssthresh_bytes < saved_bytes)
		ssthresh_bytes = saved_bytes;
	assert_int_equal(p->ssthresh_bytes, ssthresh_bytes);
	assert_false(p->in_recovery);
	check_bounds(s, i);
	h->event = h->undoable = h->timeouts = false;
}

static void become_longer(struct subject *s, unsigned i)
{
	const struct cmt_cc_path before = s->cc.paths[i];
	const uint64_t held_bytes = any_size(&s->seed, UINT64_MAX);

	cmt_cc_on_longer_route(&s->cc, i, held_bytes, s->paths[i].next);
	assert_int_equal(s->cc.paths[i].cwnd_bytes, before.cwnd_bytes);
	assert_true(s->cc.paths[i].ssthresh_bytes >= before.ssthresh_bytes ||
	            s->cc.paths[i].ssthresh_bytes == CMT_CC_MAX_CWND_BYTES);
	assert_true(s->cc.paths[i].ssthresh_bytes >= held_bytes ||
	            s->cc.paths[i].ssthresh_bytes == CMT_CC_MAX_CWND_BYTES);
}

static void step(struct subject *s)
{
	const unsigned i = (unsigned)(next_random(&s->seed) % CMT_MAX_PATHS);

	if (!s->cc.paths[i].in_use || chance(&s->seed, CLOSE_ONE_IN)) {
		if (s->cc.paths[i].in_use)
			cmt_cc_close(&s->cc, i);
		else if (chance(&s->seed, 10))
			open_path(s, i);
		return;
	}
	measure(s, i);
	s->paths[i].next += (uint32_t)any_size(&s->seed, 1000);
	switch (next_random(&s->seed) % 16) {
	case 0:
	case 1: lose(s, i); break;
	case 2: undo(s, i); break;
	case 3: become_longer(s, i); break;
	default: acknowledge(s, i); break;
	}
}

static void every_control_keeps_the_rules(void **state)
{
	static const char *const options[] = {"", "hystart=0", "pacing=0", "queue_us=100000"};

	(void)state;
	for (size_t k = 0; cmt_cc_builtin(k) != NULL; k++) {
		struct subject s = {.seed = first_seed};

		print_message("%s: seed %#llx\n", cmt_cc_builtin(k)->name, (unsigned long long)s.seed);
		for (unsigned run = 0; run < RUNS; run++) {
			s.cc = (struct cmt_cc){.ops = NULL};
			assert_int_equal(cmt_cc_set(&s.cc, cmt_cc_builtin(k), options[run % 4]), 0);
			for (unsigned e = 0; e < EVENTS; e++)
				step(&s);
		}
	}
}

/* Growth and decrease alone, with paths at the ends of their ranges. */
static void formulas_stay_in_range(void **state)
{
	uint64_t seed = first_seed;
	struct cmt_cc cc = {.ops = NULL};

	(void)state;
	print_message("seed %#llx\n", (unsigned long long)seed);
	for (unsigned run = 0; run < 20000; run++) {
		for (unsigned i = 0; i < CMT_MAX_PATHS; i++) {
			cc.paths[i] = (struct cmt_cc_path){
			    .in_use = !chance(&seed, 3),
			    .mss_bytes = (uint32_t)any_size(&seed, chance(&seed, 9) ? UINT32_MAX : MAX_MSS),
			    .cwnd_bytes = (uint32_t)any_size(&seed, UINT32_MAX),
			    .srtt_us = (uint32_t)any_size(&seed, chance(&seed, 9) ? UINT32_MAX : MAX_SRTT_US),
			    .acked_since_loss_bytes = any_size(&seed, UINT64_MAX),
			    .acked_between_losses_bytes = any_size(&seed, UINT64_MAX),
			};
		}
		for (size_t k = 0; cmt_cc_builtin(k) != NULL; k++) {
			const struct cmt_cc_ops *ops = cmt_cc_builtin(k);
			const unsigned i = (unsigned)(next_random(&seed) % CMT_MAX_PATHS);
			const uint32_t bytes = (uint32_t)any_size(&seed, UINT32_MAX);
			const int64_t growth = ops->increase(&cc, i, bytes);

			assert_true(growth <= 2 * (int64_t)CMT_CC_MAX_CWND_BYTES * CMT_CC_GROWTH_ONE);
			assert_true(growth >= -(int64_t)CMT_CC_MAX_CWND_BYTES * CMT_CC_GROWTH_ONE);
			(void)ops->decrease(&cc, i);
		}
	}
}

static void a_path_alone_is_uncoupled_at_the_ends_of_the_ranges(void **state)
{
	static const struct {
		uint32_t cwnd_bytes, srtt_us, mss_bytes, bytes;
	} ends[] = {
	    {1, 1, UINT32_MAX, UINT32_MAX},
	    {1, 60000000, 1, 1},
	    {CMT_CC_MAX_CWND_BYTES, 1, UINT32_MAX, UINT32_MAX},
	    {CMT_CC_MAX_CWND_BYTES, 60000000, 65535, CMT_CC_MAX_CWND_BYTES},
	    {CMT_CC_MAX_CWND_BYTES, 60000000, 1460, 1460},
	};

	(void)state;
	for (size_t e = 0; e < sizeof(ends) / sizeof(ends[0]); e++) {
		const struct cmt_cc cc = {.paths[0] = {.in_use = true,
		                                       .cwnd_bytes = ends[e].cwnd_bytes,
		                                       .srtt_us = ends[e].srtt_us,
		                                       .mss_bytes = ends[e].mss_bytes}};

		for (size_t k = 0; cmt_cc_builtin(k) != NULL; k++) {
			if (cmt_cc_builtin(k)->on_ack == NULL)
				assert_int_equal(cmt_cc_builtin(k)->increase(&cc, 0, ends[e].bytes),
				                 cmt_cc_find("uncoupled")->increase(&cc, 0, ends[e].bytes));
		}
	}
}

/* Of the controls that promise it: no path is faster than a single flow there (RFC 6356, goal 2). */
static void no_path_grows_faster_than_alone(void **state)
{
	static const char *const names[] = {"coupled", "rttcomp", "balia"};
	uint64_t seed = first_seed;
	struct cmt_cc cc = {.ops = NULL};

	(void)state;
	print_message("seed %#llx\n", (unsigned long long)seed);
	for (unsigned run = 0; run < 20000; run++) {
		for (unsigned i = 0; i < CMT_MAX_PATHS; i++) {
			cc.paths[i] = (struct cmt_cc_path){
			    .in_use = i < 2 || chance(&seed, 2),
			    .mss_bytes = 1460,
			    .cwnd_bytes = 1460 + (uint32_t)any_size(&seed, CMT_CC_MAX_CWND_BYTES - 1460),
			    .srtt_us = 1 + (uint32_t)any_size(&seed, MAX_SRTT_US - 1),
			};
		}
		for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
			const uint32_t bytes = (uint32_t)any_size(&seed, 100000);
			const int64_t alone = cmt_cc_find("uncoupled")->increase(&cc, 0, bytes);
			const int64_t growth = cmt_cc_find(names[k])->increase(&cc, 0, bytes);

			assert_in_range(growth, 0, alone);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_control_keeps_the_rules),
	    cmocka_unit_test(formulas_stay_in_range),
	    cmocka_unit_test(a_path_alone_is_uncoupled_at_the_ends_of_the_ranges),
	    cmocka_unit_test(no_path_grows_faster_than_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
