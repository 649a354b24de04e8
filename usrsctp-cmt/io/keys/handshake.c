/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages and states of one handshake. What TLS writes waits in its memory BIO until it is fetched as a
 * message. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/err.h>

#include "parts.h"

/* A TLS record (RFC 8446, section 5). */
enum { HEADER_BYTES = 5, LENGTH_AT = 3, RECORD_BYTES_MAX = 16384 + 256 };

static void fail(struct usrsctp_cmt_handshake *hs, const char *reason)
{
	if (reason != NULL)
		snprintf(hs->reason, sizeof(hs->reason), "%s", reason);
	keys_reason_fill(hs);
	hs->state = USRSCTP_CMT_HANDSHAKE_FAILED;
	keys_export_forget(hs);
}

/* TLS is through: what else it takes. */
static void finish(struct usrsctp_cmt_handshake *hs)
{
	if (BIO_ctrl_pending(hs->in) > 0 || SSL_has_pending(hs->ssl)) {
		fail(hs, "the peer sends more than the handshake");
		return;
	}
	if (hs->suite == NULL && !keys_export(hs)) {
		fail(hs, "the TLS handshake has no keys to export");
		return;
	}
	snprintf(hs->peer.suite, sizeof(hs->peer.suite), "%s", hs->suite->name);
	hs->peer.passphrase = hs->keys->has_passphrase;
	if (hs->peer.passphrase && !SSL_session_reused(hs->ssl)) {
		fail(hs, "the peer has not shown that it knows the passphrase");
		return;
	}
	if (!keys_verify_asked(hs)) {
		/* What would tell the peer that it is taken. */
		(void)BIO_reset(hs->out);
		fail(hs, NULL);
		return;
	}
	hs->state = USRSCTP_CMT_HANDSHAKE_DONE;
}

static void advance(struct usrsctp_cmt_handshake *hs)
{
	int result;

	ERR_clear_error();
	result = SSL_do_handshake(hs->ssl);
	if (result == 1)
		finish(hs);
	else if (SSL_get_error(hs->ssl, result) != SSL_ERROR_WANT_READ)
		fail(hs, NULL);
	else if (hs->server && hs->suite == NULL && keys_export(hs))
		/* The server's Finished was written. */
		hs->state = USRSCTP_CMT_HANDSHAKE_KEYS;
	ERR_clear_error();
}

/* What comes after the end: an alert, for a server refuses a client when that is through. */
static void input_after_end(struct usrsctp_cmt_handshake *hs)
{
	char byte;
	int result;

	ERR_clear_error();
	result = SSL_read(hs->ssl, &byte, 1);
	if (result > 0 || SSL_get_error(hs->ssl, result) == SSL_ERROR_WANT_READ)
		fail(hs, "the peer sends more than the handshake");
	else
		fail(hs, NULL);
	ERR_clear_error();
}

/* Whether that is whole records: one that is cut would wait for a rest that no message has. */
static bool are_records(const uint8_t *bytes, size_t n)
{
	while (n >= HEADER_BYTES) {
		const size_t length = (size_t)(bytes[LENGTH_AT] << 8 | bytes[LENGTH_AT + 1]);

		if (length > RECORD_BYTES_MAX || length > n - HEADER_BYTES)
			return false;
		bytes += HEADER_BYTES + length;
		n -= HEADER_BYTES + length;
	}
	return n == 0;
}

enum usrsctp_cmt_handshake_state usrsctp_cmt_handshake_input(struct usrsctp_cmt_handshake *hs,
                                                             const void *message, size_t bytes)
{
	const uint8_t *at = message;

	if (hs->state == USRSCTP_CMT_HANDSHAKE_FAILED)
		return hs->state;
	ERR_clear_error();
	if (bytes < 2)
		fail(hs, "the peer has sent an empty message of key management");
	else if (at[0] != (uint8_t)hs->epoch) {
		fail(hs, "the peer negotiates keys of another epoch");
		snprintf(hs->reason, sizeof(hs->reason),
		         "the peer negotiates keys of epoch %u (modulo 256), we those of %llu", at[0],
		         (unsigned long long)hs->epoch);
	} else if (bytes > KEYS_INPUT_BYTES_MAX - hs->received_bytes)
		fail(hs, "the peer's handshake has more than 64 KiB");
	else if (!are_records(at + 1, bytes - 1))
		fail(hs, "a message of the peer is no TLS: garbage, or cut off");
	else if (BIO_write(hs->in, at + 1, (int)(bytes - 1)) != (int)(bytes - 1))
		fail(hs, "no memory for a message of the peer");
	else {
		hs->received_bytes += bytes;
		if (hs->state == USRSCTP_CMT_HANDSHAKE_DONE)
			input_after_end(hs);
		else
			advance(hs);
	}
	return hs->state;
}

enum usrsctp_cmt_handshake_state usrsctp_cmt_handshake_state(const struct usrsctp_cmt_handshake *hs)
{
	return hs->state;
}

ssize_t usrsctp_cmt_handshake_output(struct usrsctp_cmt_handshake *hs, void *buffer, size_t bytes)
{
	const size_t pending = BIO_ctrl_pending(hs->out);
	uint8_t *at = buffer;

	if (pending == 0)
		return 0;
	if (bytes < pending + 1) {
		errno = EMSGSIZE;
		return -1;
	}
	at[0] = (uint8_t)hs->epoch;
	return BIO_read(hs->out, at + 1, (int)pending) == (int)pending ? (ssize_t)pending + 1 : 0;
}

ssize_t usrsctp_cmt_handshake_keys(struct usrsctp_cmt_handshake *hs, bool send, struct sctp_dtls_keys *out,
                                   size_t bytes)
{
	const struct keys_half *half = &hs->halves[send == hs->server];
	const size_t key_bytes = hs->suite != NULL ? hs->suite->key_bytes : 0;
	const size_t wanted_bytes = sizeof(*out) + 2 * key_bytes + sizeof(half->iv);

	if (hs->suite == NULL) {
		errno = EAGAIN;
		return -1;
	}
	if (bytes < wanted_bytes) {
		errno = EMSGSIZE;
		return -1;
	}
	memset(out, 0, sizeof(*out));
	memcpy(out->sdk_cipher_suite, hs->suite->number, sizeof(out->sdk_cipher_suite));
	out->sdk_epoch = hs->epoch;
	out->sdk_key_len = out->sdk_sn_key_len = (uint16_t)key_bytes;
	out->sdk_iv_len = sizeof(half->iv);
	memcpy(out->sdk_keys, half->key, key_bytes);
	memcpy(out->sdk_keys + key_bytes, half->iv, sizeof(half->iv));
	memcpy(out->sdk_keys + key_bytes + sizeof(half->iv), half->sn_key, key_bytes);
	return (ssize_t)wanted_bytes;
}

int usrsctp_cmt_handshake_peer(const struct usrsctp_cmt_handshake *hs, struct usrsctp_cmt_peer *out)
{
	const size_t size = out->size < sizeof(hs->peer) ? out->size : sizeof(hs->peer);

	if (hs->state != USRSCTP_CMT_HANDSHAKE_DONE) {
		errno = EAGAIN;
		return -1;
	}
	memcpy(out, &hs->peer, size);
	out->size = size;
	return 0;
}

const char *usrsctp_cmt_handshake_reason(const struct usrsctp_cmt_handshake *hs)
{
	return hs->reason;
}

static bool is_valid(const struct usrsctp_cmt_keys *keys, const struct usrsctp_cmt_handshake_config *c)
{
	return keys != NULL && c != NULL && c->size == sizeof(*c) && c->epoch >= SCTP_DTLS_FIRST_EPOCH &&
	       c->local_parameter != NULL && c->local_bytes > 0 && c->local_bytes <= SCTP_DTLS_KMP_MAX &&
	       c->peer_parameter != NULL && c->peer_bytes > 0 && c->peer_bytes <= SCTP_DTLS_KMP_MAX;
}

static bool start(struct usrsctp_cmt_handshake *hs)
{
	hs->ssl = SSL_new(hs->keys->ctx);
	hs->in = BIO_new(BIO_s_mem());
	hs->out = BIO_new(BIO_s_mem());
	if (hs->ssl == NULL || hs->in == NULL || hs->out == NULL) {
		BIO_free(hs->in);
		BIO_free(hs->out);
		return false;
	}
	SSL_set_bio(hs->ssl, hs->in, hs->out);
	if (SSL_set_app_data(hs->ssl, hs) != 1)
		return false;
	if (hs->server) {
		SSL_set_accept_state(hs->ssl);
		return true;
	}
	SSL_set_connect_state(hs->ssl);
	advance(hs);
	return hs->state == USRSCTP_CMT_HANDSHAKE_RUNNING;
}

struct usrsctp_cmt_handshake *usrsctp_cmt_handshake_new(struct usrsctp_cmt_keys *keys,
                                                        const struct usrsctp_cmt_handshake_config *config)
{
	const struct usrsctp_cmt_handshake_config *c = config;
	struct usrsctp_cmt_handshake *hs;
	const void *client, *server;
	size_t client_bytes, server_bytes;

	if (!is_valid(keys, c)) {
		errno = EINVAL;
		return NULL;
	}
	hs = calloc(1, sizeof(*hs));
	if (hs == NULL)
		return NULL;
	hs->keys = keys;
	hs->server = c->server;
	hs->epoch = c->epoch;
	hs->peer.size = sizeof(hs->peer);
	client = c->server ? c->peer_parameter : c->local_parameter;
	client_bytes = c->server ? c->peer_bytes : c->local_bytes;
	server = c->server ? c->local_parameter : c->peer_parameter;
	server_bytes = c->server ? c->local_bytes : c->peer_bytes;
	memcpy(hs->parameters, client, client_bytes);
	memcpy(hs->parameters + client_bytes, server, server_bytes);
	hs->parameters_bytes = client_bytes + server_bytes;
	ERR_clear_error();
	if (!start(hs)) {
		usrsctp_cmt_handshake_free(hs);
		ERR_clear_error();
		errno = ENOMEM;
		return NULL;
	}
	ERR_clear_error();
	return hs;
}

void usrsctp_cmt_handshake_free(struct usrsctp_cmt_handshake *hs)
{
	if (hs == NULL)
		return;
	keys_export_forget(hs);
	SSL_free(hs->ssl);
	free(hs);
}
