/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <openssl/bn.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "ends.h"

#define SECONDS_PER_DAY 86400L

const uint8_t client_parameter[10] = {0x80, 0x06, 0, 10, 1, 2, 3, 4, 1, 192};
const uint8_t server_parameter[9] = {0x80, 0x06, 0, 9, 5, 6, 7, 8, 2};

static char folder[64];

/* --- certificates --- */

static void add(X509 *certificate, int nid, const char *value)
{
	X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, NULL, nid, value);

	assert_non_null(extension);
	assert_int_equal(1, X509_add_ext(certificate, extension, -1));
	X509_EXTENSION_free(extension);
}

struct made made_new(const struct made_config *c)
{
	struct made made = {.key = EVP_EC_gen("P-256"), .certificate = X509_new()};
	const struct made *issuer = c->issuer != NULL ? c->issuer : &made;
	static long serial;
	char text[4096];

	assert_non_null(made.key);
	assert_non_null(made.certificate);
	X509_set_version(made.certificate, X509_VERSION_3);
	ASN1_INTEGER_set(X509_get_serialNumber(made.certificate), ++serial);
	X509_gmtime_adj(X509_getm_notBefore(made.certificate), c->from_days * SECONDS_PER_DAY);
	X509_gmtime_adj(X509_getm_notAfter(made.certificate), c->to_days * SECONDS_PER_DAY);
	X509_set_pubkey(made.certificate, made.key);
	if (c->name != NULL)
		X509_NAME_add_entry_by_NID(X509_get_subject_name(made.certificate), NID_commonName,
		                           MBSTRING_UTF8, (const unsigned char *)c->name, -1, -1, 0);
	X509_set_issuer_name(made.certificate, X509_get_subject_name(issuer->certificate));
	if (c->ca)
		add(made.certificate, NID_basic_constraints, "critical,CA:TRUE");
	if (c->dns != NULL) {
		snprintf(text, sizeof(text), "DNS:%s", c->dns);
		add(made.certificate, NID_subject_alt_name, text);
	}
	if (c->pad_bytes > 0) {
		assert_true(c->pad_bytes < sizeof(text));
		memset(text, 'x', c->pad_bytes);
		text[c->pad_bytes] = '\0';
		add(made.certificate, NID_netscape_comment, text);
	}
	assert_true(X509_sign(made.certificate, issuer->key, EVP_sha256()) > 0);
	return made;
}

void made_free(struct made *made)
{
	EVP_PKEY_free(made->key);
	X509_free(made->certificate);
}

void made_fingerprint(const struct made *made, uint8_t out[USRSCTP_CMT_FINGERPRINT_BYTES])
{
	unsigned bytes;

	assert_int_equal(1, X509_digest(made->certificate, EVP_sha256(), out, &bytes));
}

const char *made_file(const char *name)
{
	static char paths[64][sizeof(folder) + 64];
	static size_t next;
	char *path = paths[next++ % 64];

	snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
	return path;
}

const char *made_write(const char *name, const struct made *made, size_t n, bool with_key)
{
	const char *path = made_file(name);
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	if (with_key)
		assert_int_equal(1, PEM_write_PrivateKey(file, made->key, NULL, NULL, 0, NULL, NULL));
	for (size_t i = 0; i < n; i++)
		assert_int_equal(1, PEM_write_X509(file, made[i].certificate));
	fclose(file);
	return path;
}

int made_begin(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/cmt-test-keys-XXXXXX");
	return mkdtemp(folder) == NULL;
}

int made_end(void **state)
{
	DIR *d = opendir(folder);

	(void)state;
	for (struct dirent *entry; d != NULL && (entry = readdir(d)) != NULL;) {
		if (entry->d_name[0] != '.')
			unlink(made_file(entry->d_name));
	}
	if (d != NULL)
		closedir(d);
	return rmdir(folder);
}

/* --- ends --- */

struct usrsctp_cmt_keys *keys_of(struct usrsctp_cmt_keys_config config)
{
	char error[USRSCTP_CMT_REASON_BYTES] = "";
	struct usrsctp_cmt_keys *keys;

	config.size = sizeof(config);
	keys = usrsctp_cmt_keys_new(&config, error, sizeof(error));
	if (keys == NULL)
		fail_msg("%s", error);
	return keys;
}

struct usrsctp_cmt_handshake *end_new(struct usrsctp_cmt_keys *keys, bool server, uint64_t epoch)
{
	const struct usrsctp_cmt_handshake_config config = {
	    .size = sizeof(config),
	    .server = server,
	    .epoch = epoch,
	    .local_parameter = server ? server_parameter : client_parameter,
	    .local_bytes = server ? sizeof(server_parameter) : sizeof(client_parameter),
	    .peer_parameter = server ? client_parameter : server_parameter,
	    .peer_bytes = server ? sizeof(client_parameter) : sizeof(server_parameter),
	};
	struct usrsctp_cmt_handshake *hs = usrsctp_cmt_handshake_new(keys, &config);

	assert_non_null(hs);
	return hs;
}

void ends_begin(struct ends *e, struct usrsctp_cmt_keys *client, struct usrsctp_cmt_keys *server)
{
	e->hs[CLIENT] = end_new(client, false, SCTP_DTLS_FIRST_EPOCH);
	e->hs[SERVER] = end_new(server, true, SCTP_DTLS_FIRST_EPOCH);
}

void ends_free(struct ends *e)
{
	usrsctp_cmt_handshake_free(e->hs[CLIENT]);
	usrsctp_cmt_handshake_free(e->hs[SERVER]);
}

void end_says(struct usrsctp_cmt_handshake *hs, struct message *m)
{
	ssize_t n = usrsctp_cmt_handshake_output(hs, m->bytes, sizeof(m->bytes));

	assert_true(n >= 0);
	m->n = (size_t)n;
	assert_int_equal(0, ERR_peek_error());
}

enum usrsctp_cmt_handshake_state end_hears(struct usrsctp_cmt_handshake *hs, const struct message *m)
{
	/* A copy of its own size, so that a sanitizer sees what is read behind it. */
	uint8_t *copy = malloc(m->n > 0 ? m->n : 1);
	enum usrsctp_cmt_handshake_state state;

	assert_non_null(copy);
	memcpy(copy, m->bytes, m->n);
	state = usrsctp_cmt_handshake_input(hs, copy, m->n);
	free(copy);
	assert_int_equal(state, usrsctp_cmt_handshake_state(hs));
	assert_int_equal(state == USRSCTP_CMT_HANDSHAKE_FAILED, usrsctp_cmt_handshake_reason(hs)[0] != '\0');
	assert_int_equal(0, ERR_peek_error());
	return state;
}

void ends_run(struct ends *e)
{
	struct message m;

	for (int quiet = 0, from = CLIENT; quiet < BOTH; from = !from) {
		end_says(e->hs[from], &m);
		quiet = m.n > 0 ? 0 : quiet + 1;
		if (m.n > 0)
			end_hears(e->hs[!from], &m);
	}
}

static bool same_keys(const struct ends *e, int writer)
{
	union {
		struct sctp_dtls_keys keys;
		uint8_t bytes[sizeof(struct sctp_dtls_keys) + SCTP_DTLS_KEYS_MAX];
	} sends, receives;
	const ssize_t n = usrsctp_cmt_handshake_keys(e->hs[writer], true, &sends.keys, sizeof(sends));

	return n > 0 &&
	       n == usrsctp_cmt_handshake_keys(e->hs[!writer], false, &receives.keys, sizeof(receives)) &&
	       memcmp(sends.bytes, receives.bytes, (size_t)n) == 0;
}

bool ends_agree(const struct ends *e)
{
	return usrsctp_cmt_handshake_state(e->hs[CLIENT]) == USRSCTP_CMT_HANDSHAKE_DONE &&
	       usrsctp_cmt_handshake_state(e->hs[SERVER]) == USRSCTP_CMT_HANDSHAKE_DONE &&
	       same_keys(e, CLIENT) && same_keys(e, SERVER);
}

void assert_agreed(const struct ends *e)
{
	assert_string_equal("", usrsctp_cmt_handshake_reason(e->hs[CLIENT]));
	assert_string_equal("", usrsctp_cmt_handshake_reason(e->hs[SERVER]));
	assert_true(ends_agree(e));
}

void assert_refused(const struct ends *e, const char *client_words, const char *server_words)
{
	const char *const words[BOTH] = {[CLIENT] = client_words, [SERVER] = server_words};
	uint8_t keys[sizeof(struct sctp_dtls_keys) + SCTP_DTLS_KEYS_MAX];

	for (int i = CLIENT; i < BOTH; i++) {
		const char *reason = usrsctp_cmt_handshake_reason(e->hs[i]);
		struct usrsctp_cmt_peer peer = {.size = sizeof(peer)};

		print_message("%s: %s\n", i == CLIENT ? "client" : "server", reason);
		assert_int_equal(USRSCTP_CMT_HANDSHAKE_FAILED, usrsctp_cmt_handshake_state(e->hs[i]));
		if (strstr(reason, words[i]) == NULL)
			fail_msg("not in it: %s", words[i]);
		assert_int_equal(-1, usrsctp_cmt_handshake_peer(e->hs[i], &peer));
		assert_int_equal(-1, usrsctp_cmt_handshake_keys(e->hs[i], true, (void *)keys, sizeof(keys)));
	}
}
