/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_osia.c - osia and the baselines of its paper, cwnd and flow: what they send, from literal views, and
 * how it arrives in a closed loop. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cmt_sched.h"
#include "sched_model.h"

/* A queue of 1000-byte units, TSN 1 onwards, and paths of 8 Mbit/s unless said: a packet a millisecond. */
struct bench {
	const struct cmt_sched_ops *ops;
	uint64_t state[CMT_SCHED_STATE_MAX / sizeof(uint64_t)];
	struct cmt_units units;
	uint32_t memory[4096 * 2];
	struct cmt_view view;
	struct cmt_path_view paths[CMT_SCHED_MAX_PATHS];
};

static const struct cmt_sched_ops *builtin(const char *name)
{
	for (size_t i = 0; cmt_sched_builtin(i) != NULL; i++) {
		if (strcmp(cmt_sched_builtin(i)->name, name) == 0)
			return cmt_sched_builtin(i);
	}
	fail_msg("no scheduler named %s", name);
	return NULL;
}

static void set_delay(struct cmt_path_view *p, int64_t delay_us)
{
	p->delay_us = p->base_us = p->start_us = delay_us;
	p->min_rtt_us = p->srtt_us = 2 * (uint32_t)delay_us;
}

static struct bench *new_bench(const char *name, const char *options, uint8_t n_paths)
{
	static struct bench b;

	memset(&b, 0, sizeof(b));
	b.ops = builtin(name);
	assert_int_equal(b.ops->init(b.state, options), 0);
	cmt_units_init(&b.units, 4096, 1, b.memory);
	for (uint32_t tsn = 1; tsn <= 4000; tsn++)
		assert_int_equal(cmt_units_add(&b.units, tsn, 1000), 0);
	b.view = (struct cmt_view){.units = &b.units,
	                           .paths = b.paths,
	                           .n_paths = n_paths,
	                           .limit_tsn = 100000,
	                           .peer_rwnd_bytes = 2000000000,
	                           .packet_bytes = 1000,
	                           .wire_bytes = 1000,
	                           .window_packet_bytes = 1000,
	                           .window_unit_bytes = 1000,
	                           .window_reserve_bytes = 1000};
	for (uint8_t i = 0; i < n_paths; i++) {
		b.paths[i] = (struct cmt_path_view){.id = i,
		                                    .usable = true,
		                                    .cwnd_bytes = 100000000,
		                                    .room_bytes = 1000,
		                                    .rate_bps = 8000000,
		                                    .rate_measured = true};
		set_delay(&b.paths[i], 10000);
	}
	return &b;
}

static struct cmt_decision ask(struct bench *b)
{
	struct cmt_decision d = b->ops->next(b->state, &b->view), again = b->ops->next(b->state, &b->view);

	assert_true(cmt_sched_legal(&b->view, &d));
	assert_int_equal(d.verdict, again.verdict);
	assert_int_equal(d.path_id, again.path_id);
	assert_int_equal(d.tsn, again.tsn);
	return d;
}

static void sent(struct bench *b, uint8_t path, uint32_t tsn)
{
	assert_int_equal(cmt_units_remove(&b->units, tsn), 0);
	b->ops->on_sent(
	    b->state,
	    &(struct cmt_sent){
	        .now_us = b->view.now_us, .path_id = path, .first_tsn = tsn, .chunks = 1, .bytes = 1000});
}

/* The unit that path `path` gets if it alone has room; sends it. */
static uint32_t send_on(struct bench *b, uint8_t path)
{
	struct cmt_decision d;

	for (unsigned i = 0; i < b->view.n_paths; i++)
		b->paths[i].room_bytes = i == path ? 1000 : 0;
	d = ask(b);
	assert_int_equal(d.verdict, CMT_SEND);
	assert_int_equal(d.path_id, path);
	sent(b, path, d.tsn);
	return d.tsn;
}

/* --- cwnd --- */

static void send_by_cwnd(struct bench *b, unsigned packets, unsigned *count)
{
	b->paths[0].cwnd_bytes = 30000;
	b->paths[1].cwnd_bytes = 10000;
	b->ops->plan(b->state, &b->view);
	for (unsigned i = 0; i < packets; i++) {
		struct cmt_decision d = ask(b);

		assert_int_equal(d.verdict, CMT_SEND);
		assert_int_equal(d.tsn, i + 1);
		sent(b, d.path_id, d.tsn);
		count[d.path_id]++;
	}
}

/* Standard deviation of 4000 draws with 1/4: 27. */
static void cwnd_draws_paths_in_proportion_to_their_windows(void **state)
{
	unsigned count[2] = {0, 0}, other[2] = {0, 0};

	(void)state;
	send_by_cwnd(new_bench("cwnd", NULL, 2), 4000, count);
	assert_in_range(count[1], 890, 1110);
	send_by_cwnd(new_bench("cwnd", "seed=2", 2), 4000, other);
	assert_in_range(other[1], 890, 1110);
	assert_int_not_equal(count[1], other[1]);
}

static void cwnd_by_deficit_keeps_to_the_proportions(void **state)
{
	unsigned count[2] = {0, 0};

	(void)state;
	send_by_cwnd(new_bench("cwnd", "deficit=1", 2), 4000, count);
	assert_int_equal(count[1], 1000);
}

static void cwnd_waits_for_the_path_drawn_unless_told_otherwise(void **state)
{
	struct bench *b = new_bench("cwnd", NULL, 2);

	(void)state;
	b->view.total_flight_bytes = 1000;
	b->paths[0].cwnd_bytes = 1000000000;
	b->paths[1].cwnd_bytes = 1;
	b->paths[0].room_bytes = 0;
	assert_int_equal(ask(b).verdict, CMT_WAIT);
	b->view.total_flight_bytes = 0;
	assert_int_equal(ask(b).path_id, 1);
	b->view.total_flight_bytes = 1000;
	assert_int_equal(b->ops->init(b->state, "wait=0"), 0);
	assert_int_equal(ask(b).verdict, CMT_SEND);
	assert_int_equal(ask(b).path_id, 1);
}

/* --- flow --- */

/* 3 and 1 Mbit/s, 1 s: pieces of 375 and 125 packets, and one packet each. */
static void flow_cuts_a_period_into_pieces_by_bandwidth(void **state)
{
	struct bench *b = new_bench("flow", NULL, 2);

	(void)state;
	b->paths[0].rate_bps = 3000000;
	b->paths[1].rate_bps = 1000000;
	b->ops->plan(b->state, &b->view);
	assert_int_equal(send_on(b, 0), 1);
	assert_in_range(send_on(b, 1), 375, 377);
	assert_int_equal(send_on(b, 0), 2);
	assert_in_range(send_on(b, 1), 376, 378);
}

static void flow_shares_anew_after_a_period_from_the_lowest_unit_on(void **state)
{
	struct bench *b = new_bench("flow", "period_us=500000", 2);

	(void)state;
	b->ops->plan(b->state, &b->view);
	for (uint32_t tsn = 1; tsn <= 10; tsn++)
		assert_int_equal(send_on(b, 0), tsn);
	b->paths[0].rate_bps = 800000;
	b->view.now_us = 499999;
	b->ops->plan(b->state, &b->view);
	assert_in_range(send_on(b, 1), 501, 502);
	b->view.now_us = 500000;
	b->ops->plan(b->state, &b->view);
	assert_int_equal(send_on(b, 0), 11);
	/* A tenth of the rate: 50 packets. */
	assert_in_range(send_on(b, 1), 60, 63);
}

/* --- osia --- */

/* Table 1, two paths: 15 packets of the pre-chunk on path 1, then three to one. The slow path's first packet
 * is the first of the last chunk that it carries: it arrives with the third packet of path 1 in it. */
static void osia_sends_the_pre_chunk_of_table_1_on_path_1(void **state)
{
	struct bench *b = new_bench("osia", NULL, 2);
	uint32_t on_2;

	(void)state;
	b->paths[0].rate_bps = 3000000;
	b->paths[1].rate_bps = 1000000;
	set_delay(&b->paths[0], 40000);
	set_delay(&b->paths[1], 80000);
	b->ops->plan(b->state, &b->view);
	on_2 = send_on(b, 1);
	assert_in_range(on_2, 16, 20);
	/* Each next one is four packets behind. */
	assert_int_equal(send_on(b, 1), on_2 + 4);
	assert_int_equal(send_on(b, 1), on_2 + 8);
	for (uint32_t tsn = 1; tsn < on_2; tsn++)
		assert_int_equal(send_on(b, 0), tsn);
	assert_int_equal(send_on(b, 0), on_2 + 1);
}

/* 36 and 44 ms, a packet a millisecond each: eight packets ahead, or with the paper's 10 ms the same time. */
static void equal_delays_are_one_path_unless_told_otherwise(void **state)
{
	static const struct {
		const char *options;
		uint32_t first_on_2;
	} cases[] = {{NULL, 2}, {"merge_us=10000", 2}, {"merge_us=1", 10}, {"merge_us=1000000", 2}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bench *b = new_bench("osia", cases[i].options, 2);

		set_delay(&b->paths[0], 36000);
		set_delay(&b->paths[1], 44000);
		b->ops->plan(b->state, &b->view);
		assert_int_equal(send_on(b, 1), cases[i].first_on_2);
		assert_int_equal(send_on(b, 1), cases[i].first_on_2 + 2);
		assert_int_equal(send_on(b, 0), 1);
	}
}

/* While a window grows, too. */
static void equal_delays_are_one_path_in_slow_start(void **state)
{
	(void)state;
	for (unsigned merged = 0; merged < 2; merged++) {
		struct bench *b = new_bench("osia", merged ? NULL : "merge_us=1", 2);

		set_delay(&b->paths[0], 36000);
		set_delay(&b->paths[1], 44000);
		b->paths[1].cwnd_bytes = 40000;
		b->paths[1].ssthresh_bytes = UINT32_MAX;
		b->ops->plan(b->state, &b->view);
		assert_int_equal(send_on(b, 1), merged ? 2 : 10);
	}
}

/* A path keeps its packets of a period where arrival goes by what is sent: a queue of 3 ms on path 1 puts its
 * packets behind three more of the other under arrival; the period holds. */
static void osia_keeps_to_its_period_where_arrival_follows_queues(void **state)
{
	static const struct {
		const char *name;
		uint32_t before, after;
	} cases[] = {{"osia", 42, 42}, {"arrival", 42, 45}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bench *b = new_bench(cases[i].name, NULL, 2);

		set_delay(&b->paths[0], 40000);
		set_delay(&b->paths[1], 80000);
		if (b->ops->plan != NULL)
			b->ops->plan(b->state, &b->view);
		for (unsigned path = 0; path < 2; path++)
			b->paths[path].room_bytes = path == 1 ? 1000 : 0;
		assert_int_equal(ask(b).tsn, cases[i].before);
		b->paths[1].queue_us = 3000;
		b->paths[1].start_us += 3000;
		if (b->ops->plan != NULL)
			b->ops->plan(b->state, &b->view);
		assert_int_equal(ask(b).tsn, cases[i].after);
	}
}

static struct cmt_sched_report report_of(const struct bench *b)
{
	struct cmt_sched_report report = {.periods = 0};

	b->ops->report(b->state, &report);
	return report;
}

/* Table 1, two paths: 15 000 bytes, and 1 / (2 g_22) = 2. */
static void osia_reports_its_period_and_theorem_2(void **state)
{
	struct bench *b = new_bench("osia", NULL, 2);

	(void)state;
	assert_int_equal(report_of(b).periods, 0);
	assert_int_equal(report_of(b).timeout_ppm, 0);
	b->paths[0].rate_bps = 3000000;
	b->paths[1].rate_bps = 1000000;
	set_delay(&b->paths[0], 40000);
	set_delay(&b->paths[1], 80000);
	b->ops->plan(b->state, &b->view);
	assert_int_equal(report_of(b).periods, 1);
	assert_in_range(report_of(b).prefetch_bytes, 15000, 15001);
	assert_in_range(report_of(b).timeout_ppm, 1999990, 2000010);
	/* Seven to one: the eighth of the traffic that Theorem 2 needs of the slow path. */
	b->paths[0].rate_bps = 7000000;
	b->ops->plan(b->state, &b->view);
	assert_int_equal(report_of(b).periods, 2);
	assert_in_range(report_of(b).timeout_ppm, 3999990, 4000010);
}

/* By less than a sixteenth and by less than 5 ms: it holds. */
static void a_changed_rate_delay_or_set_of_paths_ends_a_period(void **state)
{
	struct bench *b = new_bench("osia", NULL, 3);

	(void)state;
	b->ops->plan(b->state, &b->view);
	b->paths[0].rate_bps = 8000000 * 17 / 16 - 10;
	b->paths[1].queue_us = 5000;
	b->paths[1].start_us += 5000;
	b->ops->plan(b->state, &b->view);
	assert_int_equal(report_of(b).periods, 1);
	b->paths[0].rate_bps = 8000000 * 17 / 16 + 10;
	b->ops->plan(b->state, &b->view);
	assert_int_equal(report_of(b).periods, 2);
	b->paths[1].start_us += 5001;
	b->ops->plan(b->state, &b->view);
	assert_int_equal(report_of(b).periods, 3);
	b->paths[2].usable = false;
	b->ops->plan(b->state, &b->view);
	assert_int_equal(report_of(b).periods, 4);
	b->ops->plan(b->state, &b->view);
	assert_int_equal(report_of(b).periods, 4);
	/* Five packets that the other path has sent and this one has not: 5 ms. */
	for (unsigned k = 0; k < 6; k++) {
		assert_int_equal(report_of(b).periods, 4);
		(void)send_on(b, 0);
		b->ops->plan(b->state, &b->view);
	}
	assert_int_equal(report_of(b).periods, 5);
}

/* A geometric gap of mean 4, the same for the same seed. */
static uint64_t random_gaps(const char *options, uint32_t *gaps, unsigned n)
{
	struct bench *b = new_bench("osia", options, 2);
	uint32_t last;

	b->paths[0].rate_bps = 3000000;
	b->paths[1].rate_bps = 1000000;
	set_delay(&b->paths[0], 40000);
	set_delay(&b->paths[1], 80000);
	b->ops->plan(b->state, &b->view);
	last = send_on(b, 1);
	for (unsigned i = 0; i < n; i++) {
		uint32_t tsn = send_on(b, 1);

		gaps[i] = tsn - last;
		last = tsn;
	}
	return last;
}

static void random_faucets_spread_what_the_shares_say_on_average(void **state)
{
	enum { GAPS = 400 };
	uint32_t one[GAPS], same[GAPS], other[GAPS];
	unsigned singles = 0;

	(void)state;
	/* Standard deviation of the sum of 400: 69. */
	assert_in_range(random_gaps("random=1", one, GAPS), 1600 - 280, 1600 + 300);
	assert_int_equal(random_gaps("random=1", same, GAPS), random_gaps("random=1,seed=1", one, GAPS));
	assert_memory_equal(one, same, sizeof(one));
	(void)random_gaps("random=1,seed=2", other, GAPS);
	assert_memory_not_equal(one, other, sizeof(one));
	for (unsigned i = 0; i < GAPS; i++)
		singles += one[i] <= 2;
	assert_in_range(singles, GAPS / 5, GAPS * 3 / 4);
}

static void acked(struct bench *b, uint32_t tsn, uint64_t now_us)
{
	b->ops->on_acked(b->state,
	                 &(struct cmt_acked){.now_us = now_us, .path_id = 0, .tsn = tsn, .bytes = 1000});
}

/* Path 2's queue grows by less than what ends a period: only the eleventh event makes a new plan. */
static void more_than_ten_third_duplicates_end_a_period(void **state)
{
	struct bench *b = new_bench("osia", NULL, 2);
	uint32_t before;

	(void)state;
	b->paths[1].rate_bps = 8000000;
	set_delay(&b->paths[1], 80000);
	b->ops->plan(b->state, &b->view);
	before = send_on(b, 1);
	b->paths[1].queue_us = 4500;
	b->paths[1].start_us += 4500;
	b->ops->plan(b->state, &b->view);
	for (uint32_t k = 0; k < 11; k++) {
		for (uint32_t i = 0; i < 4; i++)
			acked(b, 1000 + 100 * k - 10 * (i == 3) + 2 * i, 4 * k + i);
		b->ops->plan(b->state, &b->view);
		if (k == 9)
			assert_int_equal(send_on(b, 1), before + 2);
	}
	/* The old period's next would be before + 4. */
	assert_int_equal(send_on(b, 1), before + 6);
}

static void a_period_with_exact_delays_arrives_in_order_but_for_a_packet(void **state)
{
	(void)state;
	for (int deficit = 0; deficit < 2; deficit++) {
		struct model_config c = {.ops = builtin("osia"),
		                         .options = deficit ? NULL : "random=1",
		                         .n_paths = 4,
		                         .paths = {{1250000, 40000, 40000, 200},
		                                   {1000000, 20000, 20000, 200},
		                                   {1000000, 100000, 100000, 200},
		                                   {750000, 80000, 80000, 200}},
		                         .units = 3000,
		                         .units_per_packet = 1,
		                         .window_bytes = 1000000,
		                         .warmup_pkts = 200,
		                         .limit_us = 100000000};
		struct model_result r = model_run(&c);

		assert_string_equal(r.failure != NULL ? r.failure : "", "");
		if (deficit)
			assert_in_range(r.held_bytes, 0, 5 * MODEL_UNIT_BYTES);
		else
			assert_in_range(r.held_bytes, 5 * MODEL_UNIT_BYTES, 100 * MODEL_UNIT_BYTES);
		/* 25 packets of 1064 bytes a second for each 213 kbit/s; 3000 take 6.4 s. */
		assert_in_range(r.end_us, 6384000, 6900000);
	}
}

static void bad_options_change_nothing(void **state)
{
	static const struct {
		const char *name, *options;
	} bad[] = {{"osia", "random=2"},   {"osia", "merge_us=0"},  {"osia", "drift_us=99"},
	           {"osia", "faucet=1"},   {"osia", "rate_part=0"}, {"cwnd", "deficit=2"},
	           {"cwnd", "wait=yes"},   {"cwnd", "seed=-1"},     {"flow", "period_us=99"},
	           {"flow", "period_us="}, {"flow", "period"}};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		static uint64_t st[CMT_SCHED_STATE_MAX / sizeof(uint64_t)],
		    zero[CMT_SCHED_STATE_MAX / sizeof(uint64_t)];

		assert_int_equal(builtin(bad[i].name)->init(st, bad[i].options), -EINVAL);
		assert_memory_equal(st, zero, sizeof(st));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(cwnd_draws_paths_in_proportion_to_their_windows),
	    cmocka_unit_test(cwnd_by_deficit_keeps_to_the_proportions),
	    cmocka_unit_test(cwnd_waits_for_the_path_drawn_unless_told_otherwise),
	    cmocka_unit_test(flow_cuts_a_period_into_pieces_by_bandwidth),
	    cmocka_unit_test(flow_shares_anew_after_a_period_from_the_lowest_unit_on),
	    cmocka_unit_test(osia_sends_the_pre_chunk_of_table_1_on_path_1),
	    cmocka_unit_test(equal_delays_are_one_path_unless_told_otherwise),
	    cmocka_unit_test(equal_delays_are_one_path_in_slow_start),
	    cmocka_unit_test(osia_keeps_to_its_period_where_arrival_follows_queues),
	    cmocka_unit_test(osia_reports_its_period_and_theorem_2),
	    cmocka_unit_test(a_changed_rate_delay_or_set_of_paths_ends_a_period),
	    cmocka_unit_test(random_faucets_spread_what_the_shares_say_on_average),
	    cmocka_unit_test(more_than_ten_third_duplicates_end_a_period),
	    cmocka_unit_test(a_period_with_exact_delays_arrives_in_order_but_for_a_packet),
	    cmocka_unit_test(bad_options_change_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
