/* SPDX-License-Identifier: BSD-3-Clause */
#include "ways.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* --- addresses --- */

bool cmt_address_is_ip(const struct sockaddr *address)
{
	return address->sa_family == AF_INET || address->sa_family == AF_INET6;
}

void cmt_address_copy(union cmt_address *to, const struct sockaddr *from, uint16_t port)
{
	memset(to, 0, sizeof(*to));
	if (from->sa_family == AF_INET6) {
		memcpy(&to->in6, from, sizeof(to->in6));
		to->in6.sin6_port = port;
	} else {
		memcpy(&to->in, from, sizeof(to->in));
		to->in.sin_port = port;
	}
}

bool cmt_address_equal(const struct sockaddr *a, const struct sockaddr *b)
{
	const union cmt_address *x = (const union cmt_address *)(const void *)a;
	const union cmt_address *y = (const union cmt_address *)(const void *)b;

	if (a->sa_family != b->sa_family)
		return false;
	if (a->sa_family != AF_INET6)
		return x->in.sin_addr.s_addr == y->in.sin_addr.s_addr;
	return memcmp(&x->in6.sin6_addr, &y->in6.sin6_addr, sizeof(struct in6_addr)) == 0 &&
	       (x->in6.sin6_scope_id == y->in6.sin6_scope_id || x->in6.sin6_scope_id == 0 ||
	        y->in6.sin6_scope_id == 0);
}

/* --- ways --- */

static bool joins(const struct cmt_way *way, const struct sockaddr *local, const struct sockaddr *remote)
{
	return cmt_address_equal(&way->local.any, local) && cmt_address_equal(&way->remote.any, remote);
}

static struct cmt_way *find(struct cmt_way *ways, size_t n, const struct sockaddr *local,
                            const struct sockaddr *remote)
{
	for (size_t i = 0; i < n; i++) {
		if (joins(&ways[i], local, remote))
			return &ways[i];
	}
	return NULL;
}

static void set(struct cmt_way *way, const struct sockaddr *local, const struct sockaddr *remote,
                uint32_t mtu_bytes)
{
	*way = (struct cmt_way){.mtu_bytes = mtu_bytes};
	cmt_address_copy(&way->local, local, 0);
	cmt_address_copy(&way->remote, remote, 0);
}

static struct cmt_way *append(struct cmt_ways *ways)
{
	struct cmt_way *more = realloc(ways->named, (ways->n_named + 1) * sizeof(*more));

	if (more == NULL) {
		errno = ENOMEM;
		return NULL;
	}
	ways->named = more;
	return &more[ways->n_named++];
}

int cmt_ways_add(struct cmt_ways *ways, const struct sockaddr *local, const struct sockaddr *remote,
                 uint32_t mtu_bytes)
{
	struct cmt_way *way = find(ways->named, ways->n_named, local, remote);

	if (way != NULL && way->cut)
		ways->n_cut--;
	if (way == NULL)
		way = append(ways);
	if (way == NULL)
		return -1;
	set(way, local, remote, mtu_bytes);
	return 0;
}

static void take_out(struct cmt_way *list, size_t *n, struct cmt_way *way)
{
	const size_t behind = (size_t)(list + *n - way) - 1;

	memmove(way, way + 1, behind * sizeof(*way));
	(*n)--;
}

static void take_out_heard(struct cmt_ways *ways, struct cmt_way *way)
{
	take_out(ways->heard, &ways->n_heard, way);
	ways->next_heard = ways->n_heard;
}

static void move_to_end(struct cmt_ways *ways, struct cmt_way *way)
{
	const struct cmt_way moved = *way;

	take_out(ways->named, &ways->n_named, way);
	ways->named[ways->n_named++] = moved;
}

static void forget_oldest_cut(struct cmt_ways *ways)
{
	struct cmt_way *oldest = ways->named;

	while (!oldest->cut)
		oldest++;
	take_out(ways->named, &ways->n_named, oldest);
	ways->n_cut--;
}

int cmt_ways_cut(struct cmt_ways *ways, const struct sockaddr *local, const struct sockaddr *remote)
{
	struct cmt_way *named = find(ways->named, ways->n_named, local, remote);
	struct cmt_way *heard = find(ways->heard, ways->n_heard, local, remote);

	if (named != NULL && named->cut) {
		errno = ENOENT;
		return -1;
	}
	if (named == NULL && cmt_ways_add(ways, local, remote, 0) != 0)
		return -1;
	if (heard != NULL)
		take_out_heard(ways, heard);
	/* Behind the others, so that the oldest that are cut come first. */
	named = find(ways->named, ways->n_named, local, remote);
	move_to_end(ways, named);
	ways->named[ways->n_named - 1].cut = true;
	if (++ways->n_cut > CMT_WAYS_CUT)
		forget_oldest_cut(ways);
	return 0;
}

static struct cmt_way *find_heard(struct cmt_ways *ways, const struct sockaddr *remote)
{
	for (size_t i = 0; i < ways->n_heard; i++) {
		if (cmt_address_equal(&ways->heard[i].remote.any, remote))
			return &ways->heard[i];
	}
	return NULL;
}

void cmt_ways_hear(struct cmt_ways *ways, const struct sockaddr *local, const struct sockaddr *remote)
{
	struct cmt_way *known = find_heard(ways, remote);

	if (known != NULL) {
		set(known, local, remote, 0);
		return;
	}
	set(&ways->heard[ways->next_heard], local, remote, 0);
	if (ways->n_heard < CMT_WAYS_HEARD)
		ways->n_heard++;
	ways->next_heard = (ways->next_heard + 1) % CMT_WAYS_HEARD;
}

void cmt_ways_forget(struct cmt_ways *ways, const struct sockaddr *local)
{
	for (size_t i = ways->n_named; i-- > 0;) {
		if (cmt_address_equal(&ways->named[i].local.any, local)) {
			ways->n_cut -= ways->named[i].cut;
			take_out(ways->named, &ways->n_named, &ways->named[i]);
		}
	}
	for (size_t i = ways->n_heard; i-- > 0;) {
		if (cmt_address_equal(&ways->heard[i].local.any, local))
			take_out_heard(ways, &ways->heard[i]);
	}
}

const struct cmt_way *cmt_ways_to(const struct cmt_ways *ways, const struct sockaddr *remote)
{
	for (size_t i = 0; i < ways->n_named; i++) {
		if (!ways->named[i].cut && cmt_address_equal(&ways->named[i].remote.any, remote))
			return &ways->named[i];
	}
	for (size_t i = 0; i < ways->n_heard; i++) {
		if (cmt_address_equal(&ways->heard[i].remote.any, remote))
			return &ways->heard[i];
	}
	return NULL;
}

const struct cmt_way *cmt_ways_find_named(const struct cmt_ways *ways, const struct sockaddr *local,
                                          const struct sockaddr *remote)
{
	for (size_t i = 0; i < ways->n_named; i++) {
		if (joins(&ways->named[i], local, remote))
			return &ways->named[i];
	}
	return NULL;
}

const struct cmt_way *cmt_ways_find(const struct cmt_ways *ways, const struct sockaddr *local,
                                    const struct sockaddr *remote)
{
	const struct cmt_way *named = cmt_ways_find_named(ways, local, remote);

	if (named != NULL)
		return named->cut ? NULL : named;
	for (size_t i = 0; i < ways->n_heard; i++) {
		if (joins(&ways->heard[i], local, remote))
			return &ways->heard[i];
	}
	return NULL;
}

bool cmt_ways_is_cut(const struct cmt_ways *ways, const struct sockaddr *local, const struct sockaddr *remote)
{
	const struct cmt_way *named = ways->n_cut > 0 ? cmt_ways_find_named(ways, local, remote) : NULL;

	return named != NULL && named->cut;
}

void cmt_ways_free(struct cmt_ways *ways)
{
	free(ways->named);
	*ways = (struct cmt_ways){.named = NULL};
}
