/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The streams of the association: who has which, and what is said on them. */
#include <stdlib.h>

#include "link/link_parts.h"

void link_send(struct link *link, uint16_t stream, const struct media_message *m)
{
	const struct usrsctp_cmt_message header = {.stream_id = stream, .ppid = MEDIA_PPID_CONTROL};
	size_t len;
	char *text = link->conn != NULL ? media_encode(m, &len) : NULL;

	if (text != NULL) {
		(void)app_outbox_send(&link->out, link->conn, text, len, &header);
	}
	free(text);
}

uint16_t link_find_stream(const struct link *link)
{
	for (uint16_t i = 1; i < link->n_streams; i++) {
		uint16_t id = (uint16_t)(1 + (link->last_stream + i - 1) % (link->n_streams - 1));

		if (link->streams[id].use == STREAM_FREE) {
			return id;
		}
	}
	return 0;
}

void link_free_stream(struct link *link, uint16_t id)
{
	link->streams[id] = (struct stream){STREAM_FREE, NULL};
	link->n_used--;
}

void link_release(struct link *link, struct fetch *fetch, bool ended)
{
	if (ended) {
		link_free_stream(link, fetch->stream);
	} else {
		link->streams[fetch->stream] = (struct stream){STREAM_DRAINING, NULL};
	}
}

bool link_awaits(const struct link *link)
{
	for (uint16_t i = 1; i < link->n_streams; i++) {
		const struct stream *s = &link->streams[i];
		const struct fetch *f = s->fetch;

		if (s->use == STREAM_DRAINING ||
		    (s->use == STREAM_BUSY &&
		     (f->state == FETCH_ASKED || f->delivered_bytes - f->asked_at_bytes < f->credit_bytes))) {
			return true;
		}
	}
	return false;
}
