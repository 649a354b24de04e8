/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fuzz_keys.c - libFuzzer target: a handshake for keys, with an honest peer whose messages come whole,
 * changed, cut, twice or after bytes of the input's own.
 *
 * The first byte says which end is attacked, whether the two have certificates, a passphrase or one of each,
 * and which suites. OpenSSL's random numbers are not the input's, so what was found may need to be tried
 * again.
 *
 * Oracles: an end that fails says why, others do not; a message is never larger than promised; keys are there
 * in the states that have them; with honest messages alone both ends agree; OpenSSL's error queue is left
 * empty. runs: 30000, edges: 130 */
#include <stdlib.h>
#include <string.h>

#include <openssl/err.h>

#include <usrsctp_cmt_keys.h>

#include "support/fuzz.h"
#include "support/openssl_memory.h"

enum {
	ATTACKED_SERVES = 1,
	PASSPHRASE_HERE = 2,
	PASSPHRASE_THERE = 4,
	OTHER_SUITE = 8,
	OTHER_PARAMETER = 16
};
enum { WHOLE, CHANGED, CUT, TWICE, OWN, STEPS };
enum { MESSAGE_MAX = 16384, STEPS_MAX = 12, OWN_MAX = 2048 };

static const uint8_t parameter[10] = {0x80, 0x06, 0, 10, 1, 2, 3, 4, 1, 192};
static const uint8_t other_parameter[9] = {0x80, 0x06, 0, 9, 5, 6, 7, 8, 2};
static struct usrsctp_cmt_keys *by_certificate, *by_passphrase, *by_other_suite;

static struct usrsctp_cmt_keys *keys_of(const char *passphrase, const char *suites)
{
	const struct usrsctp_cmt_keys_config config = {
	    .size = sizeof(config), .passphrase = passphrase, .suites = suites};
	struct usrsctp_cmt_keys *keys = usrsctp_cmt_keys_new(&config, NULL, 0);

	REQUIRE(keys != NULL);
	return keys;
}

static struct usrsctp_cmt_handshake *begin(struct usrsctp_cmt_keys *keys, bool server, bool wrong_parameter)
{
	const struct usrsctp_cmt_handshake_config config = {
	    .size = sizeof(config),
	    .server = server,
	    .epoch = SCTP_DTLS_FIRST_EPOCH,
	    .local_parameter = server ? other_parameter : parameter,
	    .local_bytes = server ? sizeof(other_parameter) : sizeof(parameter),
	    .peer_parameter = server ? parameter : other_parameter,
	    .peer_bytes = (server ? sizeof(parameter) : sizeof(other_parameter)) - wrong_parameter,
	};
	struct usrsctp_cmt_handshake *hs = usrsctp_cmt_handshake_new(keys, &config);

	REQUIRE(hs != NULL);
	return hs;
}

static ssize_t get_keys(struct usrsctp_cmt_handshake *hs, bool send, uint64_t out[])
{
	return usrsctp_cmt_handshake_keys(hs, send, (struct sctp_dtls_keys *)out,
	                                  sizeof(struct sctp_dtls_keys) + SCTP_DTLS_KEYS_MAX);
}

static bool same_keys(struct usrsctp_cmt_handshake *writer, struct usrsctp_cmt_handshake *reader)
{
	uint64_t sends[16] = {0}, receives[16] = {0};

	return get_keys(writer, true, sends) == get_keys(reader, false, receives) &&
	       memcmp(sends, receives, sizeof(sends)) == 0;
}

static void check(struct usrsctp_cmt_handshake *hs, bool server)
{
	const enum usrsctp_cmt_handshake_state state = usrsctp_cmt_handshake_state(hs);
	struct usrsctp_cmt_peer peer = {.size = sizeof(peer)};
	uint64_t keys[16];

	REQUIRE((usrsctp_cmt_handshake_reason(hs)[0] != '\0') == (state == USRSCTP_CMT_HANDSHAKE_FAILED));
	REQUIRE((usrsctp_cmt_handshake_peer(hs, &peer) == 0) == (state == USRSCTP_CMT_HANDSHAKE_DONE));
	REQUIRE((get_keys(hs, true, keys) > 0) ==
	        (state == USRSCTP_CMT_HANDSHAKE_KEYS || state == USRSCTP_CMT_HANDSHAKE_DONE));
	REQUIRE(server || state != USRSCTP_CMT_HANDSHAKE_KEYS);
	REQUIRE(ERR_peek_error() == 0);
}

static void hear(struct usrsctp_cmt_handshake *hs, bool server, const uint8_t *message, size_t n)
{
	uint8_t *copy = malloc(n > 0 ? n : 1);

	REQUIRE(copy != NULL);
	memcpy(copy, message, n);
	usrsctp_cmt_handshake_input(hs, copy, n);
	free(copy);
	check(hs, server);
}

/* What `from` has to say goes to `to` as the input says. Returns whether it was honest. */
static bool carry(struct fuzz_bytes *b, struct usrsctp_cmt_handshake *from, struct usrsctp_cmt_handshake *to,
                  bool to_serves)
{
	static uint8_t message[MESSAGE_MAX];
	const unsigned step = (unsigned)fuzz_take(b, 1) % STEPS;
	ssize_t n;

	if (step == OWN) {
		const size_t bytes = (size_t)fuzz_take(b, 2) % OWN_MAX,
		             have = bytes < b->left ? bytes : b->left;

		hear(to, to_serves, b->at, have);
		b->at += have;
		b->left -= have;
		return false;
	}
	n = usrsctp_cmt_handshake_output(from, message, sizeof(message));
	REQUIRE(n >= 0);
	if (n == 0)
		return true;
	if (step == CHANGED)
		message[fuzz_take(b, 2) % (size_t)n] ^= (uint8_t)fuzz_take(b, 1);
	else if (step == CUT)
		n = (ssize_t)(fuzz_take(b, 2) % (size_t)n);
	hear(to, to_serves, message, (size_t)n);
	if (step == TWICE)
		hear(to, to_serves, message, (size_t)n);
	return step == WHOLE;
}

static void answer(struct usrsctp_cmt_handshake *from, struct usrsctp_cmt_handshake *to, bool to_serves)
{
	static uint8_t message[MESSAGE_MAX];
	const ssize_t n = usrsctp_cmt_handshake_output(from, message, sizeof(message));

	REQUIRE(n >= 0);
	if (n > 0)
		hear(to, to_serves, message, (size_t)n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_bytes b = {data, size};
	const unsigned settings = (unsigned)fuzz_take(&b, 1);
	const bool serves = (settings & ATTACKED_SERVES) != 0;
	struct usrsctp_cmt_handshake *attacked, *peer;
	bool honest = true;

	if (by_certificate == NULL) {
		fuzz_openssl_memory();
		by_certificate = keys_of(NULL, NULL);
		by_passphrase = keys_of("correct horse", NULL);
		by_other_suite = keys_of(NULL, "TLS_AES_256_GCM_SHA384");
	}
	attacked = begin((settings & PASSPHRASE_HERE) != 0 ? by_passphrase : by_certificate, serves,
	                 (settings & OTHER_PARAMETER) != 0);
	peer = begin((settings & PASSPHRASE_THERE) != 0 ? by_passphrase
	             : (settings & OTHER_SUITE) != 0    ? by_other_suite
	                                                : by_certificate,
	             !serves, false);
	answer(attacked, peer, !serves);
	for (int i = 0; i < STEPS_MAX && b.left > 0; i++) {
		honest &= carry(&b, peer, attacked, serves);
		answer(attacked, peer, !serves);
	}
	if (usrsctp_cmt_handshake_state(attacked) == USRSCTP_CMT_HANDSHAKE_DONE &&
	    usrsctp_cmt_handshake_state(peer) == USRSCTP_CMT_HANDSHAKE_DONE) {
		const bool agree = same_keys(attacked, peer) && same_keys(peer, attacked);

		/* TLS sees to it, whatever was done to its messages, and knows nothing of the parameters. */
		REQUIRE(agree == ((settings & OTHER_PARAMETER) == 0));
		REQUIRE(((settings & PASSPHRASE_HERE) != 0) == ((settings & PASSPHRASE_THERE) != 0));
	} else if (honest && usrsctp_cmt_handshake_state(attacked) == USRSCTP_CMT_HANDSHAKE_FAILED)
		REQUIRE(((settings & PASSPHRASE_HERE) != 0) != ((settings & PASSPHRASE_THERE) != 0));
	usrsctp_cmt_handshake_free(attacked);
	usrsctp_cmt_handshake_free(peer);
	return 0;
}
