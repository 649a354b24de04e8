/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_unordered_first.c - which packet carries an unordered chunk ahead of those in front of it, with
 * literal numbers: paths of 4 Mbit/s, 20 and 100 ms, packets of 1000 bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/cmt_unordered.h"
#include "sched_unequal_pair.h"

enum { WAITING = 200, UNORDERED_TSN = 150 };

static void begin(void)
{
	begin_pair("arrival", "", WAITING);
	fill_pair();
	paths[FAST].cwnd_bytes = paths[SLOW].cwnd_bytes = 100 * PKT;
	view.has_unordered = true;
	view.unordered_tsn = UNORDERED_TSN;
}

/* What the packet of the one path that has room carries. */
static uint32_t carried(unsigned path)
{
	struct cmt_decision d;

	paths[FAST].room_bytes = paths[SLOW].room_bytes = 0;
	paths[path].room_bytes = PKT;
	d = ops->next(state_bytes, &view);
	assert_true(cmt_sched_legal(&view, &d));
	assert_int_equal(d.verdict, CMT_SEND);
	assert_int_equal(d.path_id, paths[path].id);
	return d.tsn;
}

static void it_takes_the_place_of_the_head(void **state)
{
	uint32_t planned;

	(void)state;
	begin();
	assert_int_equal(carried(FAST), UNORDERED_TSN);
	planned = carried(SLOW);
	view.has_unordered = false;
	assert_int_equal(carried(FAST), 1);
	assert_int_equal(carried(SLOW), planned);
	assert_true(planned > 10 && planned < UNORDERED_TSN);
}

static void it_keeps_its_place_where_only_the_head_may_go(void **state)
{
	(void)state;
	begin();
	view.limit_tsn = UNORDERED_TSN - 1;
	assert_int_equal(carried(FAST), 1);
	view.limit_tsn = UNORDERED_TSN;
	assert_int_equal(carried(FAST), UNORDERED_TSN);
	view.peer_rwnd_bytes = 2 * PKT - 1;
	assert_int_equal(carried(FAST), 1);
	view.peer_rwnd_bytes = 2 * PKT;
	assert_int_equal(carried(FAST), UNORDERED_TSN);
}

/* Each TSN above is looked at once: not those between what has left and a jump of TSNs. */
static void what_is_looked_for_is_no_further_back_than_the_lowest_unit(void **state)
{
	struct cmt_unordered o;

	(void)state;
	begin();
	cmt_unordered_init(&o, UINT32_MAX - 0x70000000);
	cmt_unordered_pass(&o, &units);
	assert_int_equal(o.tsn, 1);
	o.tsn = UNORDERED_TSN;
	cmt_unordered_pass(&o, &units);
	assert_int_equal(o.tsn, UNORDERED_TSN);
}

static void one_goes_before_each_other_unit(void **state)
{
	struct cmt_unordered o;

	(void)state;
	begin();
	cmt_unordered_init(&o, 1);
	assert_true(cmt_unordered_may_go(&o, &units)); /* it is the lowest one itself */
	o.tsn = UNORDERED_TSN;
	assert_true(cmt_unordered_may_go(&o, &units));
	cmt_unordered_on_sent(&o, &units, 2); /* another one, ahead as planned */
	assert_true(cmt_unordered_may_go(&o, &units));
	cmt_unordered_on_sent(&o, &units, UNORDERED_TSN);
	assert_int_equal(cmt_units_remove(&units, UNORDERED_TSN), 0);
	o.tsn = UNORDERED_TSN + 1;
	assert_false(cmt_unordered_may_go(&o, &units));
	assert_int_equal(cmt_units_remove(&units, 1), 0);
	assert_true(cmt_unordered_may_go(&o, &units));
	o.tsn = WAITING + 1;
	assert_false(cmt_unordered_may_go(&o, &units));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(it_takes_the_place_of_the_head),
	    cmocka_unit_test(it_keeps_its_place_where_only_the_head_may_go),
	    cmocka_unit_test(what_is_looked_for_is_no_further_back_than_the_lowest_unit),
	    cmocka_unit_test(one_goes_before_each_other_unit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
