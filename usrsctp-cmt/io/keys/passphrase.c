/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A passphrase as an external pre-shared key of TLS 1.3 (RFC 8446, section 4.2.11), always with an ephemeral
 * key exchange. Who has recorded a handshake can try passphrases, as with every such key: hence a derivation
 * that costs 32 MiB and tenths of a second each. */
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>

#include "parts.h"

static const unsigned char identity[] = "usrsctp-cmt passphrase";
enum { IDENTITY_BYTES = sizeof(identity) - 1 };

/* The hash that goes with the key is that of this suite: SHA-256. */
static const unsigned char psk_suite[] = {0x13, 0x01};

bool keys_passphrase_derive(const char *passphrase, uint8_t psk[KEYS_PSK_BYTES])
{
	static char salt[] = "usrsctp-cmt: keys of the SCTP DTLS chunk from a passphrase, TLS 1.3 PSK";
	uint64_t n = UINT64_C(1) << 15, memory_bytes = UINT64_C(1) << 26;
	uint32_t r = 8, p = 1;
	OSSL_PARAM params[] = {
	    OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_PASSWORD, (void *)(uintptr_t)passphrase,
	                                      strlen(passphrase)),
	    OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, salt, sizeof(salt) - 1),
	    OSSL_PARAM_construct_uint64(OSSL_KDF_PARAM_SCRYPT_N, &n),
	    OSSL_PARAM_construct_uint32(OSSL_KDF_PARAM_SCRYPT_R, &r),
	    OSSL_PARAM_construct_uint32(OSSL_KDF_PARAM_SCRYPT_P, &p),
	    OSSL_PARAM_construct_uint64(OSSL_KDF_PARAM_SCRYPT_MAXMEM, &memory_bytes),
	    OSSL_PARAM_construct_end(),
	};
	EVP_KDF *kdf = EVP_KDF_fetch(NULL, "SCRYPT", NULL);
	EVP_KDF_CTX *ctx = kdf != NULL ? EVP_KDF_CTX_new(kdf) : NULL;
	bool done = ctx != NULL && EVP_KDF_derive(ctx, psk, KEYS_PSK_BYTES, params) == 1;

	EVP_KDF_CTX_free(ctx);
	EVP_KDF_free(kdf);
	return done;
}

static SSL_SESSION *session_of(SSL *ssl)
{
	const struct usrsctp_cmt_handshake *hs = SSL_get_app_data(ssl);
	const SSL_CIPHER *cipher = SSL_CIPHER_find(ssl, psk_suite);
	SSL_SESSION *session = SSL_SESSION_new();

	if (session != NULL && cipher != NULL &&
	    SSL_SESSION_set1_master_key(session, hs->keys->psk, KEYS_PSK_BYTES) == 1 &&
	    SSL_SESSION_set1_id_context(session, identity, IDENTITY_BYTES) == 1 &&
	    SSL_SESSION_set_cipher(session, cipher) == 1 &&
	    SSL_SESSION_set_protocol_version(session, TLS1_3_VERSION) == 1)
		return session;
	SSL_SESSION_free(session);
	return NULL;
}

static int offer(SSL *ssl, const EVP_MD *md, const unsigned char **id, size_t *id_bytes,
                 SSL_SESSION **session)
{
	*session = NULL;
	/* After a HelloRetryRequest: the hash of the suite that the server has chosen. */
	if (md != NULL && !EVP_MD_is_a(md, "SHA2-256"))
		return 1;
	*session = session_of(ssl);
	*id = identity;
	*id_bytes = IDENTITY_BYTES;
	return *session != NULL;
}

static int find(SSL *ssl, const unsigned char *id, size_t id_bytes, SSL_SESSION **session)
{
	*session = NULL;
	if (id_bytes != IDENTITY_BYTES || memcmp(id, identity, IDENTITY_BYTES) != 0)
		return 1;
	*session = session_of(ssl);
	return *session != NULL;
}

bool keys_passphrase_use(SSL_CTX *ctx)
{
	SSL_CTX_set_psk_use_session_callback(ctx, offer);
	SSL_CTX_set_psk_find_session_callback(ctx, find);
	/* Who verifies peers takes no session without one. */
	return SSL_CTX_set_session_id_context(ctx, identity, IDENTITY_BYTES) == 1;
}
