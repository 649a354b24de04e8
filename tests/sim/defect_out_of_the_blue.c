/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Packets out of the blue cost a listening endpoint no memory, whatever they carry. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <malloc.h>
#include <stdio.h>

#include "support/isolate.h"
#include "support/raw.h"
#include "support/variant.h"

enum { WARM_UP = 50, PACKETS = 500, CAUSE_PROTOCOL_VIOLATION = 13 };

static struct raw r;
static const struct raw_options options = {.n_paths = 1};

/* 0 = nobody counts: AddressSanitizer and musl do not. */
static size_t heap_bytes(void)
{
#ifdef __GLIBC__
	return mallinfo2().uordblks;
#else
	return 0;
#endif
}

static void send_many(uint8_t type, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		struct packet_draft d;

		raw_begin_tagged(&r, &d, RAW_TAG + i);
		packet_add(&d, type, 4, NULL, 0);
		raw_send(&r, 0, &d);
		r.n_heard = 0;
	}
}

static void knock(const void *job, void *outcome)
{
	const uint8_t type = *(const uint8_t *)job;
	size_t before_bytes;

	raw_listen(&r, &options);
	REQUIRE(usrsctp_sysctl_set_sctp_diag_info_code(CAUSE_PROTOCOL_VIOLATION) == 0); /* ABORTs say why */
	send_many(type, WARM_UP);
	before_bytes = heap_bytes();
	if (before_bytes == 0)
		return;
	send_many(type, PACKETS);
	*(int64_t *)outcome = (int64_t)(heap_bytes() - before_bytes) / PACKETS;
	raw_close(&r);
}

static void packets_out_of_the_blue_cost_no_memory(void **state)
{
	const uint8_t types[] = {CHUNK_ABORT, CHUNK_SHUTDOWN_COMPLETE, CHUNK_SHUTDOWN_ACK, 0x81,
	                         CHUNK_SACK,  CHUNK_COOKIE_ACK};

	unsigned leaks = 0;

	(void)state;
	for (unsigned i = 0; i < sizeof(types); i++) {
		int64_t each_bytes;

		isolate_run(knock, &types[i], &each_bytes, sizeof(each_bytes));
		printf("chunk %#x: %lld octets each\n", types[i], (long long)each_bytes);
		assert_in_range(each_bytes, 0, 5000);
		leaks += each_bytes > 100;
	}
	if (CMT_TEST_FIXED)
		assert_int_equal(leaks, 0);
	else if (heap_bytes() > 0)
		assert_int_equal(leaks, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(packets_out_of_the_blue_cost_no_memory)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
