/* SPDX-License-Identifier: BSD-3-Clause
 *
 * outbox.h - messages over a connection, of which those that find no room wait in order. */
#ifndef APP_OUTBOX_H
#define APP_OUTBOX_H

#include <stddef.h>

#include <usrsctp_cmt_event.h>

struct app_outbox_message;

/* All 0 is the start. */
struct app_outbox {
	struct app_outbox_message *first, *last; /* that wait; NULL = none does */
};

/* Sends or queues a copy. 0, or -1 with errno: ENOMEM, or what usrsctp_cmt_conn_write() says of a connection
 * that is no more. */
int app_outbox_send(struct app_outbox *box, struct usrsctp_cmt_conn *conn, const void *bytes, size_t len,
                    const struct usrsctp_cmt_message *header);

/* Sends what waits, as far as there is room. 0 when nothing waits any longer, -1 with EAGAIN or as above. */
int app_outbox_flush(struct app_outbox *box, struct usrsctp_cmt_conn *conn);

void app_outbox_free(struct app_outbox *box);

#endif
