/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "link_parts.h"

struct link_waiting {
	struct link_waiting *next;
	size_t len;
	uint16_t stream;
	char text[];
};

static bool write_text(struct link *link, uint16_t stream, const char *text, size_t len)
{
	const struct usrsctp_cmt_message header = {.stream_id = stream, .ppid = MEDIA_PPID_CONTROL};

	return usrsctp_cmt_conn_write(link->conn, text, len, &header) == 0 || errno != EAGAIN;
}

static void queue(struct link *link, uint16_t stream, const char *text, size_t len)
{
	struct link_waiting *w = malloc(sizeof(*w) + len);

	if (w == NULL) {
		return;
	}
	w->next = NULL;
	w->len = len;
	w->stream = stream;
	memcpy(w->text, text, len);
	if (link->last != NULL) {
		link->last->next = w;
	} else {
		link->first = w;
	}
	link->last = w;
}

void link_send(struct link *link, uint16_t stream, const struct media_message *m)
{
	size_t len;
	char *text = link->conn != NULL ? media_encode(m, &len) : NULL;

	if (text != NULL && (link->first != NULL || !write_text(link, stream, text, len))) {
		queue(link, stream, text, len);
	}
	free(text);
}

static void drop_first(struct link *link)
{
	struct link_waiting *w = link->first;

	link->first = w->next;
	if (link->first == NULL) {
		link->last = NULL;
	}
	free(w);
}

void link_flush(struct link *link)
{
	while (link->first != NULL &&
	       write_text(link, link->first->stream, link->first->text, link->first->len)) {
		drop_first(link);
	}
}

void link_drop_waiting(struct link *link)
{
	while (link->first != NULL) {
		drop_first(link);
	}
}
