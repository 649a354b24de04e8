/* SPDX-License-Identifier: BSD-3-Clause
 *
 * usrsctp_cmt_keys.h - keys for the SCTP DTLS chunk, by TLS 1.3 in user messages
 * (draft-porfiri-tsvwg-sctp-dtls-handshake).
 *
 * Two objects: a usrsctp_cmt_keys says who we are and whom we trust, and lasts as long as the program; a
 * usrsctp_cmt_handshake is one TLS connection, from which the keys of one epoch come. Neither knows of
 * sockets: messages go in and come out, so that everything here can be tested without a network. Connections
 * of usrsctp_cmt_event.h drive it themselves.
 *
 * No thread is started, no clock but OpenSSL's (validity of certificates) is read. A usrsctp_cmt_keys may be
 * used by several threads at once after it was made, a usrsctp_cmt_handshake by one. Structures start with
 * their size. */
#ifndef USRSCTP_CMT_KEYS_H
#define USRSCTP_CMT_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <usrsctp_cmt_dtls.h>

#ifdef __cplusplus
extern "C" {
#endif

#define USRSCTP_CMT_FINGERPRINT_BYTES 32 /* SHA-256 of the certificate in DER */
#define USRSCTP_CMT_FINGERPRINT_TEXT  72 /* "sha256:" and 64 hex digits, NUL */
#define USRSCTP_CMT_REASON_BYTES      256

/* --- who we are, whom we trust --- */

struct usrsctp_cmt_keys;

/* Whom the handshake has found at the other end. */
struct usrsctp_cmt_peer {
	size_t size;
	bool passphrase; /* both know the passphrase; then there is no certificate, and the rest is empty */
	bool chain; /* the certificate was signed by one of `ca_file`, and is of `ca_name` if one is asked for
	             */
	uint8_t fingerprint[USRSCTP_CMT_FINGERPRINT_BYTES];
	char name[64];  /* common name or first DNS name of the certificate; printable ASCII, "" = none */
	char suite[32]; /* "TLS_AES_128_GCM_SHA256" */
};

/* Asked once in a handshake, when all that the configuration checks has been checked, and the peer has shown
 * that it has its certificate's key: whether it is taken. `reason` gets a sentence for who is refused; the
 * peer itself hears nothing but that the association ends. */
typedef bool usrsctp_cmt_verify_cb(const struct usrsctp_cmt_peer *peer, void *arg, char *reason,
                                   size_t reason_bytes);

struct usrsctp_cmt_keys_config {
	size_t size;
	/* PEM. Both or none; none: a key (ECDSA P-256) and a self-signed certificate are made, which live as
	 * long as this object. The certificate file may hold its chain, 12 KiB in all; a key with a password
	 * is refused. */
	const char *cert_file, *key_file;
	/* The peer's certificate must be signed by one of these; NULL: chains are not looked at. */
	const char *ca_file;
	const char *ca_name; /* and be of this host or IP address; NULL: of any. Not without ca_file */
	const uint8_t (*fingerprints)[USRSCTP_CMT_FINGERPRINT_BYTES]; /* the peer must have one of these */
	size_t n_fingerprints;
	/* Both ends know it: TLS 1.3 with an external PSK (psk_dhe_ke) that scrypt makes of it; no
	 * certificates then. */
	const char *passphrase;
	/* NULL: whoever passes what is above. With nothing of all that a peer is not authenticated, only
	 * encrypted for: make sure that this is meant. */
	usrsctp_cmt_verify_cb *verify;
	void *verify_arg;
	/* TLS 1.3 names, ":" between; NULL: what the DTLS chunk has, preferred first. With a passphrase,
	 * those of SHA-256 */
	const char *suites;
};

/* NULL with errno: EINVAL, ENOMEM, EIO (a file cannot be read); `error`, if not NULL, gets a sentence that
 * names the file or field and the reason. Files are read at once. */
struct usrsctp_cmt_keys *usrsctp_cmt_keys_new(const struct usrsctp_cmt_keys_config *config, char *error,
                                              size_t error_bytes);
void usrsctp_cmt_keys_free(
    struct usrsctp_cmt_keys *keys); /* NULL: nothing. Handshakes must have been freed */

/* Our own fingerprint; all zero with a passphrase. */
void usrsctp_cmt_keys_fingerprint(const struct usrsctp_cmt_keys *keys,
                                  uint8_t out[USRSCTP_CMT_FINGERPRINT_BYTES]);

/* Makes a private key (ECDSA P-256) and a self-signed certificate for `name`, valid for `days` from a day ago
 * on, and writes both into `file` (PEM, mode 0600; EEXIST if it is there). 0 or -1 with errno. */
int usrsctp_cmt_keys_make(const char *file, const char *name, unsigned days);

/* "sha256:<64 hex digits>" with or without ":" between bytes, upper or lower case. 0 or -1 with EINVAL. */
int usrsctp_cmt_fingerprint_parse(const char *text, uint8_t out[USRSCTP_CMT_FINGERPRINT_BYTES]);
void usrsctp_cmt_fingerprint_format(const uint8_t fingerprint[USRSCTP_CMT_FINGERPRINT_BYTES],
                                    char out[USRSCTP_CMT_FINGERPRINT_TEXT]);

/* --- one handshake --- */

struct usrsctp_cmt_handshake;

struct usrsctp_cmt_handshake_config {
	size_t size;
	bool server;
	uint64_t epoch; /* of the keys that come of it */
	/* The DTLS Key Management Parameters of both sides as sent (SCTP_DTLS_GET_LOCAL_KM_PARAM,
	 * ..PEER_KM_PARAM): they go into the derivation, so that who changed one on the way gets no common
	 * key. EINVAL without them. */
	const void *local_parameter, *peer_parameter;
	size_t local_bytes, peer_bytes;
};

enum usrsctp_cmt_handshake_state {
	USRSCTP_CMT_HANDSHAKE_RUNNING = 0,
	/* Server: keys can be installed, receive keys and SCTP_CMT_DTLS_NEXT_SEND_KEYS; the peer is not known
	 * yet. To be done before the next message is fetched. */
	USRSCTP_CMT_HANDSHAKE_KEYS,
	/* The peer is who it should be. Client: install both keys, enforce protection, before the last
	 * message is fetched. */
	USRSCTP_CMT_HANDSHAKE_DONE,
	USRSCTP_CMT_HANDSHAKE_FAILED /* for usrsctp_cmt_handshake_reason(); messages that are left (an alert)
	                                should still be sent, then the association be aborted */
};

/* NULL with errno EINVAL or ENOMEM. A client has its first message at once. */
struct usrsctp_cmt_handshake *usrsctp_cmt_handshake_new(struct usrsctp_cmt_keys *keys,
                                                        const struct usrsctp_cmt_handshake_config *config);
void usrsctp_cmt_handshake_free(struct usrsctp_cmt_handshake *hs);

/* A message of PPID SCTP_DTLS_PPID for it: the epoch's low byte, then TLS records. Returns the new state; a
 * message of another epoch, an empty one, or garbage: FAILED. After DONE nothing more may come: FAILED. */
enum usrsctp_cmt_handshake_state usrsctp_cmt_handshake_input(struct usrsctp_cmt_handshake *hs,
                                                             const void *message, size_t bytes);
enum usrsctp_cmt_handshake_state usrsctp_cmt_handshake_state(const struct usrsctp_cmt_handshake *hs);

/* The next message to send (ordered, reliable, stream 0, SCTP_DTLS_PPID): its bytes, 0 = there is none, -1
 * with EMSGSIZE (nothing is lost). A flight is one message, 16 KiB at most. */
ssize_t usrsctp_cmt_handshake_output(struct usrsctp_cmt_handshake *hs, void *buffer, size_t bytes);

/* State KEYS or DONE: writes the keys of one direction, as SCTP_DTLS_SET_SEND_KEYS (`send`) or ADD_RECV_KEYS
 * takes them, with assoc_id 0. Returns the bytes of the structure, at most sizeof(struct sctp_dtls_keys) +
 * SCTP_DTLS_KEYS_MAX; -1 with EAGAIN (too early) or EMSGSIZE. */
ssize_t usrsctp_cmt_handshake_keys(struct usrsctp_cmt_handshake *hs, bool send, struct sctp_dtls_keys *out,
                                   size_t bytes);

/* State DONE: who the peer is. -1 with EAGAIN before. */
int usrsctp_cmt_handshake_peer(const struct usrsctp_cmt_handshake *hs, struct usrsctp_cmt_peer *out);

/* FAILED: one sentence that says what is wrong and, where something can be done, what: "the peer's
 * certificate expired on 3 May 2026", "the peer is sha256:..., not the one that was asked for". */
const char *usrsctp_cmt_handshake_reason(const struct usrsctp_cmt_handshake *hs);

#ifdef __cplusplus
}
#endif
#endif
