/* SPDX-License-Identifier: BSD-3-Clause */
#include "link/fetch.h"

#include <stdlib.h>

#include "link/link_parts.h"
#include "loop/wall_clock.h"

struct fetch *fetch_new(struct link *link, const struct fetch_request *request,
                        const struct fetch_handlers *handlers)
{
	struct fetch *f = calloc(1, sizeof(*f));

	if (f == NULL) {
		return NULL;
	}
	f->link = link;
	f->request = *request;
	f->handlers = *handlers;
	f->since_us = app_wall_clock_us();
	f->pause_us = FETCH_PAUSE_MIN_US;
	TAILQ_INSERT_TAIL(&link->fetches, f, entry);
	link_start_fetches(link);
	return f;
}

void fetch_go(struct fetch *f)
{
	f->request.hold = false;
	fetch_give_credit(f);
}

void fetch_consumed(struct fetch *f, uint64_t bytes)
{
	f->consumed_bytes += bytes;
	if (f->state == FETCH_WAITING) {
		link_start_fetches(f->link);
	} else {
		fetch_give_credit(f);
	}
}

void fetch_free(struct fetch *f)
{
	static const struct media_message cancel = {.type = MEDIA_CANCEL};

	if (f == NULL) {
		return;
	}
	if (f->state == FETCH_ASKED || f->state == FETCH_BODY) {
		link_send(f->link, f->stream, &cancel);
		link_release(f->link, f, false);
	}
	f->link->used_us = app_wall_clock_us();
	TAILQ_REMOVE(&f->link->fetches, f, entry);
	free(f);
}
