/* SPDX-License-Identifier: BSD-3-Clause
 *
 * media_message.h - the control messages of docs/media-protocol.md: JSON objects, one a message.
 *
 * Pure but for the allocation of what is coded. Decoding takes anything a peer may send. */
#ifndef MEDIA_MESSAGE_H
#define MEDIA_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text/message.h"

#define MEDIA_VERSION                1
#define MEDIA_PORT                   5002        /* SCTP */
#define MEDIA_PPID_CONTROL           0x434d5452u /* "CMTR" */
#define MEDIA_PPID_DATA              0x434d5456u /* "CMTV" */
#define MEDIA_STREAMS                64          /* that both ask for, stream 0 included */
#define MEDIA_CONTROL_MAX_BYTES      16384
#define MEDIA_DATA_MAX_BYTES         65536 /* of a data message */
#define MEDIA_PATH_MAX_BYTES         1024
#define MEDIA_ETAG_MAX_BYTES         64
#define MEDIA_CONTENT_TYPE_MAX_BYTES 100
#define MEDIA_AGENT_MAX_BYTES        64
#define MEDIA_TEXT_MAX_BYTES         400
#define MEDIA_PACE_MAX_BPS           INT64_C(1000000000000)

/* The list of a folder: one JSON object a line (media_list.h). */
#define MEDIA_LIST_NAME        ".list" /* the last component of its path */
#define MEDIA_LIST_TYPE        "application/x-ndjson"
#define MEDIA_LIST_MAX_ENTRIES 5000

enum media_message_type {
	MEDIA_HELLO,   /* client: the first message */
	MEDIA_WELCOME, /* server: its answer */
	MEDIA_REQUEST, /* client: a file, or a part of it */
	MEDIA_WINDOW,  /* client: it has room for more */
	MEDIA_CANCEL,  /* client: no more of it */
	MEDIA_ANSWER,  /* server: what follows, or why nothing does */
	MEDIA_END,     /* server: the last message of an answer */
	MEDIA_BYE,     /* both: no further request */
	MEDIA_ERROR,   /* both: why the connection ends */
	MEDIA_TYPES
};

/* Which members of a message are set. */
enum media_member {
	MEDIA_M_VERSION = 1 << 0,
	MEDIA_M_AGENT = 1 << 1,
	MEDIA_M_REQUESTS_MAX = 1 << 2,
	MEDIA_M_METHOD = 1 << 3,
	MEDIA_M_PATH = 1 << 4,
	MEDIA_M_FIRST = 1 << 5,
	MEDIA_M_LAST = 1 << 6,
	MEDIA_M_SUFFIX = 1 << 7,
	MEDIA_M_ETAG = 1 << 8,
	MEDIA_M_WINDOW_BYTES = 1 << 9,
	MEDIA_M_PACE_BPS = 1 << 10,
	MEDIA_M_BURST_BYTES = 1 << 11,
	MEDIA_M_STATUS = 1 << 12,
	MEDIA_M_SIZE = 1 << 13,
	MEDIA_M_BYTES = 1 << 14,
	MEDIA_M_CONTENT_TYPE = 1 << 15,
	MEDIA_M_MODIFIED_US = 1 << 16,
	MEDIA_M_TEXT = 1 << 17
};

enum media_method { MEDIA_GET, MEDIA_HEAD, MEDIA_METHODS };

struct media_message {
	enum media_message_type type;
	uint32_t has; /* enum media_member, ored */
	int64_t version, requests_max;
	enum media_method method;
	int64_t first, last, suffix;
	int64_t window_bytes, pace_bps, burst_bytes;
	int64_t status, size, bytes, modified_us;
	char path[MEDIA_PATH_MAX_BYTES + 1];
	char etag[MEDIA_ETAG_MAX_BYTES + 1];
	char content_type[MEDIA_CONTENT_TYPE_MAX_BYTES + 1];
	char agent[MEDIA_AGENT_MAX_BYTES + 1];
	char text[MEDIA_TEXT_MAX_BYTES + 1];
};

/* Whether a path is that of a folder's list. */
bool media_is_list(const char *path);

/* Decodes `len` bytes. 0; or -1 with a sentence and *out in no defined state: no JSON object, an unknown type
 * or member, a member missing, of the wrong kind or out of range, or members that contradict each other. An
 * `etag` and a `content_type` that were accepted can stand in an HTTP header as they are. */
int media_decode(const char *json, size_t len, struct media_message *out, struct app_error *error);

/* The coded message, to be freed by the caller, and its length; NULL without memory, or when a text is not
 * UTF-8. Members that `has` does not name are left out. */
char *media_encode(const struct media_message *message, size_t *len);

/* Sets `text`, made printable and cut to its limit. */
void media_set_text(struct media_message *message, const char *text);

/* "hello", "request" etc. */
const char *media_message_name(enum media_message_type type);

/* Whether an answer with this status is followed by a body, unless the method was head. */
static inline bool media_has_body(int64_t status)
{
	return status == 200 || status == 206;
}

#endif
