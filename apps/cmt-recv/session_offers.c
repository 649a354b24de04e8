/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Offers of files: what is here of them, and what the sender is told about that. */
#include "session_parts.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loop/wall_clock.h"
#include "offer_decide.h"

#define SILENT_US   UINT64_C(2500000)  /* senders are heard every second */
#define PARK_MAX_US UINT64_C(10000000) /* while this side itself works for the one that has the name */

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

static bool has_offer(const struct session *s, const char *name)
{
	const struct offer *o = s->offers;

	while (o != NULL && strcmp(o->name, name) != 0) {
		o = o->next;
	}
	return o != NULL;
}

/* NULL: none, or what has that name is on its way to disk. */
static struct session *owner_of(const struct session_env *env, const char *name)
{
	struct session *s = env->sessions;

	while (s != NULL && !has_offer(s, name)) {
		s = s->next;
	}
	return s;
}

/* NULL after a refusal. */
static struct offer *new_offer(struct session *s, const struct transfer_message *m)
{
	const char *name = s->env->single_name != NULL ? s->env->single_name : m->name;
	struct offer *o = calloc(1, sizeof(*o) + strlen(name) + 1);

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
	return o;
}

static void refuse_newest(struct session *s, const char *text)
{
	int64_t id = s->newest->id;

	session_drop_newest(s);
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
		app_error_set(
		    &error,
		    "%s: already exists at the receiver with other content; --overwrite there replaces it",
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

/* False: its name is taken. */
static bool take(struct session *s, struct offer *o)
{
	if (!names_take(&s->env->names, o->name)) {
		return false;
	}
	o->names = &s->env->names;
	session_append_offer(s, o);
	decide(s, o);
	return true;
}

static void park(struct session *s, struct offer *o, uint64_t now_us)
{
	s->parked = o;
	s->parked_us = now_us;
	s->park_until_us = now_us + PARK_MAX_US;
	session_update_reading(s);
}

static void refuse_parked(struct session *s, struct offer *o, const struct session *owner)
{
	char text[TRANSFER_NAME_MAX_BYTES + 200];

	snprintf(text, sizeof(text),
	         "%s: is already being received%s%s; send it again when that transfer is over", o->name,
	         owner != NULL ? ", from " : "", owner != NULL ? owner->peer : "");
	send_refusal(s, o->id, text);
	free(o);
}

/* A sender that was killed cannot say so. Until it has been silent for longer than one that lives can be, who
 * wants the name waits. */
static bool goes_on_waiting(struct session *s, struct session *owner, uint64_t now_us)
{
	if (owner == NULL || session_is_busy(owner)) {
		s->parked_us = now_us; /* nobody listens to it */
	} else if (owner == s || owner->heard_us > s->parked_us) {
		return false;
	} else if (now_us - owner->heard_us > SILENT_US) {
		session_refuse(owner, "silent, and another sender has taken over; what arrived is kept");
	}
	return now_us < s->park_until_us;
}

void session_look_at_parked(struct session *s, uint64_t now_us)
{
	struct session *owner = owner_of(s->env, s->parked->name);
	struct offer *o = s->parked;

	s->parked = NULL;
	if (take(s, o)) {
		session_update_reading(s);
	} else if (goes_on_waiting(s, owner, now_us)) {
		s->parked = o;
	} else {
		refuse_parked(s, o, owner);
		session_update_reading(s);
	}
}

void session_on_offer(struct session *s, const struct transfer_message *m)
{
	struct offer *o;

	if (s->n_offers >= TRANSFER_OFFERS_MAX) {
		session_refuse(s, "too many files offered at once");
	} else if (s->env->single_name != NULL && (s->files > 0 || s->offers != NULL)) {
		send_refusal(s, m->id, "the receiver accepts only one file (-o); for several it needs -d");
	} else {
		o = new_offer(s, m);
		if (o != NULL && !take(s, o)) {
			park(s, o, app_wall_clock_us());
		}
	}
}
