/* SPDX-License-Identifier: BSD-3-Clause
 *
 * http_condition.h - preconditions of a request (RFC 9110 section 13). Pure. */
#ifndef GATEWAY_HTTP_CONDITION_H
#define GATEWAY_HTTP_CONDITION_H

#include <stdbool.h>
#include <stdint.h>

/* Values of the fields; NULL = not sent. */
struct http_conditions {
	const char *if_match, *if_none_match, *if_modified_since, *if_unmodified_since;
	const char *if_range; /* NULL without a Range */
};

/* Of the file, as it is now. */
struct http_validators {
	const char *etag; /* without quotes; strong */
	int64_t modified_s;
};

enum http_verdict {
	HTTP_GO_ON,        /* as if there had been no condition */
	HTTP_WHOLE,        /* If-Range does not hold: the whole file instead of the range */
	HTTP_NOT_MODIFIED, /* 304 */
	HTTP_FAILED        /* 412 */
};

bool http_conditions_any(const struct http_conditions *c);

/* In the order of RFC 9110 section 13.2.2. A date that cannot be read is ignored, but in If-Range, where it
 * does not hold. */
enum http_verdict http_conditions_check(const struct http_conditions *c, const struct http_validators *now);

#endif
