/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_lcm_tables.c - rr and lcm in the model of Sarwar et al.: Eq. 1 and 2, Tables I and II row by row, and
 * what makes lcm plan anew.
 *
 * Path i sends at multiples of D_i, C_i packets of 1000 bytes at most, all at once, and they arrive together
 * D_i later. The buffer is charged what waits there for earlier packets, nothing on its way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched_pair.h"
#include "util/cmt_random.h"

enum { MODEL_PATHS = 4, TSNS = 30000, UNITS = 600 };

struct model_path {
	int64_t delay_us;
	uint64_t pkts_per_s; /* C_i = pkts_per_s D_i */
};

static const struct model_path table[] = {{10000, 200}, {100000, 50}};

/* First and last packet; 0: none. */
struct range {
	uint32_t first, last;
};

static struct model {
	const struct model_path *paths;
	unsigned n;
	uint32_t buffer_pkts, held_pkts, sent_pkts, blocked;
	uint32_t next_tsn;        /* to be read */
	uint32_t added_tsn;       /* highest one handed over */
	int64_t arrives_us[TSNS]; /* by TSN; 0: not sent */
	uint8_t path_of[TSNS];
	struct range sent[MODEL_PATHS], received[MODEL_PATHS], read;
} m;

static struct cmt_path_view model_paths[MODEL_PATHS];

/* The scheduler knows the paths exactly; windows hold rate x RTT. */
static void begin_model(const char *name, const struct model_path *model, unsigned n, uint32_t buffer_pkts)
{
	begin_pair(name, NULL, UNITS);
	m = (struct model){
	    .paths = model, .n = n, .buffer_pkts = buffer_pkts, .next_tsn = 1, .added_tsn = UNITS};
	view.now_us = 0;
	view.paths = model_paths;
	view.n_paths = (uint8_t)n;
	view.limit_tsn = TSNS;
	view.total_flight_bytes = 1;
	for (unsigned i = 0; i < n; i++) {
		int64_t tx_time_us = 1000000 / (int64_t)model[i].pkts_per_s;

		model_paths[i] = (struct cmt_path_view){
		    .id = (uint8_t)i,
		    .usable = true,
		    .cwnd_bytes = (uint32_t)(2 * model[i].delay_us * (int64_t)model[i].pkts_per_s / 1000),
		    .rate_bps = model[i].pkts_per_s * 8000,
		    .rate_measured = true,
		    .srtt_us = 2 * (uint32_t)model[i].delay_us,
		    .min_rtt_us = 2 * (uint32_t)model[i].delay_us,
		    .base_us = model[i].delay_us - tx_time_us,
		    .delay_us = model[i].delay_us - tx_time_us};
	}
}

static void append(struct range *r, uint32_t tsn)
{
	if (r->first == 0)
		r->first = tsn;
	r->last = tsn;
}

/* Eq. 1: as much as C_i and the receive window leave. */
static void transmit(unsigned i, uint64_t now_us)
{
	const struct model_path *p = &m.paths[i];
	uint64_t k = now_us / (uint64_t)p->delay_us, D = (uint64_t)p->delay_us;
	uint64_t pkts = (k + 1) * D * p->pkts_per_s / 1000000 - k * D * p->pkts_per_s / 1000000;
	uint32_t rwnd_pkts = m.buffer_pkts - m.held_pkts;

	m.blocked += rwnd_pkts < pkts;
	for (uint64_t c = 0; c < pkts && c < rwnd_pkts; c++) {
		struct cmt_decision d;

		model_paths[i].room_bytes = PKT;
		d = ops->next(state_bytes, &view);
		assert_int_equal(d.verdict, CMT_SEND);
		assert_int_equal(d.path_id, i);
		assert_int_equal(cmt_units_remove(&units, d.tsn), 0);
		assert_int_equal(cmt_units_add(&units, ++m.added_tsn, PKT), 0);
		if (ops->on_sent != NULL)
			ops->on_sent(state_bytes, &(struct cmt_sent){.now_us = now_us,
			                                             .path_id = (uint8_t)i,
			                                             .first_tsn = d.tsn,
			                                             .chunks = 1,
			                                             .bytes = PKT});
		m.arrives_us[d.tsn] = (int64_t)now_us + p->delay_us;
		m.path_of[d.tsn] = (uint8_t)i;
		m.sent_pkts++;
		append(&m.sent[i], d.tsn);
	}
	model_paths[i].room_bytes = 0;
}

static void transmit_all(uint64_t now_us)
{
	memset(m.sent, 0, sizeof(m.sent));
	view.now_us = now_us;
	for (unsigned i = 0; i < m.n; i++)
		model_paths[i].start_us = (int64_t)now_us + model_paths[i].base_us;
	if (ops->plan != NULL)
		ops->plan(state_bytes, &view);
	for (unsigned i = 0; i < m.n; i++) {
		if (now_us % (uint64_t)m.paths[i].delay_us == 0)
			transmit(i, now_us);
	}
}

static void receive_all(int64_t now_us)
{
	memset(m.received, 0, sizeof(m.received));
	m.read = (struct range){.first = 0};
	for (uint32_t tsn = m.next_tsn; tsn < m.added_tsn; tsn++) {
		if (m.arrives_us[tsn] == now_us) {
			append(&m.received[m.path_of[tsn]], tsn);
			m.held_pkts++;
		}
	}
	for (; m.arrives_us[m.next_tsn] != 0 && m.arrives_us[m.next_tsn] <= now_us; m.next_tsn++) {
		append(&m.read, m.next_tsn);
		m.held_pkts--;
	}
}

static void assert_range(struct range r, struct range expected)
{
	assert_int_equal(r.first, expected.first);
	assert_int_equal(r.last, expected.last);
}

/* --- the tables --- */

struct row {
	uint64_t sent_ms; /* received 10 ms later */
	struct range sent[2], received[2], read;
	uint32_t held_pkts;
};

static void assert_row(const struct row *row)
{
	transmit_all(row->sent_ms * 1000);
	receive_all((int64_t)row->sent_ms * 1000 + 10000);
	for (unsigned i = 0; i < 2; i++) {
		assert_range(m.sent[i], row->sent[i]);
		assert_range(m.received[i], row->received[i]);
	}
	assert_range(m.read, row->read);
	assert_int_equal(m.held_pkts, row->held_pkts);
}

static void table_1_round_robin_blocks_a_buffer_of_10_packets_from_50_to_100_ms(void **state)
{
	static const struct row rows[] = {
	    {0, {{1, 2}, {3, 7}}, {{1, 2}}, {1, 2}, 0}, {10, {{8, 9}}, {{8, 9}}, {0, 0}, 2},
	    {20, {{10, 11}}, {{10, 11}}, {0, 0}, 4},    {30, {{12, 13}}, {{12, 13}}, {0, 0}, 6},
	    {40, {{14, 15}}, {{14, 15}}, {0, 0}, 8},    {50, {{16, 17}}, {{16, 17}}, {0, 0}, 10},
	    {60, {{0, 0}}, {{0, 0}}, {0, 0}, 10},       {70, {{0, 0}}, {{0, 0}}, {0, 0}, 10},
	    {80, {{0, 0}}, {{0, 0}}, {0, 0}, 10},       {90, {{0, 0}}, {{0, 0}, {3, 7}}, {3, 17}, 0},
	};

	(void)state;
	begin_model("rr", table, 2, 10);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_row(&rows[i]);
}

/* The last row's goodput is printed as 19-20; with nothing in the buffer it is 19-25. */
static void table_2_lcm_never_fills_the_buffer(void **state)
{
	static const struct row rows[] = {
	    {0, {{1, 2}, {21, 25}}, {{1, 2}}, {1, 2}, 0},
	    {10, {{3, 4}}, {{3, 4}}, {3, 4}, 0},
	    {20, {{5, 6}}, {{5, 6}}, {5, 6}, 0},
	    {30, {{7, 8}}, {{7, 8}}, {7, 8}, 0},
	    {40, {{9, 10}}, {{9, 10}}, {9, 10}, 0},
	    {50, {{11, 12}}, {{11, 12}}, {11, 12}, 0},
	    {60, {{13, 14}}, {{13, 14}}, {13, 14}, 0},
	    {70, {{15, 16}}, {{15, 16}}, {15, 16}, 0},
	    {80, {{17, 18}}, {{17, 18}}, {17, 18}, 0},
	    {90, {{19, 20}}, {{19, 20}, {21, 25}}, {19, 25}, 0},
	    {100, {{26, 27}, {46, 50}}, {{26, 27}}, {26, 27}, 0},
	};

	(void)state;
	begin_model("lcm", table, 2, UNITS);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_row(&rows[i]);
}

/* --- Eq. 2 --- */

static uint32_t eq_2_pkts(const struct model_path *model)
{
	uint64_t sum = model[0].pkts_per_s + model[1].pkts_per_s;

	return (uint32_t)(sum * 2 * (uint64_t)model[1].delay_us / 1000000);
}

/* Packets sent in ten seconds. */
static uint32_t run_ten_seconds(const char *name, const struct model_path *model, uint32_t buffer_pkts)
{
	begin_model(name, model, 2, buffer_pkts);
	for (uint64_t at_us = 0; at_us < 10000000; at_us += 10000) {
		transmit_all(at_us);
		receive_all((int64_t)at_us + 10000);
	}
	return m.sent_pkts;
}

static void a_buffer_of_eq_2_keeps_round_robin_going(void **state)
{
	static const struct model_path second[] = {{10000, 1250}, {100000, 125}};

	(void)state;
	assert_int_equal(eq_2_pkts(table), 50);
	assert_int_equal(eq_2_pkts(second), 275);
	assert_int_equal(run_ten_seconds("rr", table, 50), 10 * 250);
	assert_int_equal(m.blocked, 0);
	assert_int_equal(run_ten_seconds("rr", second, 275), 10 * 1375);
	assert_int_equal(m.blocked, 0);
	/* 17 packets every 100 ms, as in Table I. */
	assert_int_equal(run_ten_seconds("rr", table, 10), 10 * 170);
	assert_true(m.blocked > 0);
}

/* --- order, plans --- */

static void lcm_is_in_order_on_any_paths_of_the_model(void **state)
{
	static const int64_t delays_us[] = {10000, 15000, 20000, 30000, 60000, 120000};
	uint64_t seed = 11;

	(void)state;
	print_message("seed %llu\n", (unsigned long long)seed);
	for (unsigned run = 0; run < 100; run++) {
		struct model_path model[MODEL_PATHS];
		unsigned n = 2 + (unsigned)(cmt_random_take(&seed) % 3);

		for (unsigned i = 0; i < n; i++)
			model[i] = (struct model_path){delays_us[cmt_random_take(&seed) % 6],
			                               200 * (1 + cmt_random_take(&seed) % 3)};
		begin_model("lcm", model, n, UNITS);
		for (uint64_t at_us = 0; at_us < 1200000; at_us += 5000) {
			transmit_all(at_us);
			receive_all((int64_t)at_us + 5000);
			assert_int_equal(m.held_pkts, 0);
		}
		assert_in_range(m.sent_pkts, 400, TSNS - UNITS);
	}
}

/* The TSN that path 2 carries next. */
static uint32_t second_path_carries(void)
{
	struct cmt_decision d;

	ops->plan(state_bytes, &view);
	model_paths[1].room_bytes = PKT;
	d = ops->next(state_bytes, &view);
	assert_int_equal(d.verdict, CMT_SEND);
	return d.tsn;
}

static void a_plan_is_made_again_when_a_delay_a_rate_or_the_paths_change(void **state)
{
	(void)state;
	begin_model("lcm", table, 2, UNITS);
	assert_int_equal(second_path_carries(), 21);
	view.now_us = 10000; /* path 1 has let its first burst pass */
	model_paths[1].delay_us += 5000;          /* a quantum */
	assert_int_equal(second_path_carries(), 19);
	model_paths[1].delay_us += 5000;
	assert_int_equal(second_path_carries(), 23);
	model_paths[0].cwnd_bytes -= 150; /* of 4000, rounded up to packets */
	assert_int_equal(second_path_carries(), 23);
	model_paths[0].cwnd_bytes = 2000;
	assert_int_equal(second_path_carries(), 12);
	model_paths[0].usable = false;
	assert_int_equal(second_path_carries(), 1);
	model_paths[0].usable = true;
	assert_int_equal(second_path_carries(), 12);
	view.paths = &model_paths[1];
	view.n_paths = 1;
	assert_int_equal(second_path_carries(), 1);
}

/* Path 2's burst is not due any more after 100 ms: path 1 does not leave units 21 to 25 to it. */
static void units_of_a_turn_that_passed_go_to_the_others(void **state)
{
	(void)state;
	begin_model("lcm", table, 2, UNITS);
	m.n = 1;
	for (uint64_t at_us = 0; at_us < 200000; at_us += 10000) {
		transmit_all(at_us);
		assert_int_equal(m.sent[0].first, 1 + at_us / 5000);
		assert_int_equal(m.sent[0].last, 2 + at_us / 5000);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(table_1_round_robin_blocks_a_buffer_of_10_packets_from_50_to_100_ms),
	    cmocka_unit_test(table_2_lcm_never_fills_the_buffer),
	    cmocka_unit_test(a_buffer_of_eq_2_keeps_round_robin_going),
	    cmocka_unit_test(lcm_is_in_order_on_any_paths_of_the_model),
	    cmocka_unit_test(a_plan_is_made_again_when_a_delay_a_rate_or_the_paths_change),
	    cmocka_unit_test(units_of_a_turn_that_passed_go_to_the_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
