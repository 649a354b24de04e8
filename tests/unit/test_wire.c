/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_wire.c - CMT-TIMESTAMP and CMT-ECHO byte by byte. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "wire/cmt_wire.h"

static const uint8_t timestamp_bytes[16] = {
    0x9e, 0x00, 0x00, 0x10, /* type, flags, length 16 */
    0x01, 0x02, 0x03, 0x04, /* Sender Timestamp */
    0xff, 0xfe, 0xfd, 0xfc, /* Path Packet Number */
    0x00, 0x05, 0x80, 0x01, /* Path ID, Return Path */
};

static const uint8_t echo_bytes[40] = {
    0x9f, 0x00, 0x00, 0x28, /* type, flags, length 40 */
    0xde, 0xad, 0xbe, 0xef, /* Receiver Timestamp */
    0x00, 0x01, 0x00, 0x02, /* Path ID, Packets */
    0x11, 0x12, 0x13, 0x14, /* Sender Timestamp echoed */
    0x00, 0x00, 0x03, 0xe8, /* Time Elapsed: 1000 us */
    0x21, 0x22, 0x23, 0x24, /* Path Packet Number echoed */
    0xff, 0xff, 0xfe, 0xdc, /* second entry */
    0xf1, 0xf2, 0xf3, 0xf4, 0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00,
};

/* Copies to a block of exactly `len` bytes, so that a sanitizer sees any read beyond it. */
static int decode_timestamp(const uint8_t *bytes, size_t len, struct cmt_timestamp *out)
{
	uint8_t *copy = malloc(len > 0 ? len : 1);
	int rc;

	assert_non_null(copy);
	memcpy(copy, bytes, len);
	rc = cmt_timestamp_decode(copy, len, out);
	free(copy);
	return rc;
}

static int decode_echo(const uint8_t *bytes, size_t len, struct cmt_echo *out)
{
	uint8_t *copy = malloc(len > 0 ? len : 1);
	int rc;

	assert_non_null(copy);
	memcpy(copy, bytes, len);
	rc = cmt_echo_decode(copy, len, out);
	free(copy);
	return rc;
}

static void a_timestamp_is_these_sixteen_bytes(void **state)
{
	const struct cmt_timestamp ts = {
	    .ts_us = 0x01020304, .path_packet_number = 0xfffefdfc, .path_id = 5, .return_path = 0x8001};
	struct cmt_timestamp back;
	uint8_t out[16];

	(void)state;
	assert_int_equal(cmt_timestamp_encode(&ts, out), 16);
	assert_memory_equal(out, timestamp_bytes, 16);
	assert_int_equal(decode_timestamp(timestamp_bytes, 16, &back), 0);
	assert_int_equal(back.ts_us, 0x01020304);
	assert_int_equal(back.path_packet_number, 0xfffefdfc);
	assert_int_equal(back.path_id, 5);
	assert_int_equal(back.return_path, 0x8001);
}

static void an_echo_of_two_paths_is_these_forty_bytes(void **state)
{
	const struct cmt_echo echo = {
	    .tr_us = 0xdeadbeef,
	    .n_entries = 2,
	    .entries = {
	        {.path_id = 1,
	         .packets = 2,
	         .ts_us = 0x11121314,
	         .elapsed_us = 1000,
	         .path_packet_number = 0x21222324},
	        {.path_id = 0xffff, .packets = 0xfedc, .ts_us = 0xf1f2f3f4, .elapsed_us = 0xffffffff},
	    }};
	struct cmt_echo back;
	uint8_t out[CMT_ECHO_MAX_BYTES];

	(void)state;
	assert_int_equal(cmt_echo_encode(&echo, out), 40);
	assert_memory_equal(out, echo_bytes, 40);
	assert_int_equal(decode_echo(echo_bytes, 40, &back), 0);
	assert_int_equal(back.tr_us, 0xdeadbeef);
	assert_int_equal(back.n_entries, 2);
	assert_memory_equal(back.entries, echo.entries, 2 * sizeof(echo.entries[0]));
}

static void an_echo_says_how_many_tsns_are_tracked(void **state)
{
	struct cmt_echo echo = {.tr_us = 1}, back;
	uint8_t out[CMT_ECHO_MAX_BYTES];

	(void)state;
	for (uint32_t scale = 0; scale <= CMT_TSN_SCALE_MAX; scale++) {
		echo.tsn_scale = scale;
		assert_int_equal(cmt_echo_encode(&echo, out), 8);
		assert_int_equal(out[1], scale);
		assert_int_equal(decode_echo(out, 8, &back), 0);
		assert_int_equal(back.tsn_scale, scale);
		assert_int_equal(cmt_tracked_tsns(scale), 4096 << scale);
	}
	out[1] = 0xff;
	assert_int_equal(decode_echo(out, 8, &back), 0);
	assert_int_equal(back.tsn_scale, CMT_TSN_SCALE_MAX);
}

static void flags_are_ignored_and_bytes_behind_the_chunk_too(void **state)
{
	uint8_t chunk[CMT_ECHO_MAX_BYTES] = {0};
	struct cmt_timestamp ts;
	struct cmt_echo echo;

	(void)state;
	memcpy(chunk, timestamp_bytes, 16);
	chunk[1] = 0xff;
	assert_int_equal(decode_timestamp(chunk, 20, &ts), 0);
	assert_int_equal(ts.return_path, 0x8001);
	memcpy(chunk, echo_bytes, 40);
	chunk[1] = 0xff;
	assert_int_equal(decode_echo(chunk, sizeof(chunk), &echo), 0);
	assert_int_equal(echo.n_entries, 2);
}

static void a_longer_timestamp_is_read_as_far_as_known(void **state)
{
	uint8_t chunk[24] = {0};
	struct cmt_timestamp ts;

	(void)state;
	memcpy(chunk, timestamp_bytes, 16);
	chunk[3] = 24;
	assert_int_equal(decode_timestamp(chunk, 24, &ts), 0);
	assert_int_equal(ts.ts_us, 0x01020304);
	chunk[3] = 17; /* an odd length is a longer chunk too */
	assert_int_equal(decode_timestamp(chunk, 17, &ts), 0);
}

static void malformed_timestamps_are_refused_and_leave_the_result_alone(void **state)
{
	const struct cmt_timestamp before = {
	    .ts_us = 1, .path_packet_number = 2, .path_id = 3, .return_path = 4};
	struct cmt_timestamp ts = before;
	uint8_t chunk[16];

	(void)state;
	for (size_t len = 0; len < 16; len++)
		assert_int_equal(decode_timestamp(timestamp_bytes, len, &ts), -EINVAL);
	memcpy(chunk, timestamp_bytes, 16);
	chunk[3] = 15;
	assert_int_equal(decode_timestamp(chunk, 16, &ts), -EINVAL);
	chunk[3] = 17;
	assert_int_equal(decode_timestamp(chunk, 16, &ts), -EINVAL);
	chunk[2] = 1;
	assert_int_equal(decode_timestamp(chunk, 16, &ts), -EINVAL);
	memcpy(chunk, timestamp_bytes, 16);
	chunk[0] = 0x9f;
	assert_int_equal(decode_timestamp(chunk, 16, &ts), -EINVAL);
	assert_memory_equal(&ts, &before, sizeof(ts));
}

static void malformed_echoes_are_refused_and_leave_the_result_alone(void **state)
{
	struct cmt_echo before, echo;
	uint8_t chunk[40];

	(void)state;
	memset(&before, 0x5a, sizeof(before));
	echo = before;
	for (size_t len = 0; len < 40; len++)
		assert_int_equal(decode_echo(echo_bytes, len, &echo), -EINVAL);
	memcpy(chunk, echo_bytes, 40);
	for (unsigned length = 0; length < 40; length++) {
		bool whole = length == 8 || length == 24;

		chunk[3] = (uint8_t)length;
		assert_int_equal(decode_echo(chunk, 40, &echo), whole ? 0 : -EINVAL);
		if (whole)
			echo = before;
	}
	memcpy(chunk, echo_bytes, 40);
	chunk[0] = 0x9e;
	assert_int_equal(decode_echo(chunk, 40, &echo), -EINVAL);
	assert_memory_equal(&echo, &before, sizeof(echo));
}

static void an_echo_without_entries_tells_the_time(void **state)
{
	const uint8_t chunk[8] = {0x9f, 0, 0, 8, 1, 2, 3, 4};
	struct cmt_echo echo;

	(void)state;
	assert_int_equal(decode_echo(chunk, sizeof(chunk), &echo), 0);
	assert_int_equal(echo.tr_us, 0x01020304);
	assert_int_equal(echo.n_entries, 0);
}

static void an_echo_of_nine_entries_is_read_up_to_the_eighth(void **state)
{
	uint8_t chunk[8 + 9 * 16] = {0x9f, 0, 0, 152};
	struct cmt_echo echo;

	(void)state;
	for (size_t i = 0; i < 9; i++)
		chunk[8 + 16 * i + 1] = (uint8_t)(i + 1);
	assert_int_equal(decode_echo(chunk, sizeof(chunk), &echo), 0);
	assert_int_equal(echo.n_entries, 8);
	for (uint32_t i = 0; i < 8; i++)
		assert_int_equal(echo.entries[i].path_id, i + 1);
}

static void an_echo_of_eight_entries_takes_136_bytes_and_comes_back(void **state)
{
	struct cmt_echo echo = {.tr_us = 9, .tsn_scale = 3, .n_entries = 8}, back;
	uint8_t out[CMT_ECHO_MAX_BYTES];

	(void)state;
	for (uint32_t i = 0; i < 8; i++)
		echo.entries[i] = (struct cmt_echo_entry){.path_id = (uint16_t)(i + 1),
		                                          .packets = (uint16_t)(0xff00 + i),
		                                          .ts_us = 0x80000000u + i,
		                                          .elapsed_us = i * 1000000,
		                                          .path_packet_number = 0u - i};
	assert_int_equal(cmt_echo_encode(&echo, out), 136);
	assert_int_equal(out[3], 136);
	assert_int_equal(decode_echo(out, 136, &back), 0);
	assert_memory_equal(&back, &echo, sizeof(echo));
}

static void the_path_id_of_a_packet_is_that_of_its_first_timestamp(void **state)
{
	/* ERROR of 5 bytes, padded; CMT-TIMESTAMP. */
	uint8_t chunks[8 + 2 * CMT_TIMESTAMP_BYTES] = {9, 0, 0, 5, 1};
	const struct cmt_timestamp first = {.path_id = 7}, second = {.path_id = 8};

	(void)state;
	cmt_timestamp_encode(&first, chunks + 8);
	cmt_timestamp_encode(&second, chunks + 8 + CMT_TIMESTAMP_BYTES);
	assert_int_equal(cmt_path_id_of_chunks(chunks, sizeof(chunks)), 7);
	assert_int_equal(cmt_path_id_of_chunks(chunks, 8 + CMT_TIMESTAMP_BYTES), 7);
	/* Not all of it is there. */
	for (size_t len = 0; len < 8 + CMT_TIMESTAMP_BYTES; len++)
		assert_int_equal(cmt_path_id_of_chunks(chunks, len), 0);
	/* A chunk that is shorter than its header hides what follows. */
	chunks[3] = 3;
	assert_int_equal(cmt_path_id_of_chunks(chunks, sizeof(chunks)), 0);
}

static void a_probe_is_a_heartbeat_and_a_pad_chunk(void **state)
{
	const struct cmt_probe probe = {.nonce = 0x0102030405060708u, .bytes = 1500};
	const uint8_t expected[] = {4, 0, 0, 20, 0, 1, 0, 16,  1,    2, 3, 4,
	                            5, 6, 7, 8,  0, 0, 5, 220, 0x84, 0, 5, 160};
	struct cmt_probe back = {.nonce = 0};
	uint8_t out[CMT_PROBE_BYTES + CMT_PAD_HEADER_BYTES];

	(void)state;
	assert_int_equal(cmt_probe_encode(&probe, 1440, out), sizeof(expected));
	assert_memory_equal(out, expected, sizeof(expected));
	assert_int_equal(cmt_probe_encode(&probe, 0, out), CMT_PROBE_BYTES);
	assert_int_equal(cmt_probe_decode(out, CMT_PROBE_BYTES, &back),
	                 -EINVAL); /* a question is no answer */
	out[0] = CHUNK_HEARTBEAT_ACK;
	assert_int_equal(cmt_probe_decode(out, CMT_PROBE_BYTES - 1, &back), -EINVAL);
	assert_int_equal(cmt_probe_decode(out, CMT_PROBE_BYTES, &back), 0);
	assert_true(back.nonce == probe.nonce);
	assert_int_equal(back.bytes, 1500);
	out[3] = 19;
	assert_int_equal(cmt_probe_decode(out, CMT_PROBE_BYTES, &back), -EINVAL);
	out[3] = 20;
	out[5] = 2;
	assert_int_equal(cmt_probe_decode(out, CMT_PROBE_BYTES, &back), -EINVAL);
}

static void what_asks_and_answers_ends_with_the_first_other_chunk(void **state)
{
	const uint8_t chunks[] = {
	    CHUNK_HEARTBEAT,     0, 0, 6, 1,           2, 0, 0, CHUNK_PAD,       0, 0, 4,
	    CHUNK_HEARTBEAT_ACK, 0, 0, 4, CHUNK_ABORT, 0, 0, 4, CHUNK_HEARTBEAT, 0, 0, 4};

	(void)state;
	assert_int_equal(cmt_probes_of_chunks(chunks, sizeof(chunks)), 16);
	assert_int_equal(cmt_probes_of_chunks(chunks, 16), 16);
	assert_int_equal(cmt_probes_of_chunks(chunks, 15), 12);
	assert_int_equal(cmt_probes_of_chunks(chunks, 6), 6); /* without its padding */
	assert_int_equal(cmt_probes_of_chunks(chunks, 5), 0);
	assert_int_equal(cmt_probes_of_chunks(chunks + 16, 8), 0);
	assert_int_equal(cmt_probes_of_chunks(chunks, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_timestamp_is_these_sixteen_bytes),
	    cmocka_unit_test(the_path_id_of_a_packet_is_that_of_its_first_timestamp),
	    cmocka_unit_test(a_probe_is_a_heartbeat_and_a_pad_chunk),
	    cmocka_unit_test(an_echo_of_two_paths_is_these_forty_bytes),
	    cmocka_unit_test(an_echo_says_how_many_tsns_are_tracked),
	    cmocka_unit_test(flags_are_ignored_and_bytes_behind_the_chunk_too),
	    cmocka_unit_test(a_longer_timestamp_is_read_as_far_as_known),
	    cmocka_unit_test(malformed_timestamps_are_refused_and_leave_the_result_alone),
	    cmocka_unit_test(malformed_echoes_are_refused_and_leave_the_result_alone),
	    cmocka_unit_test(what_asks_and_answers_ends_with_the_first_other_chunk),
	    cmocka_unit_test(an_echo_without_entries_tells_the_time),
	    cmocka_unit_test(an_echo_of_nine_entries_is_read_up_to_the_eighth),
	    cmocka_unit_test(an_echo_of_eight_entries_takes_136_bytes_and_comes_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
