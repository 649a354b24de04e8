/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The DTLS Key Management parameter: bytes, and what two sides agree on
 * (draft-ietf-tsvwg-sctp-dtls-chunk-04, sections 4.1 and 5.1). */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

#include "util/cmt_random.h"
#include "wire/cmt_km.h"

static const struct cmt_km client = {
    .tie_breaker = 0x01020304, .flags = CMT_KM_CLIENT, .n_methods = 2, .methods = {192, 0}};
static const struct cmt_km server = {
    .tie_breaker = 0x00000001, .flags = CMT_KM_SERVER, .n_methods = 3, .methods = {7, 0, 192}};

static void the_parameter_is_laid_out_as_in_the_draft(void **state)
{
	static const uint8_t expected[] = {0x80, 0x06, 0x00, 11, 1, 2, 3, 4, CMT_KM_CLIENT, 192, 0};
	uint8_t bytes[CMT_KM_MAX_BYTES];
	struct cmt_km back;

	(void)state;
	assert_int_equal(cmt_km_encode(&client, bytes), sizeof(expected));
	assert_memory_equal(bytes, expected, sizeof(expected));
	memset(&back, 0, sizeof(back));
	assert_int_equal(cmt_km_decode(bytes, sizeof(expected), &back), sizeof(expected));
	assert_memory_equal(&back, &client, sizeof(back));
}

static void every_length_that_does_not_fit_is_refused(void **state)
{
	uint8_t bytes[CMT_KM_MAX_BYTES + 8] = {0};
	const size_t len = cmt_km_encode(&client, bytes);
	struct cmt_km untouched, out;

	(void)state;
	/* With what lies between the fields. */
	memcpy(&untouched, &server, sizeof(untouched));
	memcpy(&out, &server, sizeof(out));
	for (size_t readable = 0; readable < len; readable++)
		assert_true(cmt_km_decode(bytes, readable, &out) < 0);
	for (unsigned own = 0; own < 0x10000; own++) {
		const bool fits = own > CMT_KM_FIXED_BYTES && own <= CMT_KM_MAX_BYTES;

		bytes[2] = (uint8_t)(own >> 8);
		bytes[3] = (uint8_t)own;
		assert_int_equal(cmt_km_decode(bytes, sizeof(bytes), &out), fits ? (int)own : -22);
		if (!fits)
			assert_memory_equal(&out, &untouched, sizeof(out));
		memcpy(&out, &server, sizeof(out));
	}
}

static void unknown_flags_are_ignored(void **state)
{
	uint8_t bytes[CMT_KM_MAX_BYTES];
	struct cmt_km out;

	(void)state;
	(void)cmt_km_encode(&client, bytes);
	bytes[8] |= 0xf8;
	assert_true(cmt_km_decode(bytes, sizeof(bytes), &out) > 0);
	assert_int_equal(out.flags, CMT_KM_CLIENT);
}

static void the_server_s_preference_decides(void **state)
{
	struct cmt_km_agreement a, b;

	(void)state;
	assert_int_equal(cmt_km_agree(&client, &server, &a), 0);
	assert_int_equal(cmt_km_agree(&server, &client, &b), 0);
	assert_int_equal(a.method, 0);
	assert_int_equal(b.method, 0);
	assert_false(a.is_server);
	assert_true(b.is_server);
}

static void who_can_be_both_takes_what_the_other_cannot(void **state)
{
	struct cmt_km both = client;
	struct cmt_km_agreement out;

	(void)state;
	both.flags = CMT_KM_CLIENT | CMT_KM_SERVER;
	assert_int_equal(cmt_km_agree(&both, &client, &out), 0);
	assert_true(out.is_server);
	assert_int_equal(cmt_km_agree(&both, &server, &out), 0);
	assert_false(out.is_server);
}

static void the_larger_tie_breaker_serves(void **state)
{
	struct cmt_km a = client, b = client;
	struct cmt_km_agreement out;

	(void)state;
	a.flags = b.flags = CMT_KM_CLIENT | CMT_KM_SERVER;
	b.tie_breaker = 0xf0000000;
	assert_int_equal(cmt_km_agree(&a, &b, &out), 0);
	assert_false(out.is_server);
	assert_int_equal(cmt_km_agree(&b, &a, &out), 0);
	assert_true(out.is_server);
	a.tie_breaker = b.tie_breaker;
	assert_int_equal(cmt_km_agree(&a, &b, &out), CMT_KM_CAUSE_TIE);
}

static void what_cannot_be_agreed_on_names_the_reason(void **state)
{
	struct cmt_km other = server;
	struct cmt_km_agreement out;

	(void)state;
	assert_int_equal(cmt_km_agree(&client, &client, &out), CMT_KM_CAUSE_ROLES);
	other.n_methods = 1;
	assert_int_equal(cmt_km_agree(&client, &other, &out), CMT_KM_CAUSE_NO_COMMON_METHOD);
	other = server;
	other.flags = CMT_KM_RESTART;
	assert_int_equal(cmt_km_agree(&client, &other, &out), CMT_KM_CAUSE_ROLES);
}

/* Otherwise each side would wait for the other's first message, or both would begin. */
static void whatever_two_sides_offer_they_come_to_the_same(void **state)
{
	uint64_t random = 1;

	(void)state;
	print_message("seed 1\n");
	for (int n = 0; n < 1000000; n++) {
		struct cmt_km_agreement a = {0}, b = {0};
		struct cmt_km side[2];
		int first, second;

		for (int i = 0; i < 2; i++) {
			const uint64_t bits = cmt_random_take(&random);

			side[i] = (struct cmt_km){.tie_breaker = (uint32_t)(bits & 3),
			                          .flags = (bits >> 2) & 7,
			                          .n_methods = (uint8_t)(1 + ((bits >> 5) & 7))};
			for (unsigned k = 0; k < side[i].n_methods; k++)
				side[i].methods[k] = (bits >> (8 + 3 * k)) & 7;
		}
		first = cmt_km_agree(&side[0], &side[1], &a);
		second = cmt_km_agree(&side[1], &side[0], &b);
		assert_int_equal(first, second);
		if (first == 0) {
			assert_int_equal(a.method, b.method);
			assert_int_equal(a.is_server, !b.is_server);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_parameter_is_laid_out_as_in_the_draft),
	    cmocka_unit_test(every_length_that_does_not_fit_is_refused),
	    cmocka_unit_test(unknown_flags_are_ignored),
	    cmocka_unit_test(the_server_s_preference_decides),
	    cmocka_unit_test(who_can_be_both_takes_what_the_other_cannot),
	    cmocka_unit_test(the_larger_tie_breaker_serves),
	    cmocka_unit_test(what_cannot_be_agreed_on_names_the_reason),
	    cmocka_unit_test(whatever_two_sides_offer_they_come_to_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
