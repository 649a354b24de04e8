/* SPDX-License-Identifier: BSD-3-Clause
 *
 * transfer_message.h - the control messages of docs/transfer-protocol.md: JSON objects, one a message.
 *
 * Pure but for the allocation of what is coded. Decoding takes anything a peer may send. */
#ifndef TRANSFER_MESSAGE_H
#define TRANSFER_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text/message.h"
#include "transfer_name.h"

#define TRANSFER_VERSION           1
#define TRANSFER_STREAM            0
#define TRANSFER_PPID_CONTROL      0x434d5443u /* "CMTC" */
#define TRANSFER_PPID_DATA         0x434d5444u /* "CMTD" */
#define TRANSFER_CONTROL_MAX_BYTES 16384
#define TRANSFER_DATA_MAX_BYTES    (1u << 20) /* of a data message */
#define TRANSFER_OFFERS_MAX        64         /* files and folders offered and not yet done with */
#define TRANSFER_TEXT_MAX_BYTES    400
#define TRANSFER_SHA256_HEX_BYTES  64

enum transfer_type {
	TRANSFER_HELLO,   /* sender: the first message */
	TRANSFER_WELCOME, /* receiver: its answer */
	TRANSFER_FOLDER,  /* sender: make it; with `final`, give it its mode and time */
	TRANSFER_FILE,    /* sender: offers a file */
	TRANSFER_ANSWER,  /* receiver: what it has of that file, or why it refuses it */
	TRANSFER_START,   /* sender: data from `offset` on follow */
	TRANSFER_SKIP,    /* sender: none follow */
	TRANSFER_END,     /* sender: that was all, and what it should be */
	TRANSFER_CANCEL,  /* sender: the rest cannot be had */
	TRANSFER_DONE,    /* receiver: what became of a file or folder */
	TRANSFER_BUSY,    /* both: still alive */
	TRANSFER_BYE,     /* both: the last message */
	TRANSFER_ERROR,   /* both: why the connection ends */
	TRANSFER_TYPES
};

/* Which members of a message are set. */
enum transfer_field {
	TRANSFER_F_VERSION = 1 << 0,
	TRANSFER_F_ID = 1 << 1,
	TRANSFER_F_NAME = 1 << 2,
	TRANSFER_F_BYTES = 1 << 3,
	TRANSFER_F_FILES = 1 << 4,
	TRANSFER_F_MODE = 1 << 5,
	TRANSFER_F_MTIME = 1 << 6,
	TRANSFER_F_FINAL = 1 << 7,
	TRANSFER_F_RESUME = 1 << 8,
	TRANSFER_F_VERDICT = 1 << 9,
	TRANSFER_F_SHA256 = 1 << 10,
	TRANSFER_F_OFFSET = 1 << 11,
	TRANSFER_F_TEXT = 1 << 12,
	TRANSFER_F_MSG_BYTES = 1 << 13,
	TRANSFER_F_SCHEDULER = 1 << 14,
	TRANSFER_F_OVERWRITE = 1 << 15
};

enum transfer_verdict {
	TRANSFER_SEND,     /* ANSWER: all of it, please */
	TRANSFER_PARTIAL,  /* ANSWER: the first `bytes` bytes are here, with this sha256 */
	TRANSFER_EXISTING, /* ANSWER: a complete file of this length and sha256 is here */
	TRANSFER_REFUSED,  /* ANSWER: `text` says why */
	TRANSFER_OK,       /* DONE: complete, verified, in its place */
	TRANSFER_CORRUPT,  /* DONE: its sha256 is not the sender's */
	TRANSFER_FAILED,   /* DONE: `text` says why */
	TRANSFER_VERDICTS
};

struct transfer_message {
	enum transfer_type type;
	uint32_t has; /* enum transfer_field, ored */
	int64_t version, id, bytes, files, mode, mtime_us, offset, msg_bytes;
	bool final, resume, overwrite;
	enum transfer_verdict verdict;
	char name[TRANSFER_NAME_MAX_BYTES + 1];
	char sha256[TRANSFER_SHA256_HEX_BYTES + 1];
	char text[TRANSFER_TEXT_MAX_BYTES + 1];
	char scheduler[64];
};

/* Decodes `len` bytes. 0; or -1 with a sentence and *out in no defined state: no JSON object, an unknown type
 * or member, a member missing, of the wrong kind or out of range, a name that transfer_name_check() refuses.
 */
int transfer_decode(const char *json, size_t len, struct transfer_message *out, struct app_error *error);

/* The coded message, to be freed by the caller, and its length; NULL without memory. Members that `has` does
 * not name are left out. */
char *transfer_encode(const struct transfer_message *message, size_t *len);

/* Sets `text`, made printable and cut to its limit. */
void transfer_set_text(struct transfer_message *message, const char *text);

/* "hello", "file" etc. */
const char *transfer_type_name(enum transfer_type type);

#endif
