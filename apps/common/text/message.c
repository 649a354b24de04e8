/* SPDX-License-Identifier: BSD-3-Clause */
#include "text/message.h"

#include <stdarg.h>
#include <stdbool.h>
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

/* Whether the second byte makes the first one's character overlong, a surrogate, beyond U+10FFFF or a C1
 * control (U+0080 to U+009F, which steer terminals too). */
static bool is_forbidden(unsigned char first, unsigned char second)
{
	return (first == 0xc2 && second < 0xa0) || (first == 0xe0 && second < 0xa0) ||
	       (first == 0xed && second > 0x9f) || (first == 0xf0 && second < 0x90) ||
	       (first == 0xf4 && second > 0x8f);
}

size_t app_printable_bytes(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t n = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;

	if (s[0] < 0x80) {
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
	return is_forbidden(s[0], s[1]) ? 0 : n;
}

static size_t fit(const char *text, size_t columns, size_t *bytes)
{
	size_t n = 0;

	for (*bytes = 0; n < columns && text[*bytes] != '\0'; n++) {
		const size_t len = app_printable_bytes(text + *bytes);

		*bytes += len > 0 ? len : 1;
	}
	return n;
}

size_t app_fitting_bytes(const char *text, size_t columns)
{
	size_t bytes;

	(void)fit(text, columns, &bytes);
	return bytes;
}

size_t app_columns(const char *text, size_t most)
{
	size_t bytes;

	return fit(text, most, &bytes);
}

char *app_printable(const char *text, char *out, size_t out_bytes)
{
	size_t at = 0;

	for (const char *s = text; *s != '\0';) {
		size_t n = app_printable_bytes(s);

		if (at + (n == 0 ? 4 : n) >= out_bytes) {
			break;
		}
		if (n == 0) {
			snprintf(out + at, out_bytes - at, "\\x%02x", (unsigned char)*s++);
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
