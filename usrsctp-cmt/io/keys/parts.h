/* SPDX-License-Identifier: BSD-3-Clause
 *
 * parts.h - what the files of this folder share. In order, each uses those above it:
 *
 *   fingerprint.c   fingerprints as text
 *   certificate.c   certificates made, and what is read off one
 *   passphrase.c    a passphrase as a pre-shared key of TLS 1.3
 *   verify.c        whether the peer's certificate is taken
 *   keys.c          a configuration as an SSL_CTX
 *   reason.c        why a handshake has failed, as a sentence
 *   export.c        keys of the DTLS chunk out of a TLS connection
 *   handshake.c     messages and states
 *
 * OpenSSL's error queue is empty when a public function returns. */
#ifndef CMT_KEYS_PARTS_H
#define CMT_KEYS_PARTS_H

#include <openssl/ssl.h>

#include <usrsctp_cmt_keys.h>

enum {
	KEYS_PSK_BYTES = 32,
	KEYS_SUITES = 3,
	KEYS_DAYS_MAX = 36500,
	KEYS_DATE_BYTES = 32,
	/* Of all messages of one handshake, and of one's own certificates: a flight, the certificates and 4
	 * KiB at most, fits into a message of 16 KiB. */
	KEYS_INPUT_BYTES_MAX = 65536,
	KEYS_CERTIFICATES_BYTES_MAX = 12288
};

struct keys_suite {
	const char *name;
	uint8_t number[2];
	uint16_t key_bytes; /* of the key of sequence numbers, too */
	bool sha256;        /* goes with a passphrase's key */
};
extern const struct keys_suite keys_suites[KEYS_SUITES]; /* preferred first */

struct usrsctp_cmt_keys {
	SSL_CTX *ctx;
	char suites[128];                                   /* names with ":" between */
	uint8_t fingerprint[USRSCTP_CMT_FINGERPRINT_BYTES]; /* our own */
	uint8_t (*wanted)[USRSCTP_CMT_FINGERPRINT_BYTES];   /* fingerprints of peers */
	size_t n_wanted;
	bool has_ca;
	char *ca_name; /* NULL = any */
	bool has_passphrase;
	uint8_t psk[KEYS_PSK_BYTES];
	usrsctp_cmt_verify_cb *verify;
	void *verify_arg;
};

/* Of one direction. */
struct keys_half {
	uint8_t key[32], iv[12], sn_key[32];
};

struct usrsctp_cmt_handshake {
	struct usrsctp_cmt_keys *keys;
	SSL *ssl;
	BIO *in, *out; /* the SSL's */
	bool server;
	uint64_t epoch;
	enum usrsctp_cmt_handshake_state state;
	size_t received_bytes;
	/* The client's parameter, then the server's. */
	uint8_t parameters[2 * SCTP_DTLS_KMP_MAX];
	size_t parameters_bytes;
	const struct keys_suite *suite; /* NULL = nothing was exported yet */
	struct keys_half halves[2];     /* the client writes with the first, the server with the second */
	struct usrsctp_cmt_peer peer;
	char reason[USRSCTP_CMT_REASON_BYTES]; /* "" = not known */
};

/* --- certificate.c --- */

/* A new key, and a certificate signed with it. -1 with errno: EINVAL (the name), ENOMEM. The caller frees
 * both. */
int keys_certificate_make(const char *name, unsigned days, EVP_PKEY **key, X509 **certificate);
/* "" if it has neither a common name nor a DNS name. */
void keys_certificate_name(const X509 *certificate, char *name, size_t bytes);
/* false: OpenSSL could not. */
bool keys_certificate_fingerprint(const X509 *certificate, uint8_t out[USRSCTP_CMT_FINGERPRINT_BYTES]);
/* "3 May 2026", "?" if it is no date. */
void keys_date(const ASN1_TIME *time, char out[KEYS_DATE_BYTES]);

/* --- passphrase.c --- */

/* Its key; false: no memory. */
bool keys_passphrase_derive(const char *passphrase, uint8_t psk[KEYS_PSK_BYTES]);
/* Handshakes of it offer and take the key of their usrsctp_cmt_keys. */
bool keys_passphrase_use(SSL_CTX *ctx);

/* --- verify.c --- */

void keys_verify_use(SSL_CTX *ctx);
/* The application's own word, last: false with a reason. */
bool keys_verify_asked(struct usrsctp_cmt_handshake *hs);

/* --- reason.c --- */

/* Empties the queue, and fills hs->reason if nobody has yet. */
void keys_reason_fill(struct usrsctp_cmt_handshake *hs);

/* --- export.c --- */

/* Fills suite and halves as soon as the connection has a secret for that; false before. */
bool keys_export(struct usrsctp_cmt_handshake *hs);
void keys_export_forget(struct usrsctp_cmt_handshake *hs);

#endif
