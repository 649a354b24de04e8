/* SPDX-License-Identifier: BSD-3-Clause */
#include "protocol/outbox.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct app_outbox_message {
	struct app_outbox_message *next;
	struct usrsctp_cmt_message header;
	size_t len;
	char bytes[];
};

static int wait(struct app_outbox *box, const void *bytes, size_t len,
                const struct usrsctp_cmt_message *header)
{
	struct app_outbox_message *m = malloc(sizeof(*m) + len);

	if (m == NULL) {
		errno = ENOMEM;
		return -1;
	}
	m->next = NULL;
	m->header = *header;
	m->len = len;
	memcpy(m->bytes, bytes, len);
	if (box->last != NULL) {
		box->last->next = m;
	} else {
		box->first = m;
	}
	box->last = m;
	return 0;
}

int app_outbox_send(struct app_outbox *box, struct usrsctp_cmt_conn *conn, const void *bytes, size_t len,
                    const struct usrsctp_cmt_message *header)
{
	if (box->first == NULL) {
		int rc = usrsctp_cmt_conn_write(conn, bytes, len, header);

		if (rc == 0 || errno != EAGAIN) {
			return rc;
		}
	}
	return wait(box, bytes, len, header);
}

static void drop_first(struct app_outbox *box)
{
	struct app_outbox_message *m = box->first;

	box->first = m->next;
	if (box->first == NULL) {
		box->last = NULL;
	}
	free(m);
}

int app_outbox_flush(struct app_outbox *box, struct usrsctp_cmt_conn *conn)
{
	while (box->first != NULL) {
		const struct app_outbox_message *m = box->first;

		if (usrsctp_cmt_conn_write(conn, m->bytes, m->len, &m->header) != 0) {
			return -1;
		}
		drop_first(box);
	}
	return 0;
}

void app_outbox_free(struct app_outbox *box)
{
	while (box->first != NULL) {
		drop_first(box);
	}
}
