/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Handshakes with certificates: who is taken, and what is said to whom and of whom that is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "keys/ends.h"

#define CONFIG(...) ((struct usrsctp_cmt_keys_config){__VA_ARGS__})

/* The two meet; the keys are freed. */
static void meet(struct ends *e, struct usrsctp_cmt_keys *client, struct usrsctp_cmt_keys *server)
{
	ends_begin(e, client, server);
	ends_run(e);
}

static void part(struct ends *e, struct usrsctp_cmt_keys *client, struct usrsctp_cmt_keys *server)
{
	ends_free(e);
	usrsctp_cmt_keys_free(client);
	usrsctp_cmt_keys_free(server);
}

/* A server with `made`, and a client as `trusts` says, which `client_says` or, with NULL, takes it. */
static void try_server(const struct made *made, size_t n, struct usrsctp_cmt_keys_config trusts,
                       const char *client_says, const char *server_says)
{
	const char *file = made_write("server.pem", made, n, true);
	struct usrsctp_cmt_keys *server = keys_of(CONFIG(.cert_file = file, .key_file = file));
	struct usrsctp_cmt_keys *client = keys_of(trusts);
	struct ends e;

	meet(&e, client, server);
	if (client_says == NULL)
		assert_agreed(&e);
	else
		assert_refused(&e, client_says, server_says);
	part(&e, client, server);
}

/* The same with the roles exchanged: the server refuses a client that is through. */
static void try_client(const struct made *made, size_t n, struct usrsctp_cmt_keys_config trusts,
                       const char *server_says, const char *client_says)
{
	const char *file = made_write("client.pem", made, n, true);
	struct usrsctp_cmt_keys *client = keys_of(CONFIG(.cert_file = file, .key_file = file));
	struct usrsctp_cmt_keys *server = keys_of(trusts);
	struct ends e;

	meet(&e, client, server);
	if (server_says == NULL)
		assert_agreed(&e);
	else
		assert_refused(&e, client_says, server_says);
	part(&e, client, server);
}

static void date_in(int days, char *out, size_t bytes)
{
	const time_t at = time(NULL) + days * 86400L;
	struct tm tm;

	gmtime_r(&at, &tm);
	strftime(out, bytes, "%B %Y", &tm);
}

static void two_who_trust_anybody_get_keys(void **state)
{
	struct usrsctp_cmt_keys *client = keys_of(CONFIG(.size = 0)), *server = keys_of(CONFIG(.size = 0));
	struct usrsctp_cmt_peer peer = {.size = sizeof(peer)};
	uint8_t own[USRSCTP_CMT_FINGERPRINT_BYTES];
	struct ends e;

	(void)state;
	meet(&e, client, server);
	assert_agreed(&e);
	assert_int_equal(0, usrsctp_cmt_handshake_peer(e.hs[CLIENT], &peer));
	usrsctp_cmt_keys_fingerprint(server, own);
	assert_memory_equal(own, peer.fingerprint, sizeof(own));
	assert_string_equal("usrsctp-cmt", peer.name);
	assert_string_equal("TLS_AES_128_GCM_SHA256", peer.suite);
	assert_false(peer.chain);
	assert_false(peer.passphrase);
	part(&e, client, server);
}

static void a_fingerprint_is_enough_and_the_second_of_a_list_too(void **state)
{
	struct made made =
	    made_new(&(struct made_config){.name = "alice\n\xc3\xa9", .from_days = -1, .to_days = 1});
	uint8_t wanted[2][USRSCTP_CMT_FINGERPRINT_BYTES] = {{1}};

	(void)state;
	made_fingerprint(&made, wanted[1]);
	try_server(&made, 1, CONFIG(.fingerprints = wanted, .n_fingerprints = 2), NULL, NULL);
	try_client(&made, 1, CONFIG(.fingerprints = wanted, .n_fingerprints = 2), NULL, NULL);
	made_free(&made);
}

static void another_fingerprint_is_named(void **state)
{
	struct made made = made_new(&(struct made_config){.name = "alice", .from_days = -1, .to_days = 1});
	uint8_t wanted[1][USRSCTP_CMT_FINGERPRINT_BYTES];
	char text[USRSCTP_CMT_FINGERPRINT_TEXT], says[128];

	(void)state;
	made_fingerprint(&made, wanted[0]);
	usrsctp_cmt_fingerprint_format(wanted[0], text);
	snprintf(says, sizeof(says), "the peer is %s, not the one that was asked for", text);
	wanted[0][31] ^= 1;
	try_server(&made, 1, CONFIG(.fingerprints = wanted, .n_fingerprints = 1), says, text);
	try_client(&made, 1, CONFIG(.fingerprints = wanted, .n_fingerprints = 1), says,
	           "the peer refuses our certificate (alert: unknown CA): ours is sha256:");
	made_free(&made);
}

static void dates_count_even_where_nothing_else_is_asked(void **state)
{
	struct made old = made_new(&(struct made_config){.name = "old", .from_days = -400, .to_days = -40});
	struct made early = made_new(&(struct made_config){.name = "early", .from_days = 40, .to_days = 400});
	char date[64];

	(void)state;
	date_in(-40, date, sizeof(date));
	try_server(&old, 1, CONFIG(.size = 0), date, "certificate expired");
	try_client(&old, 1, CONFIG(.size = 0), "the peer's certificate expired on ",
	           "refuses our certificate");
	date_in(40, date, sizeof(date));
	try_server(&early, 1, CONFIG(.size = 0), date, "refuses our certificate (alert: bad certificate)");
	try_client(&early, 1, CONFIG(.size = 0), "the peer's certificate is not valid before ",
	           "refuses our certificate");
	made_free(&old);
	made_free(&early);
}

static void a_ca_is_asked_for_chain_and_name(void **state)
{
	struct made ca =
	    made_new(&(struct made_config){.name = "Our CA", .from_days = -1, .to_days = 9, .ca = true});
	struct made other =
	    made_new(&(struct made_config){.name = "Our CA", .from_days = -1, .to_days = 9, .ca = true});
	struct made chain[2];
	const char *ca_file = made_write("ca.pem", &ca, 1, false),
	           *other_file = made_write("other.pem", &other, 1, false);

	(void)state;
	chain[1] = made_new(&(struct made_config){
	    .name = "Between", .from_days = -1, .to_days = 9, .ca = true, .issuer = &ca});
	chain[0] = made_new(&(struct made_config){.name = "bob",
	                                          .dns = "bob.test,IP:192.0.2.1",
	                                          .from_days = -1,
	                                          .to_days = 9,
	                                          .issuer = &chain[1]});
	try_server(chain, 2, CONFIG(.ca_file = ca_file), NULL, NULL);
	try_client(chain, 2, CONFIG(.ca_file = ca_file), NULL, NULL);
	try_server(chain, 2, CONFIG(.ca_file = ca_file, .ca_name = "bob.test"), NULL, NULL);
	try_client(chain, 2, CONFIG(.ca_file = ca_file, .ca_name = "bob.test"), NULL, NULL);
	try_server(chain, 2, CONFIG(.ca_file = ca_file, .ca_name = "192.0.2.1"), NULL, NULL);
	try_server(chain, 2, CONFIG(.ca_file = ca_file, .ca_name = "192.0.2.2"),
	           "the peer's certificate is of \"bob\", not of \"192.0.2.2\"", "refuses our certificate");
	try_server(chain, 2, CONFIG(.ca_file = ca_file, .ca_name = "eve.test"),
	           "the peer's certificate is of \"bob\", not of \"eve.test\"", "refuses our certificate");
	try_server(chain, 2, CONFIG(.ca_file = other_file), "\"Between\"", "alert: unknown CA");
	try_client(chain, 2, CONFIG(.ca_file = other_file), "\"Between\"", "alert: unknown CA");
	try_server(chain, 1, CONFIG(.ca_file = ca_file), "\"bob\", was not signed by a CA that we trust",
	           "unknown CA");
	/* One of the file is enough, whoever has signed it; the peer's own, too. */
	try_server(chain, 1, CONFIG(.ca_file = made_write("between.pem", &chain[1], 1, false)), NULL, NULL);
	try_server(chain, 1, CONFIG(.ca_file = made_write("own.pem", &chain[0], 1, false)), NULL, NULL);
	made_free(&chain[0]);
	made_free(&chain[1]);
	made_free(&other);
	made_free(&ca);
}

static void an_expired_ca_is_named(void **state)
{
	struct made ca =
	    made_new(&(struct made_config){.name = "Old CA", .from_days = -9, .to_days = -1, .ca = true});
	struct made made =
	    made_new(&(struct made_config){.name = "bob", .from_days = -1, .to_days = 9, .issuer = &ca});

	(void)state;
	try_server(&made, 1, CONFIG(.ca_file = made_write("ca.pem", &ca, 1, false)), "\"Old CA\"",
	           "refuses our certificate");
	made_free(&made);
	made_free(&ca);
}

static void certificates_of_two_kilobytes_and_long_chains_fit(void **state)
{
	static const char *const names[] = {"bob", "CA 1", "CA 2", "CA 3", "CA 4"};
	struct made chain[5];

	(void)state;
	for (int i = 4; i >= 0; i--) {
		const struct made_config config = {.name = names[i],
		                                   .from_days = -1,
		                                   .to_days = 9,
		                                   .ca = i > 0,
		                                   .pad_bytes = 1700,
		                                   .issuer = i < 4 ? &chain[i + 1] : NULL};

		chain[i] = made_new(&config);
	}
	try_server(chain, 5, CONFIG(.ca_file = made_write("ca.pem", &chain[4], 1, false)), NULL, NULL);
	try_client(chain, 5, CONFIG(.ca_file = made_write("ca.pem", &chain[4], 1, false)), NULL, NULL);
	for (int i = 0; i < 5; i++)
		made_free(&chain[i]);
}

struct asked {
	int times;
	bool answer;
	const char *reason;
	struct usrsctp_cmt_peer peer;
};

static bool answer(const struct usrsctp_cmt_peer *peer, void *arg, char *reason, size_t bytes)
{
	struct asked *a = arg;

	a->times++;
	a->peer = *peer;
	snprintf(reason, bytes, "%s", a->reason);
	return a->answer;
}

/* `asker` asks its application, which refuses: nothing tells the other end that it was taken. */
static void assert_asker_refuses(const struct made *made, struct asked *a, int asker, const char *says)
{
	const char *file = made_write("asked.pem", made, 1, true);
	struct usrsctp_cmt_keys *asks = keys_of(CONFIG(.verify = answer, .verify_arg = a));
	struct usrsctp_cmt_keys *other = keys_of(CONFIG(.cert_file = file, .key_file = file));
	struct message m;
	struct ends e;

	meet(&e, asker == CLIENT ? asks : other, asker == CLIENT ? other : asks);
	assert_int_equal(USRSCTP_CMT_HANDSHAKE_FAILED, usrsctp_cmt_handshake_state(e.hs[asker]));
	assert_string_equal(says, usrsctp_cmt_handshake_reason(e.hs[asker]));
	if (asker == CLIENT)
		assert_int_equal(USRSCTP_CMT_HANDSHAKE_KEYS, usrsctp_cmt_handshake_state(e.hs[SERVER]));
	end_says(e.hs[asker], &m);
	assert_int_equal(0, m.n);
	part(&e, asks, other);
}

/* Whoever shows the certificate of somebody else has not got its key: nobody is to write that down. The
 * server's flight comes record by record: its signature is in the last but one, and its Finished in the last.
 */
static void the_application_is_asked_when_the_key_was_shown(void **state)
{
	enum { EPOCH_BYTES = 1, HEADER_BYTES = 5 };
	struct asked a = {.answer = true, .reason = ""};
	struct usrsctp_cmt_keys *client = keys_of(CONFIG(.verify = answer, .verify_arg = &a));
	struct usrsctp_cmt_keys *server = keys_of(CONFIG(.size = 0));
	struct message flight, part_of = {.n = 0};
	unsigned records = 0;
	struct ends e;

	(void)state;
	ends_begin(&e, client, server);
	end_says(e.hs[CLIENT], &flight);
	(void)end_hears(e.hs[SERVER], &flight);
	end_says(e.hs[SERVER], &flight);
	for (size_t at = EPOCH_BYTES; at < flight.n; records++) {
		const size_t n = HEADER_BYTES + (size_t)(flight.bytes[at + 3] << 8 | flight.bytes[at + 4]);

		assert_int_equal(0, a.times);
		part_of.bytes[0] = flight.bytes[0];
		memcpy(part_of.bytes + EPOCH_BYTES, flight.bytes + at, n);
		part_of.n = EPOCH_BYTES + n;
		(void)end_hears(e.hs[CLIENT], &part_of);
		at += n;
	}
	assert_true(records > 3);
	assert_int_equal(1, a.times);
	assert_int_equal(USRSCTP_CMT_HANDSHAKE_DONE, usrsctp_cmt_handshake_state(e.hs[CLIENT]));
	part(&e, client, server);
}

static void the_application_has_the_last_word_and_is_asked_once(void **state)
{
	struct made made = made_new(&(struct made_config){.dns = "x\x1by", .from_days = -1, .to_days = 9});
	struct made old = made_new(&(struct made_config){.name = "old", .from_days = -9, .to_days = -1});
	struct asked a = {.answer = true, .reason = ""};

	(void)state;
	try_server(&made, 1, CONFIG(.verify = answer, .verify_arg = &a), NULL, NULL);
	try_client(&made, 1, CONFIG(.verify = answer, .verify_arg = &a), NULL, NULL);
	assert_int_equal(2, a.times);
	assert_int_equal(sizeof(a.peer), a.peer.size);
	assert_string_equal("x?y", a.peer.name);
	assert_string_equal("TLS_AES_128_GCM_SHA256", a.peer.suite);
	a.answer = false;
	assert_asker_refuses(&made, &a, CLIENT, "this program does not take the peer");
	a.reason = "the key of x has changed";
	assert_asker_refuses(&made, &a, SERVER, "the key of x has changed");
	assert_int_equal(4, a.times);
	try_client(&old, 1, CONFIG(.verify = answer, .verify_arg = &a), "expired", "expired");
	assert_int_equal(4, a.times);
	made_free(&made);
	made_free(&old);
}

static void no_common_suite_is_said_at_both_ends(void **state)
{
	struct usrsctp_cmt_keys *client = keys_of(CONFIG(.suites = "TLS_AES_128_GCM_SHA256"));
	struct usrsctp_cmt_keys *server =
	    keys_of(CONFIG(.suites = "TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"));
	struct ends e;

	(void)state;
	meet(&e, client, server);
	assert_refused(&e,
	               "no common cipher suite (alert: handshake failure): we have TLS_AES_128_GCM_SHA256",
	               "no common cipher suite: we have TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256");
	part(&e, client, server);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(two_who_trust_anybody_get_keys),
	    cmocka_unit_test(a_fingerprint_is_enough_and_the_second_of_a_list_too),
	    cmocka_unit_test(another_fingerprint_is_named),
	    cmocka_unit_test(dates_count_even_where_nothing_else_is_asked),
	    cmocka_unit_test(a_ca_is_asked_for_chain_and_name),
	    cmocka_unit_test(an_expired_ca_is_named),
	    cmocka_unit_test(certificates_of_two_kilobytes_and_long_chains_fit),
	    cmocka_unit_test(the_application_is_asked_when_the_key_was_shown),
	    cmocka_unit_test(the_application_has_the_last_word_and_is_asked_once),
	    cmocka_unit_test(no_common_suite_is_said_at_both_ends),
	};
	return cmocka_run_group_tests(tests, made_begin, made_end);
}
