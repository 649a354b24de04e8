/* SPDX-License-Identifier: BSD-3-Clause
 *
 * media_list.h - an entry of a folder's list (docs/media-protocol.md).
 *
 * Pure. Decoding takes anything a peer may send. */
#ifndef MEDIA_LIST_H
#define MEDIA_LIST_H

#include "media_message.h"

#define MEDIA_NAME_MAX_BYTES 255

struct media_entry {
	bool more;                           /* no entry: there are others, which the list leaves out */
	bool folder;                         /* then what follows `name` is 0 */
	char name[MEDIA_NAME_MAX_BYTES + 1]; /* printable, without a slash */
	int64_t size, modified_us;
	char content_type[MEDIA_CONTENT_TYPE_MAX_BYTES + 1];
};

/* Decodes a line, without its end. 0, or -1 with a sentence. Members that are not known here are passed over.
 */
int media_entry_decode(const char *line, size_t len, struct media_entry *out, struct app_error *error);

#endif
