/* SPDX-License-Identifier: BSD-3-Clause */
#include "http/http_target.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "text/message.h"

/* -1 = not two hexadecimal digits. */
static int hex_byte(const char *digits)
{
	int value = 0;

	for (int i = 0; i < 2; i++) {
		char c = digits[i];

		if (!isxdigit((unsigned char)c)) {
			return -1;
		}
		value = value * 16 + (c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
	}
	return value;
}

/* Behind the scheme and the host, which only a client that takes this for a proxy writes. */
static const char *skip_host(const char *target)
{
	const size_t scheme = strlen("http://");

	return strncasecmp(target, "http://", scheme) == 0 ? target + scheme + strcspn(target + scheme, "/?#")
	                                                   : target;
}

static int decode(const char *from, char *path, size_t path_bytes)
{
	const char *end = from + strcspn(from, "?#");
	size_t at = 0;

	while (from < end) {
		int byte = *from == '%' ? hex_byte(from + 1) : (unsigned char)*from;

		if (byte <= 0) {
			return 400;
		}
		if (at + 1 >= path_bytes) {
			return 414;
		}
		from += *from == '%' ? 3 : 1;
		path[at++] = (char)byte;
	}
	path[at] = '\0';
	return 0;
}

static int check_characters(const char *path)
{
	while (*path != '\0') {
		size_t n = app_printable_bytes(path);

		if (n == 0) {
			return 400;
		}
		path += n;
	}
	return 0;
}

int http_target_path(const char *target, char *path, size_t path_bytes)
{
	const char *from = skip_host(target);
	int status;

	if (from != target && *from != '/') {
		from = "/";
	}
	if (*from != '/') {
		return 400;
	}
	status = decode(from, path, path_bytes);
	return status != 0 ? status : check_characters(path);
}
