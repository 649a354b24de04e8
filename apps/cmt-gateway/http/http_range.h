/* SPDX-License-Identifier: BSD-3-Clause
 *
 * http_range.h - the field Range (RFC 9110 section 14.2). Pure. */
#ifndef GATEWAY_HTTP_RANGE_H
#define GATEWAY_HTTP_RANGE_H

#include <stdbool.h>
#include <stdint.h>

#define HTTP_RANGE_NONE (-1)

/* Byte positions, or HTTP_RANGE_NONE. */
struct http_range {
	int64_t first, last; /* `last` is part of it; none = up to the end */
	int64_t suffix;      /* this many bytes at the end; then `first` and `last` are none */
};

/* Reads the value of Range, which may be NULL. True: one range of bytes. False: none, several, another unit,
 * or malformed, all of which mean the whole file (RFC 9110 section 14.2 leaves that to the server); then
 * `out` says none. Numbers beyond INT64_MAX count as that: no file is so long. */
bool http_range_parse(const char *value, struct http_range *out);

#endif
