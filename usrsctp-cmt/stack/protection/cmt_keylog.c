/* SPDX-License-Identifier: BSD-3-Clause */
#include "protection/cmt_keylog.h"
#include "protection/cmt_protection.h"

#include <inttypes.h>

/* Of usrsctp_cmt_dtls.h: it cannot be included together with upstream's own headers. */
void usrsctp_cmt_dtls_keylog(void (*fn)(const char *line, void *arg), void *arg);

static void (*tell)(const char *line, void *arg);
static void *tell_arg;

void usrsctp_cmt_dtls_keylog(void (*fn)(const char *line, void *arg), void *arg)
{
	tell = fn;
	tell_arg = arg;
}

static char *put_hex(char *at, const uint8_t *bytes, size_t n)
{
	*at++ = ' ';
	for (size_t i = 0; i < n; i++)
		at += snprintf(at, 3, "%02x", bytes[i]);
	return at;
}

void cmt_keylog_write(uint32_t verification_tag, const struct cmt_key_material *keys)
{
	char line[64 + 2 * (2 * CMT_AEAD_KEY_MAX + CMT_AEAD_NONCE_BYTES) + 3];
	char *at = line;

	if (tell == NULL)
		return;
	at += snprintf(line, sizeof(line), "SCTP_DTLS %08" PRIx32 " 0 %" PRIu64 " %04x", verification_tag,
	               keys->epoch, keys->suite);
	at = put_hex(at, keys->key, keys->key_bytes);
	at = put_hex(at, keys->iv, keys->iv_bytes);
	(void)put_hex(at, keys->sn_key, keys->sn_key_bytes);
	tell(line, tell_arg);
}
