/* SPDX-License-Identifier: BSD-3-Clause */
#include "carry/reorder.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct held {
	struct held *next; /* by number */
	uint64_t since_us;
	uint16_t number;
	size_t len;
	uint8_t bytes[];
};

struct place {
	bool begun;
	uint16_t next; /* the number that is to come */
	struct held *first;
};

struct tun_reorder {
	uint64_t hold_us;
	tun_reorder_deliver *deliver;
	void *arg;
	size_t n_held, held_bytes;
	struct place places[TUN_LOOSE_PLACES];
};

/* Of numbers that wrap (RFC 1982). */
static bool is_before(uint16_t a, uint16_t b)
{
	return (int16_t)(uint16_t)(a - b) < 0;
}

struct tun_reorder *tun_reorder_new(uint64_t hold_us, tun_reorder_deliver *deliver, void *arg)
{
	struct tun_reorder *const r = calloc(1, sizeof(*r));

	if (r != NULL) {
		r->hold_us = hold_us;
		r->deliver = deliver;
		r->arg = arg;
	}
	return r;
}

static void take_first(struct tun_reorder *r, struct place *place)
{
	struct held *const h = place->first;

	place->first = h->next;
	r->n_held--;
	r->held_bytes -= h->len;
	free(h);
}

void tun_reorder_free(struct tun_reorder *r)
{
	for (size_t i = 0; r != NULL && i < TUN_LOOSE_PLACES; i++) {
		while (r->places[i].first != NULL) {
			take_first(r, &r->places[i]);
		}
	}
	free(r);
}

static void deliver_first(struct tun_reorder *r, struct place *place)
{
	r->deliver(place->first->bytes, place->first->len, r->arg);
	place->next = (uint16_t)(place->first->number + 1);
	take_first(r, place);
}

/* Delivers the first that wait, as long as none is missing between them. */
static void deliver_run(struct tun_reorder *r, struct place *place)
{
	while (place->first != NULL && !is_before(place->next, place->first->number)) {
		deliver_first(r, place);
	}
}

/* False without memory. */
static bool hold(struct tun_reorder *r, struct place *place, uint16_t number, const uint8_t *bytes,
                 size_t len, uint64_t now_us)
{
	struct held *const h = malloc(sizeof(*h) + len);
	struct held **at = &place->first;

	if (h == NULL) {
		return false;
	}
	*h = (struct held){.since_us = now_us, .number = number, .len = len};
	memcpy(h->bytes, bytes, len);
	while (*at != NULL && is_before((*at)->number, number)) {
		at = &(*at)->next;
	}
	h->next = *at;
	*at = h;
	r->n_held++;
	r->held_bytes += len;
	return true;
}

static bool has_room(const struct tun_reorder *r, size_t len)
{
	return r->n_held < TUN_REORDER_MOST_PKTS && r->held_bytes + len <= TUN_REORDER_MOST_BYTES;
}

void tun_reorder_take(struct tun_reorder *r, struct tun_loose at, const uint8_t *bytes, size_t len,
                      uint64_t now_us)
{
	struct place *const place = &r->places[at.place];

	if (!place->begun) {
		place->begun = true;
		place->next = at.number;
	}
	if (is_before(place->next, at.number) && r->hold_us > 0 && has_room(r, len) &&
	    hold(r, place, at.number, bytes, len, now_us)) {
		return;
	}
	r->deliver(bytes, len, r->arg);
	if (!is_before(at.number, place->next)) {
		place->next = (uint16_t)(at.number + 1);
	}
	deliver_run(r, place);
}

/* The last in order that has waited long enough; NULL: none has. */
static const struct held *last_due(const struct tun_reorder *r, const struct place *place, uint64_t now_us)
{
	const struct held *last = NULL;

	for (const struct held *h = place->first; h != NULL; h = h->next) {
		last = now_us - h->since_us >= r->hold_us ? h : last;
	}
	return last;
}

void tun_reorder_release(struct tun_reorder *r, uint64_t now_us)
{
	for (size_t i = 0; i < TUN_LOOSE_PLACES && r->n_held > 0; i++) {
		struct place *const place = &r->places[i];

		const struct held *const last = last_due(r, place, now_us);

		if (last != NULL) {
			const uint16_t number = last->number;

			while (place->first != NULL && !is_before(number, place->first->number)) {
				deliver_first(r, place);
			}
			deliver_run(r, place);
		}
	}
}

size_t tun_reorder_waiting(const struct tun_reorder *r)
{
	return r->n_held;
}
