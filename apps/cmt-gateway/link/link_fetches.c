/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whose turn it is: requests of the fetches that wait, messages for those that have a stream. */
#include "link/link_parts.h"
#include "loop/wall_clock.h"

void link_start_fetches(struct link *link)
{
	const uint64_t now_us = app_wall_clock_us();
	struct fetch *f;

	TAILQ_FOREACH(f, &link->fetches, entry)
	{
		uint16_t id = link->state == LINK_UP && !link->ending && link->n_used < link->max_used
		                  ? link_find_stream(link)
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

int link_take(struct link *link, const struct media_read *read, bool is_data, struct app_error *error)
{
	struct stream *s = read->stream_id < link->n_streams ? &link->streams[read->stream_id] : NULL;
	const bool is_end = !is_data && read->message.type == MEDIA_END;
	int rc;

	if (s == NULL || s->use == STREAM_FREE) {
		return app_error_set(error, "a message came on stream %u, which has no request",
		                     read->stream_id);
	}
	if (s->use == STREAM_BUSY) {
		rc = is_data ? fetch_take_data(s->fetch, read->bytes, read->len, error)
		             : fetch_take_message(s->fetch, &read->message, error);
		if (rc == 0 && is_end) {
			link_start_fetches(link);
		}
		return rc;
	}
	if (is_end) {
		link_free_stream(link, read->stream_id);
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
