/* SPDX-License-Identifier: BSD-3-Clause
 *
 * media_read.h - what comes over a connection of docs/media-protocol.md: control messages, whole, and body
 * data. */
#ifndef MEDIA_READ_H
#define MEDIA_READ_H

#include <stddef.h>
#include <stdint.h>

#include <usrsctp_cmt_event.h>

#include "media_message.h"
#include "protocol/parts.h"

/* All 0 is the start. */
struct media_in {
	struct app_parts parts; /* of a control message */
	uint16_t stream_id;     /* it is on */
};

enum media_got {
	MEDIA_GOT_NOTHING, /* to be read now */
	MEDIA_GOT_MESSAGE, /* `message` */
	MEDIA_GOT_DATA,    /* `bytes` and `len` */
	MEDIA_GOT_WRONG    /* the peer does not follow the protocol: `error` says how */
};

struct media_read {
	uint16_t stream_id;
	struct media_message message;
	const void *bytes; /* valid until the next call, for any connection */
	size_t len;
};

/* Reads on. Parts of control messages are kept and reading goes on; a data message may come in parts. */
enum media_got media_read(struct media_in *in, struct usrsctp_cmt_conn *conn, struct media_read *out,
                          struct app_error *error);

void media_in_free(struct media_in *in);

#endif
