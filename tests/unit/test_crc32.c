/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_crc32.c - stack/seams/crc32.c alone: upstream's headers, none of its code.
 *
 * Compile with the stack's definitions and include path; link crc32.c, ISA-L and cmocka. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <netinet/sctp_os.h>
#include <netinet/sctp_crc32.h>

static void assert_crc(const unsigned char *bytes, unsigned len, uint32_t expected)
{
	assert_int_equal(calculate_crc32c(0xffffffff, bytes, len) ^ 0xffffffff, expected);
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
	assert_int_equal(calculate_crc32c(0x12345678, (const unsigned char *)"", 0), 0x12345678);
}

static void the_checksum_lies_least_significant_octet_first(void **state)
{
	const uint8_t expected[4] = {0x83, 0x92, 0x06, 0xe3};
	const uint32_t checksum = sctp_finalize_crc32c(~0xe3069283u);

	(void)state;
	assert_memory_equal(&checksum, expected, 4);
}

static void a_chain_cut_anywhere_gives_the_checksum_of_its_packet(void **state)
{
	char bytes[40];
	uint32_t expected;

	(void)state;
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)(i * 7 + 1);
	expected = sctp_finalize_crc32c(calculate_crc32c(0xffffffff, (unsigned char *)bytes + 12, 28));
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
			assert_int_equal(sctp_calculate_cksum(&m[0], 12), expected);
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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
