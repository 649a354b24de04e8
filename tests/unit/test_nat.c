/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "paths/cmt_nat.h"
#include "util/cmt_time.h"

enum { HEARTBEAT = 4, HEARTBEAT_BYTES = 44, SACK = 3, SACK_BYTES = 16, S = 1000000 };

static const uint8_t here[4] = {192, 168, 1, 2}, public[4] = {203, 0, 113, 7};
static const uint8_t here6[16] = {0xfd, 1, 2}, public6[16] = {0x20, 1, 0x0d, 0xb8};

static size_t put_heartbeat(uint8_t *at, const uint8_t *address, size_t bytes)
{
	memset(at, 0, HEARTBEAT_BYTES);
	at[0] = HEARTBEAT;
	at[3] = HEARTBEAT_BYTES;
	at[24] = bytes == 4 ? 2 : 10;
	at[25] = bytes == 4 ? 16 : 28;
	memcpy(at + 28, address, bytes);
	return HEARTBEAT_BYTES;
}

static void a_heartbeat_to_another_address_than_ours_came_through_a_nat(void **state)
{
	uint8_t chunks[HEARTBEAT_BYTES];

	(void)state;
	put_heartbeat(chunks, public, sizeof(public));
	assert_int_equal(cmt_nat_of_chunks(chunks, sizeof(chunks), here, sizeof(here)), CMT_NAT_BETWEEN);
	put_heartbeat(chunks, here, sizeof(here));
	assert_int_equal(cmt_nat_of_chunks(chunks, sizeof(chunks), here, sizeof(here)), CMT_NAT_NONE);
	put_heartbeat(chunks, public6, sizeof(public6));
	assert_int_equal(cmt_nat_of_chunks(chunks, sizeof(chunks), here6, sizeof(here6)), CMT_NAT_BETWEEN);
	put_heartbeat(chunks, here6, sizeof(here6));
	assert_int_equal(cmt_nat_of_chunks(chunks, sizeof(chunks), here6, sizeof(here6)), CMT_NAT_NONE);
}

static void it_may_stand_behind_others(void **state)
{
	uint8_t chunks[SACK_BYTES + HEARTBEAT_BYTES] = {SACK, 0, 0, SACK_BYTES - 2};

	(void)state;
	put_heartbeat(chunks + SACK_BYTES, public, sizeof(public));
	assert_int_equal(cmt_nat_of_chunks(chunks, sizeof(chunks), here, sizeof(here)), CMT_NAT_BETWEEN);
}

static void what_is_none_of_this_stack_says_nothing(void **state)
{
	uint8_t chunks[HEARTBEAT_BYTES];

	(void)state;
	for (size_t len = 0; len < sizeof(chunks); len++) {
		put_heartbeat(chunks, public, sizeof(public));
		assert_int_equal(cmt_nat_of_chunks(chunks, len, here, sizeof(here)), CMT_NAT_UNKNOWN);
	}
	for (uint8_t len = 0; len < HEARTBEAT_BYTES; len++) {
		put_heartbeat(chunks, public, sizeof(public));
		chunks[3] = len;
		assert_int_equal(cmt_nat_of_chunks(chunks, sizeof(chunks), here, sizeof(here)),
		                 CMT_NAT_UNKNOWN);
	}
	put_heartbeat(chunks, public, sizeof(public));
	assert_int_equal(cmt_nat_of_chunks(chunks, sizeof(chunks), here6, sizeof(here6)), CMT_NAT_UNKNOWN);
	chunks[25] = 4;
	assert_int_equal(cmt_nat_of_chunks(chunks, sizeof(chunks), here, sizeof(here)), CMT_NAT_UNKNOWN);
}

static void silence_of_twenty_seconds_is_for_paths_without_a_nat(void **state)
{
	(void)state;
	assert_int_equal(cmt_nat_keep_alive_us(CMT_NAT_NONE, 5 * S), CMT_NEVER_US);
	assert_int_equal(cmt_nat_keep_alive_us(CMT_NAT_BETWEEN, 5 * S), 23 * S);
	assert_int_equal(cmt_nat_keep_alive_us(CMT_NAT_UNKNOWN, 5 * S), 23 * S);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_heartbeat_to_another_address_than_ours_came_through_a_nat),
	    cmocka_unit_test(it_may_stand_behind_others),
	    cmocka_unit_test(what_is_none_of_this_stack_says_nothing),
	    cmocka_unit_test(silence_of_twenty_seconds_is_for_paths_without_a_nat),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
