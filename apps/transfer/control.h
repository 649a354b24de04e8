/* SPDX-License-Identifier: BSD-3-Clause
 *
 * control.h - control messages over a connection; those that arrive in parts are put together. */
#ifndef TRANSFER_CONTROL_H
#define TRANSFER_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <usrsctp_cmt_event.h>

#include "protocol/outbox.h"
#include "protocol/parts.h"
#include "transfer_message.h"

/* As app_outbox_send(), on the stream of the protocol. */
int control_send(struct app_outbox *out, struct usrsctp_cmt_conn *conn,
                 const struct transfer_message *message);

/* All 0 is the start. */
struct control_in {
	struct app_parts parts; /* of a control message */
	bool in_data;           /* a data message has begun, and more of it follows */
};

enum control_got {
	CONTROL_NOTHING, /* to be read now */
	CONTROL_MESSAGE, /* a complete control message */
	CONTROL_DATA,    /* bytes of a data message */
	CONTROL_WRONG    /* the peer does not follow the protocol: `error` says how */
};

struct control_data {
	const void *bytes; /* valid until the next call, for any connection */
	size_t len;
};

/* Reads on. Parts of control messages are kept and reading goes on. */
enum control_got control_read(struct control_in *in, struct usrsctp_cmt_conn *conn,
                              struct transfer_message *message, struct control_data *data,
                              struct app_error *error);

void control_in_free(struct control_in *in);

#endif
