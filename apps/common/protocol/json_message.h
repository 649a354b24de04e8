/* SPDX-License-Identifier: BSD-3-Clause
 *
 * json_message.h - control messages as JSON objects, by a table: which types there are, which members each
 * has, and what a member may be.
 *
 * A protocol describes a structure of its own that starts with an enum, the type, and an uint32_t, the bits
 * of the members that are set. Decoding takes anything a peer may send. Pure but for the allocation of what
 * is coded. */
#ifndef APP_JSON_MESSAGE_H
#define APP_JSON_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

#include "text/message.h"

enum app_json_kind {
	APP_JSON_INTEGER, /* int64_t, from `min` to `limit` */
	APP_JSON_TEXT,    /* char[limit], its end included */
	APP_JSON_BOOLEAN, /* bool */
	APP_JSON_WORD     /* enum: the index of the word in `words`, of which there are `limit` */
};

struct app_json_member {
	const char *key;
	uint32_t bit;
	enum app_json_kind kind;
	size_t offset;
	int64_t min, limit;
	const char *const *words;
};

struct app_json_type {
	const char *name;
	uint32_t required, optional; /* bits of members */
};

struct app_json_protocol {
	const char *name; /* for people, as in "the transfer protocol" */
	size_t message_bytes;
	size_t max_bytes; /* of a coded message */
	/* A type that requires the member `version` is understood no further than that in another version. */
	int64_t version;
	uint32_t version_bit;
	const struct app_json_member *members;
	size_t n_members;
	const struct app_json_type *types;
	size_t n_types;
};

/* Decodes `len` bytes into `message`. 0; or -1 with a sentence and `message` in no defined state: no JSON
 * object, an unknown type or member, a member missing, of the wrong kind or out of range. */
int app_json_decode(const struct app_json_protocol *p, const char *json, size_t len, void *message,
                    struct app_error *error);

/* For members that are required under some condition. 0, or -1 with a sentence that names the first that
 * `message` lacks. */
int app_json_require(const struct app_json_protocol *p, const void *message, uint32_t members,
                     struct app_error *error);

/* The coded message, to be freed by the caller, and its length; NULL without memory, or when a text is not
 * UTF-8. Members that are not set are left out. */
char *app_json_encode(const struct app_json_protocol *p, const void *message, size_t *len);

#endif
