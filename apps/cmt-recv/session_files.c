/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Folders, and the data of the oldest offer. */
#include "session_parts.h"

#include <stdio.h>

#include "loop/wall_clock.h"
#include "monitor.h"

static void on_folder(struct session *s, const struct transfer_message *m)
{
	const struct store_attributes attributes = {.mode = (uint32_t)m->mode,
	                                            .mtime_us = m->mtime_us,
	                                            .has_mtime = (m->has & TRANSFER_F_MTIME) != 0};
	struct app_error error;
	int rc;

	if (s->env->single_name != NULL) {
		rc = app_error_set(&error, "%s: is a folder, and the receiver accepts only one file (-o)",
		                   m->name);
	} else {
		rc = store_folder(s->env->store, m->name, m->final, &attributes, &error);
	}
	session_done(s, m->id, rc == 0 ? TRANSFER_OK : TRANSFER_FAILED, rc == 0 ? NULL : error.text);
}

static void on_start(struct session *s, struct offer *o, uint64_t offset)
{
	EVP_MD_CTX *kept = NULL;

	if (offset != 0 && (o->answer != TRANSFER_PARTIAL || offset != o->kept_bytes)) {
		session_refuse(s, "start asks for an offset that was not offered");
		return;
	}
	if (o->answer == TRANSFER_EXISTING && !s->env->store->overwrite) {
		session_refuse(s, "start would overwrite a file");
		return;
	}
	if (offset != 0) {
		kept = o->kept_sha256;
		o->kept_sha256 = NULL;
	}
	incoming_begin(&s->incoming, o->name, offset, kept);
	s->resumed_at_bytes += offset;
	s->settled_bytes += offset;
	monitor_add(s->env->monitor, s->conn, o->name);
	s->started = true;
}

static void on_skip(struct session *s, struct offer *o)
{
	int64_t id = o->id;

	if (o->answer != TRANSFER_EXISTING) {
		session_refuse(s, "skip of a file that the receiver does not have");
		return;
	}
	s->files++;
	s->files_there++;
	s->settled_bytes += o->kept_bytes;
	session_drop_oldest(s);
	session_done(s, id, TRANSFER_OK, NULL);
}

static void finish(struct session *s, struct offer *o, const char *sha256)
{
	struct app_error error;
	int fd;

	switch (incoming_finish(&s->incoming, sha256, &fd, &error)) {
	case INCOMING_OK:
		if (fd >= 0) {
			session_commit_oldest(s, fd);
			return;
		}
		s->files++;
		session_done(s, o->id, TRANSFER_OK, NULL);
		break;
	case INCOMING_CORRUPT:
		s->corrupt = true;
		session_done(s, o->id, TRANSFER_CORRUPT, error.text);
		break;
	case INCOMING_FAILED: session_done(s, o->id, TRANSFER_FAILED, error.text); break;
	}
	session_drop_oldest(s);
}

static void on_end(struct session *s, struct offer *o, const struct transfer_message *m)
{
	if (!s->swallow &&
	    ((uint64_t)m->bytes != s->incoming.bytes || (o->bytes >= 0 && o->bytes != m->bytes))) {
		session_refuse(s, "end does not match the bytes received");
		return;
	}
	if (s->swallow) {
		session_drop_oldest(s);
	} else {
		finish(s, o, m->sha256);
	}
}

static void on_cancel(struct session *s, struct offer *o, const char *text)
{
	if (!s->swallow) {
		session_done(s, o->id, TRANSFER_FAILED, text);
	}
	incoming_stop(&s->incoming);
	session_drop_oldest(s);
}

/* The data of a file stand between start and end; the sender may give up before and within. */
static bool fits(const struct session *s, enum transfer_type type)
{
	return type == TRANSFER_CANCEL || s->started == (type == TRANSFER_END);
}

void session_on_file_message(struct session *s, const struct transfer_message *m)
{
	struct offer *o = s->offers;
	char text[100];

	if (m->type == TRANSFER_FILE) {
		session_on_offer(s, m);
	} else if (m->type == TRANSFER_FOLDER) {
		on_folder(s, m);
	} else if (o == NULL || o->id != m->id || !fits(s, m->type)) {
		snprintf(text, sizeof(text), "\"%s\" is not about the current file",
		         transfer_type_name(m->type));
		session_refuse(s, text);
	} else if (m->type == TRANSFER_START) {
		on_start(s, o, (uint64_t)m->offset);
	} else if (m->type == TRANSFER_SKIP) {
		on_skip(s, o);
	} else if (m->type == TRANSFER_END) {
		on_end(s, o, m);
	} else {
		on_cancel(s, o, m->text);
	}
}

void session_on_data(struct session *s, const struct control_data *data)
{
	struct offer *o = s->offers;
	struct app_error error;
	int rc;

	if (!s->started) {
		session_refuse(s, "data came without a file");
		return;
	}
	s->last_us = app_wall_clock_us();
	if (s->first_us == 0) {
		s->first_us = s->last_us;
	}
	s->bytes += data->len;
	if (s->swallow) {
		return;
	}
	if (o->bytes >= 0 && s->incoming.bytes + data->len > (uint64_t)o->bytes) {
		session_refuse(s, "more data came than the file has");
		return;
	}
	rc = incoming_write(&s->incoming, data->bytes, data->len, &error);
	if (rc > 0) {
		s->waiting = true;
		session_update_reading(s);
	} else if (rc < 0) {
		incoming_stop(&s->incoming);
		s->swallow = true;
		session_done(s, o->id, TRANSFER_FAILED, error.text);
	}
}
