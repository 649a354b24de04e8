/* SPDX-License-Identifier: BSD-3-Clause */
#include "release.h"

#include <string.h>

#include "live_seq.h"

#define MASK  (RELEASE_CAPACITY - 1)
#define WORDS (RELEASE_CAPACITY / 64)

static bool is_set(const uint64_t *bits, uint32_t seq)
{
	return (bits[(seq & MASK) / 64] >> (seq % 64) & 1) != 0;
}

static void set(uint64_t *bits, uint32_t seq, bool value)
{
	const uint64_t bit = UINT64_C(1) << (seq % 64);

	bits[(seq & MASK) / 64] = value ? bits[(seq & MASK) / 64] | bit : bits[(seq & MASK) / 64] & ~bit;
}

void release_init(struct release *r, uint32_t first, bool early)
{
	memset(r->held_bits, 0, sizeof(r->held_bits));
	memset(r->gone_bits, 0, sizeof(r->gone_bits));
	r->next = r->end = first;
	r->n_held = 0;
	r->early = early;
	r->ended = false;
	r->end_time_us = 0;
	r->counts = (struct release_counts){0};
}

/* The first number from `next` on that is held; one is. */
static uint32_t first_held(const struct release *r)
{
	uint32_t word = (r->next & MASK) / 64;
	uint64_t bits = r->held_bits[word] & UINT64_MAX << (r->next % 64);

	while (bits == 0) {
		word = (word + 1) % WORDS;
		bits = r->held_bits[word];
	}
	return r->next + ((word * 64 + (uint32_t)__builtin_ctzll(bits) - r->next) & MASK);
}

/* The numbers from `next` up to `seq` are given up. */
static void give_up_until(struct release *r, uint32_t seq)
{
	r->counts.lost += seq - r->next;
	if (seq - r->next >= RELEASE_CAPACITY) {
		memset(r->gone_bits, 0, sizeof(r->gone_bits));
		r->next = seq;
	}
	while (r->next != seq) {
		if (r->next % 64 == 0 && seq - r->next >= 64) {
			r->gone_bits[(r->next & MASK) / 64] = 0;
			r->next += 64;
		} else {
			set(r->gone_bits, r->next++, false);
		}
	}
	if (live_seq_before(r->end, seq)) {
		r->end = seq;
	}
}

static void give_out(struct release *r, uint32_t seq, struct release_item *out)
{
	give_up_until(r, seq);
	*out = r->items[seq & MASK];
	set(r->held_bits, seq, false);
	set(r->gone_bits, seq, true);
	r->next = seq + 1;
	r->n_held--;
	r->counts.released++;
}

/* Of a number that has left its place already. */
static enum release_verdict too_late(struct release *r, uint32_t seq)
{
	if (r->next - seq <= RELEASE_CAPACITY && is_set(r->gone_bits, seq)) {
		r->counts.twice++;
		return RELEASE_TWICE;
	}
	/* A second copy of it is one too many. */
	if (r->next - seq <= RELEASE_CAPACITY) {
		set(r->gone_bits, seq, true);
	}
	r->counts.late++;
	return RELEASE_LATE;
}

enum release_verdict release_put(struct release *r, uint32_t seq, uint64_t time_us, void *data)
{
	if (live_seq_before(seq, r->next)) {
		return too_late(r, seq);
	}
	if (seq - r->next >= RELEASE_CAPACITY) {
		return RELEASE_BEYOND;
	}
	if (is_set(r->held_bits, seq)) {
		r->counts.twice++;
		return RELEASE_TWICE;
	}
	r->items[seq & MASK] = (struct release_item){.data = data, .time_us = time_us};
	set(r->held_bits, seq, true);
	r->n_held++;
	if (!live_seq_before(seq, r->end)) {
		r->end = seq + 1;
	}
	return RELEASE_HELD;
}

bool release_take(struct release *r, uint64_t due_us, struct release_item *out)
{
	uint32_t seq;

	if (r->n_held == 0) {
		if (r->ended && r->end_time_us <= due_us) {
			give_up_until(r, r->end);
		}
		return false;
	}
	seq = first_held(r);
	if (r->items[seq & MASK].time_us > due_us && !(r->early && seq == r->next)) {
		return false;
	}
	give_out(r, seq, out);
	return true;
}

bool release_make_room(struct release *r, uint32_t seq, struct release_item *out)
{
	if (live_seq_before(seq, r->next) || seq - r->next < RELEASE_CAPACITY) {
		return false;
	}
	if (r->n_held > 0) {
		const uint32_t held = first_held(r);

		if (seq - held >= RELEASE_CAPACITY) {
			give_out(r, held, out);
			return true;
		}
	}
	give_up_until(r, seq - RELEASE_CAPACITY + 1);
	return false;
}

uint64_t release_wake_us(const struct release *r)
{
	if (r->n_held > 0) {
		const uint32_t seq = first_held(r);

		return r->early && seq == r->next ? 0 : r->items[seq & MASK].time_us;
	}
	return r->ended && r->next != r->end ? r->end_time_us : RELEASE_NEVER_US;
}

void release_end(struct release *r, uint32_t end, uint64_t time_us)
{
	if (live_seq_before(r->end, end)) {
		r->end = end;
	}
	r->ended = true;
	r->end_time_us = time_us;
}

bool release_is_over(const struct release *r)
{
	return r->ended && r->next == r->end;
}
