/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What cmt-tun does with packets that wait: fair queue, order, how much SCTP is given. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "carry/fair_queue.h"
#include "carry/reorder.h"
#include "carry/room.h"
#include "inner/checksum.h"

#define HOLD_US 30000u

/* --- order --- */

struct delivered {
	char text[64];
	size_t n;
};

static void deliver(const uint8_t *bytes, size_t len, void *arg)
{
	struct delivered *const d = arg;

	assert_int_equal(len, 1);
	assert_true(d->n < sizeof(d->text) - 1);
	d->text[d->n++] = (char)bytes[0];
}

static void take(struct tun_reorder *r, uint16_t place, uint16_t number, char what, uint64_t now_us)
{
	tun_reorder_take(r, (struct tun_loose){.place = place, .number = number}, (const uint8_t *)&what, 1,
	                 now_us);
}

static void packets_are_put_in_order(void **state)
{
	struct delivered d = {.n = 0};
	struct tun_reorder *const r = tun_reorder_new(HOLD_US, deliver, &d);

	(void)state;
	take(r, 7, 65534, 'a', 0);
	take(r, 7, 1, 'd', 10);
	take(r, 7, 0, 'c', 20);
	take(r, 8, 500, 'x', 30); /* another flow does not wait */
	assert_string_equal(d.text, "ax");
	assert_int_equal(tun_reorder_waiting(r), 2);
	take(r, 7, 65535, 'b', 40);
	assert_string_equal(d.text, "axbcd");
	assert_int_equal(tun_reorder_waiting(r), 0);
	tun_reorder_free(r);
}

static void what_is_lost_is_waited_for_no_longer_than_the_bound(void **state)
{
	struct delivered d = {.n = 0};
	struct tun_reorder *const r = tun_reorder_new(HOLD_US, deliver, &d);

	(void)state;
	take(r, 0, 0, 'a', 0);
	take(r, 0, 2, 'c', 1000);
	take(r, 0, 3, 'd', 20000);
	take(r, 0, 5, 'f', 25000);
	tun_reorder_release(r, 1000 + HOLD_US - 1);
	assert_string_equal(d.text, "a");
	tun_reorder_release(r, 1000 + HOLD_US);
	assert_string_equal(d.text, "acd");
	take(r, 0, 1, 'b', 32000); /* late: it waits for nobody */
	assert_string_equal(d.text, "acdb");
	take(r, 0, 4, 'e', 33000);
	assert_string_equal(d.text, "acdbef");
	take(r, 0, 9, 'j', 40000);
	tun_reorder_free(r);
}

/* Whoever comes later, and goes in front. */
static void nobody_waits_longer_because_others_come(void **state)
{
	struct delivered d = {.n = 0};
	struct tun_reorder *const r = tun_reorder_new(HOLD_US, deliver, &d);

	(void)state;
	take(r, 0, 0, 'a', 0);
	take(r, 0, 9, 'j', 1000);
	take(r, 0, 6, 'g', 20000);
	take(r, 0, 10, 'k', 25000);
	take(r, 0, 12, 'm', 26000);
	take(r, 0, 3, 'd', 1000 + HOLD_US - 1);
	tun_reorder_release(r, 1000 + HOLD_US - 1);
	assert_string_equal(d.text, "a");
	tun_reorder_release(r, 1000 + HOLD_US);
	assert_string_equal(d.text, "adgjk");
	assert_int_equal(tun_reorder_waiting(r), 1);
	tun_reorder_free(r);
}

static void ignore(const uint8_t *bytes, size_t len, void *arg)
{
	(void)bytes;
	(void)len;
	(void)arg;
}

static void what_waits_for_others_has_a_bound(void **state)
{
	static const uint8_t large[65535];
	struct tun_reorder *const r = tun_reorder_new(HOLD_US, ignore, NULL);

	(void)state;
	for (uint16_t place = 0; place < TUN_LOOSE_PLACES; place++) {
		tun_reorder_take(r, (struct tun_loose){.place = place}, large, 1, 0);
		tun_reorder_take(r, (struct tun_loose){.place = place, .number = 2}, large, sizeof(large), 0);
	}
	assert_int_equal(tun_reorder_waiting(r), TUN_REORDER_MOST_BYTES / sizeof(large));
	tun_reorder_release(r, HOLD_US);
	assert_int_equal(tun_reorder_waiting(r), 0);
	for (unsigned i = 0; i < 10000; i++) {
		tun_reorder_take(r, (struct tun_loose){.number = (uint16_t)(4 + 2 * i)}, large, 1, HOLD_US);
	}
	assert_int_equal(tun_reorder_waiting(r), TUN_REORDER_MOST_PKTS);
	tun_reorder_free(r);
}

static void without_a_bound_nothing_waits(void **state)
{
	struct delivered d = {.n = 0};
	struct tun_reorder *const r = tun_reorder_new(0, deliver, &d);

	(void)state;
	take(r, 0, 0, 'a', 0);
	take(r, 0, 2, 'c', 0);
	take(r, 0, 1, 'b', 0);
	assert_string_equal(d.text, "acb");
	tun_reorder_free(r);
}

/* --- fair queue --- */

static void put(struct tun_fair_queue *q, uint16_t port, size_t len, uint8_t ecn, uint64_t now_us)
{
	uint8_t bytes[1500] = {0x45, ecn, 0, 0, 0, 0, 0x40, 0, 64, INNER_UDP};
	struct inner_packet p;

	inner_put16(bytes + 2, (uint16_t)len);
	inner_put16(bytes + 20, port);
	assert_int_equal(inner_parse(bytes, len, &p), 0);
	tun_fair_queue_put(q, bytes, &p, now_us);
}

static uint16_t next_port(struct tun_fair_queue *q, uint64_t now_us)
{
	const struct tun_waiting *const w = tun_fair_queue_next(q, now_us);
	const uint16_t port = w != NULL ? inner_get16(w->bytes + 20) : 0;

	tun_fair_queue_done(q);
	return port;
}

static void a_sparse_flow_does_not_wait_for_a_bulk(void **state)
{
	struct tun_fair_queue *const q = tun_fair_queue_new(1);

	(void)state;
	for (unsigned i = 0; i < 100; i++) {
		put(q, 1000, 1400, 0, 0);
	}
	assert_int_equal(next_port(q, 100), 1000);
	assert_int_equal(next_port(q, 100), 1000);
	put(q, 53, 100, 0, 200);
	assert_int_equal(next_port(q, 300), 53);
	assert_int_equal(tun_fair_queue_stats(q).pkts, 98);
	tun_fair_queue_free(q);
}

/* Small packets take more memory than their bytes. */
static void small_packets_have_a_bound_too(void **state)
{
	struct tun_fair_queue *const q = tun_fair_queue_new(1);
	struct tun_fair_queue_stats stats;

	(void)state;
	for (unsigned i = 0; i < 100000; i++) {
		put(q, (uint16_t)i, 29, 0, 0);
	}
	stats = tun_fair_queue_stats(q);
	assert_in_range(stats.pkts, 10000, 20000);
	assert_int_equal(stats.pkts + stats.dropped_pkts, 100000);
	tun_fair_queue_free(q);
}

static void what_was_not_done_comes_again(void **state)
{
	struct tun_fair_queue *const q = tun_fair_queue_new(1);
	const struct tun_waiting *first;

	(void)state;
	assert_null(tun_fair_queue_next(q, 0));
	put(q, 1, 100, 0, 0);
	put(q, 1, 100, 0, 0);
	first = tun_fair_queue_next(q, 0);
	assert_ptr_equal(first, tun_fair_queue_next(q, 10));
	assert_int_equal(tun_fair_queue_stats(q).pkts, 2);
	assert_int_equal(tun_fair_queue_stats(q).bytes, 200);
	tun_fair_queue_free(q);
}

/* 10 ms for each packet: the queue stands above CoDel's target. */
static struct tun_fair_queue_stats overload(uint8_t ecn, unsigned *marked)
{
	struct tun_fair_queue *const q = tun_fair_queue_new(1);
	struct tun_fair_queue_stats stats;

	*marked = 0;
	for (uint64_t now_us = 0; now_us < 2000000; now_us += 10000) {
		const struct tun_waiting *w;

		put(q, 1, 1400, ecn, now_us);
		put(q, 1, 1400, ecn, now_us);
		w = tun_fair_queue_next(q, now_us);
		*marked += w != NULL && (w->bytes[1] & 3) == 3;
		tun_fair_queue_done(q);
	}
	stats = tun_fair_queue_stats(q);
	tun_fair_queue_free(q);
	return stats;
}

static void a_standing_queue_drops_or_marks(void **state)
{
	struct tun_fair_queue_stats stats;
	unsigned marked;

	(void)state;
	stats = overload(0, &marked);
	assert_in_range(stats.dropped_pkts, 5, 150);
	assert_int_equal(stats.marked_pkts, 0);
	stats = overload(2, &marked);
	assert_int_equal(stats.dropped_pkts, 0);
	assert_in_range(stats.marked_pkts, 5, 150);
	assert_int_equal(stats.marked_pkts, marked);
}

/* --- room --- */

static struct app_assoc_stats two_paths(uint64_t queued_bytes)
{
	return (struct app_assoc_stats){.n_paths = 2,
	                                .paths = {{.state = SCTP_CMT_PATH_ACTIVE,
	                                           .rate_bps = 80000000,
	                                           .fwd_delay_base_us = 10000,
	                                           .flight_bytes = 200000},
	                                          {.state = SCTP_CMT_PATH_ACTIVE,
	                                           .rate_bps = 80000000,
	                                           .fwd_delay_base_us = 30000,
	                                           .flight_bytes = 300000}},
	                                .all = {.send_queue_bytes = queued_bytes}};
}

static void sctp_gets_what_it_needs_to_send_ahead(void **state)
{
	struct app_assoc_stats stats = two_paths(500000);

	(void)state;
	/* 20 ms and 3 ms of 20 MB/s. */
	assert_int_equal(tun_room(&stats), 460000);
	stats.all.send_queue_bytes = 900000;
	assert_int_equal(tun_room(&stats), 60000);
	stats.all.send_queue_bytes = 2000000;
	assert_int_equal(tun_room(&stats), 0);
}

static void a_path_that_looks_slow_gets_a_chance(void **state)
{
	struct app_assoc_stats stats = two_paths(500000);

	(void)state;
	stats.paths[1].rate_bps = 100000; /* a packet takes 120 ms */
	stats.paths[1].fwd_delay_base_us = 10000;
	assert_in_range(tun_room(&stats), 1220000, 1240000);
	stats.paths[1].rate_bps = 1000;
	assert_in_range(tun_room(&stats), 2000000, 2040000);
}

static void a_path_that_failed_needs_nothing(void **state)
{
	struct app_assoc_stats stats = two_paths(500000);

	(void)state;
	stats.paths[1].state = SCTP_CMT_PATH_FAILED;
	/* 3 ms of 10 MB/s are less than a window that opens needs. */
	assert_int_equal(tun_room(&stats), 32768);
	stats.n_paths = 0;
	stats.all.send_queue_bytes = 0;
	assert_int_equal(tun_room(&stats), 32768);
}

static void before_anything_is_measured_windows_tell(void **state)
{
	struct app_assoc_stats stats = {.n_paths = 1,
	                                .paths = {{.state = SCTP_CMT_PATH_ACTIVE,
	                                           .cwnd_bytes = 1000000,
	                                           .srtt_us = 50000,
	                                           .fwd_delay_base_us = SCTP_CMT_UNKNOWN_US}}};

	(void)state;
	assert_int_equal(tun_room(&stats), 60000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(packets_are_put_in_order),
	    cmocka_unit_test(what_is_lost_is_waited_for_no_longer_than_the_bound),
	    cmocka_unit_test(nobody_waits_longer_because_others_come),
	    cmocka_unit_test(what_waits_for_others_has_a_bound),
	    cmocka_unit_test(without_a_bound_nothing_waits),
	    cmocka_unit_test(a_sparse_flow_does_not_wait_for_a_bulk),
	    cmocka_unit_test(small_packets_have_a_bound_too),
	    cmocka_unit_test(what_was_not_done_comes_again),
	    cmocka_unit_test(a_standing_queue_drops_or_marks),
	    cmocka_unit_test(sctp_gets_what_it_needs_to_send_ahead),
	    cmocka_unit_test(a_path_that_looks_slow_gets_a_chance),
	    cmocka_unit_test(a_path_that_failed_needs_nothing),
	    cmocka_unit_test(before_anything_is_measured_windows_tell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
