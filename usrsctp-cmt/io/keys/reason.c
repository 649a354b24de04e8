/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Why a handshake has failed, as a sentence. What the peer says by an alert is told as that. */
#include <stdio.h>

#include <openssl/err.h>

#include "parts.h"

#define PASSPHRASES_DIFFER "the peer's passphrase is another than ours: give both ends the same"

static const struct {
	int reason; /* of ERR_LIB_SSL */
	const char *text;
} ours[] = {
    {SSL_R_BINDER_DOES_NOT_VERIFY, PASSPHRASES_DIFFER},
    {SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE, "the peer has no certificate, and it must have one"},
    {SSL_R_UNSUPPORTED_PROTOCOL, "the peer does not speak TLS 1.3, and nothing else is taken"},
    {SSL_R_BAD_SIGNATURE, "the peer does not have the key of the certificate that it shows"},
    {SSL_R_DECRYPTION_FAILED_OR_BAD_RECORD_MAC,
     "a message was damaged or changed on its way: somebody is in between, or try again"},
    {SSL_R_BAD_KEY_SHARE,
     "a message was damaged or changed on its way: somebody is in between, or try again"},
};

static void say_alert(struct usrsctp_cmt_handshake *hs, int alert)
{
	const size_t bytes = sizeof(hs->reason);
	const char *name = SSL_alert_desc_string_long(alert);
	char own[USRSCTP_CMT_FINGERPRINT_TEXT];

	usrsctp_cmt_fingerprint_format(hs->keys->fingerprint, own);
	switch (alert) {
	case SSL_AD_CERTIFICATE_EXPIRED:
		snprintf(hs->reason, bytes, "the peer refuses our certificate (alert: %s): make a new one",
		         name);
		return;
	case SSL_AD_UNKNOWN_CA:
	case SSL_AD_BAD_CERTIFICATE:
	case SSL_AD_CERTIFICATE_UNKNOWN:
	case SSL_AD_UNSUPPORTED_CERTIFICATE:
	case SSL_AD_CERTIFICATE_REVOKED:
	case SSL_AD_ACCESS_DENIED:
	case SSL_AD_CERTIFICATE_REQUIRED:
		if (hs->keys->has_passphrase)
			snprintf(hs->reason, bytes, "the peer refuses us (alert: %s)", name);
		else
			snprintf(hs->reason, bytes,
			         "the peer refuses our certificate (alert: %s): ours is %s", name, own);
		return;
	case SSL_AD_UNKNOWN_PSK_IDENTITY:
		snprintf(hs->reason, bytes,
		         "the peer has %s passphrase, and we have %s: give both ends the same, or neither",
		         hs->keys->has_passphrase ? "no" : "a", hs->keys->has_passphrase ? "one" : "none");
		return;
	case SSL_AD_ILLEGAL_PARAMETER:
	case SSL_AD_DECRYPT_ERROR:
		if (!hs->keys->has_passphrase)
			break;
		snprintf(hs->reason, bytes, PASSPHRASES_DIFFER " (alert: %s)", name);
		return;
	case SSL_AD_HANDSHAKE_FAILURE:
	case SSL_AD_INSUFFICIENT_SECURITY:
		snprintf(hs->reason, bytes, "no common cipher suite (alert: %s): we have %s", name,
		         hs->keys->suites);
		return;
	case SSL_AD_PROTOCOL_VERSION:
		snprintf(hs->reason, bytes,
		         "the peer does not speak TLS 1.3 (alert: %s), and nothing else is taken", name);
		return;
	default: break;
	}
	snprintf(hs->reason, bytes, "the peer ends the handshake (alert: %s)", name);
}

static void say_error(struct usrsctp_cmt_handshake *hs, int reason)
{
	const char *text = ERR_reason_error_string(ERR_PACK(ERR_LIB_SSL, 0, reason));

	if (reason > SSL_AD_REASON_OFFSET && reason <= SSL_AD_REASON_OFFSET + UINT8_MAX) {
		say_alert(hs, reason - SSL_AD_REASON_OFFSET);
		return;
	}
	if (reason == SSL_R_NO_SHARED_CIPHER) {
		snprintf(hs->reason, sizeof(hs->reason), "no common cipher suite: we have %s",
		         hs->keys->suites);
		return;
	}
	/* The way without a passphrase, for which there is no certificate. */
	if (hs->keys->has_passphrase && reason == SSL_R_NO_SUITABLE_SIGNATURE_ALGORITHM) {
		snprintf(hs->reason, sizeof(hs->reason),
		         "the peer has not shown that it knows the passphrase");
		return;
	}
	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++) {
		if (ours[i].reason == reason) {
			snprintf(hs->reason, sizeof(hs->reason), "%s", ours[i].text);
			return;
		}
	}
	snprintf(hs->reason, sizeof(hs->reason), "the TLS handshake fails: %s",
	         text != NULL ? text : "unknown reason");
}

void keys_reason_fill(struct usrsctp_cmt_handshake *hs)
{
	int reason = 0;
	unsigned long code;

	/* The first of TLS's own; what lies below it, of ciphers and numbers, says less. */
	while ((code = ERR_get_error()) != 0) {
		if (reason == 0 && ERR_GET_LIB(code) == ERR_LIB_SSL)
			reason = ERR_GET_REASON(code);
	}
	if (hs->reason[0] != '\0')
		return;
	if (reason != 0)
		say_error(hs, reason);
	else if ((SSL_get_shutdown(hs->ssl) & SSL_RECEIVED_SHUTDOWN) != 0)
		snprintf(hs->reason, sizeof(hs->reason), "the peer ends the handshake (alert: close notify)");
	else
		snprintf(hs->reason, sizeof(hs->reason), "the TLS handshake fails: no memory");
}
