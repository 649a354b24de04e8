/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_sentlog.c - packets are found by their number alone, while they are kept, across the wrap at 2^32. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "delay/cmt_sentlog.h"

static struct cmt_sentlog new_log(struct cmt_sent_record *records, uint32_t capacity)
{
	struct cmt_sentlog log;

	memset(records, 0xa5, capacity * sizeof(*records));
	cmt_sentlog_init(&log, records, capacity);
	return log;
}

static void assert_record(const struct cmt_sentlog *log, uint32_t number, uint64_t sent_us,
                          uint64_t end_bytes)
{
	const struct cmt_sent_record *r = cmt_sentlog_find(log, number);

	assert_non_null(r);
	assert_int_equal(r->sent_us, sent_us);
	assert_int_equal(r->end_bytes, end_bytes);
	assert_int_equal(r->stamp, (uint32_t)sent_us + 7);
}

static uint32_t add(struct cmt_sentlog *log, uint64_t sent_us, uint32_t bytes)
{
	return cmt_sentlog_add(
	    log, &(struct cmt_sent_record){.sent_us = sent_us, .stamp = (uint32_t)sent_us + 7}, bytes);
}

static void numbers_count_from_one_and_bytes_add_up(void **state)
{
	struct cmt_sent_record records[8];
	struct cmt_sentlog log = new_log(records, 8);
	const struct cmt_sent_record queued = {
	    .sent_us = 200, .predicted_us = -5, .stamp = 207, .queued = true};

	(void)state;
	assert_int_equal(add(&log, 100, 1064), 1);
	assert_int_equal(cmt_sentlog_add(&log, &queued, 500), 2);
	assert_record(&log, 1, 100, 1064);
	assert_record(&log, 2, 200, 1564);
	assert_false(cmt_sentlog_find(&log, 1)->queued);
	assert_true(cmt_sentlog_find(&log, 2)->queued);
	assert_int_equal(cmt_sentlog_find(&log, 2)->predicted_us, -5);
}

static void packets_of_one_microsecond_have_records_of_their_own(void **state)
{
	struct cmt_sent_record records[8];
	struct cmt_sentlog log = new_log(records, 8);

	(void)state;
	for (uint32_t i = 1; i <= 3; i++)
		assert_int_equal(add(&log, 5000, 1064), i);
	for (uint32_t i = 1; i <= 3; i++)
		assert_record(&log, i, 5000, 1064 * i);
	assert_ptr_not_equal(cmt_sentlog_find(&log, 1), cmt_sentlog_find(&log, 2));
}

static void what_was_never_sent_is_not_found(void **state)
{
	struct cmt_sent_record records[8];
	struct cmt_sentlog log = new_log(records, 8);

	(void)state;
	assert_null(cmt_sentlog_find(&log, 0));
	assert_null(cmt_sentlog_find(&log, 1));
	assert_null(cmt_sentlog_find(&log, UINT32_MAX));
	add(&log, 1, 100);
	assert_null(cmt_sentlog_find(&log, 0));
	assert_null(cmt_sentlog_find(&log, 2));
	assert_null(cmt_sentlog_find(&log, 9));
	assert_null(cmt_sentlog_find(&log, 1 + UINT32_C(0x80000000)));
	assert_null(cmt_sentlog_find(&log, UINT32_MAX - 6));
}

static void the_ninth_packet_of_a_ring_of_eight_displaces_the_first(void **state)
{
	struct cmt_sent_record records[8];
	struct cmt_sentlog log = new_log(records, 8);

	(void)state;
	for (uint32_t i = 1; i <= 8; i++)
		add(&log, i * 10, 100);
	assert_record(&log, 1, 10, 100);
	add(&log, 90, 100);
	assert_null(cmt_sentlog_find(&log, 1));
	assert_record(&log, 2, 20, 200);
	assert_record(&log, 9, 90, 900);
}

static void a_larger_ring_keeps_what_the_small_one_held_and_no_more(void **state)
{
	struct cmt_sent_record small[8], large[32];
	struct cmt_sentlog log = new_log(small, 8);

	(void)state;
	memset(large, 0xa5, sizeof(large));
	for (uint32_t i = 1; i <= 21; i++)
		add(&log, i * 10, 100);
	cmt_sentlog_grow(&log, large, 32);
	memset(small, 0xa5, sizeof(small));
	for (uint32_t i = 0; i <= 13; i++)
		assert_null(cmt_sentlog_find(&log, i));
	for (uint32_t i = 14; i <= 21; i++)
		assert_record(&log, i, i * 10, UINT64_C(100) * i);
	for (uint32_t i = 22; i <= 45; i++)
		assert_int_equal(add(&log, i * 10, 100), i);
	for (uint32_t i = 14; i <= 45; i++)
		assert_record(&log, i, i * 10, UINT64_C(100) * i);
}

static void a_ring_that_is_not_full_grows_too(void **state)
{
	struct cmt_sent_record small[8], large[16];
	struct cmt_sentlog log = new_log(small, 8);

	(void)state;
	memset(large, 0xa5, sizeof(large));
	add(&log, 10, 100);
	add(&log, 20, 100);
	cmt_sentlog_grow(&log, large, 16);
	assert_record(&log, 1, 10, 100);
	assert_record(&log, 2, 20, 200);
	assert_null(cmt_sentlog_find(&log, 3));
	assert_null(cmt_sentlog_find(&log, UINT32_MAX));
	assert_int_equal(add(&log, 30, 100), 3);
	assert_record(&log, 3, 30, 300);
}

static void numbers_go_on_behind_their_wrap(void **state)
{
	struct cmt_sent_record records[8];
	struct cmt_sentlog log = new_log(records, 8);

	(void)state;
	log.next = UINT32_MAX - 1;
	for (uint32_t i = 0; i < 5; i++)
		assert_int_equal(add(&log, 1000 + i, 100), (uint32_t)(UINT32_MAX - 1 + i));
	assert_record(&log, UINT32_MAX - 1, 1000, 100);
	assert_record(&log, UINT32_MAX, 1001, 200);
	assert_record(&log, 0, 1002, 300);
	assert_record(&log, 1, 1003, 400);
	assert_record(&log, 2, 1004, 500);
	assert_null(cmt_sentlog_find(&log, 3));
	for (uint32_t i = 5; i < 9; i++)
		add(&log, 1000 + i, 100);
	assert_null(cmt_sentlog_find(&log, UINT32_MAX - 1));
	assert_record(&log, UINT32_MAX, 1001, 200);
}

static void a_ring_that_grows_behind_the_wrap_forgets_nothing(void **state)
{
	struct cmt_sent_record records[8], large[16];
	struct cmt_sentlog log = new_log(records, 8);

	(void)state;
	log.next = UINT32_MAX - 1;
	for (uint32_t i = 0; i < 5; i++)
		add(&log, 1000 + i, 100);
	cmt_sentlog_grow(&log, large, 16);
	for (uint32_t i = 0; i < 5; i++)
		assert_record(&log, UINT32_MAX - 1 + i, 1000 + i, 100 * (i + 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(numbers_count_from_one_and_bytes_add_up),
	    cmocka_unit_test(packets_of_one_microsecond_have_records_of_their_own),
	    cmocka_unit_test(what_was_never_sent_is_not_found),
	    cmocka_unit_test(the_ninth_packet_of_a_ring_of_eight_displaces_the_first),
	    cmocka_unit_test(a_larger_ring_keeps_what_the_small_one_held_and_no_more),
	    cmocka_unit_test(a_ring_that_is_not_full_grows_too),
	    cmocka_unit_test(a_ring_that_grows_behind_the_wrap_forgets_nothing),
	    cmocka_unit_test(numbers_go_on_behind_their_wrap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
