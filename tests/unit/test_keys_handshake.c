/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One handshake: its states in order, and the keys that come of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "keys/alice_and_bob.h"
#include "keys/ends.h"

enum { KEYS_BYTES = sizeof(struct sctp_dtls_keys) + SCTP_DTLS_KEYS_MAX };
union keys {
	struct sctp_dtls_keys keys;
	uint8_t bytes[KEYS_BYTES];
};

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
		struct usrsctp_cmt_keys *keys =
		    keys_of((struct usrsctp_cmt_keys_config){.suites = suites[i].name});
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
	    cmocka_unit_test(only_the_low_byte_of_the_epoch_is_sent),
	    cmocka_unit_test(what_makes_no_sense_is_no_handshake),
	};
	return cmocka_run_group_tests(tests, alice_and_bob_come, alice_and_bob_go);
}
