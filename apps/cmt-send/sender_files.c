/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The data of the file whose turn it is. */
#include "sender_parts.h"

#include <errno.h>
#include <string.h>

#include <event2/event.h>

#include "loop/wall_clock.h"

static void send_id(struct sender *s, enum transfer_type type)
{
	const struct transfer_message m = {.type = type, .has = TRANSFER_F_ID, .id = (int64_t)s->turn};

	sender_send(s, &m);
}

static void next_turn(struct sender *s)
{
	sender_drop_source(s);
	s->turn++;
}

/* It cannot be sent, or not to its end; the receiver confirms that it knows. */
static void cancel(struct sender *s, const char *text, bool tell_user)
{
	struct transfer_message m = {.type = TRANSFER_CANCEL, .has = TRANSFER_F_ID, .id = (int64_t)s->turn};

	if (tell_user) {
		sender_note_error(s, text);
	}
	transfer_set_text(&m, text);
	sender_send(s, &m);
	next_turn(s);
}

void sender_on_done(struct sender *s, const struct transfer_message *m)
{
	const struct entry *e;
	struct app_error error;

	if (sender_standing(s, m->id) == NULL) {
		return;
	}
	e = &s->config.entries->list[m->id];
	s->report.last_us = s->report.first_us != 0 ? app_wall_clock_us() : 0;
	if (m->verdict == TRANSFER_OK) {
		s->report.files += entry_is_file(e);
	} else {
		s->report.corrupt = s->report.corrupt || m->verdict == TRANSFER_CORRUPT;
		app_error_set(&error, "%s",
		              (m->has & TRANSFER_F_TEXT) != 0 ? m->text : "the receiver failed");
		/* What we cancelled was said already; the first word counts. */
		if (strcmp(error.text, s->report.error.text) != 0) {
			sender_note_error(s, error.text);
		}
	}
	sender_settle(s, (size_t)m->id);
	if (s->source.entry == e) {
		cancel(s, "cancelled", false);
	}
}

static void start(struct sender *s, uint64_t offset_bytes, EVP_MD_CTX *sha256)
{
	struct transfer_message m = {.type = TRANSFER_START,
	                             .has = TRANSFER_F_ID | TRANSFER_F_OFFSET,
	                             .id = (int64_t)s->turn,
	                             .offset = (int64_t)offset_bytes};
	struct app_error error;

	if (source_begin(&s->source, offset_bytes, sha256, &error) != 0) {
		cancel(s, error.text, true);
		return;
	}
	s->report.resumed_at_bytes += offset_bytes;
	s->settled_bytes += offset_bytes;
	s->started = true;
	sender_send(s, &m);
}

static void about(const struct sender *s, const char *what, struct app_error *text)
{
	app_error_set(text, "%.300s: %s", s->source.entry->path, what);
}

static void skip(struct sender *s)
{
	struct app_error text;

	s->settled_bytes += s->source.entry->bytes;
	s->report.files_there++;
	if (s->config.verbose) {
		about(s, "is at the receiver already", &text);
		sender_note(s, text.text);
	}
	send_id(s, TRANSFER_SKIP);
	next_turn(s);
}

/* Whether the receiver has this beginning or, when it speaks of a complete file, all of the source. */
static bool has_same(const struct sender *s, const struct answer *a, const EVP_MD_CTX *sha256,
                     uint64_t hashed_bytes)
{
	char own[TRANSFER_SHA256_HEX_BYTES + 1];

	return hashed_bytes == a->bytes &&
	       (a->verdict == TRANSFER_PARTIAL || a->bytes == s->source.entry->bytes) &&
	       sha256_hex(sha256, own) && strcmp(own, a->sha256) == 0;
}

/* The beginning of the source is hashed: is it what the receiver has? Takes `sha256`. */
static void decide(struct sender *s, const struct answer *a, EVP_MD_CTX *sha256, uint64_t hashed_bytes)
{
	bool same = has_same(s, a, sha256, hashed_bytes);
	struct app_error error;

	if (same && a->verdict == TRANSFER_PARTIAL) {
		start(s, a->bytes, sha256);
		return;
	}
	EVP_MD_CTX_free(sha256);
	if (same) {
		skip(s);
	} else if (a->verdict == TRANSFER_EXISTING && !a->overwrite) {
		app_error_set(
		    &error,
		    "%s: already exists at the receiver with other content; --overwrite there replaces it",
		    s->source.entry->name);
		cancel(s, error.text, true);
	} else {
		if (a->verdict == TRANSFER_PARTIAL) {
			about(s, "the receiver's part is not its beginning; starting over", &error);
			s->config.say(error.text, s->config.arg);
		}
		start(s, 0, NULL);
	}
}

static void compared(EVP_MD_CTX *sha256, uint64_t hashed_bytes, int code, void *arg)
{
	struct sender *s = arg;
	struct app_error error;

	s->job = NULL;
	if (code != 0) {
		app_error_set(&error, "%s: cannot read it: %s", s->source.entry->path, strerror(code));
		cancel(s, error.text, true);
	} else {
		decide(s, s->standings[s->turn].answer, sha256, hashed_bytes);
	}
	sender_pump(s);
}

static void begin(struct sender *s)
{
	const struct answer *a = s->standings[s->turn].answer;
	struct app_error error;

	if (source_open(&s->source, &s->config.entries->list[s->turn], &error) != 0) {
		cancel(s, error.text, true);
	} else if (a->verdict == TRANSFER_SEND) {
		start(s, 0, NULL);
	} else {
		s->job = sha256_job_start(s->config.base, s->source.fd, a->bytes, compared, s);
		if (s->job == NULL) {
			cancel(s, "no memory", true);
		}
	}
}

static void send_end(struct sender *s)
{
	struct transfer_message m = {.type = TRANSFER_END,
	                             .has = TRANSFER_F_ID | TRANSFER_F_BYTES | TRANSFER_F_SHA256,
	                             .id = (int64_t)s->turn,
	                             .bytes = (int64_t)s->source.at_bytes};

	if (!sha256_hex(s->source.sha256, m.sha256)) {
		cancel(s, "no memory", true);
		return;
	}
	sender_send(s, &m);
	next_turn(s);
}

static void on_source_readable(evutil_socket_t fd, short what, void *arg)
{
	struct sender *s = arg;

	(void)fd;
	(void)what;
	event_free(s->readable);
	s->readable = NULL;
	sender_pump(s);
}

static void await_source(struct sender *s)
{
	if (s->readable == NULL) {
		s->readable = event_new(s->config.base, s->source.fd, EV_READ, on_source_readable, s);
		if (s->readable == NULL || event_add(s->readable, NULL) != 0) {
			sender_fail(s, "cannot wait for standard input");
		}
	}
}

/* False when there is no room. */
static bool send_data(struct sender *s, const void *bytes, size_t len)
{
	const struct usrsctp_cmt_message header = {.stream_id = TRANSFER_STREAM, .ppid = TRANSFER_PPID_DATA};

	if (usrsctp_cmt_conn_write(s->conn, bytes, len, &header) != 0) {
		if (errno != EAGAIN) {
			struct app_error error;

			app_error_set(&error, "cannot send: %s", strerror(errno));
			sender_fail(s, errno == EPIPE
			                   ? "the connection was lost; send again with --resume to continue"
			                   : error.text);
		}
		return false;
	}
	if (s->report.first_us == 0) {
		s->report.first_us = app_wall_clock_us();
	}
	s->written_bytes += len;
	s->report.bytes += len;
	source_consume(&s->source, len);
	return true;
}

/* True when it may go on at once. */
static bool data_next(struct sender *s)
{
	const void *bytes;
	size_t len;
	struct app_error error;

	switch (source_peek(&s->source, s->config.msg_bytes, &bytes, &len, &error)) {
	case SOURCE_BYTES: return send_data(s, bytes, len);
	case SOURCE_END: send_end(s); return true;
	case SOURCE_WAIT: await_source(s); return false;
	case SOURCE_WRONG: cancel(s, error.text, true); return true;
	}
	return false;
}

bool sender_awaits_answer(const struct sender *s)
{
	return s->state == SENDER_RUNNING && s->job == NULL && !s->started && s->turn < s->offered &&
	       entry_is_file(&s->config.entries->list[s->turn]) && !s->standings[s->turn].settled &&
	       s->standings[s->turn].answer == NULL;
}

static bool turn_next(struct sender *s)
{
	const struct entries *all = s->config.entries;

	if (s->job != NULL) {
		return false;
	}
	if (s->started) {
		return data_next(s);
	}
	while (s->turn < s->offered &&
	       (!entry_is_file(&all->list[s->turn]) || s->standings[s->turn].settled)) {
		s->turn++;
	}
	if (s->turn == s->offered || s->standings[s->turn].answer == NULL) {
		return false;
	}
	begin(s);
	return true;
}

static void leave(struct sender *s)
{
	const struct transfer_message bye = {.type = TRANSFER_BYE};

	app_assoc_stats_read(usrsctp_cmt_conn_socket(s->conn), &s->report.assoc);
	sender_send(s, &bye);
	if (s->state == SENDER_RUNNING) {
		s->state = SENDER_LEAVING;
	}
}

void sender_pump(struct sender *s)
{
	bool more = true;

	if (s->state == SENDER_OVER || app_outbox_flush(&s->out, s->conn) != 0) {
		return;
	}
	while (more && s->state == SENDER_RUNNING && s->out.first == NULL) {
		more = sender_offer_next(s) || turn_next(s);
	}
	if (s->state == SENDER_RUNNING && s->out.first == NULL && s->settled == s->config.entries->n) {
		leave(s);
	}
	if (s->state == SENDER_LEAVING && s->out.first == NULL) {
		usrsctp_cmt_conn_shutdown(s->conn);
	}
}
