/* SPDX-License-Identifier: BSD-3-Clause
 *
 * release.h - the playout buffer: datagrams come in any order and leave in the order of their numbers.
 *
 * A datagram is delivered when its time has come or, with `early`, as soon as nothing is missing before it.
 * Where something is missing, it is given up when the time of the first datagram after the gap has come: the
 * missing ones' own time was no later. Times are the sender's: the caller says which of its times is due now
 * (`due_us`), so that a better estimate of the clocks applies to all at once.
 *
 * Pure: no clock, no allocation. What is held belongs to the caller. Cost of a call: one step for 64 missing
 * numbers. */
#ifndef LIVE_RELEASE_H
#define LIVE_RELEASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RELEASE_CAPACITY 65536u /* numbers from the next one on that can be held */
#define RELEASE_NEVER_US UINT64_MAX

struct release_item {
	void *data;
	uint64_t time_us;
};

struct release_counts {
	uint64_t released;
	uint64_t lost;  /* numbers given up: not there when their time had come */
	uint64_t late;  /* of those, came nevertheless, later */
	uint64_t twice; /* held already, or delivered already */
};

struct release {
	struct release_item items[RELEASE_CAPACITY];
	uint64_t held_bits[RELEASE_CAPACITY / 64];
	uint64_t gone_bits[RELEASE_CAPACITY / 64]; /* of numbers before `next`: delivered (not given up) */
	uint32_t next;                             /* the number that leaves next */
	uint32_t end;                              /* after the highest number that is known of */
	uint32_t n_held;
	bool early;
	bool ended; /* `end` is final */
	uint64_t end_time_us;
	struct release_counts counts;
};

/* Empty; the first number is `first`. */
void release_init(struct release *r, uint32_t first, bool early);

enum release_verdict {
	RELEASE_HELD,
	RELEASE_LATE,  /* its number was given up; counted */
	RELEASE_TWICE, /* counted */
	RELEASE_BEYOND /* no room: release_make_room() first */
};
enum release_verdict release_put(struct release *r, uint32_t seq, uint64_t time_us, void *data);

/* What leaves now, when `due_us` is the sender's time that is due. False: nothing. */
bool release_take(struct release *r, uint64_t due_us, struct release_item *out);

/* What must leave, due or not, before `seq` can be held. False: there is room. */
bool release_make_room(struct release *r, uint32_t seq, struct release_item *out);

/* The sender's time whose becoming due makes release_take() give something, if nothing else comes;
 * RELEASE_NEVER_US = nothing is held. */
uint64_t release_wake_us(const struct release *r);

/* There are no numbers from `end` on; what is missing before it is given up at `time_us`. */
void release_end(struct release *r, uint32_t end, uint64_t time_us);

/* Whether everything up to the end was delivered or given up. */
bool release_is_over(const struct release *r);

#endif
