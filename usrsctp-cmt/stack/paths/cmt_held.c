/* SPDX-License-Identifier: BSD-3-Clause */
#include "paths/cmt_held.h"

/* Of an association: what 16 Mbit/s bring in 60 ms. */
enum { HELD_MAX_BYTES = 128 * 1024 };

struct cmt_held {
	struct cmt_held *next;
	const struct sctp_nets *net;
	struct cmt_seam_arrival arrival;
	struct sockaddr_storage local, remote; /* of `arrival` */
	uint8_t bytes[];
};

static void copy_address(struct sockaddr_storage *to, const struct sockaddr *from)
{
	memcpy(to, from,
	       from->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in));
}

void cmt_held_add(struct cmt_held **held, const struct sctp_nets *net, const struct cmt_seam_arrival *arrival)
{
	size_t bytes = sizeof(**held) + arrival->len;
	struct cmt_held *h;

	for (; *held != NULL; held = &(*held)->next)
		bytes += sizeof(**held) + (*held)->arrival.len;
	h = bytes <= HELD_MAX_BYTES ? malloc(sizeof(*h) + arrival->len) : NULL;
	if (h == NULL)
		return;
	h->next = NULL;
	h->net = net;
	copy_address(&h->local, arrival->local);
	copy_address(&h->remote, arrival->remote);
	memcpy(h->bytes, arrival->bytes, arrival->len);
	h->arrival = *arrival;
	h->arrival.local = (const struct sockaddr *)&h->local;
	h->arrival.remote = (const struct sockaddr *)&h->remote;
	h->arrival.bytes = h->bytes;
	h->arrival.more = false;
	h->arrival.at_us = arrival->at_us != 0 ? arrival->at_us : cmt_seam_now_us();
	*held = h;
}

struct cmt_held *cmt_held_take(struct cmt_held **held, const struct sctp_nets *net)
{
	struct cmt_held *taken = NULL, **end = &taken;

	while (*held != NULL) {
		struct cmt_held *h = *held;

		if (h->net != net) {
			held = &h->next;
			continue;
		}
		*held = h->next;
		h->next = NULL;
		*end = h;
		end = &h->next;
	}
	return taken;
}

const struct cmt_seam_arrival *cmt_held_first(const struct cmt_held *held)
{
	return held != NULL ? &held->arrival : NULL;
}

void cmt_held_take_in(struct cmt_held *held)
{
	while (held != NULL) {
		struct cmt_held *h = held;

		held = h->next;
		cmt_seam_input(&h->arrival);
		free(h);
	}
}

void cmt_held_drop(struct cmt_held **held, const struct sctp_nets *net)
{
	while (*held != NULL) {
		struct cmt_held *h = *held;

		if (net != NULL && h->net != net) {
			held = &h->next;
			continue;
		}
		*held = h->next;
		free(h);
	}
}
