/* SPDX-License-Identifier: BSD-3-Clause */
#include "message.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int app_error_set(struct app_error *error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(error->text, sizeof(error->text), format, args);
	va_end(args);
	return -1;
}

/* Bytes of the well-formed, printable character at `s`; 0 if there is none. C1 controls (U+0080 to U+009F)
 * steer terminals too. */
static size_t printable_bytes(const unsigned char *s)
{
	size_t n = s[0] < 0x80 ? 1 : s[0] >= 0xc2 && s[0] < 0xe0 ? 2 : (s[0] & 0xf0) == 0xe0 ? 3 : 4;

	if (n == 1) {
		return s[0] >= 0x20 && s[0] != 0x7f ? 1 : 0;
	}
	if (s[0] < 0xc2 || s[0] > 0xf4) {
		return 0;
	}
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80) {
			return 0;
		}
	}
	if (s[0] == 0xc2 && s[1] < 0xa0) {
		return 0;
	}
	return n;
}

char *app_printable(const char *text, char *out, size_t out_bytes)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t at = 0;

	while (*s != '\0') {
		size_t n = printable_bytes(s);

		if (at + (n == 0 ? 4 : n) >= out_bytes) {
			break;
		}
		if (n == 0) {
			snprintf(out + at, out_bytes - at, "\\x%02x", *s++);
			at += 4;
		} else {
			memcpy(out + at, s, n);
			at += n;
			s += n;
		}
	}
	out[at] = '\0';
	return out;
}

void app_complain(const char *program, const char *format, ...)
{
	char text[4096], shown[sizeof(text)];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	fprintf(stderr, "%s: %s\n", program, app_printable(text, shown, sizeof(shown)));
}
