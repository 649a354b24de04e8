/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Offers of files: what is here of them, and what the sender is told about that. */
#include "session_parts.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "offer_decide.h"
#include "wall_clock.h"

#define SILENT_US UINT64_C(2500000) /* senders are heard every second */

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

void session_free_offer(struct offer *o)
{
	names_give_back(o->names, o->name);
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
	session_free_offer(*at);
	*at = NULL;
	s->newest = before;
	s->n_offers--;
}

struct offer *session_take_oldest(struct session *s)
{
	struct offer *o = s->offers;

	s->offers = o->next;
	if (s->offers == NULL) {
		s->newest = NULL;
	}
	s->n_offers--;
	s->started = false;
	s->swallow = false;
	return o;
}

void session_drop_oldest(struct session *s)
{
	session_free_offer(session_take_oldest(s));
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
		session_drop_oldest(s);
	}
	session_leave_commits(s);
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

static bool has_offer(const struct session *s, const char *name)
{
	const struct offer *o = s->offers;

	while (o != NULL && strcmp(o->name, name) != 0) {
		o = o->next;
	}
	return o != NULL;
}

/* A sender that was killed cannot say so, and its name is wanted again: ends its session, if it has been
 * silent for longer than one that lives can be. */
static void end_silent_owner(struct session_env *env, const char *name)
{
	const uint64_t now_us = app_wall_clock_us();

	for (struct session *s = env->sessions; s != NULL; s = s->next) {
		if (has_offer(s, name) && s->job == NULL && !s->waiting && now_us - s->heard_us > SILENT_US) {
			session_refuse(s, "silent, and another sender has taken over; what arrived is kept");
			session_settle(s);
			return;
		}
	}
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
	end_silent_owner(s->env, o->name);
	if (!names_take(&s->env->names, o->name)) {
		snprintf(text, sizeof(text),
		         "%s: is being received already; if that transfer is broken, try again in 3 seconds",
		         m->name);
		send_refusal(s, m->id, text);
		free(o);
		return NULL;
	}
	o->names = &s->env->names;
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

void session_on_offer(struct session *s, const struct transfer_message *m)
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
