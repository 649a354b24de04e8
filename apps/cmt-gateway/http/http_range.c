/* SPDX-License-Identifier: BSD-3-Clause */
#include "http/http_range.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static const struct http_range none = {HTTP_RANGE_NONE, HTTP_RANGE_NONE, HTTP_RANGE_NONE};

/* The number that `*text` begins with, and moves behind it; HTTP_RANGE_NONE when there is none. */
static int64_t take_number(const char **text)
{
	int64_t value = HTTP_RANGE_NONE;

	for (; **text >= '0' && **text <= '9'; (*text)++) {
		int digit = **text - '0';

		value = value == HTTP_RANGE_NONE ? 0 : value;
		value = value > (INT64_MAX - digit) / 10 ? INT64_MAX : value * 10 + digit;
	}
	return value;
}

static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " \t");
}

static bool parse(const char *text, struct http_range *out)
{
	int64_t before, behind;

	if (text == NULL || strncasecmp(text, "bytes=", strlen("bytes=")) != 0) {
		return false;
	}
	text = skip_blanks(text + strlen("bytes="));
	before = take_number(&text);
	if (*text != '-') {
		return false;
	}
	text++;
	behind = take_number(&text);
	if (*skip_blanks(text) != '\0' || (before == HTTP_RANGE_NONE && behind == HTTP_RANGE_NONE) ||
	    (before != HTTP_RANGE_NONE && behind != HTTP_RANGE_NONE && behind < before)) {
		return false;
	}
	if (before == HTTP_RANGE_NONE) {
		out->suffix = behind;
	} else {
		out->first = before;
		out->last = behind;
	}
	return true;
}

bool http_range_parse(const char *value, struct http_range *out)
{
	*out = none;
	return parse(value, out);
}
