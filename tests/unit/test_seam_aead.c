/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_seam_aead.c - the AEADs of the DTLS chunk on OpenSSL against published vectors, and records made with
 * them. No vectors of DTLS 1.3 records are published: those here were computed apart from this code, in
 * Python by the package `cryptography`. Everything around an AEAD: test_record.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include <openssl/err.h>

#include "crypto/cmt_record.h"

enum { VECTOR_MAX_BYTES = 160, ROOM = CMT_RECORD_CONTENT_MAX + CMT_RECORD_OVERHEAD_BYTES };

static size_t from_hex(const char *hex, uint8_t bytes[VECTOR_MAX_BYTES])
{
	size_t n = 0;

	for (; hex[2 * n] != '\0'; n++) {
		unsigned byte;

		assert_true(n < VECTOR_MAX_BYTES);
		assert_int_equal(sscanf(hex + 2 * n, "%2x", &byte), 1);
		bytes[n] = (uint8_t)byte;
	}
	return n;
}

static void the_three_suites_are_there_preferred_first(void **state)
{
	static const struct {
		uint16_t suite;
		const char *name;
		uint8_t key_bytes;
	} suites[] = {{0x1301, "TLS_AES_128_GCM_SHA256", 16},
	              {0x1302, "TLS_AES_256_GCM_SHA384", 32},
	              {0x1303, "TLS_CHACHA20_POLY1305_SHA256", 32}};

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		const struct cmt_aead *aead = cmt_aead_at(i);

		assert_int_equal(aead->suite, suites[i].suite);
		assert_string_equal(aead->name, suites[i].name);
		assert_int_equal(aead->key_bytes, suites[i].key_bytes);
		assert_int_equal(aead->sn_key_bytes, suites[i].key_bytes);
		assert_int_equal(aead->iv_bytes, 12);
		assert_int_equal(aead->record_limit, 1 << 23);
		assert_int_equal(aead->failure_limit, UINT64_C(1) << 36);
		assert_ptr_equal(cmt_aead_find(suites[i].suite), aead);
	}
	assert_null(cmt_aead_at(3));
	assert_null(cmt_aead_find(0x1304));
	assert_null(cmt_aead_find(0));
}

/* What `sealed` is, with its tag behind. */
static void assert_seals(uint16_t suite, const char *key, const char *nonce, const char *aad,
                         const char *plain, const char *sealed)
{
	const struct cmt_aead *aead = cmt_aead_find(suite);
	uint8_t k[VECTOR_MAX_BYTES], n[VECTOR_MAX_BYTES], a[VECTOR_MAX_BYTES], data[VECTOR_MAX_BYTES];
	uint8_t p[VECTOR_MAX_BYTES], expected[VECTOR_MAX_BYTES], tag[CMT_AEAD_TAG_BYTES];
	const size_t aad_bytes = from_hex(aad, a), bytes = from_hex(plain, p);
	struct cmt_aead_ctx *seals, *opens;

	assert_int_equal(from_hex(key, k), aead->key_bytes);
	assert_int_equal(from_hex(nonce, n), CMT_AEAD_NONCE_BYTES);
	assert_int_equal(from_hex(sealed, expected), bytes + CMT_AEAD_TAG_BYTES);
	seals = aead->new (k, k, CMT_AEAD_SEALS);
	opens = aead->new (k, k, CMT_AEAD_OPENS);
	assert_non_null(seals);
	assert_non_null(opens);
	/* Twice: the first must leave nothing behind. */
	for (unsigned i = 0; i < 2; i++) {
		memcpy(data, p, bytes);
		assert_true(aead->seal(seals, n, a, aad_bytes, data, bytes, tag));
		assert_memory_equal(data, expected, bytes);
		assert_memory_equal(tag, expected + bytes, sizeof(tag));
		assert_true(aead->open(opens, n, a, aad_bytes, data, bytes, tag));
		assert_memory_equal(data, p, bytes);
	}
	aead->free(seals);
	aead->free(opens);
}

static void aes_gcm_has_the_vectors_of_its_authors_and_of_rfc_9001(void **state)
{
	/* McGrew, Viega: The Galois/Counter Mode of Operation, test cases 4 and 16. */
	static const char *plain = "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
	                           "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39";
	static const char *nonce = "cafebabefacedbaddecaf888",
	                  *aad = "feedfacedeadbeeffeedfacedeadbeefabaddad2";

	(void)state;
	assert_seals(0x1301, "feffe9928665731c6d6a8f9467308308", nonce, aad, plain,
	             "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
	             "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091"
	             "5bc94fbc3221a5db94fae95ae7121a47");
	assert_seals(0x1302, "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308", nonce, aad,
	             plain,
	             "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
	             "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
	             "76fc6ece0f4e1768cddf8853bb2d551b");
	/* Appendix A.4: a tag alone. */
	assert_seals(0x1301, "be0c690b9f66575a1d766b54e368c84e", "461599d35d632bf2239825bb",
	             "088394c8f03e515708ff000000010008f067a5502a4262b5746f6b656e", "",
	             "04a265ba2eff4d829058fb3f0f2496ba");
}

static void chacha20_poly1305_has_the_vectors_of_rfc_8439_and_of_rfc_9001(void **state)
{
	(void)state;
	/* Section 2.8.2: "Ladies and Gentlemen of the class of '99 ..." */
	assert_seals(
	    0x1303, "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f",
	    "070000004041424344454647", "50515253c0c1c2c3c4c5c6c7",
	    "4c616469657320616e642047656e746c656d656e206f662074686520636c617373206f66202739393a2049662049"
	    "20636f756c64206f6666657220796f75206f6e6c79206f6e652074697020666f7220746865206675747572652c20"
	    "73756e73637265656e20776f756c642062652069742e",
	    "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92"
	    "728b1a71de0a9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b"
	    "4831d7bc3ff4def08e4b7a9de576d26586cec64b61161ae10b594f09e26a7e902ecbd0600691");
	/* Appendix A.5 */
	assert_seals(0x1303, "c6d98ff3441c3fe1b2182094f69caa2ed4b716b65488960a7a984979fb23e1c8",
	             "e0459b3474bdd0e46d417eb0", "4200bff4", "01", "655e5cd55c41f69080575d7999c25a5bfb");
}

static void assert_mask(uint16_t suite, const char *sn_key, const char *sample, const char *mask)
{
	const struct cmt_aead *aead = cmt_aead_find(suite);
	uint8_t k[VECTOR_MAX_BYTES], s[VECTOR_MAX_BYTES], expected[VECTOR_MAX_BYTES],
	    key[CMT_AEAD_KEY_MAX] = {0};

	assert_int_equal(from_hex(sn_key, k), aead->sn_key_bytes);
	assert_int_equal(from_hex(sample, s), CMT_AEAD_SAMPLE_BYTES);
	assert_int_equal(from_hex(mask, expected), CMT_AEAD_MASK_BYTES);
	for (int direction = CMT_AEAD_OPENS; direction <= CMT_AEAD_SEALS; direction++) {
		struct cmt_aead_ctx *ctx = aead->new (key, k, (enum cmt_aead_direction)direction);

		assert_non_null(ctx);
		for (unsigned i = 0; i < 2; i++) {
			uint8_t got[CMT_AEAD_MASK_BYTES] = {0};

			assert_true(aead->mask(ctx, s, got));
			assert_memory_equal(got, expected, sizeof(got));
		}
		aead->free(ctx);
	}
}

static void masks_are_those_of_rfc_9001(void **state)
{
	(void)state;
	/* Appendix A.2, A.3, A.5; AES-256: FIPS 197, appendix C.3 */
	assert_mask(0x1301, "9f50449e04a0e810283a1e9933adedd2", "d1b1c98dd7689fb8ec11d242b123dc9b",
	            "437b9aec36");
	assert_mask(0x1301, "c206b8d9b9f0f37644430b490eeaa314", "2cd0991cd25b0aac406a5816b6394100",
	            "2ec0d8356a");
	assert_mask(0x1302, "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
	            "00112233445566778899aabbccddeeff", "8ea2b7ca51");
	assert_mask(0x1303, "25a282b9e82f06f21f488917a4fc8f1b73573685608597d0efcb076b0ab7a7a4",
	            "5e5cd55c41f69080575d7999c25a5bfb", "aefefe7d03");
}

/* Both ends of an epoch. Bytes of the keys count up from 0x00 and 0x80, those of the IV from 0x40. */
static struct cmt_record_tx tx;
static struct cmt_record_rx rx;

static void begin(const struct cmt_aead *aead, uint64_t epoch)
{
	uint8_t key[CMT_AEAD_KEY_MAX], sn_key[CMT_AEAD_KEY_MAX], iv[CMT_AEAD_NONCE_BYTES];

	for (unsigned i = 0; i < CMT_AEAD_KEY_MAX; i++) {
		key[i] = (uint8_t)i;
		sn_key[i] = (uint8_t)(0x80 + i);
		iv[i % CMT_AEAD_NONCE_BYTES] = (uint8_t)(0x40 + i % CMT_AEAD_NONCE_BYTES);
	}
	cmt_record_tx_init(&tx, aead, aead->new (key, sn_key, CMT_AEAD_SEALS), iv, epoch);
	cmt_record_rx_init(&rx, aead, aead->new (key, sn_key, CMT_AEAD_OPENS), iv, epoch);
	assert_non_null(tx.ctx);
	assert_non_null(rx.ctx);
}

static void end(void)
{
	tx.aead->free(tx.ctx);
	rx.aead->free(rx.ctx);
}

static void assert_record(uint16_t suite, uint64_t epoch, uint64_t seq, const char *content,
                          const char *record)
{
	uint8_t c[VECTOR_MAX_BYTES], expected[VECTOR_MAX_BYTES], buf[VECTOR_MAX_BYTES];
	const size_t content_bytes = from_hex(content, c), bytes = from_hex(record, expected);

	begin(cmt_aead_find(suite), epoch);
	tx.next_seq = rx.next_seq = seq;
	memcpy(buf + CMT_RECORD_HEADER_BYTES, c, content_bytes);
	assert_int_equal(cmt_record_seal(&tx, buf, (uint32_t)content_bytes, sizeof(buf)), bytes);
	assert_memory_equal(buf, expected, bytes);
	assert_int_equal(cmt_record_open(&rx, buf, (uint32_t)bytes), content_bytes);
	assert_memory_equal(buf + CMT_RECORD_HEADER_BYTES, c, content_bytes);
	end();
}

static void records_are_what_another_implementation_makes(void **state)
{
	static const char *forty =
	    "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f2021222324252627";

	(void)state;
	assert_record(0x1301, 3, 0, "53435450", "2b3d646a6a3d9a7a196a4fa2395543ee9adfe76f67443a66");
	assert_record(0x1301, 4, 0x12345, "", "28fcd8f15e1685ab745304b8f02b686943a1ea1c");
	assert_record(
	    0x1301, 6, 0x7fffff, forty,
	    "2aa8cb53673660927ba83ce4da7ea6ad8c83a604a7354e254099ddba8fc834e023798d3610a3166d1c4829ca4492"
	    "347c5c09316fbd40eb36700ebc43");
	assert_record(0x1302, 3, 0, "53435450", "2b40b6b1fafa7331b38c6723f2f807b37fc8f435bd427eda");
	assert_record(0x1302, 4, 0x12345, "", "2833d93a2007f1fb294bbf57cf76b8cc8be70862");
	assert_record(
	    0x1302, 6, 0x7fffff, forty,
	    "2a5c532d065bebeb600658c81acc6d1e9c79bef5dae54cd09ade46078e545180412b96151dbd373319898b47e1f5"
	    "ee7def5513b3305b281e5cf5e66b");
	assert_record(0x1303, 3, 0, "53435450", "2bb0fcab1728d1653c4fba6dd6bb89746327f349dc9b221f");
	assert_record(0x1303, 4, 0x12345, "", "280cf792884e96d036ab0b77c49bbbaeb8408049");
	assert_record(
	    0x1303, 6, 0x7fffff, forty,
	    "2a4a96992e374cc23be9a7901ce18fdd32c3b7b43441ee7c9774a3e913df7ba90b98012ab96bc2627cac10702ecb"
	    "eff0be81eb23e4c958a99f0416ee");
}

static void content_of_every_length_comes_back_under_every_suite(void **state)
{
	static uint8_t buf[ROOM + 1], content[CMT_RECORD_CONTENT_MAX];

	(void)state;
	for (uint32_t i = 0; i < sizeof(content); i++)
		content[i] = (uint8_t)(i * 7);
	for (unsigned i = 0; cmt_aead_at(i) != NULL; i++) {
		begin(cmt_aead_at(i), 3);
		for (uint32_t n = 0; n <= CMT_RECORD_CONTENT_MAX; n += n < 1600 || n > 16370 ? 1 : 61) {
			const uint32_t bytes = n + CMT_RECORD_OVERHEAD_BYTES;

			memcpy(buf + CMT_RECORD_HEADER_BYTES, content, n);
			buf[bytes] = 0xa5;
			assert_int_equal(cmt_record_seal(&tx, buf, n, bytes), bytes);
			assert_true(n < 16 || memcmp(buf + CMT_RECORD_HEADER_BYTES, content, n) != 0);
			assert_int_equal(cmt_record_open(&rx, buf, bytes), n);
			assert_memory_equal(buf + CMT_RECORD_HEADER_BYTES, content, n);
			assert_int_equal(buf[bytes], 0xa5);
		}
		end();
	}
}

static void forged_records_are_refused_under_every_suite_and_leave_no_error_behind(void **state)
{
	enum { BYTES = 40 + CMT_RECORD_OVERHEAD_BYTES };
	uint8_t record[BYTES] = {0}, buf[BYTES];

	(void)state;
	for (unsigned i = 0; cmt_aead_at(i) != NULL; i++) {
		begin(cmt_aead_at(i), 3);
		assert_int_equal(cmt_record_seal(&tx, record, 40, BYTES), BYTES);
		for (unsigned bit = 8; bit < 8 * BYTES; bit++) {
			memcpy(buf, record, BYTES);
			buf[bit / 8] ^= (uint8_t)(1u << (bit % 8));
			assert_int_equal(cmt_record_open(&rx, buf, BYTES), CMT_RECORD_FORGED);
		}
		for (uint32_t bytes = CMT_RECORD_OVERHEAD_BYTES; bytes < BYTES; bytes++) {
			memcpy(buf, record, BYTES);
			assert_int_equal(cmt_record_open(&rx, buf, bytes), CMT_RECORD_FORGED);
		}
		/* Whoever uses TLS in the same thread would take it for an error of its own. */
		assert_int_equal(ERR_peek_error(), 0);
		assert_int_equal(rx.next_seq, 0);
		assert_int_equal(cmt_record_open(&rx, record, BYTES), 40);
		end();
	}
}

static void every_key_counts(void **state)
{
	uint8_t other[CMT_AEAD_KEY_MAX] = {1}, buf[CMT_RECORD_OVERHEAD_BYTES];

	(void)state;
	for (unsigned i = 0; cmt_aead_at(i) != NULL; i++) {
		const struct cmt_aead *aead = cmt_aead_at(i);
		struct cmt_aead_ctx *mine;

		begin(aead, 3);
		mine = rx.ctx;
		rx.ctx = aead->new (other, other, CMT_AEAD_OPENS);
		assert_int_equal(cmt_record_seal(&tx, buf, 0, sizeof(buf)), sizeof(buf));
		assert_int_equal(cmt_record_open(&rx, buf, sizeof(buf)), CMT_RECORD_FORGED);
		aead->free(rx.ctx);
		rx.ctx = mine;
		rx.iv[0] ^= 1;
		assert_int_equal(cmt_record_seal(&tx, buf, 0, sizeof(buf)), sizeof(buf));
		assert_int_equal(cmt_record_open(&rx, buf, sizeof(buf)), CMT_RECORD_FORGED);
		end();
		aead->free(NULL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_three_suites_are_there_preferred_first),
	    cmocka_unit_test(aes_gcm_has_the_vectors_of_its_authors_and_of_rfc_9001),
	    cmocka_unit_test(chacha20_poly1305_has_the_vectors_of_rfc_8439_and_of_rfc_9001),
	    cmocka_unit_test(masks_are_those_of_rfc_9001),
	    cmocka_unit_test(records_are_what_another_implementation_makes),
	    cmocka_unit_test(content_of_every_length_comes_back_under_every_suite),
	    cmocka_unit_test(forged_records_are_refused_under_every_suite_and_leave_no_error_behind),
	    cmocka_unit_test(every_key_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
