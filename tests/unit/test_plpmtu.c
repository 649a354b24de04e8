/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_plpmtu.c - the search for the size that a path takes, and black holes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pmtud/cmt_plpmtu.h"
#include "util/cmt_random.h"
#include "util/cmt_time.h"

enum { MIN = 576, BASE = 1220, MS = 1000, S = 1000000, RTT = 50 * MS };

static uint32_t below(uint64_t *random, uint32_t n)
{
	return (uint32_t)(cmt_random_take(random) % n);
}

/* A path that drops in silence what is larger than `mtu_bytes`. */
struct path {
	struct cmt_plpmtu p;
	uint32_t mtu_bytes;
	unsigned loss_pct;
	uint64_t random, now_us;
	unsigned probes;
	bool oversize; /* a probe was larger than the interface takes */
};

static struct path new_path(uint32_t mtu_bytes, uint32_t max_bytes)
{
	struct path path = {.mtu_bytes = mtu_bytes, .random = mtu_bytes, .now_us = 1000 * (uint64_t)S};

	cmt_plpmtu_start(
	    &path.p,
	    &(struct cmt_plpmtu_limits){.min_bytes = MIN, .base_bytes = BASE, .max_bytes = max_bytes},
	    path.now_us);
	return path;
}

/* One probe, if one is due, and its answer. */
static void step(struct path *path)
{
	uint32_t bytes = cmt_plpmtu_probe(&path->p, path->now_us, S);

	if (bytes == 0)
		return;
	path->probes++;
	path->oversize |= bytes > path->p.limits.max_bytes;
	if (bytes <= path->mtu_bytes && below(&path->random, 100) >= path->loss_pct) {
		path->now_us += RTT;
		cmt_plpmtu_on_probe_arrived(&path->p, bytes, path->now_us);
	}
}

/* What happens in the time to come. */
static void settle(struct path *path, uint64_t for_us)
{
	uint64_t until_us = path->now_us + for_us;

	while (path->p.at_us <= until_us) {
		if (path->p.at_us > path->now_us)
			path->now_us = path->p.at_us;
		step(path);
	}
	if (path->now_us < until_us)
		path->now_us = until_us;
}

static uint32_t passes(const struct path *path)
{
	uint32_t bytes =
	    path->mtu_bytes < path->p.limits.max_bytes ? path->mtu_bytes : path->p.limits.max_bytes;

	return bytes - bytes % CMT_PLPMTU_STEP_BYTES;
}

/* Probes that the search may cost: each size at most MAX_PROBES times, the largest, BASE, halves of the
 * interval. */
static unsigned bound(uint32_t from_bytes, uint32_t to_bytes)
{
	unsigned sizes = 4;

	for (uint32_t steps = (to_bytes - from_bytes) / CMT_PLPMTU_STEP_BYTES; steps > 0; steps /= 2)
		sizes++;
	return sizes * CMT_PLPMTU_MAX_PROBES;
}

static void data(struct path *path, uint32_t bytes, bool arrives)
{
	static uint32_t number;
	const struct cmt_plpmtu_packet packet = {.bytes = bytes, .number = ++number, .sent_us = path->now_us};

	path->now_us += MS;
	if (arrives)
		cmt_plpmtu_on_arrived(&path->p, &packet, path->now_us);
	else
		cmt_plpmtu_on_lost(&path->p, &packet, path->now_us);
}

static void a_path_without_narrow_places_takes_one_probe(void **state)
{
	const uint32_t sizes[] = {BASE + 4, 1492, 1500, 9000};

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		struct path path = new_path(sizes[i], sizes[i]);

		assert_int_equal(path.p.plpmtu_bytes, BASE);
		settle(&path, 60 * (uint64_t)S);
		assert_int_equal(path.p.plpmtu_bytes, sizes[i]);
		assert_int_equal(path.p.state, CMT_PLPMTU_COMPLETE);
		assert_int_equal(path.probes, 1);
		assert_true(path.p.at_us == CMT_NEVER_US);
	}
}

static void every_size_is_found_with_a_bounded_number_of_probes(void **state)
{
	(void)state;
	for (uint32_t max = 1280; max <= 9000; max += 1930) {
		for (uint32_t mtu = MIN; mtu <= max + 8; mtu++) {
			struct path path = new_path(mtu, max);

			settle(&path, 200 * (uint64_t)S);
			assert_int_equal(path.p.plpmtu_bytes, passes(&path));
			assert_int_equal(path.p.state, mtu < BASE ? CMT_PLPMTU_ERROR : CMT_PLPMTU_COMPLETE);
			assert_in_range(path.probes, 1, bound(MIN, max));
			assert_false(path.oversize);
		}
	}
}

/* A size is given up when three probes of it were lost: with a tenth lost that happens to one in a thousand.
 */
static void probes_that_are_lost_are_repeated(void **state)
{
	unsigned found = 0, runs = 0;

	(void)state;
	for (uint32_t mtu = BASE; mtu <= 1500; mtu += 4) {
		struct path path = new_path(mtu, 1500);

		path.loss_pct = 10;
		settle(&path, 200 * (uint64_t)S);
		assert_in_range(path.p.plpmtu_bytes, MIN, passes(&path));
		assert_in_range(path.probes, 1, bound(MIN, 1500));
		found += path.p.plpmtu_bytes == passes(&path);
		runs++;
	}
	assert_in_range(found, runs - 3, runs);
}

static void a_path_that_widens_is_found_out_when_the_raise_timer_expires(void **state)
{
	struct path path = new_path(1280, 1500);

	(void)state;
	settle(&path, 60 * (uint64_t)S);
	assert_int_equal(path.p.plpmtu_bytes, 1280);
	path.mtu_bytes = 1400;
	settle(&path, CMT_PLPMTU_RAISE_US - 60 * (uint64_t)S);
	assert_int_equal(path.p.plpmtu_bytes, 1280);
	settle(&path, 120 * (uint64_t)S);
	assert_int_equal(path.p.plpmtu_bytes, 1400);
	path.mtu_bytes = 1500;
	path.probes = 0;
	settle(&path, CMT_PLPMTU_RAISE_US + 60 * (uint64_t)S);
	assert_int_equal(path.p.plpmtu_bytes, 1500);
	assert_int_equal(path.probes, 1);
}

static void three_large_packets_lost_while_a_small_one_passes_are_a_black_hole(void **state)
{
	struct path path = new_path(1500, 1500);

	(void)state;
	settle(&path, S);
	data(&path, 1500, true);
	path.mtu_bytes = 1280;
	data(&path, 1500, false);
	data(&path, 1400, false);
	data(&path, 600, true);
	assert_int_equal(path.p.plpmtu_bytes, 1500);
	data(&path, 1300, false);
	assert_int_equal(path.p.plpmtu_bytes, BASE);
	assert_int_equal(path.p.state, CMT_PLPMTU_BASE);
	settle(&path, 60 * (uint64_t)S);
	assert_int_equal(path.p.plpmtu_bytes, 1280);
	path.mtu_bytes = 1500;
	settle(&path, CMT_PLPMTU_RAISE_US + 60 * (uint64_t)S);
	assert_int_equal(path.p.plpmtu_bytes, 1500);
}

static void a_timeout_of_one_large_packet_is_enough(void **state)
{
	struct path path = new_path(1500, 1500);

	(void)state;
	settle(&path, S);
	data(&path, 1500, false);
	cmt_plpmtu_on_timeout(&path.p, path.now_us);
	assert_int_equal(path.p.plpmtu_bytes, 1500);
	data(&path, 100, true);
	assert_int_equal(path.p.plpmtu_bytes, BASE);
}

static void losses_of_small_and_large_packets_alike_are_none(void **state)
{
	struct path path = new_path(1500, 1500);

	(void)state;
	settle(&path, S);
	for (unsigned i = 0; i < 1000; i++) {
		data(&path, 600, true);
		data(&path, 1500, false);
		data(&path, 1500, false);
		data(&path, 600, false);
		data(&path, 1500, true);
		assert_int_equal(path.p.plpmtu_bytes, 1500);
	}
	/* An outage: nothing passes, and afterwards the first that does is large. */
	for (unsigned i = 0; i < 10; i++)
		data(&path, i % 2 != 0 ? 600 : 1500, false);
	cmt_plpmtu_on_timeout(&path.p, path.now_us);
	data(&path, 1500, true);
	data(&path, 600, true);
	assert_int_equal(path.p.plpmtu_bytes, 1500);
}

static void a_false_alarm_is_over_after_one_probe(void **state)
{
	struct path path = new_path(1500, 1500);

	(void)state;
	settle(&path, S);
	for (unsigned i = 0; i < 3; i++)
		data(&path, 1500, false);
	data(&path, 600, true);
	assert_int_equal(path.p.plpmtu_bytes, BASE);
	path.probes = 0;
	step(&path);
	assert_int_equal(path.probes, 1);
	assert_int_equal(path.p.plpmtu_bytes, 1500);
	assert_int_equal(path.p.state, CMT_PLPMTU_COMPLETE);
}

static void a_black_hole_below_base_ends_at_what_passes(void **state)
{
	struct path path = new_path(900, 1500);

	(void)state;
	data(&path, 1100, false);
	data(&path, 1100, false);
	data(&path, 1100, false);
	data(&path, 100, true);
	assert_int_equal(path.p.plpmtu_bytes, MIN);
	assert_int_equal(path.p.state, CMT_PLPMTU_ERROR);
	settle(&path, 60 * (uint64_t)S);
	assert_int_equal(path.p.plpmtu_bytes, 900);
}

/* Two messages: the size that was used is under way when the second one comes. */
static void a_router_that_tells_saves_the_search(void **state)
{
	struct path path = new_path(1500, 1500);

	(void)state;
	settle(&path, S);
	path.mtu_bytes = 1402;
	cmt_plpmtu_on_too_big(&path.p, 1402, path.now_us);
	assert_int_equal(path.p.plpmtu_bytes, BASE);
	path.probes = 0;
	step(&path);
	cmt_plpmtu_on_too_big(&path.p, 1402, path.now_us);
	step(&path);
	assert_int_equal(path.probes, 2);
	assert_int_equal(path.p.plpmtu_bytes, 1400);
	assert_int_equal(path.p.state, CMT_PLPMTU_COMPLETE);
}

static void it_is_believed_below_base_as_well(void **state)
{
	struct path path = new_path(1192, 1500);

	(void)state;
	assert_int_equal(cmt_plpmtu_probe(&path.p, path.now_us, S), 1500);
	cmt_plpmtu_on_too_big(&path.p, 1192, path.now_us);
	assert_int_equal(path.p.plpmtu_bytes, MIN);
	assert_int_equal(path.p.state, CMT_PLPMTU_ERROR);
	assert_int_equal(cmt_plpmtu_probe(&path.p, path.now_us, S), BASE);
	cmt_plpmtu_on_too_big(&path.p, 1192, path.now_us);
	step(&path);
	assert_int_equal(path.p.plpmtu_bytes, 1192);
	assert_int_equal(path.p.state, CMT_PLPMTU_ERROR);
	assert_int_equal(cmt_plpmtu_probe(&path.p, path.now_us + S, S), 0);
}

static void a_forged_message_costs_one_round_trip_at_base(void **state)
{
	const uint32_t unbelievable[] = {0, 68, MIN - 4, 1500, 1504, UINT32_MAX};
	struct path path = new_path(1500, 1500);

	(void)state;
	settle(&path, S);
	for (unsigned i = 0; i < 6; i++) {
		cmt_plpmtu_on_too_big(&path.p, unbelievable[i], path.now_us);
		assert_int_equal(path.p.plpmtu_bytes, 1500);
	}
	cmt_plpmtu_on_too_big(&path.p, 1300, path.now_us);
	assert_int_equal(path.p.plpmtu_bytes, BASE);
	assert_int_equal(cmt_plpmtu_probe(&path.p, path.now_us, S), 1500);
	cmt_plpmtu_on_too_big(&path.p, 1300, path.now_us); /* once more, about the probe */
	assert_int_equal(cmt_plpmtu_probe(&path.p, path.now_us, S), 1300);
	cmt_plpmtu_on_probe_arrived(&path.p, 1500, path.now_us + RTT);
	assert_int_equal(path.p.plpmtu_bytes, 1500);
	assert_int_equal(path.p.state, CMT_PLPMTU_COMPLETE);
}

static void the_interface_bounds_what_is_sent(void **state)
{
	struct path path = new_path(1500, 1500);

	(void)state;
	settle(&path, S);
	cmt_plpmtu_set_max(&path.p, 1400, path.now_us);
	assert_int_equal(path.p.plpmtu_bytes, 1400);
	assert_int_equal(path.p.state, CMT_PLPMTU_COMPLETE);
	cmt_plpmtu_set_max(&path.p, 600, path.now_us);
	assert_int_equal(path.p.plpmtu_bytes, 600);
	assert_int_equal(path.p.state, CMT_PLPMTU_COMPLETE);
	cmt_plpmtu_on_probe_arrived(&path.p, 1500, path.now_us);
	assert_int_equal(path.p.plpmtu_bytes, 600);
	cmt_plpmtu_set_max(&path.p, 1500, path.now_us);
	assert_int_equal(path.p.plpmtu_bytes, 600);
	settle(&path, S);
	assert_int_equal(path.p.plpmtu_bytes, 1500);
}

static void probes_of_a_path_that_failed_say_nothing(void **state)
{
	struct path path = new_path(1500, 1500);

	(void)state;
	for (unsigned i = 0; i < 10; i++) {
		path.now_us = path.p.at_us;
		assert_int_equal(cmt_plpmtu_probe(&path.p, path.now_us, S), 1500);
		cmt_plpmtu_on_path_failed(&path.p);
	}
	settle(&path, 2 * (uint64_t)S);
	assert_int_equal(path.p.plpmtu_bytes, 1500);
}

static void what_somebody_else_decided_on_is_left_alone(void **state)
{
	struct path path = new_path(1500, 1500);

	(void)state;
	cmt_plpmtu_stop(&path.p);
	assert_int_equal(cmt_plpmtu_probe(&path.p, path.now_us, S), 0);
	cmt_plpmtu_on_probe_arrived(&path.p, 1500, path.now_us);
	cmt_plpmtu_on_too_big(&path.p, 1300, path.now_us);
	cmt_plpmtu_set_max(&path.p, 600, path.now_us);
	assert_int_equal(path.p.state, CMT_PLPMTU_DISABLED);
	assert_int_equal(path.p.plpmtu_bytes, BASE);
}

/* Whatever happens in whatever order: what may be sent lies between the bounds, and probes between it and the
 * largest. */
static void nothing_that_happens_takes_it_out_of_its_bounds(void **state)
{
	uint64_t random = 20;

	(void)state;
	for (unsigned run = 0; run < 2000; run++) {
		struct path path = new_path(MIN + below(&random, 1500), 1500);

		for (unsigned i = 0; i < 200; i++) {
			uint32_t any = below(&random, 2000), probe;

			path.now_us += below(&random, 20 * S);
			switch (below(&random, 8)) {
			case 0: cmt_plpmtu_on_too_big(&path.p, any, path.now_us); break;
			case 1: cmt_plpmtu_on_probe_arrived(&path.p, any, path.now_us); break;
			case 2: cmt_plpmtu_on_timeout(&path.p, path.now_us); break;
			case 3: cmt_plpmtu_on_path_failed(&path.p); break;
			case 4: cmt_plpmtu_set_max(&path.p, MIN + any, path.now_us); break;
			case 5: step(&path); break;
			default: data(&path, any, any <= path.mtu_bytes); break;
			}
			probe = path.p.probe_bytes;
			assert_in_range(path.p.plpmtu_bytes, MIN, path.p.limits.max_bytes);
			assert_int_equal(path.p.plpmtu_bytes % CMT_PLPMTU_STEP_BYTES, 0);
			assert_int_equal(probe % CMT_PLPMTU_STEP_BYTES, 0);
			assert_true(probe == 0 ||
			            (probe >= path.p.plpmtu_bytes && probe <= path.p.limits.max_bytes));
			assert_true(path.p.at_us == CMT_NEVER_US ||
			            path.p.at_us <= path.now_us + CMT_PLPMTU_RAISE_US);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_path_without_narrow_places_takes_one_probe),
	    cmocka_unit_test(every_size_is_found_with_a_bounded_number_of_probes),
	    cmocka_unit_test(probes_that_are_lost_are_repeated),
	    cmocka_unit_test(a_path_that_widens_is_found_out_when_the_raise_timer_expires),
	    cmocka_unit_test(three_large_packets_lost_while_a_small_one_passes_are_a_black_hole),
	    cmocka_unit_test(a_timeout_of_one_large_packet_is_enough),
	    cmocka_unit_test(losses_of_small_and_large_packets_alike_are_none),
	    cmocka_unit_test(a_false_alarm_is_over_after_one_probe),
	    cmocka_unit_test(a_black_hole_below_base_ends_at_what_passes),
	    cmocka_unit_test(a_router_that_tells_saves_the_search),
	    cmocka_unit_test(it_is_believed_below_base_as_well),
	    cmocka_unit_test(a_forged_message_costs_one_round_trip_at_base),
	    cmocka_unit_test(the_interface_bounds_what_is_sent),
	    cmocka_unit_test(probes_of_a_path_that_failed_say_nothing),
	    cmocka_unit_test(what_somebody_else_decided_on_is_left_alone),
	    cmocka_unit_test(nothing_that_happens_takes_it_out_of_its_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
