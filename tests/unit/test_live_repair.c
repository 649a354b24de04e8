/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Coded repair: the code, its messages, both halves against each other, what a peer can make of it, and how
 * much of it there is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "live_message.h"
#include "repair_code.h"
#include "repair_in.h"
#include "repair_out.h"
#include "repair_rate.h"
#include "util/cmt_random.h"

enum { BUDGET_US = 60000, SPACING_US = 200 };

static uint64_t random_state;

static void assert_close(double a, double b)
{
	assert_true(fabs(a - b) < 1e-9);
}

static uint32_t draw(uint32_t n)
{
	return (uint32_t)(cmt_random_take(&random_state) % n);
}

/* --- the code --- */

struct symbols {
	uint8_t bytes[REPAIR_CODE_MAX_SYMBOLS][64];
	uint8_t *at[REPAIR_CODE_MAX_SYMBOLS];
};

static void fill(struct symbols *s)
{
	for (size_t i = 0; i < REPAIR_CODE_MAX_SYMBOLS; i++) {
		s->at[i] = s->bytes[i];
		for (size_t j = 0; j < sizeof(s->bytes[i]); j++) {
			s->bytes[i][j] = (uint8_t)draw(256);
		}
	}
}

/* Loses the data in `lost` (a bit each), and repairs them with the repair symbols in `of` (as many). */
static void assert_restores(unsigned k, unsigned m, size_t bytes, uint64_t lost, uint64_t of)
{
	static struct symbols data, repair, copy;
	uint8_t missing[64], indices[64];
	uint8_t *chosen[64];
	struct repair_code_loss loss = {.k = k,
	                                .bytes = bytes,
	                                .data = copy.at,
	                                .missing = missing,
	                                .repair = chosen,
	                                .repair_i = indices};
	unsigned n = 0;

	fill(&data);
	fill(&repair);
	fill(&copy);
	assert_int_equal(repair_code_make(k, m, bytes, data.at, repair.at), 0);
	for (unsigned i = 0; i < k; i++) {
		if ((lost >> i & 1) != 0) {
			missing[loss.n++] = (uint8_t)i;
		} else {
			memcpy(copy.bytes[i], data.bytes[i], bytes);
		}
	}
	for (unsigned i = 0; i < m; i++) {
		if ((of >> i & 1) != 0) {
			indices[n] = (uint8_t)i;
			chosen[n++] = repair.at[i];
		}
	}
	assert_int_equal(n, loss.n);
	assert_int_equal(repair_code_restore(&loss), 0);
	for (unsigned i = 0; i < k; i++) {
		assert_memory_equal(copy.bytes[i], data.bytes[i], bytes);
	}
}

static void every_loss_of_a_small_block_is_restored_by_any_repair(void **state)
{
	(void)state;
	for (unsigned k = 1; k <= 5; k++) {
		for (uint64_t lost = 1; lost < UINT64_C(1) << k; lost++) {
			for (uint64_t of = 1; of < 32; of++) {
				if (__builtin_popcountll(lost) == __builtin_popcountll(of)) {
					assert_restores(k, 5, 33, lost, of);
				}
			}
		}
	}
}

static void random_losses_of_large_blocks_are_restored(void **state)
{
	(void)state;
	random_state = 1;
	print_message("seed %llu\n", (unsigned long long)random_state);
	for (unsigned run = 0; run < 300; run++) {
		const unsigned k = 20 + draw(40), n = 1 + draw(16);
		uint64_t lost = 0, of = 0;

		while (__builtin_popcountll(lost) < (int)n) {
			lost |= UINT64_C(1) << draw(k);
		}
		while (__builtin_popcountll(of) < (int)n) {
			of |= UINT64_C(1) << draw(20);
		}
		assert_restores(k, 20, 1 + draw(64), lost, of);
	}
}

/* --- how much --- */

/* Of P(at least m of n). */
static double tail(unsigned n, double p, unsigned m)
{
	double sum = 0;

	for (unsigned i = m; i <= n; i++) {
		sum +=
		    exp(lgamma(n + 1) - lgamma(i + 1) - lgamma(n - i + 1) + i * log(p) + (n - i) * log1p(-p));
	}
	return sum;
}

static void repair_is_the_least_that_the_binomial_tail_allows(void **state)
{
	static const double rates[] = {0.001, 0.01, 0.05, 0.2};

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		for (unsigned k = 20; k <= REPAIR_MAX_DATAGRAMS; k += 20) {
			const struct repair_loss loss = {.missed = rates[i], .lost = rates[i]};
			const unsigned m = repair_rate_symbols(k, &loss);

			for (unsigned of = m > 0 ? m - 1 : 0; of <= m; of++) {
				assert_close(repair_rate_missing(k, of, &loss),
				             rates[i] * tail(k + of - 1, rates[i], of));
			}
			assert_true(repair_rate_missing(k, m, &loss) <= REPAIR_MISSING || m == (k + 1) / 2);
			assert_true(m == 0 || repair_rate_missing(k, m - 1, &loss) > REPAIR_MISSING);
		}
	}
}

static void five_percent_take_less_than_15_from_100_datagrams_on(void **state)
{
	const struct repair_loss loss = {.missed = 0.05, .lost = 0.05};

	(void)state;
	assert_in_range(repair_rate_symbols(10, &loss), 5, 5);
	assert_in_range(repair_rate_symbols(60, &loss) * 1000 / 60, 180, 220);
	assert_in_range(repair_rate_symbols(120, &loss) * 1000 / 120, 120, 150);
	assert_in_range(repair_rate_symbols(160, &loss) * 1000 / 160, 120, 135);
}

static void nothing_missed_takes_nothing_and_everything_lost_half(void **state)
{
	static const struct repair_loss none = {.missed = 0, .lost = 0.05},
	                                rare = {.missed = 2e-5, .lost = 0.05}, all = {.missed = 1, .lost = 1};

	(void)state;
	assert_int_equal(repair_rate_symbols(100, &none), 0);
	assert_int_equal(repair_rate_symbols(100, &rare), 0);
	assert_int_equal(repair_rate_symbols(1, &all), 1);
	assert_int_equal(repair_rate_symbols(100, &all), 50);
	assert_true(repair_rate_missing(100, 50, &all) <= 1);
}

/* --- what was lost --- */

static struct repair_seen seen(uint64_t sent, uint64_t unsent, uint64_t missed)
{
	return (struct repair_seen){.sent = sent, .unsent = unsent, .told = true, .missed = missed};
}

static void losses_are_those_of_the_last_four_seconds_without_the_unsent(void **state)
{
	struct repair_measure m = {.looked_us = 0};
	struct repair_seen now = seen(1000, 50, 70);
	uint64_t at_us = 1000000;

	(void)state;
	repair_measure_look(&m, &now, at_us); /* what was before does not count */
	assert_true(repair_measure_missed(&m) == 0);
	now = seen(2000, 60, 130);
	repair_measure_look(&m, &now, at_us + 1); /* too soon */
	assert_true(repair_measure_missed(&m) == 0);
	repair_measure_look(&m, &now, at_us += REPAIR_MEASURE_BUCKET_US);
	assert_close(repair_measure_missed(&m), 0.05);
	assert_true(repair_measure_overloaded(&m));
	for (unsigned i = 0; i < REPAIR_MEASURE_OVERLOAD; i++) {
		repair_measure_look(&m, &now, at_us += REPAIR_MEASURE_BUCKET_US);
	}
	assert_false(repair_measure_overloaded(&m));
	assert_close(repair_measure_missed(&m), 0.05);
	for (unsigned i = 0; i < REPAIR_MEASURE_BUCKETS; i++) {
		repair_measure_look(&m, &now, at_us += REPAIR_MEASURE_BUCKET_US);
	}
	assert_true(repair_measure_missed(&m) == 0);
}

static void paths_tell_packets_lost_and_how_their_delays_differ(void **state)
{
	struct sctp_cmt_path_stats paths[2] = {
	    {.path_id = 1, .state = SCTP_CMT_PATH_ACTIVE, .sent_bytes = 1000, .fwd_delay_us = -3000},
	    {.path_id = 7, .state = SCTP_CMT_PATH_ACTIVE, .sent_bytes = 1000, .fwd_delay_us = 9000}};
	struct repair_measure m = {.looked_us = 0};
	struct repair_seen now = seen(0, 0, 0);

	(void)state;
	now.paths = paths;
	now.n_paths = 2;
	repair_measure_look(&m, &now, 1000000);
	paths[0].sent_bytes = 41000;
	paths[1].sent_bytes = 61000;
	paths[1].lost_bytes = 12000;
	paths[1].spurious_bytes = 2000;
	repair_measure_look(&m, &now, 1100000);
	assert_int_equal(m.spread_us, 12000);
	assert_close(repair_measure_lost(&m), 10000.0 / 102000);
	/* One that carries nothing any more does not count. */
	paths[0].sent_bytes = 42000;
	repair_measure_look(&m, &now, 2200000);
	assert_int_equal(m.spread_us, 0);
}

/* --- both halves --- */

static uint8_t payloads[4096][1400];
static size_t payload_bytes[4096];

struct pair {
	struct repair_out *out;
	struct repair_in *in;
	uint64_t at_us;
	uint32_t seq;
	uint64_t restored;
};

static uint32_t first_seq(void)
{
	return UINT32_MAX - 300; /* they wrap around */
}

static void on_restored(const struct repair_datagram *datagram, void *arg)
{
	struct pair *const p = arg;
	const uint32_t at = datagram->seq - first_seq();

	p->restored++;
	assert_int_equal(datagram->bytes, payload_bytes[at]);
	assert_memory_equal(datagram->payload, payloads[at], datagram->bytes);
	assert_int_equal(datagram->time_us, 1000000 + (uint64_t)at * SPACING_US);
}

static void open_pair(struct pair *p, double loss)
{
	struct repair_seen now = seen(0, 0, 0);

	*p = (struct pair){.out = repair_out_new(),
	                   .in = repair_in_new(on_restored, p),
	                   .at_us = 1000000,
	                   .seq = first_seq()};
	assert_non_null(p->out);
	assert_non_null(p->in);
	repair_out_begin(p->out, BUDGET_US);
	repair_out_look(p->out, &now, 500000);
	now = seen(100000, 0, (uint64_t)(loss * 100000));
	repair_out_look(p->out, &now, 600000);
}

static void close_pair(struct pair *p)
{
	repair_out_free(p->out);
	repair_in_free(p->in);
}

static struct repair_datagram next(struct pair *p, size_t bytes)
{
	const uint32_t at = p->seq - first_seq();
	const struct repair_datagram d = {
	    .seq = p->seq++, .time_us = p->at_us, .payload = payloads[at], .bytes = bytes};

	for (size_t i = 0; i < bytes; i++) {
		payloads[at][i] = (uint8_t)draw(256);
	}
	payload_bytes[at] = bytes;
	p->at_us += SPACING_US;
	return d;
}

/* The next one, on its way. */
static struct repair_datagram send_next(struct pair *p, size_t bytes)
{
	const struct repair_datagram d = next(p, bytes);

	repair_out_add(p->out, &d);
	return d;
}

/* Takes all messages, of which `percent` get lost. How many there were. */
static unsigned carry_messages(struct pair *p, unsigned percent)
{
	unsigned n = 0;
	const struct repair_out_message *first;

	while ((first = repair_out_first(p->out)) != NULL) {
		struct live_message message;
		uint8_t bytes[LIVE_MAX_REPAIR_BYTES];

		assert_int_equal(
		    live_message_decode(bytes, live_repair_encode(first->bytes, first->len, bytes), &message),
		    0);
		assert_int_equal(message.type, LIVE_REPAIR);
		if (draw(100) >= percent) {
			repair_in_message(p->in, &message.of_repair);
		}
		repair_out_take(p->out, true);
		n++;
	}
	return n;
}

static void what_is_lost_of_datagrams_of_any_size_is_restored(void **state)
{
	struct pair p;
	uint64_t lost = 0;

	(void)state;
	open_pair(&p, 0.05);
	random_state = 2;
	print_message("seed %llu\n", (unsigned long long)random_state);
	for (unsigned i = 0; i < 4000; i++) {
		const struct repair_datagram d = send_next(&p, 1 + draw(1400));

		if (draw(100) < 5) {
			lost++;
		} else {
			repair_in_datagram(p.in, &d);
		}
		repair_out_run(p.out, p.at_us);
		(void)carry_messages(&p, 5);
	}
	repair_out_end(p.out);
	(void)carry_messages(&p, 5);
	assert_int_equal(p.restored, lost);
	assert_int_equal(repair_in_counts(p.in).unusable, 0);
	close_pair(&p);
}

static void while_nothing_is_missed_nothing_is_sent(void **state)
{
	struct pair p;

	(void)state;
	open_pair(&p, 0);
	for (unsigned i = 0; i < 500; i++) {
		const struct repair_datagram d = next(&p, 100);

		repair_out_add(p.out, &d);
		assert_true(repair_out_wake_us(p.out) == UINT64_MAX);
	}
	repair_out_end(p.out);
	assert_null(repair_out_first(p.out));
	close_pair(&p);
}

static void a_block_ends_after_two_thirds_of_the_budget(void **state)
{
	struct pair p;
	uint64_t first_us;

	(void)state;
	open_pair(&p, 0.05);
	first_us = p.at_us;
	(void)send_next(&p, 100);
	assert_int_equal(repair_out_wake_us(p.out), first_us + BUDGET_US * 2 / 3);
	repair_out_run(p.out, first_us + BUDGET_US * 2 / 3 - 1);
	assert_null(repair_out_first(p.out));
	repair_out_run(p.out, first_us + BUDGET_US * 2 / 3);
	assert_non_null(repair_out_first(p.out));
	assert_int_equal(repair_out_first(p.out)->dead_us, first_us + BUDGET_US);
	close_pair(&p);
}

static void a_gap_or_a_large_datagram_ends_a_block(void **state)
{
	struct pair p;
	struct repair_datagram d;

	(void)state;
	open_pair(&p, 0.05);
	d = send_next(&p, 100);
	(void)next(&p, 100); /* never sent */
	d = send_next(&p, 100);
	assert_int_equal(carry_messages(&p, 0), 1);
	d = next(&p, 100);
	d.bytes = REPAIR_MAX_DATAGRAM_BYTES + 1;
	repair_out_add(p.out, &d);
	assert_int_equal(carry_messages(&p, 0), 1);
	assert_true(repair_out_wake_us(p.out) == UINT64_MAX);
	close_pair(&p);
}

static void a_datagram_that_comes_after_all_is_told_apart(void **state)
{
	struct pair p;
	struct repair_datagram d;

	(void)state;
	open_pair(&p, 0.05);
	d = send_next(&p, 100);
	repair_out_end(p.out);
	(void)carry_messages(&p, 0);
	assert_int_equal(p.restored, 1);
	assert_true(repair_in_is_restored(p.in, d.seq));
	repair_in_datagram(p.in, &d);
	assert_false(repair_in_is_restored(p.in, d.seq));
	repair_in_datagram(p.in, &d);
	assert_int_equal(repair_in_counts(p.in).needless, 1);
	close_pair(&p);
}

static void another_connection_begins_with_nothing(void **state)
{
	struct pair p;

	(void)state;
	open_pair(&p, 0.05);
	(void)send_next(&p, 100);
	repair_out_end(p.out);
	(void)send_next(&p, 100);
	repair_out_begin(p.out, BUDGET_US);
	assert_null(repair_out_first(p.out));
	assert_true(repair_out_wake_us(p.out) == UINT64_MAX);
	assert_true(repair_out_counts(p.out).loss.missed == 0);
	close_pair(&p);
}

/* --- what a peer can make of it --- */

static void count_restored(const struct repair_datagram *datagram, void *arg)
{
	assert_in_range(datagram->bytes, 1, REPAIR_MAX_DATAGRAM_BYTES);
	assert_in_range(datagram->time_us, 0, REPAIR_MAX_TIME_US);
	++*(uint64_t *)arg;
}

static void messages_at_odds_with_their_block_are_not_used(void **state)
{
	uint64_t restored = 0;
	struct repair_in *const in = repair_in_new(count_restored, &restored);
	uint8_t symbol[50] = {0};
	struct repair_message message = {.first = 10, .k = 4, .symbol = symbol, .symbol_bytes = 50};

	(void)state;
	repair_in_message(in, &message);
	repair_in_message(in, &message); /* twice */
	message.i = 1;
	message.k = 5;
	repair_in_message(in, &message);
	message.k = 4;
	message.symbol_bytes = 49;
	repair_in_message(in, &message);
	message.symbol_bytes = 50;
	message.time_us = 1;
	repair_in_message(in, &message);
	assert_int_equal(repair_in_counts(in).unusable, 4);
	message.time_us = 0;
	for (message.i = 1; message.i < 4; message.i++) {
		repair_in_message(in, &message);
	}
	/* All of them are zero, which no datagram is. */
	assert_int_equal(repair_in_counts(in).unusable, 8);
	assert_int_equal(restored, 0);
	repair_in_free(in);
}

static void a_datagram_larger_than_its_block_says_is_no_harm(void **state)
{
	uint64_t restored = 0;
	struct repair_in *const in = repair_in_new(count_restored, &restored);
	uint8_t bytes[100] = {1};
	const struct repair_datagram d = {.seq = 11, .payload = bytes, .bytes = sizeof(bytes)};
	const struct repair_message message = {.first = 10, .k = 2, .symbol = bytes, .symbol_bytes = 50};

	(void)state;
	repair_in_datagram(in, &d);
	repair_in_message(in, &message);
	assert_int_equal(restored, 0);
	assert_int_equal(repair_in_counts(in).unusable, 1);
	repair_in_free(in);
}

static void messages_out_of_range_are_refused(void **state)
{
	static const struct {
		size_t at;
		uint8_t value;
	} wrong[] = {{16, 0}, {16, REPAIR_MAX_DATAGRAMS + 1}, {17, REPAIR_MAX_SYMBOLS}, {8, 0x40}};
	uint8_t fields[REPAIR_FIELDS_BYTES + 20] = {0}, bytes[LIVE_MAX_REPAIR_BYTES],
	                                     copy[LIVE_MAX_REPAIR_BYTES];
	const struct repair_message message = {.first = 5, .time_us = 77, .k = 9, .i = 3};
	struct live_message out;
	size_t len;

	(void)state;
	repair_message_encode(&message, fields);
	len = live_repair_encode(fields, sizeof(fields), bytes);
	assert_int_equal(live_message_decode(bytes, len, &out), 0);
	assert_int_equal(out.of_repair.first, 5);
	assert_int_equal(out.of_repair.time_us, 77);
	assert_int_equal(out.of_repair.k, 9);
	assert_int_equal(out.of_repair.i, 3);
	assert_int_equal(out.of_repair.symbol_bytes, 20);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		memcpy(copy, bytes, len);
		copy[wrong[i].at] = wrong[i].value;
		assert_int_equal(live_message_decode(copy, len, &out), -1);
	}
	assert_int_equal(live_message_decode(bytes, len - 14, &out), -1);
	assert_int_equal(live_message_decode(bytes, sizeof(bytes), &out), 0);
	assert_int_equal(live_message_decode(bytes, 4, &out), -1);
}

static void a_flood_of_blocks_holds_no_more_than_its_limit(void **state)
{
	uint64_t restored = 0;
	struct repair_in *const in = repair_in_new(count_restored, &restored);
	static uint8_t symbol[REPAIR_MAX_SYMBOL_BYTES];
	struct repair_message message = {
	    .k = REPAIR_MAX_DATAGRAMS, .symbol = symbol, .symbol_bytes = REPAIR_MAX_SYMBOL_BYTES};

	(void)state;
	for (message.first = 0; message.first < 200; message.first++) {
		for (message.i = 0; message.i < REPAIR_MAX_SYMBOLS; message.i++) {
			repair_in_message(in, &message);
		}
	}
	assert_int_equal(restored, 0);
	assert_int_equal(repair_in_counts(in).messages, 200 * REPAIR_MAX_SYMBOLS);
	repair_in_forget(in);
	repair_in_free(in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_loss_of_a_small_block_is_restored_by_any_repair),
	    cmocka_unit_test(random_losses_of_large_blocks_are_restored),
	    cmocka_unit_test(repair_is_the_least_that_the_binomial_tail_allows),
	    cmocka_unit_test(five_percent_take_less_than_15_from_100_datagrams_on),
	    cmocka_unit_test(nothing_missed_takes_nothing_and_everything_lost_half),
	    cmocka_unit_test(losses_are_those_of_the_last_four_seconds_without_the_unsent),
	    cmocka_unit_test(paths_tell_packets_lost_and_how_their_delays_differ),
	    cmocka_unit_test(what_is_lost_of_datagrams_of_any_size_is_restored),
	    cmocka_unit_test(while_nothing_is_missed_nothing_is_sent),
	    cmocka_unit_test(a_block_ends_after_two_thirds_of_the_budget),
	    cmocka_unit_test(a_gap_or_a_large_datagram_ends_a_block),
	    cmocka_unit_test(a_datagram_that_comes_after_all_is_told_apart),
	    cmocka_unit_test(another_connection_begins_with_nothing),
	    cmocka_unit_test(messages_at_odds_with_their_block_are_not_used),
	    cmocka_unit_test(a_datagram_larger_than_its_block_says_is_no_harm),
	    cmocka_unit_test(messages_out_of_range_are_refused),
	    cmocka_unit_test(a_flood_of_blocks_holds_no_more_than_its_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
