/* SPDX-License-Identifier: BSD-3-Clause
 *
 * encryption.h - how a connection is encrypted and who its peer is, for reports and messages. */
#ifndef APP_ENCRYPTION_H
#define APP_ENCRYPTION_H

#include <jansson.h>
#include <usrsctp_cmt_event.h>
#include <usrsctp_cmt_keys.h>

/* A copy that outlives the connection. */
struct app_encryption {
	bool encrypted;               /* false: in the clear, and the peer is not known */
	struct usrsctp_cmt_peer peer; /* its name is made printable */
};

/* Of a connection that is up. */
void app_encryption_read(const struct usrsctp_cmt_conn *conn, struct app_encryption *out);

/* null in the clear; else an object: "suite", "passphrase" and "chain" (whether both know the passphrase,
 * whether a CA that is trusted has signed), "fingerprint" (null: none, with a passphrase) and "name" (null:
 * none). */
json_t *app_encryption_json(const struct app_encryption *e);

/* "sha256:... (NAME), TLS_AES_128_GCM_SHA256", "passphrase, ..." or "in the clear". Returns `out`. */
#define APP_ENCRYPTION_TEXT_BYTES 192
char *app_encryption_text(const struct app_encryption *e, char out[APP_ENCRYPTION_TEXT_BYTES]);

#endif
