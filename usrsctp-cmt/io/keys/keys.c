/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A configuration as an SSL_CTX, from which the handshakes of both roles come. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "parts.h"

enum { OWN_CERTIFICATE_DAYS = 3650 };

const struct keys_suite keys_suites[KEYS_SUITES] = {
    {.name = "TLS_AES_128_GCM_SHA256", .number = {0x13, 0x01}, .key_bytes = 16, .sha256 = true},
    {.name = "TLS_AES_256_GCM_SHA384", .number = {0x13, 0x02}, .key_bytes = 32, .sha256 = false},
    {.name = "TLS_CHACHA20_POLY1305_SHA256", .number = {0x13, 0x03}, .key_bytes = 32, .sha256 = true},
};

/* Where a configuration is refused. */
struct refusal {
	char *text; /* NULL = nobody asks */
	size_t bytes;
	int code;
};

__attribute__((format(printf, 3, 4))) static bool refuse(struct refusal *r, int code, const char *format, ...)
{
	va_list args;

	r->code = code;
	if (r->text != NULL && r->bytes > 0) {
		va_start(args, format);
		vsnprintf(r->text, r->bytes, format, args);
		va_end(args);
	}
	return false;
}

static bool no_memory(struct refusal *r)
{
	return refuse(r, ENOMEM, "no memory for keys");
}

/* Of what OpenSSL has refused; what follows the first says where. */
static const char *openssl_reason(void)
{
	const char *text = ERR_reason_error_string(ERR_peek_error());

	return text != NULL ? text : "not PEM";
}

static bool can_be_read(const char *field, const char *file, struct refusal *r)
{
	FILE *f = fopen(file, "re");

	if (f == NULL)
		return refuse(r, EIO, "%s: cannot read %s: %s", field, file, strerror(errno));
	fclose(f);
	return true;
}

static bool check(const struct usrsctp_cmt_keys_config *c, struct refusal *r)
{
	if (c == NULL || c->size != sizeof(*c))
		return refuse(r, EINVAL, "the configuration's size is not that of this version");
	if ((c->cert_file == NULL) != (c->key_file == NULL))
		return refuse(r, EINVAL,
		              "%s is missing: cert_file and key_file go together (one file may hold both)",
		              c->cert_file == NULL ? "cert_file" : "key_file");
	if (c->ca_name != NULL && c->ca_file == NULL)
		return refuse(r, EINVAL, "ca_name: \"%s\" says nothing without ca_file", c->ca_name);
	if (c->n_fingerprints > 0 && c->fingerprints == NULL)
		return refuse(r, EINVAL, "fingerprints: NULL, and n_fingerprints is %zu", c->n_fingerprints);
	if (c->passphrase != NULL && c->passphrase[0] == '\0')
		return refuse(r, EINVAL, "passphrase: it is empty");
	if (c->passphrase != NULL && (c->cert_file != NULL || c->ca_file != NULL || c->n_fingerprints > 0))
		return refuse(r, EINVAL,
		              "passphrase: there are no certificates then; leave out cert_file, ca_file and "
		              "fingerprints");
	return true;
}

static bool is_listed(const char *name, const char *list)
{
	const size_t bytes = strlen(name);

	for (const char *at = list; at != NULL; at = strchr(at, ':')) {
		at += *at == ':';
		if (strncmp(at, name, bytes) == 0 && (at[bytes] == ':' || at[bytes] == '\0'))
			return true;
	}
	return false;
}

/* The first name of the list that is none of ours; `bytes` is its length. */
static const char *unknown_suite(const char *list, int *bytes)
{
	while (list != NULL) {
		const size_t n = strcspn(list, ":");
		bool known = false;

		for (size_t i = 0; i < KEYS_SUITES; i++)
			known |=
			    strlen(keys_suites[i].name) == n && strncmp(keys_suites[i].name, list, n) == 0;
		if (!known) {
			*bytes = (int)(n < 64 ? n : 64);
			return list;
		}
		list = list[n] == ':' ? list + n + 1 : NULL;
	}
	return NULL;
}

/* The configuration's order, without what has another hash than a passphrase's key. */
static bool set_suites(struct usrsctp_cmt_keys *keys, const char *list, struct refusal *r)
{
	int bytes;
	const char *wrong = unknown_suite(list, &bytes);
	char all[sizeof(keys->suites)] = "";

	if (wrong != NULL)
		return refuse(r, EINVAL,
		              "suites: \"%.*s\" is none of TLS_AES_128_GCM_SHA256, TLS_AES_256_GCM_SHA384, "
		              "TLS_CHACHA20_POLY1305_SHA256",
		              bytes, wrong);
	for (size_t i = 0; i < KEYS_SUITES; i++)
		snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s%s", i > 0 ? ":" : "",
		         keys_suites[i].name);
	if (list == NULL)
		list = all;
	for (const char *at = list; at != NULL; at = strchr(at, ':')) {
		at += *at == ':';
		for (size_t i = 0; i < KEYS_SUITES; i++) {
			const struct keys_suite *suite = &keys_suites[i];
			const size_t used = strlen(keys->suites), n = strlen(suite->name);

			if (strncmp(at, suite->name, n) == 0 && (suite->sha256 || !keys->has_passphrase) &&
			    !is_listed(suite->name, keys->suites))
				snprintf(keys->suites + used, sizeof(keys->suites) - used, "%s%s",
				         used > 0 ? ":" : "", suite->name);
		}
	}
	if (keys->suites[0] == '\0')
		return refuse(
		    r, EINVAL,
		    "suites: with a passphrase it takes one of those that end in _SHA256, not \"%s\"", list);
	return SSL_CTX_set_ciphersuites(keys->ctx, keys->suites) == 1 || no_memory(r);
}

/* Nobody is asked on a terminal. */
static int no_password(char *buffer, int bytes, int writing, void *arg)
{
	(void)buffer;
	(void)bytes;
	(void)writing;
	(void)arg;
	return -1;
}

static bool load_certificate(SSL_CTX *ctx, const struct usrsctp_cmt_keys_config *c, struct refusal *r)
{
	STACK_OF(X509) *chain = NULL;
	long bytes;

	if (!can_be_read("cert_file", c->cert_file, r) || !can_be_read("key_file", c->key_file, r))
		return false;
	if (SSL_CTX_use_certificate_chain_file(ctx, c->cert_file) != 1)
		return refuse(r, EINVAL, "cert_file: %s has no certificate in PEM: %s", c->cert_file,
		              openssl_reason());
	SSL_CTX_set_default_passwd_cb(ctx, no_password);
	if (SSL_CTX_use_PrivateKey_file(ctx, c->key_file, SSL_FILETYPE_PEM) != 1) {
		if (ERR_GET_REASON(ERR_peek_last_error()) == X509_R_KEY_VALUES_MISMATCH)
			return refuse(r, EINVAL,
			              "key_file: the key of %s is not that of the certificate in %s",
			              c->key_file, c->cert_file);
		return refuse(r, EINVAL, "key_file: %s has no private key in PEM without a password: %s",
		              c->key_file, openssl_reason());
	}
	bytes = i2d_X509(SSL_CTX_get0_certificate(ctx), NULL);
	SSL_CTX_get0_chain_certs(ctx, &chain);
	for (int i = 0; i < sk_X509_num(chain); i++)
		bytes += i2d_X509(sk_X509_value(chain, i), NULL);
	if (bytes > KEYS_CERTIFICATES_BYTES_MAX)
		return refuse(r, EINVAL, "cert_file: the certificates of %s have %ld bytes; %d at most",
		              c->cert_file, bytes, KEYS_CERTIFICATES_BYTES_MAX);
	return true;
}

static bool make_certificate(SSL_CTX *ctx, struct refusal *r)
{
	EVP_PKEY *key;
	X509 *certificate;
	bool done;

	if (keys_certificate_make("usrsctp-cmt", OWN_CERTIFICATE_DAYS, &key, &certificate) != 0)
		return no_memory(r);
	done = SSL_CTX_use_certificate(ctx, certificate) == 1 && SSL_CTX_use_PrivateKey(ctx, key) == 1;
	X509_free(certificate);
	EVP_PKEY_free(key);
	return done || no_memory(r);
}

static bool set_trust(struct usrsctp_cmt_keys *keys, const struct usrsctp_cmt_keys_config *c,
                      struct refusal *r)
{
	X509_VERIFY_PARAM *param = SSL_CTX_get0_param(keys->ctx);

	if (c->n_fingerprints > 0) {
		keys->wanted = calloc(c->n_fingerprints, sizeof(*keys->wanted));
		if (keys->wanted == NULL)
			return no_memory(r);
		memcpy(keys->wanted, c->fingerprints, c->n_fingerprints * sizeof(*keys->wanted));
		keys->n_wanted = c->n_fingerprints;
	}
	if (c->ca_file == NULL)
		return true;
	if (!can_be_read("ca_file", c->ca_file, r))
		return false;
	if (SSL_CTX_load_verify_file(keys->ctx, c->ca_file) != 1)
		return refuse(r, EINVAL, "ca_file: %s has no certificate in PEM: %s", c->ca_file,
		              openssl_reason());
	/* "One of these", whether or not it has signed itself. */
	X509_VERIFY_PARAM_set_flags(param, X509_V_FLAG_PARTIAL_CHAIN);
	keys->has_ca = true;
	if (c->ca_name == NULL)
		return true;
	keys->ca_name = strdup(c->ca_name);
	if (keys->ca_name == NULL)
		return no_memory(r);
	if (X509_VERIFY_PARAM_set1_ip_asc(param, c->ca_name) != 1 &&
	    X509_VERIFY_PARAM_set1_host(param, c->ca_name, 0) != 1)
		return refuse(r, EINVAL, "ca_name: \"%s\" is no name of a host", c->ca_name);
	return true;
}

static bool set_identity(struct usrsctp_cmt_keys *keys, const struct usrsctp_cmt_keys_config *c,
                         struct refusal *r)
{
	if (c->passphrase != NULL)
		return (keys_passphrase_derive(c->passphrase, keys->psk) && keys_passphrase_use(keys->ctx)) ||
		       no_memory(r);
	if (c->cert_file != NULL ? !load_certificate(keys->ctx, c, r) : !make_certificate(keys->ctx, r))
		return false;
	return keys_certificate_fingerprint(SSL_CTX_get0_certificate(keys->ctx), keys->fingerprint) ||
	       no_memory(r);
}

/* A client that offers a pre-shared key has a passphrase, for no tickets are ever given. Who has one and who
 * has none part here, before any of them falls back to the other's way. */
static int on_client_hello(SSL *ssl, int *alert, void *arg)
{
	struct usrsctp_cmt_handshake *hs = SSL_get_app_data(ssl);
	const unsigned char *extension;
	size_t bytes;
	const bool offered = SSL_client_hello_get0_ext(ssl, TLSEXT_TYPE_psk, &extension, &bytes) == 1;

	(void)arg;
	if (offered == hs->keys->has_passphrase)
		return SSL_CLIENT_HELLO_SUCCESS;
	snprintf(hs->reason, sizeof(hs->reason),
	         "the peer has %s passphrase, and we have %s: give both ends the same, or neither",
	         offered ? "a" : "no", offered ? "none" : "one");
	*alert = SSL_AD_UNKNOWN_PSK_IDENTITY;
	return SSL_CLIENT_HELLO_ERROR;
}

static SSL_CTX *new_context(void)
{
	SSL_CTX *ctx = SSL_CTX_new(TLS_method());

	if (ctx == NULL)
		return NULL;
	if (SSL_CTX_set_min_proto_version(ctx, TLS1_3_VERSION) != 1 ||
	    SSL_CTX_set_max_proto_version(ctx, TLS1_3_VERSION) != 1 || SSL_CTX_set_num_tickets(ctx, 0) != 1) {
		SSL_CTX_free(ctx);
		return NULL;
	}
	SSL_CTX_clear_options(ctx, SSL_OP_ENABLE_MIDDLEBOX_COMPAT | SSL_OP_ALLOW_NO_DHE_KEX);
	SSL_CTX_set_options(ctx, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION);
	SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_OFF);
	/* What is sent is what the file of the certificate has. */
	SSL_CTX_set_mode(ctx, SSL_MODE_NO_AUTO_CHAIN);
	SSL_CTX_set_quiet_shutdown(ctx, 1);
	SSL_CTX_set_client_hello_cb(ctx, on_client_hello, NULL);
	keys_verify_use(ctx);
	return ctx;
}

struct usrsctp_cmt_keys *usrsctp_cmt_keys_new(const struct usrsctp_cmt_keys_config *config, char *error,
                                              size_t error_bytes)
{
	struct refusal r = {.text = error, .bytes = error_bytes};
	struct usrsctp_cmt_keys *keys = NULL;

	ERR_clear_error();
	if (!check(config, &r))
		goto failed;
	keys = calloc(1, sizeof(*keys));
	if (keys == NULL || (keys->ctx = new_context()) == NULL) {
		(void)no_memory(&r);
		goto failed;
	}
	keys->has_passphrase = config->passphrase != NULL;
	keys->verify = config->verify;
	keys->verify_arg = config->verify_arg;
	if (!set_suites(keys, config->suites, &r) || !set_identity(keys, config, &r) ||
	    !set_trust(keys, config, &r))
		goto failed;
	ERR_clear_error();
	return keys;
failed:
	usrsctp_cmt_keys_free(keys);
	ERR_clear_error();
	errno = r.code;
	return NULL;
}

void usrsctp_cmt_keys_free(struct usrsctp_cmt_keys *keys)
{
	if (keys == NULL)
		return;
	SSL_CTX_free(keys->ctx);
	free(keys->wanted);
	free(keys->ca_name);
	OPENSSL_cleanse(keys->psk, sizeof(keys->psk));
	free(keys);
}

void usrsctp_cmt_keys_fingerprint(const struct usrsctp_cmt_keys *keys,
                                  uint8_t out[USRSCTP_CMT_FINGERPRINT_BYTES])
{
	memcpy(out, keys->fingerprint, sizeof(keys->fingerprint));
}
