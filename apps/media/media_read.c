/* SPDX-License-Identifier: BSD-3-Clause */
#include "media_read.h"

static enum media_got wrong(struct app_error *error, const char *text)
{
	app_error_set(error, "%s", text);
	return MEDIA_GOT_WRONG;
}

static enum media_got take_control(struct media_in *in, const char *bytes, size_t len, bool part,
                                   struct media_read *out, struct app_error *error)
{
	enum media_got got;
	int complete;

	if (in->parts.bytes != NULL && in->stream_id != out->stream_id) {
		return wrong(error, "a control message came inside another");
	}
	in->stream_id = out->stream_id;
	complete = app_parts_add(&in->parts, &bytes, &len, part, MEDIA_CONTROL_MAX_BYTES, error);
	if (complete != 1) {
		return complete == 0 ? MEDIA_GOT_NOTHING : MEDIA_GOT_WRONG;
	}
	got = media_decode(bytes, len, &out->message, error) == 0 ? MEDIA_GOT_MESSAGE : MEDIA_GOT_WRONG;
	media_in_free(in);
	return got;
}

enum media_got media_read(struct media_in *in, struct usrsctp_cmt_conn *conn, struct media_read *out,
                          struct app_error *error)
{
	static char buffer[MEDIA_DATA_MAX_BYTES];
	struct usrsctp_cmt_message header;
	enum media_got got = MEDIA_GOT_NOTHING;
	ssize_t n;

	while (got == MEDIA_GOT_NOTHING &&
	       (n = usrsctp_cmt_conn_read(conn, buffer, sizeof(buffer), &header)) >= 0) {
		out->stream_id = header.stream_id;
		if ((header.flags & USRSCTP_CMT_MESSAGE_UNORDERED) != 0) {
			return wrong(error, "a message is unordered");
		}
		if (header.ppid == MEDIA_PPID_DATA) {
			out->bytes = buffer;
			out->len = (size_t)n;
			return MEDIA_GOT_DATA;
		}
		if (header.ppid != MEDIA_PPID_CONTROL) {
			return wrong(error, "a message is neither control nor data of this protocol");
		}
		got = take_control(in, buffer, (size_t)n, (header.flags & USRSCTP_CMT_MESSAGE_PART) != 0, out,
		                   error);
	}
	return got;
}

void media_in_free(struct media_in *in)
{
	app_parts_free(&in->parts);
}
