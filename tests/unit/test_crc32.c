/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_crc32.c - the checksum of packets: upstream's file, which is used without ISA-L, and
 * stack/seams/crc32.c, which takes its place with it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <netinet/sctp_os.h>
#include <netinet/sctp_crc32.h>

#include "util/cmt_random.h"

enum { BLOCKS = 2000, BLOCK_MAX_BYTES = 3000 };

uint32_t upstream_calculate_crc32c(uint32_t crc32c, const unsigned char *buffer, unsigned int length);
uint32_t upstream_finalize_crc32c(uint32_t crc32c);
uint32_t upstream_calculate_cksum(struct mbuf *m, uint32_t offset);

static const struct {
	uint32_t (*calculate)(uint32_t crc32c, const unsigned char *buffer, unsigned int length);
	uint32_t (*finalize)(uint32_t crc32c);
	uint32_t (*of_chain)(struct mbuf *m, uint32_t offset);
} sums[] = {
    {upstream_calculate_crc32c, upstream_finalize_crc32c, upstream_calculate_cksum},
#ifdef CMT_TEST_SEAM
    {calculate_crc32c, sctp_finalize_crc32c, sctp_calculate_cksum},
#endif
};

enum { N_SUMS = sizeof(sums) / sizeof(sums[0]) };

static void assert_crc(const unsigned char *bytes, unsigned len, uint32_t expected)
{
	for (unsigned s = 0; s < N_SUMS; s++)
		assert_int_equal(sums[s].calculate(0xffffffff, bytes, len) ^ 0xffffffff, expected);
}

static void the_vectors_of_rfc_3720_appendix_b_4_hold(void **state)
{
	unsigned char bytes[48];

	(void)state;
	memset(bytes, 0, 32);
	assert_crc(bytes, 32, 0x8a9136aa);
	memset(bytes, 0xff, 32);
	assert_crc(bytes, 32, 0x62a8ab43);
	for (unsigned i = 0; i < 32; i++)
		bytes[i] = (unsigned char)i;
	assert_crc(bytes, 32, 0x46dd794e);
	for (unsigned i = 0; i < 32; i++)
		bytes[i] = (unsigned char)(31 - i);
	assert_crc(bytes, 32, 0x113fdb5c);
	/* An iSCSI SCSI Read (10) command. */
	memset(bytes, 0, 48);
	bytes[0] = 0x01;
	bytes[1] = 0xc0;
	bytes[16] = 0x14;
	bytes[22] = 0x04;
	bytes[27] = 0x14;
	bytes[31] = 0x18;
	bytes[32] = 0x28;
	bytes[40] = 0x02;
	assert_crc(bytes, 48, 0xd9963a56);
	assert_crc((const unsigned char *)"123456789", 9, 0xe3069283);
}

static void an_empty_block_changes_nothing(void **state)
{
	(void)state;
	for (unsigned s = 0; s < N_SUMS; s++)
		assert_int_equal(sums[s].calculate(0x12345678, (const unsigned char *)"", 0), 0x12345678);
}

static void the_checksum_lies_least_significant_octet_first(void **state)
{
	const uint8_t expected[4] = {0x83, 0x92, 0x06, 0xe3};

	(void)state;
	for (unsigned s = 0; s < N_SUMS; s++) {
		const uint32_t checksum = sums[s].finalize(~0xe3069283u);

		assert_memory_equal(&checksum, expected, 4);
	}
}

static void a_chain_cut_anywhere_gives_the_checksum_of_its_packet(void **state)
{
	char bytes[40];
	uint32_t expected;

	(void)state;
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)(i * 7 + 1);
	expected = sums[0].finalize(sums[0].calculate(0xffffffff, (unsigned char *)bytes + 12, 28));
	for (int first = 0; first <= 40; first++) {
		for (int second = 0; first + second <= 40; second++) {
			struct mbuf m[3];

			memset(m, 0, sizeof(m));
			m[0].m_data = bytes;
			m[0].m_len = first;
			m[0].m_next = &m[1];
			m[1].m_data = bytes + first;
			m[1].m_len = second;
			m[1].m_next = &m[2];
			m[2].m_data = bytes + first + second;
			m[2].m_len = 40 - first - second;
			for (unsigned s = 0; s < N_SUMS; s++)
				assert_int_equal(sums[s].of_chain(&m[0], 12), expected);
		}
	}
}

static void a_block_cut_anywhere_has_the_sum_of_its_octets_one_by_one(void **state)
{
	static unsigned char bytes[BLOCK_MAX_BYTES];
	uint64_t seed = 1;

	(void)state;
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)cmt_random_take(&seed);
	for (int i = 0; i < BLOCKS; i++) {
		const unsigned start = (unsigned)(cmt_random_take(&seed) % BLOCK_MAX_BYTES);
		const unsigned len = (unsigned)(cmt_random_take(&seed) % (BLOCK_MAX_BYTES - start));
		const unsigned cut = len == 0 ? 0 : (unsigned)(cmt_random_take(&seed) % len);
		uint32_t expected = 0xffffffff;

		for (unsigned at = 0; at < len; at++)
			expected = sums[0].calculate(expected, bytes + start + at, 1);
		for (unsigned s = 0; s < N_SUMS; s++) {
			uint32_t sum = sums[s].calculate(0xffffffff, bytes + start, cut);

			sum = sums[s].calculate(sum, bytes + start + cut, len - cut);
			assert_int_equal(sum, expected);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_vectors_of_rfc_3720_appendix_b_4_hold),
	    cmocka_unit_test(an_empty_block_changes_nothing),
	    cmocka_unit_test(the_checksum_lies_least_significant_octet_first),
	    cmocka_unit_test(a_chain_cut_anywhere_gives_the_checksum_of_its_packet),
	    cmocka_unit_test(a_block_cut_anywhere_has_the_sum_of_its_octets_one_by_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
