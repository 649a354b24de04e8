/* SPDX-License-Identifier: BSD-3-Clause
 *
 * http_target.h - the target of a request line (RFC 9112 section 3.2) as the path of a file. Pure.
 *
 * libevent's own parser takes "//a/b" for the host a, and leaves "%" followed by anything but two digits as
 * it is; so the text of the request line is read here. */
#ifndef GATEWAY_HTTP_TARGET_H
#define GATEWAY_HTTP_TARGET_H

#include <stddef.h>

/* Writes the percent-decoded path of `target`, which is "/path" or "http://host/path"; a query or fragment
 * after it is dropped. Dots and slashes are left as they are: the server judges them. 0, or the status to
 * answer with: 400 (no such form, a "%" without two digits, a control character, not UTF-8), 414 (does not
 * fit). */
int http_target_path(const char *target, char *path, size_t path_bytes);

#endif
