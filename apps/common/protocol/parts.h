/* SPDX-License-Identifier: BSD-3-Clause
 *
 * parts.h - puts messages together that are read in parts (USRSCTP_CMT_MESSAGE_PART). */
#ifndef APP_PARTS_H
#define APP_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "text/message.h"

/* All 0 is the start. The memory exists only while a message is incomplete. */
struct app_parts {
	char *bytes; /* NULL = no message is incomplete */
	size_t len;
};

/* Takes what was read: `*bytes` and `*len`, with `more` of the message to follow or not. 1 when the message
 * is complete: then `*bytes` and `*len` are the whole, which lives until app_parts_free(). 0 when it is not.
 * -1 with the reason: longer than `max` bytes, or no memory. */
int app_parts_add(struct app_parts *parts, const char **bytes, size_t *len, bool more, size_t max,
                  struct app_error *error);

void app_parts_free(struct app_parts *parts);

#endif
