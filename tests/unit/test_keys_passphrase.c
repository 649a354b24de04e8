/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Handshakes with a passphrase: with the same at both ends, and with nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "keys/ends.h"

/* Deriving a key is slow on purpose. */
static struct usrsctp_cmt_keys *right, *right_again, *wrong, *none;

static int make(void **state)
{
	(void)state;
	right = keys_of((struct usrsctp_cmt_keys_config){.passphrase = "correct horse"});
	right_again = keys_of((struct usrsctp_cmt_keys_config){.passphrase = "correct horse"});
	wrong = keys_of((struct usrsctp_cmt_keys_config){.passphrase = "correct horsf"});
	none = keys_of((struct usrsctp_cmt_keys_config){.size = 0});
	return 0;
}

static int unmake(void **state)
{
	(void)state;
	usrsctp_cmt_keys_free(right);
	usrsctp_cmt_keys_free(right_again);
	usrsctp_cmt_keys_free(wrong);
	usrsctp_cmt_keys_free(none);
	return 0;
}

static void one_passphrase_gives_keys_and_no_certificate(void **state)
{
	static const uint8_t zeros[USRSCTP_CMT_FINGERPRINT_BYTES];
	uint8_t own[USRSCTP_CMT_FINGERPRINT_BYTES];
	struct ends e;

	(void)state;
	ends_begin(&e, right, right_again);
	ends_run(&e);
	assert_agreed(&e);
	for (int i = CLIENT; i < BOTH; i++) {
		struct usrsctp_cmt_peer peer = {.size = sizeof(peer)};

		assert_int_equal(0, usrsctp_cmt_handshake_peer(e.hs[i], &peer));
		assert_true(peer.passphrase);
		assert_false(peer.chain);
		assert_memory_equal(zeros, peer.fingerprint, sizeof(zeros));
		assert_string_equal("", peer.name);
		assert_string_equal("TLS_AES_128_GCM_SHA256", peer.suite);
	}
	usrsctp_cmt_keys_fingerprint(right, own);
	assert_memory_equal(zeros, own, sizeof(zeros));
	ends_free(&e);
}

static void another_passphrase_is_refused_at_both_ends(void **state)
{
	struct ends e;

	(void)state;
	ends_begin(&e, wrong, right);
	ends_run(&e);
	assert_refused(&e, "the peer's passphrase is another than ours: give both ends the same (alert: ",
	               "the peer's passphrase is another than ours: give both ends the same");
	ends_free(&e);
}

static void a_passphrase_at_one_end_is_refused_at_both(void **state)
{
	struct ends e;

	(void)state;
	ends_begin(&e, right, none);
	ends_run(&e);
	assert_refused(&e, "the peer has no passphrase, and we have one",
	               "the peer has a passphrase, and we have none");
	ends_free(&e);
	ends_begin(&e, none, right);
	ends_run(&e);
	assert_refused(&e, "the peer has a passphrase, and we have none",
	               "the peer has no passphrase, and we have one");
	ends_free(&e);
}

static void suites_of_another_hash_are_left_out(void **state)
{
	struct usrsctp_cmt_keys *chacha = keys_of((struct usrsctp_cmt_keys_config){
	    .passphrase = "correct horse", .suites = "TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"});
	struct usrsctp_cmt_peer peer = {.size = sizeof(peer)};
	struct usrsctp_cmt_keys_config config = {
	    .size = sizeof(config), .passphrase = "correct horse", .suites = "TLS_AES_256_GCM_SHA384"};
	char error[USRSCTP_CMT_REASON_BYTES];
	struct ends e;

	(void)state;
	ends_begin(&e, right, chacha);
	ends_run(&e);
	assert_agreed(&e);
	assert_int_equal(0, usrsctp_cmt_handshake_peer(e.hs[CLIENT], &peer));
	assert_string_equal("TLS_CHACHA20_POLY1305_SHA256", peer.suite);
	ends_free(&e);
	usrsctp_cmt_keys_free(chacha);
	assert_null(usrsctp_cmt_keys_new(&config, error, sizeof(error)));
	assert_non_null(strstr(error, "with a passphrase it takes one of those that end in _SHA256"));
}

static bool refuse(const struct usrsctp_cmt_peer *peer, void *arg, char *reason, size_t bytes)
{
	*(int *)arg += peer->passphrase ? 1 : 100;
	snprintf(reason, bytes, "not today");
	return false;
}

static void the_application_has_the_last_word(void **state)
{
	int asked = 0;
	struct usrsctp_cmt_keys *picky = keys_of((struct usrsctp_cmt_keys_config){
	    .passphrase = "correct horse", .verify = refuse, .verify_arg = &asked});
	struct message m;
	struct ends e;

	(void)state;
	ends_begin(&e, picky, right);
	ends_run(&e);
	assert_int_equal(USRSCTP_CMT_HANDSHAKE_FAILED, usrsctp_cmt_handshake_state(e.hs[CLIENT]));
	assert_string_equal("not today", usrsctp_cmt_handshake_reason(e.hs[CLIENT]));
	/* Nothing has told the server that it was taken. */
	assert_int_equal(USRSCTP_CMT_HANDSHAKE_KEYS, usrsctp_cmt_handshake_state(e.hs[SERVER]));
	ends_free(&e);
	ends_begin(&e, right, picky);
	ends_run(&e);
	assert_int_equal(USRSCTP_CMT_HANDSHAKE_FAILED, usrsctp_cmt_handshake_state(e.hs[SERVER]));
	end_says(e.hs[SERVER], &m);
	assert_int_equal(0, m.n);
	assert_int_equal(2, asked);
	ends_free(&e);
	usrsctp_cmt_keys_free(picky);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(one_passphrase_gives_keys_and_no_certificate),
	    cmocka_unit_test(another_passphrase_is_refused_at_both_ends),
	    cmocka_unit_test(a_passphrase_at_one_end_is_refused_at_both),
	    cmocka_unit_test(suites_of_another_hash_are_left_out),
	    cmocka_unit_test(the_application_has_the_last_word),
	};
	return cmocka_run_group_tests(tests, make, unmake);
}
