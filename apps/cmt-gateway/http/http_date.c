/* SPDX-License-Identifier: BSD-3-Clause */
#include "http/http_date.h"

#include <time.h>

#include <event2/util.h>

bool http_date_parse(const char *text, int64_t *seconds)
{
	static const char *const forms[] = {
	    "%a, %d %b %Y %H:%M:%S GMT", /* IMF-fixdate */
	    "%A, %d-%b-%y %H:%M:%S GMT", /* RFC 850 */
	    "%a %b %e %H:%M:%S %Y",      /* asctime() */
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		struct tm parts = {0};
		const char *end = strptime(text, forms[i], &parts);

		if (end != NULL && *end == '\0') {
			*seconds = timegm(&parts);
			return true;
		}
	}
	return false;
}

char *http_date_format(int64_t seconds, char *out, size_t out_bytes)
{
	const time_t t = (time_t)seconds;
	struct tm parts;
	int written;

	if (gmtime_r(&t, &parts) == NULL || parts.tm_year < 0 || parts.tm_year > 9999 - 1900) {
		return NULL;
	}
	written = evutil_date_rfc1123(out, out_bytes, &parts);
	return written > 0 && (size_t)written < out_bytes ? out : NULL;
}
