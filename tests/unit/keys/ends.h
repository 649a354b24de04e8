/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ends.h - two ends of a handshake in memory, and certificates for them. Whatever cannot be made ends the
 * test. */
#ifndef KEYS_ENDS_H
#define KEYS_ENDS_H

#include <openssl/x509.h>

#include <usrsctp_cmt_keys.h>

enum { CLIENT, SERVER, BOTH };

#define MESSAGE_MAX 16384

/* Whoever is not told otherwise has these. */
extern const uint8_t client_parameter[10], server_parameter[9];

struct message {
	uint8_t bytes[MESSAGE_MAX];
	size_t n;
};

struct ends {
	struct usrsctp_cmt_handshake *hs[BOTH];
};

/* --- certificates --- */

struct made {
	EVP_PKEY *key;
	X509 *certificate;
};

struct made_config {
	const char *name, *dns;
	int from_days, to_days; /* from now on */
	bool ca;
	size_t pad_bytes;          /* of a comment in it */
	const struct made *issuer; /* NULL = itself */
};

struct made made_new(const struct made_config *config);
void made_free(struct made *made);
void made_fingerprint(const struct made *made, uint8_t out[USRSCTP_CMT_FINGERPRINT_BYTES]);

/* A file of the test, by its name, in a folder that ends with it; `n` certificates, and the key of the first.
 */
const char *made_file(const char *name);
const char *made_write(const char *name, const struct made *made, size_t n, bool with_key);
int made_begin(void **state);
int made_end(void **state);

/* --- ends --- */

struct usrsctp_cmt_keys *keys_of(struct usrsctp_cmt_keys_config config);
struct usrsctp_cmt_handshake *end_new(struct usrsctp_cmt_keys *keys, bool server, uint64_t epoch);
void ends_begin(struct ends *e, struct usrsctp_cmt_keys *client, struct usrsctp_cmt_keys *server);
void ends_free(struct ends *e);
/* The next message of an end; 0 bytes if it has none. */
void end_says(struct usrsctp_cmt_handshake *hs, struct message *m);
enum usrsctp_cmt_handshake_state end_hears(struct usrsctp_cmt_handshake *hs, const struct message *m);
/* Messages go back and forth until nobody has one. */
void ends_run(struct ends *e);

/* Both are through, and what one writes the other reads. */
bool ends_agree(const struct ends *e);
void assert_agreed(const struct ends *e);
/* Nobody is: each says why, in a sentence with these words. */
void assert_refused(const struct ends *e, const char *client_words, const char *server_words);

#endif
