/* SPDX-License-Identifier: BSD-3-Clause
 *
 * http_date.h - times in HTTP (RFC 9110 section 5.6.7). Pure. */
#ifndef GATEWAY_HTTP_DATE_H
#define GATEWAY_HTTP_DATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HTTP_DATE_BYTES 40

/* Any of the three forms. Seconds since 1970; false when `text` is none of them. */
bool http_date_parse(const char *text, int64_t *seconds);

/* "Sun, 06 Nov 1994 08:49:37 GMT". Returns `out`, or NULL for a year that has not four digits. */
char *http_date_format(int64_t seconds, char *out, size_t out_bytes);

#endif
