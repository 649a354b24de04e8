/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Handshakes with a TLS of its own at the other end, which does what ours does not: the derivation as another
 * implementation would have it, and what is said to who breaks the rules. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include <openssl/err.h>
#include <openssl/ssl.h>

#include "keys/ends.h"

enum { FLIGHT_MAX = 200000 };

struct foreign {
	SSL_CTX *ctx;
	SSL *ssl;
	BIO *in, *out;
	struct made made;
};

static struct usrsctp_cmt_keys *ours;

static int make(void **state)
{
	(void)state;
	ours = keys_of((struct usrsctp_cmt_keys_config){.size = 0});
	return 0;
}

static int unmake(void **state)
{
	(void)state;
	usrsctp_cmt_keys_free(ours);
	return 0;
}

static int take_anybody(X509_STORE_CTX *store, void *arg)
{
	(void)store;
	(void)arg;
	return 1;
}

/* `f` is still to be told what it does unlike us, then foreign_start(). */
static void foreign_new(struct foreign *f, bool with_certificate)
{
	memset(f, 0, sizeof(*f));
	f->ctx = SSL_CTX_new(TLS_method());
	assert_non_null(f->ctx);
	SSL_CTX_set_verify(f->ctx, SSL_VERIFY_PEER, NULL);
	SSL_CTX_set_cert_verify_callback(f->ctx, take_anybody, NULL);
	SSL_CTX_set_num_tickets(f->ctx, 0);
	f->made = made_new(&(struct made_config){.name = "foreign", .from_days = -1, .to_days = 9});
	if (with_certificate) {
		assert_int_equal(1, SSL_CTX_use_certificate(f->ctx, f->made.certificate));
		assert_int_equal(1, SSL_CTX_use_PrivateKey(f->ctx, f->made.key));
	}
}

static void foreign_start(struct foreign *f, bool server)
{
	f->ssl = SSL_new(f->ctx);
	f->in = BIO_new(BIO_s_mem());
	f->out = BIO_new(BIO_s_mem());
	SSL_set_bio(f->ssl, f->in, f->out);
	if (server)
		SSL_set_accept_state(f->ssl);
	else
		SSL_set_connect_state(f->ssl);
}

static void foreign_free(struct foreign *f)
{
	SSL_free(f->ssl);
	SSL_CTX_free(f->ctx);
	made_free(&f->made);
	ERR_clear_error();
}

static bool from_foreign(struct foreign *f, struct usrsctp_cmt_handshake *hs)
{
	static uint8_t flight[FLIGHT_MAX] = {SCTP_DTLS_FIRST_EPOCH};
	const int n = BIO_read(f->out, flight + 1, sizeof(flight) - 1);

	if (n > 0)
		usrsctp_cmt_handshake_input(hs, flight, (size_t)n + 1);
	return n > 0;
}

static bool to_foreign(struct usrsctp_cmt_handshake *hs, struct foreign *f)
{
	struct message m;

	end_says(hs, &m);
	if (m.n > 0)
		BIO_write(f->in, m.bytes + 1, (int)m.n - 1);
	return m.n > 0;
}

/* Returns the messages that were exchanged. */
static int run(struct foreign *f, struct usrsctp_cmt_handshake *hs)
{
	int messages = 0;

	for (bool moved = true; moved;) {
		SSL_do_handshake(f->ssl);
		ERR_clear_error();
		moved = from_foreign(f, hs);
		messages += moved;
		if (to_foreign(hs, f)) {
			moved = true;
			messages++;
		}
	}
	return messages;
}

static void assert_failed(struct usrsctp_cmt_handshake *hs, const char *words)
{
	print_message("%s\n", usrsctp_cmt_handshake_reason(hs));
	assert_int_equal(USRSCTP_CMT_HANDSHAKE_FAILED, usrsctp_cmt_handshake_state(hs));
	assert_non_null(strstr(usrsctp_cmt_handshake_reason(hs), words));
}

/* What the foreign end takes for the key of a label. */
static void assert_exported(SSL *ssl, const char *label, uint8_t direction, const uint8_t *key, size_t bytes)
{
	uint8_t context[2 + sizeof(client_parameter) + sizeof(server_parameter)] = {direction, 0}, wanted[32];

	memcpy(context + 2, client_parameter, sizeof(client_parameter));
	memcpy(context + 2 + sizeof(client_parameter), server_parameter, sizeof(server_parameter));
	assert_int_equal(1, SSL_export_keying_material(ssl, wanted, bytes, label, strlen(label), context,
	                                               sizeof(context), 1));
	assert_memory_equal(wanted, key, bytes);
}

static void assert_derived(SSL *ssl, struct usrsctp_cmt_handshake *hs, bool send, const char *const labels[3],
                           uint8_t direction)
{
	union {
		struct sctp_dtls_keys keys;
		uint8_t bytes[sizeof(struct sctp_dtls_keys) + SCTP_DTLS_KEYS_MAX];
	} k;

	assert_int_equal(sizeof(k.keys) + 32 + 12 + 32,
	                 usrsctp_cmt_handshake_keys(hs, send, &k.keys, sizeof(k)));
	assert_exported(ssl, labels[0], direction, k.keys.sdk_keys, 32);
	assert_exported(ssl, labels[1], direction, k.keys.sdk_keys + 32, 12);
	assert_exported(ssl, labels[2], direction, k.keys.sdk_keys + 44, 32);
}

static void keys_are_what_the_drafts_exporter_says(void **state)
{
	static const char *const client[] = {"EXPORTER_DTLS_IN_SCTP_PRIMARY_CLIENT_KEY",
	                                     "EXPORTER_DTLS_IN_SCTP_PRIMARY_CLIENT_IV",
	                                     "EXPORTER_DTLS_IN_SCTP_PRIMARY_CLIENT_SN_KEY"};
	static const char *const server[] = {"EXPORTER_DTLS_IN_SCTP_PRIMARY_SERVER_KEY",
	                                     "EXPORTER_DTLS_IN_SCTP_PRIMARY_SERVER_IV",
	                                     "EXPORTER_DTLS_IN_SCTP_PRIMARY_SERVER_SN_KEY"};

	(void)state;
	for (int serves = 0; serves < 2; serves++) {
		struct usrsctp_cmt_handshake *hs = end_new(ours, serves, SCTP_DTLS_FIRST_EPOCH);
		struct foreign f;

		foreign_new(&f, true);
		SSL_CTX_set_ciphersuites(f.ctx, "TLS_AES_256_GCM_SHA384");
		foreign_start(&f, !serves);
		assert_int_equal(3, run(&f, hs));
		assert_int_equal(USRSCTP_CMT_HANDSHAKE_DONE, usrsctp_cmt_handshake_state(hs));
		assert_derived(f.ssl, hs, !serves, client, 0);
		assert_derived(f.ssl, hs, serves, server, 1);
		usrsctp_cmt_handshake_free(hs);
		foreign_free(&f);
	}
}

static void a_server_of_another_group_asks_again(void **state)
{
	struct usrsctp_cmt_keys *passphrase = keys_of((struct usrsctp_cmt_keys_config){.passphrase = "x"});
	struct usrsctp_cmt_handshake *hs = end_new(ours, false, SCTP_DTLS_FIRST_EPOCH);
	struct foreign f;

	(void)state;
	foreign_new(&f, true);
	SSL_CTX_set1_groups_list(f.ctx, "P-521");
	foreign_start(&f, true);
	assert_int_equal(5, run(&f, hs));
	assert_int_equal(USRSCTP_CMT_HANDSHAKE_DONE, usrsctp_cmt_handshake_state(hs));
	usrsctp_cmt_handshake_free(hs);
	/* And has a certificate for who wants a passphrase. */
	SSL_free(f.ssl);
	foreign_start(&f, true);
	hs = end_new(passphrase, false, SCTP_DTLS_FIRST_EPOCH);
	run(&f, hs);
	assert_failed(hs, "the peer has no passphrase but a certificate: give both ends the same");
	usrsctp_cmt_handshake_free(hs);
	usrsctp_cmt_keys_free(passphrase);
	foreign_free(&f);
}

static void a_client_without_a_certificate_is_refused(void **state)
{
	struct usrsctp_cmt_handshake *hs = end_new(ours, true, SCTP_DTLS_FIRST_EPOCH);
	struct foreign f;

	(void)state;
	foreign_new(&f, false);
	foreign_start(&f, false);
	run(&f, hs);
	assert_failed(hs, "the peer has no certificate, and it must have one");
	usrsctp_cmt_handshake_free(hs);
	foreign_free(&f);
}

static void an_older_tls_is_refused(void **state)
{
	(void)state;
	for (int serves = 0; serves < 2; serves++) {
		struct usrsctp_cmt_handshake *hs = end_new(ours, serves, SCTP_DTLS_FIRST_EPOCH);
		struct foreign f;

		foreign_new(&f, true);
		SSL_CTX_set_max_proto_version(f.ctx, TLS1_2_VERSION);
		foreign_start(&f, !serves);
		run(&f, hs);
		assert_failed(hs, "the peer does not speak TLS 1.3");
		usrsctp_cmt_handshake_free(hs);
		foreign_free(&f);
	}
}

static void application_data_tickets_and_key_updates_end_what_was_through(void **state)
{
	enum { DATA, TICKET, KEY_UPDATE, KINDS };

	(void)state;
	for (int kind = DATA; kind < KINDS; kind++) {
		struct usrsctp_cmt_handshake *hs = end_new(ours, false, SCTP_DTLS_FIRST_EPOCH);
		struct foreign f;

		foreign_new(&f, true);
		foreign_start(&f, true);
		run(&f, hs);
		assert_int_equal(USRSCTP_CMT_HANDSHAKE_DONE, usrsctp_cmt_handshake_state(hs));
		if (kind == DATA)
			SSL_write(f.ssl, "x", 1);
		else if (kind == TICKET)
			assert_int_equal(1, SSL_new_session_ticket(f.ssl));
		else
			assert_int_equal(1, SSL_key_update(f.ssl, SSL_KEY_UPDATE_NOT_REQUESTED));
		SSL_do_handshake(f.ssl);
		assert_true(from_foreign(&f, hs));
		assert_failed(hs, "the peer sends more than the handshake");
		usrsctp_cmt_handshake_free(hs);
		foreign_free(&f);
	}
}

static void more_than_64_kib_are_not_read(void **state)
{
	struct usrsctp_cmt_handshake *hs = end_new(ours, false, SCTP_DTLS_FIRST_EPOCH);
	struct made large = made_new(
	    &(struct made_config){.name = "large", .from_days = -1, .to_days = 9, .pad_bytes = 3500});
	struct foreign f;

	(void)state;
	foreign_new(&f, true);
	for (int i = 0; i < 18; i++)
		assert_int_equal(1, SSL_CTX_add1_chain_cert(f.ctx, large.certificate));
	foreign_start(&f, true);
	run(&f, hs);
	assert_failed(hs, "the peer's handshake has more than 64 KiB");
	usrsctp_cmt_handshake_free(hs);
	made_free(&large);
	foreign_free(&f);
}

/* Somebody else's key, under a name of its own. */
static int offer_other(SSL *ssl, const EVP_MD *md, const unsigned char **id, size_t *id_bytes,
                       SSL_SESSION **session)
{
	static const unsigned char suite[] = {0x13, 0x01}, key[32] = {1}, name[] = "other";

	(void)md;
	*session = SSL_SESSION_new();
	*id = name;
	*id_bytes = sizeof(name) - 1;
	return SSL_SESSION_set1_master_key(*session, key, sizeof(key)) &&
	       SSL_SESSION_set_cipher(*session, SSL_CIPHER_find(ssl, suite)) &&
	       SSL_SESSION_set_protocol_version(*session, TLS1_3_VERSION);
}

static void a_key_of_another_name_is_no_passphrase(void **state)
{
	struct usrsctp_cmt_keys *keys[] = {ours,
	                                   keys_of((struct usrsctp_cmt_keys_config){.passphrase = "x"})};

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct usrsctp_cmt_handshake *hs = end_new(keys[i], true, SCTP_DTLS_FIRST_EPOCH);
		struct foreign f;

		foreign_new(&f, true);
		SSL_CTX_set_psk_use_session_callback(f.ctx, offer_other);
		foreign_start(&f, false);
		run(&f, hs);
		assert_failed(hs, i == 0 ? "the peer has a passphrase, and we have none"
		                         : "the peer has not shown that it knows the passphrase");
		usrsctp_cmt_handshake_free(hs);
		foreign_free(&f);
	}
	usrsctp_cmt_keys_free(keys[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(keys_are_what_the_drafts_exporter_says),
	    cmocka_unit_test(a_server_of_another_group_asks_again),
	    cmocka_unit_test(a_client_without_a_certificate_is_refused),
	    cmocka_unit_test(an_older_tls_is_refused),
	    cmocka_unit_test(application_data_tickets_and_key_updates_end_what_was_through),
	    cmocka_unit_test(more_than_64_kib_are_not_read),
	    cmocka_unit_test(a_key_of_another_name_is_no_passphrase),
	};
	return cmocka_run_group_tests(tests, make, unmake);
}
