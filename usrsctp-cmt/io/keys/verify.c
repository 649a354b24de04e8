/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whether the peer's certificate is taken: its dates, its chain and name, its fingerprint, then the
 * application's word. Each is asked for only where it is configured, but for the dates. The first no is the
 * reason, and the alert that the peer gets says the same in TLS's words. */
#include <stdio.h>
#include <string.h>

#include <openssl/x509v3.h>

#include "parts.h"

#define REASON(hs, ...) snprintf((hs)->reason, sizeof((hs)->reason), __VA_ARGS__)

/* The codes that follow choose the alert. */

static int check_dates(struct usrsctp_cmt_handshake *hs, const X509 *certificate)
{
	char date[KEYS_DATE_BYTES];

	/* 0: not a time; it is refused as the wrong side of one. */
	if (X509_cmp_current_time(X509_get0_notBefore(certificate)) >= 0) {
		keys_date(X509_get0_notBefore(certificate), date);
		REASON(hs,
		       "the peer's certificate is not valid before %s: it needs another, or a clock is wrong",
		       date);
		return X509_V_ERR_CERT_NOT_YET_VALID;
	}
	if (X509_cmp_current_time(X509_get0_notAfter(certificate)) <= 0) {
		keys_date(X509_get0_notAfter(certificate), date);
		REASON(hs, "the peer's certificate expired on %s: it needs a new one", date);
		return X509_V_ERR_CERT_HAS_EXPIRED;
	}
	return X509_V_OK;
}

static int check_chain(struct usrsctp_cmt_handshake *hs, X509_STORE_CTX *store)
{
	const X509 *at;
	char name[sizeof(hs->peer.name)] = "";
	int code;

	if (X509_verify_cert(store) == 1) {
		hs->peer.chain = true;
		return X509_V_OK;
	}
	code = X509_STORE_CTX_get_error(store);
	at = X509_STORE_CTX_get_current_cert(store);
	if (code == X509_V_ERR_HOSTNAME_MISMATCH || code == X509_V_ERR_IP_ADDRESS_MISMATCH)
		REASON(hs, "the peer's certificate is of \"%s\", not of \"%s\"", hs->peer.name,
		       hs->keys->ca_name);
	else if (X509_STORE_CTX_get_error_depth(store) > 0 && at != NULL) {
		keys_certificate_name(at, name, sizeof(name));
		REASON(hs, "the certificate of \"%s\", above the peer's, is refused: %s", name,
		       X509_verify_cert_error_string(code));
	} else
		REASON(hs, "the peer's certificate, of \"%s\", was not signed by a CA that we trust: %s",
		       hs->peer.name, X509_verify_cert_error_string(code));
	/* Two CAs of one name: the alert for that is of signatures in the handshake. */
	if (code == X509_V_ERR_CERT_SIGNATURE_FAILURE)
		return X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE;
	return code != X509_V_OK ? code : X509_V_ERR_UNSPECIFIED;
}

static int check_fingerprint(struct usrsctp_cmt_handshake *hs)
{
	char text[USRSCTP_CMT_FINGERPRINT_TEXT];

	for (size_t i = 0; i < hs->keys->n_wanted; i++) {
		if (memcmp(hs->keys->wanted[i], hs->peer.fingerprint, sizeof(hs->peer.fingerprint)) == 0)
			return X509_V_OK;
	}
	usrsctp_cmt_fingerprint_format(hs->peer.fingerprint, text);
	REASON(hs, "the peer is %s, not the one that was asked for: if it has a new key, ask for this one",
	       text);
	return X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT;
}

bool keys_verify_asked(struct usrsctp_cmt_handshake *hs)
{
	const struct usrsctp_cmt_keys *keys = hs->keys;
	char said[USRSCTP_CMT_REASON_BYTES] = "";

	if (keys->verify == NULL || keys->verify(&hs->peer, keys->verify_arg, said, sizeof(said)))
		return true;
	said[sizeof(said) - 1] = '\0';
	REASON(hs, "%s", said[0] != '\0' ? said : "this program does not take the peer");
	return false;
}

static int check(struct usrsctp_cmt_handshake *hs, X509_STORE_CTX *store)
{
	const X509 *certificate = X509_STORE_CTX_get0_cert(store);
	int code;

	if (hs->keys->has_passphrase) {
		REASON(hs, "the peer has no passphrase but a certificate: give both ends the same "
		           "passphrase, or neither");
		return X509_V_ERR_CERT_REJECTED;
	}
	if (certificate == NULL || !keys_certificate_fingerprint(certificate, hs->peer.fingerprint))
		return X509_V_ERR_UNSPECIFIED;
	keys_certificate_name(certificate, hs->peer.name, sizeof(hs->peer.name));
	code = check_dates(hs, certificate);
	if (code == X509_V_OK && hs->keys->has_ca)
		code = check_chain(hs, store);
	if (code == X509_V_OK && hs->keys->n_wanted > 0)
		code = check_fingerprint(hs);
	return code;
}

static int verify(X509_STORE_CTX *store, void *arg)
{
	const SSL *ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx());
	int code = check(SSL_get_app_data(ssl), store);

	(void)arg;
	X509_STORE_CTX_set_error(store, code);
	return code == X509_V_OK;
}

void keys_verify_use(SSL_CTX *ctx)
{
	SSL_CTX_set_verify(ctx, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
	SSL_CTX_set_cert_verify_callback(ctx, verify, NULL);
}
