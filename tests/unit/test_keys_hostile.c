/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages that should not have come: cut off, changed, repeated, garbage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "keys/alice_and_bob.h"
#include "keys/ends.h"

/* The message of a handshake that comes `at`th, 0 the client's first, and the end that is to hear it. */
static int up_to(struct ends *e, int at, struct message *m)
{
	int from = CLIENT;

	ends_begin(e, alice, bob);
	end_says(e->hs[CLIENT], m);
	for (int i = 0; i < at; i++, from = !from) {
		assert_int_not_equal(USRSCTP_CMT_HANDSHAKE_FAILED, end_hears(e->hs[!from], m));
		end_says(e->hs[!from], m);
	}
	return !from;
}

static void a_message_that_is_cut_off_anywhere_ends_nothing(void **state)
{
	(void)state;
	for (int at = 0; at < 3; at++) {
		size_t whole_bytes = SIZE_MAX;
		unsigned waiting = 0;

		for (size_t n = 0; n < whole_bytes; n++) {
			struct message m;
			struct ends e;
			const int to = up_to(&e, at, &m);
			enum usrsctp_cmt_handshake_state before = usrsctp_cmt_handshake_state(e.hs[to]),
			                                 after;

			whole_bytes = m.n;
			if (n < m.n) {
				m.n = n;
				after = end_hears(e.hs[to], &m);
				/* Between two records it could go on. */
				waiting += after == before;
				assert_true(after == before || after == USRSCTP_CMT_HANDSHAKE_FAILED);
				ends_run(&e);
				assert_false(ends_agree(&e));
			}
			ends_free(&e);
		}
		assert_true(waiting < 8);
	}
}

/* Bytes 2 and 3 are the version of the first record, which nobody looks at (RFC 8446, section 5.1). */
static void a_byte_that_was_changed_on_the_way_ends_nothing(void **state)
{
	(void)state;
	for (int at = 0; at < 3; at++) {
		size_t bytes = SIZE_MAX;

		for (size_t i = 0; i < bytes; i++) {
			struct message m;
			struct ends e;
			const int to = up_to(&e, at, &m);

			bytes = m.n;
			if (i < m.n) {
				m.bytes[i] ^= (uint8_t)(1U << i % 8);
				end_hears(e.hs[to], &m);
				ends_run(&e);
				if (i != 2 && i != 3)
					assert_false(ends_agree(&e));
			}
			ends_free(&e);
		}
	}
}

static void garbage_and_other_epochs_are_refused_with_a_reason(void **state)
{
	static const struct {
		size_t n;
		uint8_t bytes[16];
		const char
		    *words; /* of the client; a server does not take every alert in front of a ClientHello */
	} messages[] = {
	    {0, {0}, "an empty message"},
	    {1, {3}, "an empty message"},
	    {6, {4, 22, 3, 1, 0, 0}, "the peer negotiates keys of epoch 4 (modulo 256), we those of 3"},
	    {3, {3, 22, 3}, "garbage, or cut off"},
	    {7, {3, 22, 3, 1, 0, 2, 1}, "garbage, or cut off"},
	    {7, {3, 22, 3, 1, 0xff, 0xff, 1}, "garbage, or cut off"},
	    {7, {3, 99, 3, 1, 0, 1, 1}, "the TLS handshake fails: "},
	    {8, {3, 21, 3, 1, 0, 2, 2, 80}, "the peer ends the handshake (alert: internal error)"},
	    {8, {3, 21, 3, 1, 0, 2, 1, 0}, "the peer ends the handshake (alert: close notify)"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++) {
		struct message m = {.n = messages[i].n};
		struct ends e;

		memcpy(m.bytes, messages[i].bytes, sizeof(messages[i].bytes));
		ends_begin(&e, alice, bob);
		for (int to = CLIENT; to < BOTH; to++) {
			assert_int_equal(USRSCTP_CMT_HANDSHAKE_FAILED, end_hears(e.hs[to], &m));
			print_message("%s\n", usrsctp_cmt_handshake_reason(e.hs[to]));
			if (to == CLIENT)
				assert_non_null(
				    strstr(usrsctp_cmt_handshake_reason(e.hs[to]), messages[i].words));
			/* Once is enough. */
			assert_int_equal(USRSCTP_CMT_HANDSHAKE_FAILED, end_hears(e.hs[to], &m));
		}
		ends_free(&e);
	}
}

static void nothing_may_come_after_the_end(void **state)
{
	struct message last;
	struct ends e;
	const int to = up_to(&e, 2, &last);

	(void)state;
	assert_int_equal(USRSCTP_CMT_HANDSHAKE_DONE, end_hears(e.hs[to], &last));
	assert_int_equal(USRSCTP_CMT_HANDSHAKE_FAILED, end_hears(e.hs[to], &last));
	assert_int_equal(USRSCTP_CMT_HANDSHAKE_FAILED, end_hears(e.hs[!to], &last));
	ends_free(&e);
	/* Nor in the same message. */
	(void)up_to(&e, 2, &last);
	memcpy(last.bytes + last.n, "\x17\x03\x03\x00\x01z", 6);
	last.n += 6;
	assert_int_equal(USRSCTP_CMT_HANDSHAKE_FAILED, end_hears(e.hs[to], &last));
	assert_string_equal("the peer sends more than the handshake", usrsctp_cmt_handshake_reason(e.hs[to]));
	ends_free(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_message_that_is_cut_off_anywhere_ends_nothing),
	    cmocka_unit_test(a_byte_that_was_changed_on_the_way_ends_nothing),
	    cmocka_unit_test(garbage_and_other_epochs_are_refused_with_a_reason),
	    cmocka_unit_test(nothing_may_come_after_the_end),
	};
	return cmocka_run_group_tests(tests, alice_and_bob_come, alice_and_bob_go);
}
