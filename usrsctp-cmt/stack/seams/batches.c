/* SPDX-License-Identifier: BSD-3-Clause */
#include "batches.h"

#include <stdlib.h>
#include <string.h>

#include "ways.h"

#define NONE        UINT16_MAX
#define TABLE_SLOTS (2 * CMT_BATCHES_PACKETS) /* a power of two: at most half full */
#define GIVEN_PKTS  64                        /* at a time */

struct waiting {
	uint32_t at, len, fragment_bytes;
	uint16_t path, next; /* of the same path, NONE = the last */
	uint8_t tos;
	bool dont_fragment, is_probe, gone;
};

struct path {
	union cmt_address local, remote;
	uint16_t first, last; /* NONE = nothing waits */
	bool refused;         /* `fn` has no room */
};

struct cmt_batches {
	uint32_t n, n_paths, used_bytes;
	uint32_t n_ready;            /* on paths that are not refused */
	uint16_t table[TABLE_SLOTS]; /* of paths, by their addresses */
	struct waiting packets[CMT_BATCHES_PACKETS];
	struct path paths[CMT_BATCHES_PACKETS];
	uint8_t bytes[CMT_BATCHES_BYTES];
};

struct cmt_batches *cmt_batches_new(void)
{
	struct cmt_batches *b = malloc(sizeof(*b));

	if (b != NULL) {
		b->n = b->n_paths = b->used_bytes = b->n_ready = 0;
		memset(b->table, 0xff, sizeof(b->table));
	}
	return b;
}

void cmt_batches_free(struct cmt_batches *b)
{
	free(b);
}

/* --- paths --- */

static uint32_t hash(uint32_t h, const union cmt_address *address)
{
	const uint8_t *bytes = (const uint8_t *)address;

	for (size_t i = 0; i < sizeof(*address); i++)
		h = (h ^ bytes[i]) * UINT32_C(16777619);
	return h;
}

static uint16_t port_of(const struct sockaddr *address)
{
	return address->sa_family == AF_INET6
	           ? ((const struct sockaddr_in6 *)(const void *)address)->sin6_port
	           : ((const struct sockaddr_in *)(const void *)address)->sin_port;
}

/* Its place in the table, or the free one that it would get. */
static uint16_t *slot_of(struct cmt_batches *b, const struct path *path)
{
	uint32_t slot = hash(hash(UINT32_C(2166136261), &path->local), &path->remote);

	for (;; slot++) {
		uint16_t *i = &b->table[slot % TABLE_SLOTS];

		if (*i == NONE || (memcmp(&b->paths[*i].local, &path->local, sizeof(path->local)) == 0 &&
		                   memcmp(&b->paths[*i].remote, &path->remote, sizeof(path->remote)) == 0))
			return i;
	}
}

static uint16_t path_of(struct cmt_batches *b, const struct usrsctp_cmt_packet *packet)
{
	struct path wanted = {.first = NONE, .last = NONE};
	uint16_t *slot;

	cmt_address_copy(&wanted.local, packet->local, 0);
	cmt_address_copy(&wanted.remote, packet->remote, port_of(packet->remote));
	slot = slot_of(b, &wanted);
	if (*slot == NONE) {
		*slot = (uint16_t)b->n_paths++;
		b->paths[*slot] = wanted;
	}
	return *slot;
}

/* --- in --- */

static void append(struct cmt_batches *b, uint16_t i)
{
	struct path *path = &b->paths[b->packets[i].path];

	if (path->first == NONE)
		path->first = i;
	else
		b->packets[path->last].next = i;
	path->last = i;
	b->n_ready += !path->refused;
}

void *cmt_batches_add(struct cmt_batches *b, const struct usrsctp_cmt_packet *packet)
{
	struct waiting *w = &b->packets[b->n];
	const uint32_t at = b->used_bytes;

	/* There are never more paths than packets. */
	if (b->n == CMT_BATCHES_PACKETS || b->n_paths == CMT_BATCHES_PACKETS ||
	    packet->len > CMT_BATCHES_BYTES - at)
		return NULL;
	*w = (struct waiting){.at = at,
	                      .len = (uint32_t)packet->len,
	                      .fragment_bytes = packet->fragment_bytes,
	                      .path = path_of(b, packet),
	                      .next = NONE,
	                      .tos = packet->tos,
	                      .dont_fragment = packet->dont_fragment,
	                      .is_probe = packet->is_probe};
	append(b, (uint16_t)b->n++);
	b->used_bytes += w->len;
	return b->bytes + at;
}

/* --- out --- */

static size_t collect(const struct cmt_batches *b, const struct path *path,
                      struct usrsctp_cmt_packet out[GIVEN_PKTS])
{
	size_t n = 0;

	for (uint16_t i = path->first; i != NONE && n < GIVEN_PKTS; i = b->packets[i].next) {
		const struct waiting *w = &b->packets[i];

		out[n++] = (struct usrsctp_cmt_packet){.size = sizeof(out[0]),
		                                       .local = &path->local.any,
		                                       .remote = &path->remote.any,
		                                       .bytes = b->bytes + w->at,
		                                       .len = w->len,
		                                       .fragment_bytes = w->fragment_bytes,
		                                       .tos = w->tos,
		                                       .dont_fragment = w->dont_fragment,
		                                       .is_probe = w->is_probe};
	}
	return n;
}

static void give_path(struct cmt_batches *b, struct path *path, cmt_batches_fn *fn, void *arg)
{
	while (path->first != NONE && !path->refused) {
		struct usrsctp_cmt_packet out[GIVEN_PKTS];
		const size_t n = collect(b, path, out), told = fn(arg, out, n);
		const size_t taken = told < n ? told : n;

		for (size_t i = 0; i < taken; i++) {
			b->packets[path->first].gone = true;
			path->first = b->packets[path->first].next;
		}
		b->n_ready -= (uint32_t)taken;
		path->refused = taken < n;
	}
}

/* Paths on which nothing waits are forgotten. `now_at`: where the others have gone. */
static void compact_paths(struct cmt_batches *b, uint16_t now_at[CMT_BATCHES_PACKETS])
{
	const uint32_t n = b->n_paths;

	memset(b->table, 0xff, sizeof(b->table));
	b->n_paths = 0;
	for (uint32_t i = 0; i < n; i++) {
		if (b->paths[i].first == NONE)
			continue;
		now_at[i] = (uint16_t)b->n_paths;
		b->paths[b->n_paths] = b->paths[i];
		b->paths[b->n_paths].first = b->paths[b->n_paths].last = NONE;
		*slot_of(b, &b->paths[b->n_paths]) = (uint16_t)b->n_paths;
		b->n_paths++;
	}
}

/* What nobody had room for moves to the front, in its order. */
static void compact(struct cmt_batches *b)
{
	const uint32_t n = b->n;
	uint16_t now_at[CMT_BATCHES_PACKETS];

	compact_paths(b, now_at);
	b->n = b->used_bytes = b->n_ready = 0;
	for (uint32_t i = 0; i < n; i++) {
		struct waiting w = b->packets[i];

		if (w.gone)
			continue;
		memmove(b->bytes + b->used_bytes, b->bytes + w.at, w.len);
		w.at = b->used_bytes;
		w.path = now_at[w.path];
		w.next = NONE;
		b->used_bytes += w.len;
		b->packets[b->n] = w;
		append(b, (uint16_t)b->n++);
	}
}

void cmt_batches_give(struct cmt_batches *b, cmt_batches_fn *fn, void *arg)
{
	for (uint32_t i = 0; i < b->n_paths; i++)
		b->paths[i].refused = false;
	b->n_ready = b->n;
	/* More may come meanwhile, paths too. */
	for (uint32_t i = 0; i < b->n_paths; i++)
		give_path(b, &b->paths[i], fn, arg);
	compact(b);
}

bool cmt_batches_are_ready(const struct cmt_batches *b)
{
	return b->n_ready > 0;
}
