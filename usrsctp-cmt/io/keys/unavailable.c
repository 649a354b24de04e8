/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Takes the place of everything here that needs OpenSSL, in a build without it: there are no keys to be had.
 */
#include <usrsctp_cmt_keys.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int refuse(void)
{
	errno = ENOTSUP;
	return -1;
}

struct usrsctp_cmt_keys *usrsctp_cmt_keys_new(const struct usrsctp_cmt_keys_config *config, char *error,
                                              size_t error_bytes)
{
	(void)config;
	if (error != NULL)
		snprintf(error, error_bytes, "this library was built without OpenSSL: it cannot encrypt");
	(void)refuse();
	return NULL;
}

void usrsctp_cmt_keys_free(struct usrsctp_cmt_keys *keys)
{
	(void)keys;
}

void usrsctp_cmt_keys_fingerprint(const struct usrsctp_cmt_keys *keys,
                                  uint8_t out[USRSCTP_CMT_FINGERPRINT_BYTES])
{
	(void)keys;
	memset(out, 0, USRSCTP_CMT_FINGERPRINT_BYTES);
}

int usrsctp_cmt_keys_make(const char *file, const char *name, unsigned days)
{
	(void)file, (void)name, (void)days;
	return refuse();
}

struct usrsctp_cmt_handshake *usrsctp_cmt_handshake_new(struct usrsctp_cmt_keys *keys,
                                                        const struct usrsctp_cmt_handshake_config *config)
{
	(void)keys, (void)config;
	(void)refuse();
	return NULL;
}

void usrsctp_cmt_handshake_free(struct usrsctp_cmt_handshake *hs)
{
	(void)hs;
}

enum usrsctp_cmt_handshake_state usrsctp_cmt_handshake_input(struct usrsctp_cmt_handshake *hs,
                                                             const void *message, size_t bytes)
{
	(void)hs, (void)message, (void)bytes;
	return USRSCTP_CMT_HANDSHAKE_FAILED;
}

enum usrsctp_cmt_handshake_state usrsctp_cmt_handshake_state(const struct usrsctp_cmt_handshake *hs)
{
	(void)hs;
	return USRSCTP_CMT_HANDSHAKE_FAILED;
}

ssize_t usrsctp_cmt_handshake_output(struct usrsctp_cmt_handshake *hs, void *buffer, size_t bytes)
{
	(void)hs, (void)buffer, (void)bytes;
	return 0;
}

ssize_t usrsctp_cmt_handshake_keys(struct usrsctp_cmt_handshake *hs, bool send, struct sctp_dtls_keys *out,
                                   size_t bytes)
{
	(void)hs, (void)send, (void)out, (void)bytes;
	return refuse();
}

int usrsctp_cmt_handshake_peer(const struct usrsctp_cmt_handshake *hs, struct usrsctp_cmt_peer *out)
{
	(void)hs, (void)out;
	return refuse();
}

const char *usrsctp_cmt_handshake_reason(const struct usrsctp_cmt_handshake *hs)
{
	(void)hs;
	return "this library was built without OpenSSL: it cannot encrypt";
}
