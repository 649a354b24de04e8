/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Offers of files and folders, and what the receiver says about them. */
#include "sender_parts.h"

#include <stdlib.h>
#include <string.h>

bool sender_offer_next(struct sender *s)
{
	const struct entries *all = s->config.entries;
	const struct entry *e = &all->list[s->offered];
	struct transfer_message m = {.has = TRANSFER_F_ID | TRANSFER_F_NAME | TRANSFER_F_MODE,
	                             .id = (int64_t)s->offered};

	if (s->offered == all->n || (entry_is_file(e) && s->under_way == TRANSFER_OFFERS_MAX) ||
	    (e->kind == ENTRY_SEAL && s->settled < all->n_before_seals)) {
		return false;
	}
	m.mode = e->mode;
	strcpy(m.name, e->name);
	if (e->kind != ENTRY_STREAM) {
		m.has |= TRANSFER_F_MTIME;
		m.mtime_us = e->mtime_us;
	}
	if (entry_is_file(e)) {
		m.type = TRANSFER_FILE;
		m.has |= e->kind == ENTRY_FILE ? TRANSFER_F_BYTES : 0u;
		m.bytes = (int64_t)e->bytes;
		s->under_way++;
	} else {
		m.type = TRANSFER_FOLDER;
		m.has |= TRANSFER_F_FINAL;
		m.final = e->kind == ENTRY_SEAL;
	}
	s->standings[s->offered++].offered = true;
	sender_send(s, &m);
	return true;
}

void sender_settle(struct sender *s, size_t id)
{
	struct standing *standing = &s->standings[id];

	standing->settled = true;
	free(standing->answer);
	standing->answer = NULL;
	s->settled++;
	if (entry_is_file(&s->config.entries->list[id])) {
		s->under_way--;
	}
}

struct standing *sender_standing(struct sender *s, int64_t id)
{
	if (id < 0 || (uint64_t)id >= s->config.entries->n || !s->standings[id].offered ||
	    s->standings[id].settled) {
		sender_fail(s, "the receiver refers to a file that was not offered");
		return NULL;
	}
	return &s->standings[id];
}

void sender_on_answer(struct sender *s, const struct transfer_message *m)
{
	struct standing *standing = sender_standing(s, m->id);

	if (standing == NULL) {
		return;
	}
	if (standing->answer != NULL || !entry_is_file(&s->config.entries->list[m->id])) {
		sender_fail(s, "the receiver answered twice");
		return;
	}
	if (m->verdict == TRANSFER_REFUSED) {
		sender_note_error(s, m->text);
		sender_settle(s, (size_t)m->id);
		return;
	}
	standing->answer = calloc(1, sizeof(*standing->answer));
	if (standing->answer == NULL) {
		sender_fail(s, "no memory");
		return;
	}
	standing->answer->verdict = m->verdict;
	standing->answer->bytes = (uint64_t)m->bytes;
	standing->answer->overwrite = m->overwrite;
	memcpy(standing->answer->sha256, m->sha256, sizeof(m->sha256));
}
