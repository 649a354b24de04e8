/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the lab finds in packets that are one DTLS chunk, with the keys as the stack tells them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "crypto/cmt_record.h"
#include "measure/opener.h"
#include "wire/cmt_chunk_types.h"

enum { TAG = 0x01020304, HEADER_BYTES = 12, HEAD_BYTES = 5, PACKET_MAX = 400 };

/* A key of which every byte is `byte`, as a line. */
#define HEX16(byte) byte byte byte byte byte byte byte byte byte byte byte byte byte byte byte byte
#define HEX12(byte) byte byte byte byte byte byte byte byte byte byte byte byte
#define KEYS(tag, epoch, byte)                                                                               \
	"SCTP_DTLS " tag " 0 " epoch " 1301 " HEX16(byte) " " HEX12(byte) " " HEX16(byte)

static struct lab_opener opener;
static struct lab_data_chunk found[8];
static unsigned n_found;

static int begin(void **state)
{
	(void)state;
	lab_opener_start(&opener, NULL);
	n_found = 0;
	return 0;
}

static int end(void **state)
{
	(void)state;
	lab_opener_stop(&opener);
	return 0;
}

static void note(void *arg, const struct lab_data_chunk *chunk)
{
	(void)arg;
	assert_true(n_found < 8);
	found[n_found++] = *chunk;
}

/* The first record that the sender makes of `content` with a key of such bytes. */
static size_t sealed(uint8_t *packet, uint32_t tag, uint64_t epoch, uint8_t key_byte, const uint8_t *content,
                     size_t content_bytes)
{
	const struct cmt_aead *aead = cmt_aead_find(0x1301);
	uint8_t key[CMT_AEAD_KEY_MAX];
	struct cmt_record_tx tx;
	size_t chunk_bytes;

	memset(key, key_byte, sizeof(key));
	cmt_record_tx_init(&tx, aead, aead->new (key, key, CMT_AEAD_SEALS), key, epoch);
	memset(packet, 0, PACKET_MAX);
	for (int i = 0; i < 4; i++) {
		packet[4 + i] = (uint8_t)(tag >> (24 - 8 * i));
	}
	memcpy(packet + HEADER_BYTES + HEAD_BYTES + CMT_RECORD_HEADER_BYTES, content, content_bytes);
	chunk_bytes = HEAD_BYTES + (size_t)cmt_record_seal(&tx, packet + HEADER_BYTES + HEAD_BYTES,
	                                                   (uint32_t)content_bytes, 300);
	packet[HEADER_BYTES] = CHUNK_DTLS;
	packet[HEADER_BYTES + 3] = (uint8_t)chunk_bytes;
	aead->free(tx.ctx);
	return HEADER_BYTES + ((chunk_bytes + 3) & ~(size_t)3);
}

/* A time stamp, and two DATA chunks of TSN 7 with 4 bytes and TSN 8 with 1. */
/* clang-format off */
static const uint8_t content[] = {
    CHUNK_TIMESTAMP, 0, 0, 8,  0, 0, 0, 0,
    CHUNK_DATA, 3, 0, 20,  0, 0, 0, 7,  0, 0, 0, 0,  0, 0, 0, 0,  'a', 'b', 'c', 'd',
    CHUNK_DATA, 3, 0, 17,  0, 0, 0, 8,  0, 0, 0, 0,  0, 0, 0, 0,  'e', 0, 0, 0,
};
/* clang-format on */

static bool is_without_aeads(void)
{
	return cmt_aead_find(0x1301) == NULL;
}

static void what_is_in_a_packet_is_known_until_another_takes_its_place(void **state)
{
	uint8_t packet[PACKET_MAX];
	size_t len;

	(void)state;
	if (is_without_aeads())
		skip();
	len = sealed(packet, TAG, 3, 0x11, content, sizeof(content));
	assert_int_equal(lab_packet_data(packet, len, note, NULL), 0);
	lab_opener_key(&opener, KEYS("01020304", "3", "11"));
	lab_opener_sent(&opener, 5, packet, len);
	for (int copies = 0; copies < 2; copies++) {
		n_found = 0;
		assert_int_equal(lab_opener_data(&opener, 5, note, NULL), 2);
		assert_int_equal(n_found, 2);
		assert_int_equal(found[0].tsn, 7);
		assert_int_equal(found[0].payload_bytes, 4);
		assert_int_equal(found[1].tsn, 8);
		assert_int_equal(found[1].payload_bytes, 1);
		assert_true(lab_opener_has_timestamp(&opener, 5));
	}
	assert_int_equal(lab_opener_data(&opener, 6, note, NULL), 0);
	assert_int_equal(lab_opener_data(&opener, 5 + LAB_OPENED_PKTS, note, NULL), 0);
	assert_false(lab_opener_has_timestamp(&opener, 5 + LAB_OPENED_PKTS));
	lab_opener_sent(&opener, 5 + LAB_OPENED_PKTS, content, sizeof(content));
	assert_int_equal(lab_opener_data(&opener, 5, note, NULL), 0);
	assert_int_equal(lab_opener_data(&opener, 5 + LAB_OPENED_PKTS, note, NULL), 0);
	assert_false(lab_opener_has_timestamp(&opener, 5 + LAB_OPENED_PKTS));
}

static void keys_are_found_by_tag_and_epoch(void **state)
{
	static const struct {
		uint32_t tag;
		uint64_t epoch;
		uint8_t key_byte;
		unsigned chunks;
	} cases[] = {
	    {TAG, 3, 0x11, 2},        {TAG, 4, 0x22, 2}, {TAG, 4, 0x11, 0},  {0x0a0b0c0d, 3, 0x33, 2},
	    {0x0a0b0c0d, 3, 0x11, 0}, {TAG, 5, 0x11, 0}, {0x99, 3, 0x11, 0},
	};
	uint8_t packet[PACKET_MAX];

	(void)state;
	if (is_without_aeads())
		skip();
	lab_opener_key(&opener, KEYS("01020304", "3", "11"));
	lab_opener_key(&opener, KEYS("01020304", "4", "22"));
	lab_opener_key(&opener, KEYS("0a0b0c0d", "3", "33"));
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t len =
		    sealed(packet, cases[i].tag, cases[i].epoch, cases[i].key_byte, content, sizeof(content));

		lab_opener_sent(&opener, i + 1, packet, len);
		n_found = 0;
		assert_int_equal(lab_opener_data(&opener, i + 1, note, NULL), cases[i].chunks);
	}
}

static void nothing_is_found_in_what_was_cut_or_altered(void **state)
{
	uint8_t packet[PACKET_MAX];
	size_t len;

	(void)state;
	if (is_without_aeads())
		skip();
	lab_opener_key(&opener, KEYS("01020304", "3", "11"));
	len = sealed(packet, TAG, 3, 0x11, content, sizeof(content));
	for (size_t cut = 0; cut < len - 3; cut++) {
		lab_opener_sent(&opener, 1, packet, cut);
		assert_int_equal(lab_opener_data(&opener, 1, note, NULL), 0);
	}
	for (uint8_t chunk_bytes = 0; chunk_bytes < HEAD_BYTES + CMT_RECORD_OVERHEAD_BYTES; chunk_bytes++) {
		packet[HEADER_BYTES + 3] = chunk_bytes;
		lab_opener_sent(&opener, 1, packet, len);
		assert_int_equal(lab_opener_data(&opener, 1, note, NULL), 0);
	}
	len = sealed(packet, TAG, 3, 0x11, content, sizeof(content));
	packet[len - 5] ^= 1;
	lab_opener_sent(&opener, 1, packet, len);
	assert_int_equal(lab_opener_data(&opener, 1, note, NULL), 0);
}

static void a_key_becomes_one_line_of_the_log(void **state)
{
	static const char line[] = KEYS("01020304", "3", "11") "\n",
	                  other[] = KEYS("01020305", "3", "11") "\n";
	char text[600] = "";
	FILE *log = tmpfile();

	(void)state;
	assert_non_null(log);
	if (is_without_aeads()) {
		fclose(log);
		skip();
	}
	opener.key_log = log;
	lab_opener_key(&opener, KEYS("01020304", "3", "11"));
	lab_opener_key(&opener, KEYS("01020304", "3", "11"));
	lab_opener_key(&opener, KEYS("01020305", "3", "11"));
	lab_opener_key(&opener, "SCTP_DTLS 01020304 0 three 1301 11 11 11");
	lab_opener_key(&opener, "");
	rewind(log);
	assert_int_equal(fread(text, 1, sizeof(text), log), strlen(line) + strlen(other));
	assert_memory_equal(text, line, strlen(line));
	assert_memory_equal(text + strlen(line), other, strlen(other));
	fclose(log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(what_is_in_a_packet_is_known_until_another_takes_its_place, begin,
	                                    end),
	    cmocka_unit_test_setup_teardown(keys_are_found_by_tag_and_epoch, begin, end),
	    cmocka_unit_test_setup_teardown(nothing_is_found_in_what_was_cut_or_altered, begin, end),
	    cmocka_unit_test_setup_teardown(a_key_becomes_one_line_of_the_log, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
