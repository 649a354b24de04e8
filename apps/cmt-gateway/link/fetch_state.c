/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of a fetch: what it asks for, and what the server answers. */
#include <stdio.h>
#include <string.h>

#include "link/link_parts.h"
#include "loop/wall_clock.h"

#define PAUSE_MAX_US 2000000u

static void end(struct fetch *f, enum fetch_end how, const char *text)
{
	f->state = FETCH_OVER;
	f->handlers.ended(f, how, text, f->handlers.arg);
}

/* How much more the owner has room for. */
static uint64_t room_bytes(const struct fetch *f)
{
	const uint64_t held_bytes = f->delivered_bytes - f->consumed_bytes;

	return f->request.hold || held_bytes > f->link->config.window_bytes
	           ? 0
	           : f->link->config.window_bytes - held_bytes;
}

bool fetch_wants(const struct fetch *f)
{
	return f->state != FETCH_OVER && (!f->answered || room_bytes(f) > 0);
}

static void set_range(struct media_message *m, const struct http_range *range)
{
	if (range->first != HTTP_RANGE_NONE) {
		m->first = range->first;
		m->has |= MEDIA_M_FIRST;
	}
	if (range->last != HTTP_RANGE_NONE) {
		m->last = range->last;
		m->has |= MEDIA_M_LAST;
	}
	if (range->suffix != HTTP_RANGE_NONE) {
		m->suffix = range->suffix;
		m->has |= MEDIA_M_SUFFIX;
	}
}

/* What is missing of what was answered before. */
static struct http_range rest(const struct fetch *f)
{
	return (struct http_range){.first = f->answer.first + (int64_t)f->delivered_bytes,
	                           .last = f->answer.first + f->answer.bytes - 1,
	                           .suffix = HTTP_RANGE_NONE};
}

static void set_pace(struct media_message *m, const struct fetch *f)
{
	const struct link_config *c = &f->link->config;

	m->pace_bps = (int64_t)c->pace_bps;
	m->burst_bytes =
	    c->burst_bytes > f->delivered_bytes ? (int64_t)(c->burst_bytes - f->delivered_bytes) : 0;
	m->has |= MEDIA_M_PACE_BPS | MEDIA_M_BURST_BYTES;
}

void fetch_ask(struct fetch *f, uint16_t stream)
{
	const struct http_range range = f->answered ? rest(f) : f->request.range;
	const char *etag = f->answered ? f->answer.etag : f->request.etag;
	struct media_message m = {.type = MEDIA_REQUEST,
	                          .has = MEDIA_M_METHOD | MEDIA_M_PATH | MEDIA_M_WINDOW_BYTES,
	                          .method = f->request.head ? MEDIA_HEAD : MEDIA_GET};

	f->state = FETCH_ASKED;
	f->stream = stream;
	f->progressed = false;
	f->asked_at_bytes = f->delivered_bytes;
	f->credit_bytes = room_bytes(f);
	m.window_bytes = (int64_t)f->credit_bytes;
	memcpy(m.path, f->request.path, sizeof(m.path));
	if (etag[0] != '\0') {
		snprintf(m.etag, sizeof(m.etag), "%s", etag);
		m.has |= MEDIA_M_ETAG;
	}
	if (!f->request.head) {
		set_range(&m, &range);
	}
	if (!f->request.head && f->link->config.pace_bps > 0) {
		set_pace(&m, f);
	}
	link_send(f->link, stream, &m);
}

static void wait(struct fetch *f)
{
	const uint64_t now_us = app_wall_clock_us();

	f->state = FETCH_WAITING;
	if (f->progressed) {
		f->since_us = now_us;
		f->pause_us = FETCH_PAUSE_MIN_US;
	}
	f->retry_at_us = now_us + f->pause_us;
	f->pause_us = f->pause_us * 2 < PAUSE_MAX_US ? f->pause_us * 2 : PAUSE_MAX_US;
}

static uint64_t body_bytes(const struct fetch *f)
{
	return f->request.head || !media_has_body(f->answer.status) ? 0 : (uint64_t)f->answer.bytes;
}

/* Whether it was not freed by a handler. */
static bool has_stream(const struct link *link, uint16_t stream, const struct fetch *f)
{
	return link->streams[stream].fetch == f;
}

/* What follows a handler. The end of the answer need not be awaited: its stream is free when that was read.
 */
static void complete(struct link *link, uint16_t stream, struct fetch *f)
{
	if (has_stream(link, stream, f) && f->delivered_bytes == body_bytes(f)) {
		link_release(link, f, false);
		end(f, FETCH_COMPLETE, "");
	}
}

static bool is_range(const struct http_range *r)
{
	return r->first != HTTP_RANGE_NONE || r->last != HTTP_RANGE_NONE || r->suffix != HTTP_RANGE_NONE;
}

static int first_answer(struct fetch *f, const struct media_message *m, struct app_error *error)
{
	struct link *const link = f->link;
	const uint16_t stream = f->stream;

	if ((m->status == 200 && (m->first != 0 || m->bytes != m->size)) ||
	    (m->status == 206 && (f->request.head || !is_range(&f->request.range)))) {
		return app_error_set(error, "an answer does not match its request");
	}
	f->answer = *m;
	f->answered = true;
	f->progressed = true;
	f->state = FETCH_BODY;
	f->handlers.answered(f, &f->answer, f->handlers.arg);
	complete(link, stream, f);
	return 0;
}

/* Whether the bytes that follow are the ones that are missing, of the same file. */
static bool continues(const struct fetch *f, const struct media_message *m)
{
	return m->status == 206 && m->size == f->answer.size && strcmp(m->etag, f->answer.etag) == 0 &&
	       m->first == f->answer.first + (int64_t)f->delivered_bytes &&
	       m->bytes == f->answer.bytes - (int64_t)f->delivered_bytes;
}

static int take_answer(struct fetch *f, const struct media_message *m, struct app_error *error)
{
	if (f->state != FETCH_ASKED) {
		return app_error_set(error, "an answer came twice");
	}
	f->busy = m->status == 429 || m->status == 503;
	if (f->busy) {
		f->state = FETCH_BODY; /* of none; the end follows */
		return 0;
	}
	if (f->answered && !continues(f, m)) {
		link_release(f->link, f, false);
		end(f, FETCH_CHANGED, "the file was changed while it was being read");
		return 0;
	}
	if (f->answered) {
		f->state = FETCH_BODY;
		return 0;
	}
	return first_answer(f, m, error);
}

static int take_end(struct fetch *f, struct app_error *error)
{
	if (f->state != FETCH_BODY) {
		return app_error_set(error, "an end came without an answer");
	}
	link_release(f->link, f, true);
	wait(f);
	return 0;
}

int fetch_take_message(struct fetch *f, const struct media_message *m, struct app_error *error)
{
	switch (m->type) {
	case MEDIA_ANSWER: return take_answer(f, m, error);
	case MEDIA_END: return take_end(f, error);
	case MEDIA_HELLO:
	case MEDIA_WELCOME:
	case MEDIA_REQUEST:
	case MEDIA_WINDOW:
	case MEDIA_CANCEL:
	case MEDIA_BYE:
	case MEDIA_ERROR:
	case MEDIA_TYPES: break;
	}
	return app_error_set(error, "\"%s\" does not belong to an answer", media_message_name(m->type));
}

int fetch_take_data(struct fetch *f, const void *bytes, size_t len, struct app_error *error)
{
	struct link *const link = f->link;
	const uint16_t stream = f->stream;

	if (f->state != FETCH_BODY || f->busy ||
	    len > f->credit_bytes - (f->delivered_bytes - f->asked_at_bytes) ||
	    len > body_bytes(f) - f->delivered_bytes) {
		return app_error_set(error, "more data came than was asked for");
	}
	f->progressed = true;
	f->delivered_bytes += len;
	f->handlers.data(f, bytes, len, f->handlers.arg);
	complete(link, stream, f);
	return 0;
}

/* Not for every byte: a quarter of the window is worth a message. */
void fetch_give_credit(struct fetch *f)
{
	const uint64_t credit_bytes = f->delivered_bytes - f->asked_at_bytes + room_bytes(f);
	struct media_message m = {.type = MEDIA_WINDOW, .has = MEDIA_M_WINDOW_BYTES};

	if ((f->state != FETCH_ASKED && f->state != FETCH_BODY) ||
	    credit_bytes < f->credit_bytes + f->link->config.window_bytes / 4 ||
	    f->credit_bytes >= body_bytes(f) - f->asked_at_bytes) {
		return;
	}
	f->credit_bytes = credit_bytes;
	m.window_bytes = (int64_t)credit_bytes;
	link_send(f->link, f->stream, &m);
}

void fetch_broken(struct fetch *f, bool wrong)
{
	if (f->state == FETCH_OVER) {
		return;
	}
	if (wrong && !f->progressed) {
		end(f, FETCH_WRONG, f->link->why.text);
		return;
	}
	if (f->state != FETCH_WAITING) {
		f->busy = false;
		wait(f);
	}
}

void fetch_tick(struct fetch *f, uint64_t now_us)
{
	if (!fetch_wants(f)) {
		f->since_us = now_us;
	} else if (f->state == FETCH_WAITING && now_us > f->since_us + f->link->config.retry_for_us) {
		end(f, f->busy || f->link->state == LINK_UP ? FETCH_BUSY : FETCH_UNREACHABLE,
		    f->link->why.text);
	}
}
