/* SPDX-License-Identifier: BSD-3-Clause */
#include "control.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define READ_BYTES (1u << 18)

int control_send(struct app_outbox *out, struct usrsctp_cmt_conn *conn,
                 const struct transfer_message *message)
{
	const struct usrsctp_cmt_message header = {.stream_id = TRANSFER_STREAM,
	                                           .ppid = TRANSFER_PPID_CONTROL};
	size_t len;
	char *text = transfer_encode(message, &len);
	int rc;

	if (text == NULL) {
		errno = ENOMEM;
		return -1;
	}
	rc = app_outbox_send(out, conn, text, len, &header);
	free(text);
	return rc;
}

void control_in_free(struct control_in *in)
{
	app_parts_free(&in->parts);
}

static enum control_got wrong(struct app_error *error, const char *text)
{
	app_error_set(error, "%s", text);
	return CONTROL_WRONG;
}

static enum control_got take_control(struct control_in *in, const char *bytes, size_t len, bool part,
                                     struct transfer_message *message, struct app_error *error)
{
	enum control_got got;
	int complete;

	if (in->in_data) {
		return wrong(error, "a control message came inside a data message");
	}
	complete = app_parts_add(&in->parts, &bytes, &len, part, TRANSFER_CONTROL_MAX_BYTES, error);
	if (complete != 1) {
		return complete == 0 ? CONTROL_NOTHING : CONTROL_WRONG;
	}
	got = transfer_decode(bytes, len, message, error) == 0 ? CONTROL_MESSAGE : CONTROL_WRONG;
	app_parts_free(&in->parts);
	return got;
}

enum control_got control_read(struct control_in *in, struct usrsctp_cmt_conn *conn,
                              struct transfer_message *message, struct control_data *data,
                              struct app_error *error)
{
	static char buffer[READ_BYTES];
	struct usrsctp_cmt_message header;
	ssize_t n;

	while ((n = usrsctp_cmt_conn_read(conn, buffer, sizeof(buffer), &header)) >= 0) {
		bool part = (header.flags & USRSCTP_CMT_MESSAGE_PART) != 0;

		if (header.stream_id != TRANSFER_STREAM ||
		    (header.flags & USRSCTP_CMT_MESSAGE_UNORDERED) != 0) {
			return wrong(error, "a message is not ordered on stream 0");
		}
		if (header.ppid == TRANSFER_PPID_DATA) {
			if (in->parts.bytes != NULL) {
				return wrong(error, "a data message came inside a control message");
			}
			in->in_data = part;
			*data = (struct control_data){.bytes = buffer, .len = (size_t)n};
			return CONTROL_DATA;
		}
		if (header.ppid != TRANSFER_PPID_CONTROL) {
			return wrong(error, "a message is neither control nor data of this protocol");
		}
		enum control_got got = take_control(in, buffer, (size_t)n, part, message, error);

		if (got != CONTROL_NOTHING) {
			return got;
		}
	}
	return CONTROL_NOTHING;
}
