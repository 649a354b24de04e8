/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fingerprints as text. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <usrsctp_cmt_keys.h>

static const char prefix[] = "sha256:";

/* -1: no hexadecimal digit. */
static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

int usrsctp_cmt_fingerprint_parse(const char *text, uint8_t out[USRSCTP_CMT_FINGERPRINT_BYTES])
{
	uint8_t bytes[USRSCTP_CMT_FINGERPRINT_BYTES];
	const size_t skip = sizeof(prefix) - 1;

	errno = EINVAL;
	if (text == NULL || strncasecmp(text, prefix, skip) != 0)
		return -1;
	text += skip;
	for (size_t i = 0; i < sizeof(bytes); i++) {
		int high, low;

		if (i > 0 && *text == ':')
			text++;
		high = digit(text[0]);
		low = high < 0 ? -1 : digit(text[1]);
		if (low < 0)
			return -1;
		bytes[i] = (uint8_t)(high << 4 | low);
		text += 2;
	}
	if (*text != '\0')
		return -1;
	memcpy(out, bytes, sizeof(bytes));
	return 0;
}

void usrsctp_cmt_fingerprint_format(const uint8_t fingerprint[USRSCTP_CMT_FINGERPRINT_BYTES],
                                    char out[USRSCTP_CMT_FINGERPRINT_TEXT])
{
	char *at = out + sizeof(prefix) - 1;

	memcpy(out, prefix, sizeof(prefix));
	for (size_t i = 0; i < USRSCTP_CMT_FINGERPRINT_BYTES; i++, at += 2)
		snprintf(at, 3, "%02x", fingerprint[i]);
}
