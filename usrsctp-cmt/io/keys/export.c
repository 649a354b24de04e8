/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keys of the DTLS chunk by TLS's exporter (RFC 8446, section 7.5; draft-porfiri-tsvwg-sctp-dtls-handshake,
 * "DTLS Key Context derivation").
 *
 * The draft's context has a byte of the direction, one of traffic or restart, and what was negotiated; it
 * leaves open how that is laid out for the DTLS Key Management Parameter of today. Here: both parameters
 * whole, the client's first. It has no label for the key of sequence numbers: those end in _SN_KEY. */
#include <string.h>

#include "parts.h"

enum { CLIENT_WRITES, SERVER_WRITES };
enum { TRAFFIC = 0 };

struct labels {
	const char *key, *iv, *sn_key;
};

static const struct labels labels[] = {
    [CLIENT_WRITES] = {"EXPORTER_DTLS_IN_SCTP_PRIMARY_CLIENT_KEY", "EXPORTER_DTLS_IN_SCTP_PRIMARY_CLIENT_IV",
                       "EXPORTER_DTLS_IN_SCTP_PRIMARY_CLIENT_SN_KEY"},
    [SERVER_WRITES] = {"EXPORTER_DTLS_IN_SCTP_PRIMARY_SERVER_KEY", "EXPORTER_DTLS_IN_SCTP_PRIMARY_SERVER_IV",
                       "EXPORTER_DTLS_IN_SCTP_PRIMARY_SERVER_SN_KEY"},
};

static const struct keys_suite *suite_of(const SSL *ssl)
{
	const SSL_CIPHER *cipher = SSL_get_current_cipher(ssl);

	for (size_t i = 0; cipher != NULL && i < KEYS_SUITES; i++) {
		if (SSL_CIPHER_get_protocol_id(cipher) ==
		    (keys_suites[i].number[0] << 8 | keys_suites[i].number[1]))
			return &keys_suites[i];
	}
	return NULL;
}

static bool export_half(struct usrsctp_cmt_handshake *hs, uint8_t direction, size_t key_bytes)
{
	struct keys_half *half = &hs->halves[direction];
	const struct {
		const char *label;
		uint8_t *out;
		size_t bytes;
	} wanted[] = {
	    {labels[direction].key, half->key, key_bytes},
	    {labels[direction].iv, half->iv, sizeof(half->iv)},
	    {labels[direction].sn_key, half->sn_key, key_bytes},
	};
	uint8_t context[2 + sizeof(hs->parameters)] = {direction, TRAFFIC};

	memcpy(context + 2, hs->parameters, hs->parameters_bytes);
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		if (SSL_export_keying_material(hs->ssl, wanted[i].out, wanted[i].bytes, wanted[i].label,
		                               strlen(wanted[i].label), context, 2 + hs->parameters_bytes,
		                               1) != 1)
			return false;
	}
	return true;
}

bool keys_export(struct usrsctp_cmt_handshake *hs)
{
	const struct keys_suite *suite = suite_of(hs->ssl);

	if (suite == NULL || !export_half(hs, CLIENT_WRITES, suite->key_bytes) ||
	    !export_half(hs, SERVER_WRITES, suite->key_bytes))
		return false;
	hs->suite = suite;
	return true;
}

void keys_export_forget(struct usrsctp_cmt_handshake *hs)
{
	OPENSSL_cleanse(hs->halves, sizeof(hs->halves));
	hs->suite = NULL;
}
