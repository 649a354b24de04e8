/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The offers of a session: those that wait, the one that is being received, those on their way to disk. */
#include "session_parts.h"

#include <stdlib.h>
#include <unistd.h>

static void leave_commits(struct session *s)
{
	for (; s->settling != NULL; s->settling = s->settling->next) {
		s->settling->session = NULL;
	}
}

void session_free_offer(struct offer *o)
{
	names_give_back(o->names, o->name);
	EVP_MD_CTX_free(o->kept_sha256);
	free(o);
}

void session_drop_newest(struct session *s)
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
	free(s->parked);
	s->parked = NULL;
	leave_commits(s);
}

void session_append_offer(struct session *s, struct offer *o)
{
	if (s->newest != NULL) {
		s->newest->next = o;
	} else {
		s->offers = o;
	}
	s->newest = o;
	s->n_offers++;
}
