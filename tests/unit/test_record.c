/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_record.c - records of the DTLS chunk around an AEAD that is none: form, numbers, replay window,
 * limits. Records as real AEADs make them: test_seam_aead.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "crypto/cmt_record.h"
#include "toy_aead.h"
#include "util/cmt_random.h"

enum { ROOM = CMT_RECORD_CONTENT_MAX + CMT_RECORD_OVERHEAD_BYTES, SMALL = 24 };

static const uint8_t iv[CMT_AEAD_NONCE_BYTES] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

/* Both ends of an epoch. */
static struct toy_aead sealing, opening;
static struct cmt_record_tx tx;
static struct cmt_record_rx rx;

static void begin_with(const struct cmt_aead *aead, uint64_t epoch)
{
	sealing = opening = (struct toy_aead){.key = 7};
	cmt_record_tx_init(&tx, aead, toy_ctx(&sealing), iv, epoch);
	cmt_record_rx_init(&rx, aead, toy_ctx(&opening), iv, epoch);
}

static int begin(void **state)
{
	(void)state;
	begin_with(&toy_aead, 3);
	return 0;
}

static void fill(uint8_t *buf, uint32_t content_bytes)
{
	for (uint32_t i = 0; i < content_bytes; i++)
		buf[CMT_RECORD_HEADER_BYTES + i] = (uint8_t)(i * 7 + content_bytes);
}

/* Makes the record of this number; returns its bytes. */
static uint32_t seal_numbered(uint64_t seq, uint8_t *buf, uint32_t content_bytes)
{
	int bytes;

	fill(buf, content_bytes);
	tx.next_seq = seq;
	bytes = cmt_record_seal(&tx, buf, content_bytes, content_bytes + CMT_RECORD_OVERHEAD_BYTES);
	assert_int_equal(bytes, content_bytes + CMT_RECORD_OVERHEAD_BYTES);
	return (uint32_t)bytes;
}

/* What becomes of a record of this number with four bytes of content. */
static int deliver(uint64_t seq)
{
	uint8_t buf[SMALL];

	return cmt_record_open(&rx, buf, seal_numbered(seq, buf, SMALL - CMT_RECORD_OVERHEAD_BYTES));
}

static void assert_delivered(uint64_t seq)
{
	assert_int_equal(deliver(seq), SMALL - CMT_RECORD_OVERHEAD_BYTES);
}

/* All but the counters of refusals. */
static bool same_state(const struct cmt_record_rx *a, const struct cmt_record_rx *b)
{
	return a->next_seq == b->next_seq && a->opened == b->opened &&
	       a->window_records == b->window_records && memcmp(a->seen, b->seen, sizeof(a->seen)) == 0;
}

static void a_record_is_three_bytes_longer_in_front_and_seventeen_behind(void **state)
{
	uint8_t buf[SMALL], mask[CMT_AEAD_MASK_BYTES];

	(void)state;
	assert_int_equal(CMT_RECORD_OVERHEAD_BYTES, 20);
	for (uint64_t epoch = 3; epoch < 9; epoch++) {
		begin_with(&toy_aead, epoch);
		assert_int_equal(seal_numbered(0x123456789a, buf, 4), 24);
		assert_int_equal(buf[0], 0x28 | (epoch & 3));
		assert_true(cmt_record_is_one(buf[0]));
		assert_int_equal(cmt_record_epoch_bits(buf[0]), epoch & 3);
		assert_true(toy_aead.mask(toy_ctx(&sealing), buf + 3, mask));
		assert_int_equal(buf[1] ^ mask[0], 0x78);
		assert_int_equal(buf[2] ^ mask[1], 0x9a);
	}
}

static void only_one_form_of_the_first_byte_begins_a_record(void **state)
{
	unsigned n = 0;

	(void)state;
	for (unsigned byte = 0; byte < 256; byte++)
		n += cmt_record_is_one((uint8_t)byte);
	assert_int_equal(n, 4);
	assert_true(cmt_record_is_one(0x2b));
}

static void the_header_before_its_number_is_hidden_is_authenticated(void **state)
{
	static const uint8_t header[] = {0x2b, 0x56, 0x78};
	uint8_t buf[SMALL];

	(void)state;
	assert_int_equal(cmt_record_open(&rx, buf, seal_numbered(0x5678, buf, 4)), 4);
	assert_int_equal(sealing.aad_bytes, sizeof(header));
	assert_memory_equal(sealing.aad, header, sizeof(header));
	assert_int_equal(opening.aad_bytes, sizeof(header));
	assert_memory_equal(opening.aad, header, sizeof(header));
}

static void the_nonce_is_the_iv_with_the_whole_number_in_its_last_eight_bytes(void **state)
{
	static const uint8_t nonce[] = {1,        2,        3,        4,         5,         6,
	                                7 ^ 0x11, 8 ^ 0x22, 9 ^ 0x33, 10 ^ 0x44, 11 ^ 0x55, 12 ^ 0x66};
	uint8_t buf[SMALL];

	(void)state;
	rx.next_seq = 0x112233445500;
	assert_int_equal(cmt_record_open(&rx, buf, seal_numbered(0x112233445566, buf, 4)), 4);
	assert_memory_equal(sealing.nonce, nonce, sizeof(nonce));
	assert_memory_equal(opening.nonce, nonce, sizeof(nonce));
}

static void numbers_begin_at_0_and_none_comes_twice(void **state)
{
	uint8_t buf[SMALL];

	(void)state;
	for (uint64_t i = 0; i < 1000; i++) {
		assert_int_equal(tx.next_seq, i);
		assert_int_equal(cmt_record_seal(&tx, buf, 4, SMALL), SMALL);
		assert_int_equal(sealing.nonce[10] ^ iv[10], i >> 8);
		assert_int_equal(sealing.nonce[11] ^ iv[11], i & 0xff);
	}
}

static void content_of_every_length_comes_back(void **state)
{
	static uint8_t buf[ROOM + 1], expected[ROOM];

	(void)state;
	for (uint32_t bytes = 0; bytes <= CMT_RECORD_CONTENT_MAX;
	     bytes += bytes < 300 || bytes > 16370 ? 1 : 91) {
		buf[bytes + CMT_RECORD_OVERHEAD_BYTES] = 0xa5;
		fill(expected, bytes);
		assert_int_equal(cmt_record_open(&rx, buf, seal_numbered(tx.next_seq, buf, bytes)), bytes);
		assert_memory_equal(buf + 3, expected + 3, bytes);
		assert_int_equal(buf[bytes + CMT_RECORD_OVERHEAD_BYTES], 0xa5);
	}
}

static void content_without_room_or_beyond_16_kib_is_refused_and_nothing_changes(void **state)
{
	static uint8_t buf[ROOM + 1], before[ROOM + 1];

	(void)state;
	assert_int_equal(cmt_record_seal(&tx, buf, 5, SMALL), -EMSGSIZE);
	assert_int_equal(cmt_record_seal(&tx, buf, 0, 19), -EMSGSIZE);
	assert_int_equal(cmt_record_seal(&tx, buf, CMT_RECORD_CONTENT_MAX + 1, sizeof(buf)), -EMSGSIZE);
	assert_int_equal(cmt_record_seal(&tx, buf, UINT32_MAX - 3, UINT32_MAX), -EMSGSIZE);
	assert_int_equal(tx.next_seq, 0);
	assert_memory_equal(buf, before, sizeof(buf));
}

static void a_key_makes_as_many_records_as_its_suite_allows(void **state)
{
	struct cmt_aead aead = toy_aead;
	uint8_t buf[SMALL] = {0};

	(void)state;
	aead.record_limit = 3;
	begin_with(&aead, 3);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(cmt_record_seal(&tx, buf, 4, SMALL), SMALL);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(cmt_record_seal(&tx, buf, 4, SMALL), -EOVERFLOW);
	assert_int_equal(tx.next_seq, 3);
	assert_int_equal(sealing.operations, 3);
}

static void a_number_whose_record_could_not_be_made_is_not_used_again(void **state)
{
	uint8_t buf[SMALL] = {0};

	(void)state;
	sealing.fails = 1;
	assert_int_equal(cmt_record_seal(&tx, buf, 4, SMALL), -EIO);
	assert_int_equal(cmt_record_seal(&tx, buf, 4, SMALL), SMALL);
	assert_int_equal(sealing.nonce[11] ^ iv[11], 1);
}

static void a_record_with_any_bit_flipped_is_refused_and_changes_nothing(void **state)
{
	uint8_t record[SMALL], buf[SMALL];
	struct cmt_record_rx before;

	(void)state;
	assert_delivered(40);
	(void)seal_numbered(41, record, 4);
	before = rx;
	for (unsigned bit = 0; bit < 8 * SMALL; bit++) {
		const unsigned operations = opening.operations;

		memcpy(buf, record, sizeof(buf));
		buf[bit / 8] ^= (uint8_t)(1u << (bit % 8));
		assert_int_equal(cmt_record_open(&rx, buf, SMALL),
		                 bit < 8 ? CMT_RECORD_MALFORMED : CMT_RECORD_FORGED);
		assert_int_equal(opening.operations - operations, bit < 8 ? 0 : 1);
		assert_true(same_state(&rx, &before));
	}
	assert_int_equal(rx.malformed, 8);
	assert_int_equal(rx.forged, 8 * SMALL - 8);
	assert_int_equal(cmt_record_open(&rx, record, SMALL), 4);
}

static void a_record_cut_or_continued_is_refused_and_changes_nothing(void **state)
{
	uint8_t record[SMALL + 8] = {0}, buf[SMALL + 8];
	struct cmt_record_rx before = rx;

	(void)state;
	(void)seal_numbered(0, record, 4);
	for (uint32_t bytes = 0; bytes <= sizeof(record); bytes++) {
		if (bytes == SMALL)
			continue;
		memcpy(buf, record, sizeof(buf));
		assert_int_equal(cmt_record_open(&rx, buf, bytes),
		                 bytes < 20 ? CMT_RECORD_MALFORMED : CMT_RECORD_FORGED);
		assert_true(same_state(&rx, &before));
	}
	assert_int_equal(cmt_record_open(&rx, record, SMALL), 4);
}

static void a_record_longer_than_any_is_refused_unread(void **state)
{
	static uint8_t buf[ROOM + 1] = {0x2b};

	(void)state;
	assert_int_equal(cmt_record_open(&rx, buf, sizeof(buf)), CMT_RECORD_MALFORMED);
	assert_int_equal(cmt_record_open(&rx, buf, UINT32_MAX), CMT_RECORD_MALFORMED);
	assert_int_equal(opening.operations, 0);
	assert_int_equal(rx.malformed, 2);
}

static void a_record_of_another_epoch_is_not_opened(void **state)
{
	uint8_t buf[SMALL];

	(void)state;
	tx.epoch = 4;
	assert_int_equal(cmt_record_open(&rx, buf, seal_numbered(0, buf, 4)), CMT_RECORD_MALFORMED);
	assert_int_equal(opening.operations, 0);
	/* Of one that has the same bits, the AEAD sees it. */
	tx.epoch = 7;
	sealing.key++;
	assert_int_equal(cmt_record_open(&rx, buf, seal_numbered(0, buf, 4)), CMT_RECORD_FORGED);
}

static void after_as_many_forgeries_as_a_suite_allows_nothing_is_opened(void **state)
{
	struct cmt_aead aead = toy_aead;
	uint8_t buf[SMALL];

	(void)state;
	aead.failure_limit = 2;
	begin_with(&aead, 3);
	for (unsigned i = 0; i < 2; i++) {
		(void)seal_numbered(i, buf, 4);
		buf[SMALL - 1] ^= 1;
		assert_int_equal(cmt_record_open(&rx, buf, SMALL), CMT_RECORD_FORGED);
	}
	assert_int_equal(deliver(5), CMT_RECORD_WORN_OUT);
	assert_int_equal(opening.operations, 2);
	assert_int_equal(rx.opened, 0);
}

/* A record of this number whose inner plaintext is `inner`. */
static int deliver_inner(uint64_t seq, const uint8_t *inner, uint32_t bytes)
{
	uint8_t buf[64] = {0x2b, (uint8_t)(seq >> 8), (uint8_t)seq}, nonce[CMT_AEAD_NONCE_BYTES];
	uint8_t mask[CMT_AEAD_MASK_BYTES];

	memcpy(nonce, iv, sizeof(nonce));
	nonce[10] ^= (uint8_t)(seq >> 8);
	nonce[11] ^= (uint8_t)seq;
	memcpy(buf + 3, inner, bytes);
	assert_true(toy_aead.seal(toy_ctx(&sealing), nonce, buf, 3, buf + 3, bytes, buf + 3 + bytes));
	assert_true(toy_aead.mask(toy_ctx(&sealing), buf + 3, mask));
	buf[1] ^= mask[0];
	buf[2] ^= mask[1];
	return cmt_record_open(&rx, buf, 3 + bytes + CMT_AEAD_TAG_BYTES);
}

static void padding_behind_the_content_type_is_taken_off(void **state)
{
	static const uint8_t padded[] = {'a', 0, 23, 0, 0, 0}, nothing[] = {23, 0, 0};

	(void)state;
	assert_int_equal(deliver_inner(0, padded, 3), 2);
	assert_int_equal(deliver_inner(1, padded, sizeof(padded)), 2);
	assert_int_equal(deliver_inner(2, nothing, sizeof(nothing)), 0);
}

static void other_content_types_and_none_are_refused(void **state)
{
	static const uint8_t zeros[12];
	struct cmt_record_rx before = rx;

	(void)state;
	for (unsigned type = 0; type < 256; type++) {
		const uint8_t inner[] = {23, (uint8_t)type, 0};

		if (type != 0 && type != 23)
			assert_int_equal(deliver_inner(type, inner, sizeof(inner)), CMT_RECORD_MALFORMED);
	}
	assert_int_equal(deliver_inner(0, zeros, sizeof(zeros)), CMT_RECORD_MALFORMED);
	assert_int_equal(rx.malformed, 255);
	assert_true(same_state(&rx, &before));
}

static void a_record_is_taken_once(void **state)
{
	(void)state;
	for (uint64_t seq = 0; seq < 200; seq += 3)
		assert_delivered(seq);
	for (uint64_t seq = 0; seq < 200; seq++) {
		if (seq % 3 == 0)
			assert_int_equal(deliver(seq), CMT_RECORD_REPLAYED);
		else
			assert_delivered(seq);
	}
	assert_int_equal(rx.replayed, 67);
	assert_int_equal(rx.opened, 200);
}

static void a_path_may_be_behind_by_the_whole_window_and_no_more(void **state)
{
	static const uint32_t windows[] = {CMT_RECORD_WINDOW_MIN, 65, 1000, CMT_RECORD_WINDOW_MAX - 1};

	(void)state;
	for (unsigned i = 0; i < sizeof(windows) / sizeof(windows[0]); i++) {
		begin_with(&toy_aead, 3);
		assert_int_equal(cmt_record_rx_window(&rx, windows[i]), 0);
		assert_delivered(50000);
		assert_int_equal(deliver(50001 - windows[i] - 1), CMT_RECORD_REPLAYED);
		assert_delivered(50001 - windows[i]);
		assert_int_equal(deliver(50001 - windows[i]), CMT_RECORD_REPLAYED);
	}
	/* Of the largest, older numbers look like later ones. */
	begin_with(&toy_aead, 3);
	assert_delivered(50000);
	assert_delivered(50001 - CMT_RECORD_WINDOW_MAX);
	assert_int_equal(deliver(50000 - CMT_RECORD_WINDOW_MAX), CMT_RECORD_FORGED);
}

static void a_window_that_grows_again_knows_what_it_saw(void **state)
{
	(void)state;
	assert_delivered(100);
	assert_delivered(300);
	assert_int_equal(cmt_record_rx_window(&rx, 64), 0);
	assert_int_equal(deliver(101), CMT_RECORD_REPLAYED);
	assert_int_equal(cmt_record_rx_window(&rx, 300), 0);
	assert_delivered(101);
	assert_int_equal(deliver(100), CMT_RECORD_REPLAYED);
	assert_int_equal(cmt_record_rx_window(&rx, 63), -EINVAL);
	assert_int_equal(cmt_record_rx_window(&rx, 32769), -EINVAL);
	assert_int_equal(cmt_record_rx_window(&rx, 0), -EINVAL);
	assert_int_equal(rx.window_records, 300);
}

static void the_first_records_may_be_lost(void **state)
{
	(void)state;
	assert_delivered(32767);
	assert_delivered(0);
	begin_with(&toy_aead, 3);
	assert_delivered(65535);
	assert_int_equal(deliver(65535), CMT_RECORD_REPLAYED);
}

static void after_a_loss_of_32767_records_the_next_one_is_opened(void **state)
{
	(void)state;
	assert_delivered(60000);
	assert_delivered(60000 + 32768);
	/* One more, and the number is taken for an old one. */
	assert_int_equal(deliver(60000 + 32768 + 32769), CMT_RECORD_FORGED);
}

static void three_million_records_in_a_row_are_opened_over_every_wrap(void **state)
{
	uint8_t buf[SMALL];

	(void)state;
	for (unsigned i = 0; i < 3000000; i++) {
		(void)cmt_record_seal(&tx, buf, 4, SMALL);
		if (cmt_record_open(&rx, buf, SMALL) != 4)
			fail_msg("record %u", i);
	}
	assert_int_equal(rx.next_seq, 3000000);
}

/* What was seen, as a list of all numbers. */
enum { MODEL_NUMBERS = 1 << 27 };
static uint64_t model_seen[MODEL_NUMBERS / 64];

static int model(uint64_t next_seq, uint32_t window, uint64_t seq)
{
	if (seq + 32768 < next_seq || seq > next_seq + (next_seq < 32768 ? 65535 - next_seq : 32767))
		return CMT_RECORD_FORGED;
	if (seq + window < next_seq || (model_seen[seq / 64] >> (seq % 64) & 1) != 0)
		return CMT_RECORD_REPLAYED;
	return SMALL - CMT_RECORD_OVERHEAD_BYTES;
}

static void the_window_agrees_with_a_list_of_all_numbers_over_a_million_random_ones(void **state)
{
	uint64_t seed = 11, next_seq = 0;
	uint32_t window = CMT_RECORD_WINDOW_MAX;

	(void)state;
	print_message("seed %llu\n", (unsigned long long)seed);
	memset(model_seen, 0, sizeof(model_seen));
	for (unsigned i = 0; i < 1000000; i++) {
		const uint64_t number = cmt_random_take(&seed);
		/* A few ahead, a burst behind, as far as the window and a little beyond; seldom a large gap.
		 */
		const uint64_t back = (number >> 16) % (number % 8 == 0 ? 33000 : 200);
		const uint64_t ahead = (number >> 32) % (number % 500 == 1 ? 33000 : 20);
		const uint64_t top = next_seq + ahead, seq = number % 3 == 0 || back > top ? top : top - back;
		const int expected = model(next_seq, window, seq), got = deliver(seq);

		if (got != expected)
			fail_msg("draw %u: number %llu, next %llu, window %u: %d instead of %d", i,
			         (unsigned long long)seq, (unsigned long long)next_seq, window, got,
			         expected);
		if (got >= 0) {
			model_seen[seq / 64] |= UINT64_C(1) << (seq % 64);
			next_seq = seq >= next_seq ? seq + 1 : next_seq;
		}
		assert_int_equal(rx.next_seq, next_seq);
		if (number >> 40 == 0 || i % 5000 == 0) {
			window = 64 + (uint32_t)(number >> 20) % 32705;
			assert_int_equal(cmt_record_rx_window(&rx, window), 0);
		}
	}
	assert_true(next_seq > 1000000 && next_seq < MODEL_NUMBERS);
	assert_true(rx.opened > 100000 && rx.replayed > 100000 && rx.forged > 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(a_record_is_three_bytes_longer_in_front_and_seventeen_behind, begin),
	    cmocka_unit_test_setup(only_one_form_of_the_first_byte_begins_a_record, begin),
	    cmocka_unit_test_setup(the_header_before_its_number_is_hidden_is_authenticated, begin),
	    cmocka_unit_test_setup(the_nonce_is_the_iv_with_the_whole_number_in_its_last_eight_bytes, begin),
	    cmocka_unit_test_setup(numbers_begin_at_0_and_none_comes_twice, begin),
	    cmocka_unit_test_setup(content_of_every_length_comes_back, begin),
	    cmocka_unit_test_setup(content_without_room_or_beyond_16_kib_is_refused_and_nothing_changes,
	                           begin),
	    cmocka_unit_test_setup(a_key_makes_as_many_records_as_its_suite_allows, begin),
	    cmocka_unit_test_setup(a_number_whose_record_could_not_be_made_is_not_used_again, begin),
	    cmocka_unit_test_setup(a_record_with_any_bit_flipped_is_refused_and_changes_nothing, begin),
	    cmocka_unit_test_setup(a_record_cut_or_continued_is_refused_and_changes_nothing, begin),
	    cmocka_unit_test_setup(a_record_longer_than_any_is_refused_unread, begin),
	    cmocka_unit_test_setup(a_record_of_another_epoch_is_not_opened, begin),
	    cmocka_unit_test_setup(after_as_many_forgeries_as_a_suite_allows_nothing_is_opened, begin),
	    cmocka_unit_test_setup(padding_behind_the_content_type_is_taken_off, begin),
	    cmocka_unit_test_setup(other_content_types_and_none_are_refused, begin),
	    cmocka_unit_test_setup(a_record_is_taken_once, begin),
	    cmocka_unit_test_setup(a_path_may_be_behind_by_the_whole_window_and_no_more, begin),
	    cmocka_unit_test_setup(a_window_that_grows_again_knows_what_it_saw, begin),
	    cmocka_unit_test_setup(the_first_records_may_be_lost, begin),
	    cmocka_unit_test_setup(after_a_loss_of_32767_records_the_next_one_is_opened, begin),
	    cmocka_unit_test_setup(three_million_records_in_a_row_are_opened_over_every_wrap, begin),
	    cmocka_unit_test_setup(the_window_agrees_with_a_list_of_all_numbers_over_a_million_random_ones,
	                           begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
