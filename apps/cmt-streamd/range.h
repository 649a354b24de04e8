/* SPDX-License-Identifier: BSD-3-Clause
 *
 * range.h - which bytes of a file a request asks for (docs/media-protocol.md; RFC 9110, section 14). Pure. */
#ifndef STREAMD_RANGE_H
#define STREAMD_RANGE_H

#include <stdint.h>

#include "media_message.h"

struct range {
	int status; /* 200 or 206; 400: it ends before it begins; 416: it begins behind the end */
	uint64_t first, bytes;
};

/* Of a file of `size` bytes. */
struct range range_resolve(const struct media_message *request, uint64_t size);

#endif
