/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_heard.h - the receiver's side of the measurement: which time stamps were heard on each of the peer's
 * paths, for the next echo, and to which address SACKs go back.
 *
 * Pure: time is an argument, never decreasing; no allocation. */
#ifndef CMT_HEARD_H
#define CMT_HEARD_H

#include <stdbool.h>
#include <stdint.h>

#include "../wire/cmt_wire.h"

/* What was heard on one of the peer's paths. */
struct cmt_heard_path {
	bool known;
	bool fresh;                /* since the last echo */
	uint16_t path_id, packets; /* how many were heard, modulo 2^16 */
	uint32_t path_packet_number, ts_us;
	uint64_t arrival_us;
	uint64_t gap_us;   /* between arrivals, smoothed */
	uint64_t at_pkts;  /* cmt_heard.pkts with its newest packet */
	uint8_t from_slot; /* our slot of the address it came from, from 1; 0 = none */
};

/* Zeroed: nothing was heard. */
struct cmt_heard {
	struct cmt_heard_path paths[CMT_ECHO_MAX_ENTRIES];
	uint64_t pkts;        /* on all of them */
	uint64_t echoed_us;   /* time of the newest echo */
	uint16_t return_path; /* wish of the peer: its path id for SACKs; 0 = none */
};

/* A time stamp came at `now_us` from the address of our slot `from_slot` (from 1; 0 = none). False: it names
 * no path. A peer that moves takes new numbers for its paths: those that fell silent first are forgotten. */
bool cmt_heard_on_timestamp(struct cmt_heard *h, const struct cmt_timestamp *ts, uint8_t from_slot,
                            uint64_t now_us);

/* The time that the next echo tells: now, or just after the one before. It tells apart SACKs that are built
 * at the same time and overtake each other (core/recovery/cmt_sack_order.h). */
uint64_t cmt_heard_echo_us(const struct cmt_heard *h, uint64_t now_us);

/* Everything fresh was echoed, with the time `echo_us`. */
void cmt_heard_on_echoed(struct cmt_heard *h, uint64_t echo_us);

/* What was heard on the peer's path with this ID; NULL: nothing. */
const struct cmt_heard_path *cmt_heard_find(const struct cmt_heard *h, uint16_t path_id);

/* Slot of the address to which the peer wants SACKs; 0 = any. Also 0 when that path fell silent while others
 * went on: then what goes back there is likely lost too. */
uint8_t cmt_heard_return_slot(const struct cmt_heard *h, uint64_t now_us);

#endif
