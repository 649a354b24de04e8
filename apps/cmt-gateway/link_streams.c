/* SPDX-License-Identifier: BSD-3-Clause */
#include "link_parts.h"
#include "wall_clock.h"

/* 0 = none is free. They are used in turn, so that a late message of one fetch is not taken for the next. */
static uint16_t find_free(const struct link *link)
{
	for (uint16_t i = 1; i < link->n_streams; i++) {
		uint16_t id = (uint16_t)(1 + (link->last_stream + i - 1) % (link->n_streams - 1));

		if (link->streams[id].use == STREAM_FREE) {
			return id;
		}
	}
	return 0;
}

void link_start_fetches(struct link *link)
{
	const uint64_t now_us = app_wall_clock_us();
	struct fetch *f;

	TAILQ_FOREACH(f, &link->fetches, entry)
	{
		uint16_t id = link->state == LINK_UP && !link->ending && link->n_used < link->max_used
		                  ? find_free(link)
		                  : 0;

		if (id == 0) {
			break;
		}
		if (f->state == FETCH_WAITING && f->retry_at_us <= now_us && fetch_wants(f)) {
			link->streams[id] = (struct stream){STREAM_BUSY, f};
			link->n_used++;
			link->last_stream = id;
			fetch_ask(f, id);
		}
	}
}

static void set_free(struct link *link, uint16_t id)
{
	link->streams[id] = (struct stream){STREAM_FREE, NULL};
	link->n_used--;
}

void link_release(struct link *link, struct fetch *fetch, bool ended)
{
	if (ended) {
		set_free(link, fetch->stream);
	} else {
		link->streams[fetch->stream] = (struct stream){STREAM_DRAINING, NULL};
	}
}

int link_take(struct link *link, const struct media_read *read, bool is_data, struct app_error *error)
{
	struct stream *s = read->stream_id < link->n_streams ? &link->streams[read->stream_id] : NULL;

	if (s == NULL || s->use == STREAM_FREE) {
		return app_error_set(error, "a message is on stream %u, where nothing was asked for",
		                     read->stream_id);
	}
	if (s->use == STREAM_BUSY) {
		return is_data ? fetch_take_data(s->fetch, read->bytes, read->len, error)
		               : fetch_take_message(s->fetch, &read->message, error);
	}
	if (!is_data && read->message.type == MEDIA_END) {
		set_free(link, read->stream_id);
	}
	return 0;
}

bool link_is_wanted(const struct link *link)
{
	const struct fetch *f;

	TAILQ_FOREACH(f, &link->fetches, entry)
	{
		if (fetch_wants(f)) {
			return true;
		}
	}
	return false;
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
