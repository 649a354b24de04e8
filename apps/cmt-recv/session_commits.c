/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What has arrived whole, until it is on disk. */
#include "session_parts.h"

#include <stddef.h>

#include "commits.h"

static void settle(struct session *s, struct offer *o, const char *error)
{
	struct offer **at = &s->settling;

	while (*at != o) {
		at = &(*at)->next;
	}
	*at = o->next;
	s->n_offers--;
	session_done(s, o->id, error == NULL ? TRANSFER_OK : TRANSFER_FAILED, error);
	session_free_offer(o);
	s->files += error == NULL;
}

static void on_committed(const char *error, void *arg)
{
	struct offer *o = arg;
	struct session *s = o->session;

	if (s == NULL) {
		session_free_offer(o);
		return;
	}
	settle(s, o, error);
	session_settle(s);
}

void session_commit_oldest(struct session *s, int fd)
{
	struct offer *o = session_take_oldest(s);
	const struct commit_request request = {
	    .name = o->name, .fd = fd, .attributes = o->attributes, .fn = on_committed, .arg = o};

	o->session = s;
	o->next = s->settling;
	s->settling = o;
	s->n_offers++;
	if (commits_add(s->env->commits, &request) != 0) {
		settle(s, o, "no memory");
	}
}
