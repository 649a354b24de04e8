/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Offers of files and folders, and the data of the oldest offer. */
#include "session_parts.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "offer_decide.h"
#include "wall_clock.h"

static void send_done(struct session *s, int64_t id, enum transfer_verdict verdict, const char *text)
{
	struct transfer_message m = {
	    .type = TRANSFER_DONE, .has = TRANSFER_F_ID | TRANSFER_F_VERDICT, .id = id, .verdict = verdict};

	if (text != NULL) {
		transfer_set_text(&m, text);
	}
	session_send(s, &m);
}

static void send_refusal(struct session *s, int64_t id, const char *text)
{
	struct transfer_message m = {.type = TRANSFER_ANSWER,
	                             .has = TRANSFER_F_ID | TRANSFER_F_VERDICT,
	                             .id = id,
	                             .verdict = TRANSFER_REFUSED};

	session_note_error(s, text);
	transfer_set_text(&m, text);
	session_send(s, &m);
}

/* What the sender has to know to decide: what is here of the file. */
static void send_answer(struct session *s, const struct offer *o)
{
	struct transfer_message m = {.type = TRANSFER_ANSWER,
	                             .has = TRANSFER_F_ID | TRANSFER_F_VERDICT,
	                             .id = o->id,
	                             .verdict = o->answer};

	if (o->answer != TRANSFER_SEND) {
		m.has |= TRANSFER_F_BYTES | TRANSFER_F_SHA256 | TRANSFER_F_OVERWRITE;
		m.overwrite = s->env->store->overwrite;
		m.bytes = (int64_t)o->kept_bytes;
		if (!sha256_hex(o->kept_sha256, m.sha256)) {
			session_refuse(s, "no memory");
			return;
		}
	}
	session_send(s, &m);
}

static void free_offer(struct session *s, struct offer *o)
{
	names_give_back(&s->env->names, o->name);
	EVP_MD_CTX_free(o->kept_sha256);
	free(o);
}

static void drop_newest(struct session *s)
{
	struct offer **at = &s->offers, *before = NULL;

	while (*at != s->newest) {
		before = *at;
		at = &(*at)->next;
	}
	free_offer(s, *at);
	*at = NULL;
	s->newest = before;
	s->n_offers--;
}

static void drop_oldest(struct session *s)
{
	struct offer *o = s->offers;

	s->offers = o->next;
	if (s->offers == NULL) {
		s->newest = NULL;
	}
	s->n_offers--;
	s->started = false;
	s->swallow = false;
	free_offer(s, o);
}

void session_drop_offers(struct session *s)
{
	sha256_job_free(s->job);
	if (s->job != NULL) {
		close(s->job_fd);
		s->job = NULL;
	}
	incoming_stop(&s->incoming);
	pipe_out_free(s->incoming.pipe);
	s->incoming.pipe = NULL;
	while (s->offers != NULL) {
		drop_oldest(s);
	}
}

static void append(struct session *s, struct offer *o)
{
	if (s->newest != NULL) {
		s->newest->next = o;
	} else {
		s->offers = o;
	}
	s->newest = o;
	s->n_offers++;
}

/* NULL after a refusal. */
static struct offer *add_offer(struct session *s, const struct transfer_message *m)
{
	const char *name = s->env->single_name != NULL ? s->env->single_name : m->name;
	struct offer *o = calloc(1, sizeof(*o) + strlen(name) + 1);
	char text[TRANSFER_NAME_MAX_BYTES + 100];

	if (o == NULL) {
		send_refusal(s, m->id, "no memory");
		return NULL;
	}
	o->id = m->id;
	o->bytes = (m->has & TRANSFER_F_BYTES) != 0 ? m->bytes : -1;
	o->attributes = (struct store_attributes){.mode = (uint32_t)m->mode,
	                                          .mtime_us = m->mtime_us,
	                                          .has_mtime = (m->has & TRANSFER_F_MTIME) != 0};
	o->answer = TRANSFER_SEND;
	strcpy(o->name, name);
	if (!names_take(&s->env->names, o->name)) {
		snprintf(text, sizeof(text), "%s: is being received already; send it again later", m->name);
		send_refusal(s, m->id, text);
		free(o);
		return NULL;
	}
	append(s, o);
	return o;
}

static void refuse_newest(struct session *s, const char *text)
{
	int64_t id = s->newest->id;

	drop_newest(s);
	send_refusal(s, id, text);
}

static void looked(EVP_MD_CTX *sha256, uint64_t hashed_bytes, int code, void *arg)
{
	struct session *s = arg;
	struct offer *o = s->newest;
	struct app_error error;

	s->job = NULL;
	close(s->job_fd);
	session_update_reading(s);
	o->kept_sha256 = sha256;
	o->kept_bytes = hashed_bytes;
	if (code == 0) {
		send_answer(s, o);
	} else if (o->answer == TRANSFER_PARTIAL) {
		o->answer = TRANSFER_SEND;
		send_answer(s, o);
	} else {
		app_error_set(&error, "%s: the receiver cannot read its own file of that name: %s", o->name,
		              strerror(code));
		refuse_newest(s, error.text);
	}
	session_settle(s);
}

/* Hashes what is here of the newest offer; looked() answers. */
static void look_closer(struct session *s, uint64_t bytes, bool part)
{
	struct offer *o = s->newest;
	struct app_error error;

	o->answer = part ? TRANSFER_PARTIAL : TRANSFER_EXISTING;
	s->job_fd = store_read(s->env->store, o->name, part, &error);
	if (s->job_fd < 0) {
		refuse_newest(s, error.text);
		return;
	}
	s->job = sha256_job_start(s->env->base, s->job_fd, bytes, looked, s);
	if (s->job == NULL) {
		close(s->job_fd);
		refuse_newest(s, "no memory");
		return;
	}
	session_update_reading(s);
}

static void decide(struct session *s, struct offer *o)
{
	struct store_found found;
	struct app_error error;

	if (s->env->store == NULL) {
		send_answer(s, o);
		return;
	}
	if (store_look(s->env->store, o->name, &found, &error) != 0) {
		refuse_newest(s, error.text);
		return;
	}
	switch (offer_decide(&found, o->bytes, s->resume, s->env->store->overwrite)) {
	case OFFER_TAKE: send_answer(s, o); break;
	case OFFER_COMPARE_FILE: look_closer(s, found.bytes, false); break;
	case OFFER_COMPARE_PART: look_closer(s, found.part_bytes, true); break;
	case OFFER_REFUSE_FILE:
		app_error_set(&error,
		              "%s: is at the receiver already, with other content; --overwrite there "
		              "replaces it",
		              o->name);
		refuse_newest(s, error.text);
		break;
	case OFFER_REFUSE_OTHER:
		app_error_set(&error, "%s: something else has that name at the receiver; remove it there",
		              o->name);
		refuse_newest(s, error.text);
		break;
	}
}

static void on_file(struct session *s, const struct transfer_message *m)
{
	struct offer *o;

	if (s->n_offers >= TRANSFER_OFFERS_MAX) {
		session_refuse(s, "too many files offered at once");
	} else if (s->env->single_name != NULL && (s->files > 0 || s->offers != NULL)) {
		send_refusal(s, m->id, "the receiver takes one file only (-o); for several it needs -d");
	} else {
		o = add_offer(s, m);
		if (o != NULL) {
			decide(s, o);
		}
	}
}

static void on_folder(struct session *s, const struct transfer_message *m)
{
	const struct store_attributes attributes = {.mode = (uint32_t)m->mode,
	                                            .mtime_us = m->mtime_us,
	                                            .has_mtime = (m->has & TRANSFER_F_MTIME) != 0};
	struct app_error error;
	int rc;

	if (s->env->single_name != NULL) {
		rc = app_error_set(&error, "%s: is a folder, and the receiver takes one file only (-o)",
		                   m->name);
	} else {
		rc = store_folder(s->env->store, m->name, m->final, &attributes, &error);
	}
	if (rc != 0) {
		session_note_error(s, error.text);
	}
	send_done(s, m->id, rc == 0 ? TRANSFER_OK : TRANSFER_FAILED, rc == 0 ? NULL : error.text);
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
	s->started = true;
}

static void on_skip(struct session *s, struct offer *o)
{
	int64_t id = o->id;

	if (o->answer != TRANSFER_EXISTING) {
		session_refuse(s, "skip of a file that is not here");
		return;
	}
	s->files++;
	s->settled_bytes += o->kept_bytes;
	drop_oldest(s);
	send_done(s, id, TRANSFER_OK, NULL);
}

static void finish(struct session *s, const struct offer *o, const char *sha256)
{
	struct app_error error;

	switch (incoming_finish(&s->incoming, sha256, &o->attributes, &error)) {
	case INCOMING_OK:
		s->files++;
		send_done(s, o->id, TRANSFER_OK, NULL);
		break;
	case INCOMING_CORRUPT:
		s->corrupt = true;
		session_note_error(s, error.text);
		send_done(s, o->id, TRANSFER_CORRUPT, error.text);
		break;
	case INCOMING_FAILED:
		session_note_error(s, error.text);
		send_done(s, o->id, TRANSFER_FAILED, error.text);
		break;
	}
}

static void on_end(struct session *s, struct offer *o, const struct transfer_message *m)
{
	if (!s->swallow &&
	    ((uint64_t)m->bytes != s->incoming.bytes || (o->bytes >= 0 && o->bytes != m->bytes))) {
		session_refuse(s, "end does not agree with the bytes that came");
		return;
	}
	if (!s->swallow) {
		finish(s, o, m->sha256);
	}
	drop_oldest(s);
}

static void on_cancel(struct session *s, struct offer *o, const char *text)
{
	if (!s->swallow) {
		session_note_error(s, text);
		send_done(s, o->id, TRANSFER_FAILED, text);
	}
	incoming_stop(&s->incoming);
	drop_oldest(s);
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
		on_file(s, m);
	} else if (m->type == TRANSFER_FOLDER) {
		on_folder(s, m);
	} else if (o == NULL || o->id != m->id || !fits(s, m->type)) {
		snprintf(text, sizeof(text), "\"%s\" is not for the file whose turn it is",
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
		session_refuse(s, "data came for no file");
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
		session_note_error(s, error.text);
		send_done(s, o->id, TRANSFER_FAILED, error.text);
	}
}
