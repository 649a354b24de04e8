/* SPDX-License-Identifier: BSD-3-Clause */
#include "secure/encryption.h"

#include <stdio.h>
#include <string.h>

#include "text/message.h"

void app_encryption_read(const struct usrsctp_cmt_conn *conn, struct app_encryption *out)
{
	struct usrsctp_cmt_peer peer = {.size = sizeof(peer)};

	*out = (struct app_encryption){.encrypted = usrsctp_cmt_conn_peer(conn, &peer) == 0};
	if (out->encrypted) {
		out->peer = peer;
		(void)app_printable(peer.name, out->peer.name, sizeof(out->peer.name));
	}
}

/* Of a peer with a certificate; else NULL. */
static const char *fingerprint_of(const struct app_encryption *e, char out[USRSCTP_CMT_FINGERPRINT_TEXT])
{
	if (e->peer.passphrase) {
		return NULL;
	}
	usrsctp_cmt_fingerprint_format(e->peer.fingerprint, out);
	return out;
}

json_t *app_encryption_json(const struct app_encryption *e)
{
	char text[USRSCTP_CMT_FINGERPRINT_TEXT];

	if (!e->encrypted) {
		return json_null();
	}
	return json_pack("{s:s, s:b, s:b, s:s?, s:s?}", "suite", e->peer.suite, "passphrase",
	                 (int)e->peer.passphrase, "chain", (int)e->peer.chain, "fingerprint",
	                 fingerprint_of(e, text), "name", e->peer.name[0] != '\0' ? e->peer.name : NULL);
}

char *app_encryption_text(const struct app_encryption *e, char out[APP_ENCRYPTION_TEXT_BYTES])
{
	char text[USRSCTP_CMT_FINGERPRINT_TEXT];
	const char *const fingerprint = fingerprint_of(e, text);
	const bool named = e->peer.name[0] != '\0';

	if (!e->encrypted) {
		(void)snprintf(out, APP_ENCRYPTION_TEXT_BYTES, "in the clear");
	} else {
		(void)snprintf(out, APP_ENCRYPTION_TEXT_BYTES, "%s%s%s%s, %s",
		               fingerprint != NULL ? fingerprint : "passphrase", named ? " (" : "",
		               e->peer.name, named ? ")" : "", e->peer.suite);
	}
	return out;
}
