/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One handshake: its states in order, the keys that come of it, and messages that should not have come. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/err.h>

#include "keys/ends.h"

enum { KEYS_BYTES = sizeof(struct sctp_dtls_keys) + SCTP_DTLS_KEYS_MAX };
union keys {
	struct sctp_dtls_keys keys;
	uint8_t bytes[KEYS_BYTES];
};

static struct usrsctp_cmt_keys *alice, *bob;

static int make(void **state)
{
	(void)state;
	alice = keys_of((struct usrsctp_cmt_keys_config){.size = 0});
	bob = keys_of((struct usrsctp_cmt_keys_config){.size = 0});
	return 0;
}

static int unmake(void **state)
{
	(void)state;
	usrsctp_cmt_keys_free(alice);
	usrsctp_cmt_keys_free(bob);
	return 0;
}

static ssize_t get(struct usrsctp_cmt_handshake *hs, bool send, union keys *out)
{
	memset(out, 0, sizeof(*out));
	return usrsctp_cmt_handshake_keys(hs, send, &out->keys, sizeof(*out));
}

static void the_server_has_keys_before_its_flight_and_each_ends_in_turn(void **state)
{
	struct usrsctp_cmt_peer peer = {.size = sizeof(peer)};
	union keys early, late;
	struct message m;
	struct ends e;

	(void)state;
	ends_begin(&e, alice, bob);
	end_says(e.hs[SERVER], &m);
	assert_int_equal(0, m.n);
	errno = 0;
	assert_int_equal(-1, get(e.hs[SERVER], true, &early));
	assert_int_equal(EAGAIN, errno);
	assert_int_equal(USRSCTP_CMT_HANDSHAKE_RUNNING, usrsctp_cmt_handshake_state(e.hs[CLIENT]));
	end_says(e.hs[CLIENT], &m);
	assert_int_equal(SCTP_DTLS_FIRST_EPOCH, m.bytes[0]);
	assert_int_equal(USRSCTP_CMT_HANDSHAKE_KEYS, end_hears(e.hs[SERVER], &m));
	assert_true(get(e.hs[SERVER], true, &early) > 0);
	assert_int_equal(-1, usrsctp_cmt_handshake_peer(e.hs[SERVER], &peer));
	end_says(e.hs[SERVER], &m);
	assert_int_equal(SCTP_DTLS_FIRST_EPOCH, m.bytes[0]);
	assert_int_equal(USRSCTP_CMT_HANDSHAKE_DONE, end_hears(e.hs[CLIENT], &m));
	assert_int_equal(0, usrsctp_cmt_handshake_peer(e.hs[CLIENT], &peer));
	end_says(e.hs[CLIENT], &m);
	assert_int_equal(USRSCTP_CMT_HANDSHAKE_DONE, end_hears(e.hs[SERVER], &m));
	assert_true(get(e.hs[SERVER], true, &late) > 0);
	assert_memory_equal(early.bytes, late.bytes, sizeof(early));
	assert_agreed(&e);
	for (int i = CLIENT; i < BOTH; i++) {
		end_says(e.hs[i], &m);
		assert_int_equal(0, m.n);
	}
	ends_free(&e);
}

static void a_message_that_does_not_fit_is_not_lost(void **state)
{
	struct message m, again;
	struct ends e;

	(void)state;
	ends_begin(&e, alice, bob);
	errno = 0;
	assert_int_equal(-1, usrsctp_cmt_handshake_output(e.hs[CLIENT], m.bytes, 10));
	assert_int_equal(EMSGSIZE, errno);
	end_says(e.hs[CLIENT], &m);
	assert_true(m.n > 100);
	end_says(e.hs[CLIENT], &again);
	assert_int_equal(0, again.n);
	assert_int_equal(USRSCTP_CMT_HANDSHAKE_KEYS, end_hears(e.hs[SERVER], &m));
	assert_int_equal(-1, usrsctp_cmt_handshake_keys(e.hs[SERVER], true, (void *)m.bytes, 20));
	assert_int_equal(EMSGSIZE, errno);
	ends_free(&e);
}

static void lengths_are_those_of_the_suite_and_directions_differ(void **state)
{
	static const struct {
		const char *name;
		uint8_t number[2];
		size_t key_bytes;
	} suites[] = {
	    {"TLS_AES_128_GCM_SHA256", {0x13, 0x01}, 16},
	    {"TLS_AES_256_GCM_SHA384", {0x13, 0x02}, 32},
	    {"TLS_CHACHA20_POLY1305_SHA256", {0x13, 0x03}, 32},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(suites) / sizeof(suites[0]); i++) {
		const size_t n = suites[i].key_bytes;
		struct usrsctp_cmt_keys *keys = keys_of((struct usrsctp_cmt_keys_config){.suites = suites[i].name});
		struct usrsctp_cmt_peer peer = {.size = sizeof(peer)};
		union keys send, receive;
		struct ends e;

		ends_begin(&e, alice, keys);
		ends_run(&e);
		assert_agreed(&e);
		assert_int_equal(sizeof(struct sctp_dtls_keys) + 2 * n + 12, get(e.hs[CLIENT], true, &send));
		assert_true(get(e.hs[CLIENT], false, &receive) > 0);
		assert_memory_equal(suites[i].number, send.keys.sdk_cipher_suite, 2);
		assert_int_equal(n, send.keys.sdk_key_len);
		assert_int_equal(12, send.keys.sdk_iv_len);
		assert_int_equal(n, send.keys.sdk_sn_key_len);
		assert_int_equal(SCTP_DTLS_FIRST_EPOCH, send.keys.sdk_epoch);
		assert_int_equal(0, send.keys.sdk_restart);
		assert_int_equal(0, send.keys.sdk_assoc_id);
		assert_memory_not_equal(send.keys.sdk_keys, receive.keys.sdk_keys, n);
		assert_memory_not_equal(send.keys.sdk_keys + n, receive.keys.sdk_keys + n, 12);
		assert_memory_not_equal(send.keys.sdk_keys + n + 12, receive.keys.sdk_keys + n + 12, n);
		assert_memory_not_equal(send.keys.sdk_keys, send.keys.sdk_keys + n + 12, n);
		assert_int_equal(0, usrsctp_cmt_handshake_peer(e.hs[CLIENT], &peer));
		assert_string_equal(suites[i].name, peer.suite);
		ends_free(&e);
		usrsctp_cmt_keys_free(keys);
	}
}

/* The client believes that it or its peer has sent another byte than it has. */
static bool agree_with(size_t changed, bool of_the_client)
{
	uint8_t local[sizeof(client_parameter)], peer[sizeof(server_parameter)];
	struct usrsctp_cmt_handshake_config config = {.size = sizeof(config),
	                                              .epoch = SCTP_DTLS_FIRST_EPOCH,
	                                              .local_parameter = local,
	                                              .local_bytes = sizeof(local),
	                                              .peer_parameter = peer,
	                                              .peer_bytes = sizeof(peer)};
	struct ends e;
	bool agree;

	memcpy(local, client_parameter, sizeof(local));
	memcpy(peer, server_parameter, sizeof(peer));
	if (of_the_client)
		local[changed] ^= 1;
	else
		peer[changed] ^= 1;
	e.hs[CLIENT] = usrsctp_cmt_handshake_new(alice, &config);
	e.hs[SERVER] = end_new(bob, true, SCTP_DTLS_FIRST_EPOCH);
	assert_non_null(e.hs[CLIENT]);
	ends_run(&e);
	/* TLS does not know of the parameters: what tells is that no packet can be read. */
	assert_int_equal(USRSCTP_CMT_HANDSHAKE_DONE, usrsctp_cmt_handshake_state(e.hs[CLIENT]));
	assert_int_equal(USRSCTP_CMT_HANDSHAKE_DONE, usrsctp_cmt_handshake_state(e.hs[SERVER]));
	agree = ends_agree(&e);
	ends_free(&e);
	return agree;
}

static void a_parameter_that_was_changed_on_the_way_gives_no_common_key(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(client_parameter); i++)
		assert_false(agree_with(i, true));
	for (size_t i = 0; i < sizeof(server_parameter); i++)
		assert_false(agree_with(i, false));
}

static void two_handshakes_at_once_do_not_meet(void **state)
{
	struct ends e[2];
	struct message m[2];
	union keys keys[2];

	(void)state;
	for (int i = 0; i < 2; i++)
		ends_begin(&e[i], alice, bob);
	for (int from = CLIENT, step = 0; step < 3; step++, from = !from) {
		for (int i = 0; i < 2; i++)
			end_says(e[i].hs[from], &m[i]);
		for (int i = 0; i < 2; i++)
			assert_int_not_equal(USRSCTP_CMT_HANDSHAKE_FAILED, end_hears(e[i].hs[!from], &m[i]));
	}
	for (int i = 0; i < 2; i++) {
		assert_agreed(&e[i]);
		assert_true(get(e[i].hs[CLIENT], true, &keys[i]) > 0);
	}
	assert_memory_not_equal(keys[0].keys.sdk_keys, keys[1].keys.sdk_keys, 16);
	for (int i = 0; i < 2; i++)
		ends_free(&e[i]);
	/* Crossed, none is taken. */
	for (int i = 0; i < 2; i++) {
		ends_begin(&e[i], alice, bob);
		end_says(e[i].hs[CLIENT], &m[0]);
		end_hears(e[i].hs[SERVER], &m[0]);
	}
	end_says(e[0].hs[SERVER], &m[0]);
	assert_int_equal(USRSCTP_CMT_HANDSHAKE_FAILED, end_hears(e[1].hs[CLIENT], &m[0]));
	for (int i = 0; i < 2; i++)
		ends_free(&e[i]);
}

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
			enum usrsctp_cmt_handshake_state before = usrsctp_cmt_handshake_state(e.hs[to]), after;

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
		const char *words; /* of the client; a server does not take every alert in front of a ClientHello */
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
				assert_non_null(strstr(usrsctp_cmt_handshake_reason(e.hs[to]), messages[i].words));
			/* Once is enough. */
			assert_int_equal(USRSCTP_CMT_HANDSHAKE_FAILED, end_hears(e.hs[to], &m));
		}
		ends_free(&e);
	}
}

static void only_the_low_byte_of_the_epoch_is_sent(void **state)
{
	struct ends e = {.hs = {end_new(alice, false, 0x104), end_new(bob, true, 0x104)}};
	union keys keys;
	struct message m;

	(void)state;
	end_says(e.hs[CLIENT], &m);
	assert_int_equal(4, m.bytes[0]);
	end_hears(e.hs[SERVER], &m);
	ends_run(&e);
	assert_agreed(&e);
	assert_true(get(e.hs[SERVER], false, &keys) > 0);
	assert_int_equal(0x104, keys.keys.sdk_epoch);
	ends_free(&e);
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

static void a_handshake_without_end_is_given_up(void **state)
{
	static const uint8_t head[] = {3, 22, 3, 3, 0x3f, 0xff, 1, 0, 0x60, 0};
	static struct message m;
	int messages = 0;
	struct ends e;

	(void)state;
	ends_begin(&e, alice, bob);
	memcpy(m.bytes, head, sizeof(head));
	m.n = 6 + 0x3fff;
	/* OpenSSL's own limit on a ClientHello may come first. */
	while (end_hears(e.hs[SERVER], &m) != USRSCTP_CMT_HANDSHAKE_FAILED)
		assert_true(++messages < 5);
	ends_free(&e);
	/* Many records that say nothing. */
	ends_begin(&e, alice, bob);
	memset(m.bytes, 0, sizeof(m.bytes));
	m.bytes[0] = 3;
	m.n = 1;
	while (m.n + 6 <= sizeof(m.bytes)) {
		memcpy(m.bytes + m.n, "\x14\x03\x03\x00\x01\x01", 6);
		m.n += 6;
	}
	messages = 0;
	while (end_hears(e.hs[CLIENT], &m) != USRSCTP_CMT_HANDSHAKE_FAILED)
		assert_true(++messages < 5);
	print_message("%s\n", usrsctp_cmt_handshake_reason(e.hs[CLIENT]));
	ends_free(&e);
}

static void what_makes_no_sense_is_no_handshake(void **state)
{
	const struct usrsctp_cmt_handshake_config good = {.size = sizeof(good),
	                                                  .epoch = SCTP_DTLS_FIRST_EPOCH,
	                                                  .local_parameter = client_parameter,
	                                                  .local_bytes = sizeof(client_parameter),
	                                                  .peer_parameter = server_parameter,
	                                                  .peer_bytes = sizeof(server_parameter)};
	struct usrsctp_cmt_handshake_config bad[6] = {good, good, good, good, good, good};

	(void)state;
	bad[0].size--;
	bad[1].epoch = SCTP_DTLS_FIRST_EPOCH - 1;
	bad[2].local_parameter = NULL;
	bad[3].peer_bytes = 0;
	bad[4].local_bytes = SCTP_DTLS_KMP_MAX + 1;
	bad[5].peer_bytes = SCTP_DTLS_KMP_MAX + 1;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		errno = 0;
		assert_null(usrsctp_cmt_handshake_new(alice, &bad[i]));
		assert_int_equal(EINVAL, errno);
	}
	errno = 0;
	assert_null(usrsctp_cmt_handshake_new(NULL, &good));
	assert_int_equal(EINVAL, errno);
	usrsctp_cmt_handshake_free(NULL);
	usrsctp_cmt_keys_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_server_has_keys_before_its_flight_and_each_ends_in_turn),
	    cmocka_unit_test(a_message_that_does_not_fit_is_not_lost),
	    cmocka_unit_test(lengths_are_those_of_the_suite_and_directions_differ),
	    cmocka_unit_test(a_parameter_that_was_changed_on_the_way_gives_no_common_key),
	    cmocka_unit_test(two_handshakes_at_once_do_not_meet),
	    cmocka_unit_test(a_message_that_is_cut_off_anywhere_ends_nothing),
	    cmocka_unit_test(a_byte_that_was_changed_on_the_way_ends_nothing),
	    cmocka_unit_test(garbage_and_other_epochs_are_refused_with_a_reason),
	    cmocka_unit_test(only_the_low_byte_of_the_epoch_is_sent),
	    cmocka_unit_test(nothing_may_come_after_the_end),
	    cmocka_unit_test(a_handshake_without_end_is_given_up),
	    cmocka_unit_test(what_makes_no_sense_is_no_handshake),
	};
	return cmocka_run_group_tests(tests, make, unmake);
}
