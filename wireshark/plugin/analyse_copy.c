/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The two views of a packet that a capture may hold. A packet with CMT-TIMESTAMP is known by path, number and
 * time stamp. Any other one by checksum and IPv4 identification, if a router stands between: a SACK may be
 * sent twice with the same bytes, but not with another time to live. */
#include "analyse.h"

/* Packets of one checksum that are kept; what is lost on the way never comes again. */
#define MAX_UNSEEN 16

struct unseen {
	struct unseen *next;
	struct cmt_packet *packet;
};

static struct cmt_packet *find_by_number(struct cmt_packet *p)
{
	struct cmt_lane *lane = cmt_state_lane(p->half, p->stamp.path_id, false);
	struct cmt_packet *original =
	    lane == NULL ? NULL : cmt_sparse_get(&lane->packets, p->stamp.path_packet_number);

	return original != NULL && original->stamp.ts_us == p->stamp.ts_us ? original : NULL;
}

static bool is_same(const struct cmt_packet *a, const struct cmt_packet *b)
{
	return a->path == b->path && a->ttl != b->ttl && a->ip_id == b->ip_id && a->bytes == b->bytes;
}

/* The oldest one that fits, taken off the list. */
static struct cmt_packet *find_by_checksum(struct cmt_packet *p)
{
	struct unseen *first = wmem_map_lookup(p->half->unseen_twice, GUINT_TO_POINTER(p->checksum));
	struct unseen *before = NULL, *u = first;
	unsigned n = 0;

	while (u != NULL && !is_same(u->packet, p)) {
		before = u;
		u = u->next;
		n++;
	}
	if (u != NULL) {
		struct cmt_packet *original = u->packet;

		if (before != NULL) {
			before->next = u->next;
		} else {
			wmem_map_insert(p->half->unseen_twice, GUINT_TO_POINTER(p->checksum), u->next);
		}
		return original;
	}
	if (n < MAX_UNSEEN) {
		u = wmem_new0(wmem_file_scope(), struct unseen);
		u->packet = p;
		if (before != NULL) {
			before->next = u;
		} else {
			wmem_map_insert(p->half->unseen_twice, GUINT_TO_POINTER(p->checksum), u);
		}
	}
	return NULL;
}

bool cmt_analyse_copy(struct cmt_packet *p)
{
	p->copy_of = p->has_timestamp ? find_by_number(p) : find_by_checksum(p);
	if (p->copy_of == NULL) {
		return false;
	}
	p->copy_of->seen_twice = true;
	return true;
}
