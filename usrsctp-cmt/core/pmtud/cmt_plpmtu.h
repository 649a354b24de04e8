/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_plpmtu.h - how large the packets of one path may be (DPLPMTUD, RFC 8899).
 *
 * Pure: no clock, no allocation; the caller passes `now_us` from one monotonic clock, sends the probes, and
 * says which arrived. Sizes are of packets, counted in one way throughout. What may be sent is `plpmtu_bytes`
 * after every call.
 *
 * The largest size is tried first, so that a path without narrow places is done after one round trip. If it
 * does not pass, what does lies between two bounds, and halves of the interval are tried. A size does not
 * pass when CMT_PLPMTU_MAX_PROBES probes of it were lost.
 *
 * A black hole (section 4.3) is found by what becomes of packets with data: large ones are lost and none that
 * was sent later arrives, while something small that was sent later does. Then BASE is used at once, and the
 * size that was used is tried first: if it was no black hole it is back after a round trip. The same where a
 * router says that packets are too big (section 4.6): anybody could, so that decides nothing but what is
 * tried next. */
#ifndef CMT_PLPMTU_H
#define CMT_PLPMTU_H

#include <stdbool.h>
#include <stdint.h>

/* RFC 8899, sections 5.1.1 and 5.1.2. */
#define CMT_PLPMTU_MAX_PROBES     3
#define CMT_PLPMTU_RAISE_US       UINT64_C(600000000) /* PMTU_RAISE_TIMER */
#define CMT_PLPMTU_MIN_TIMEOUT_US UINT64_C(1000000)   /* PROBE_TIMER, lower bound */
/* SCTP packets are multiples of this. */
#define CMT_PLPMTU_STEP_BYTES 4

enum cmt_plpmtu_state {
	CMT_PLPMTU_DISABLED, /* not begun, or somebody else decides on the size */
	CMT_PLPMTU_BASE,     /* BASE is used and not proved */
	CMT_PLPMTU_SEARCHING,
	CMT_PLPMTU_COMPLETE, /* nothing larger passes, as far as known */
	CMT_PLPMTU_ERROR     /* BASE does not pass */
};

struct cmt_plpmtu_limits {
	uint32_t min_bytes, base_bytes; /* where the local interface takes less, that counts */
	uint32_t max_bytes;             /* of the local interface */
};

/* What is known of packets with data, and of HEARTBEATs, by when they were sent. 0 = none. */
struct cmt_plpmtu_evidence {
	uint64_t large_arrived_us, small_arrived_us; /* the newest */
	uint64_t first_lost_us;                      /* the oldest of large ones that were lost since */
	uint32_t last_lost_number;
	uint16_t lost_pkts; /* no more than decide */
	bool timed_out;
};

struct cmt_plpmtu {
	enum cmt_plpmtu_state state;
	struct cmt_plpmtu_limits limits;
	uint32_t plpmtu_bytes;
	uint32_t ceiling_bytes; /* the largest that may pass */
	uint32_t probe_bytes;   /* under way; 0 = none */
	uint16_t lost_probes;   /* of that size */
	bool ceiling_failed;    /* one step above the ceiling, so that halves of the interval are tried */
	uint64_t at_us;         /* when cmt_plpmtu_probe() has something to do; CMT_NEVER_US */
	struct cmt_plpmtu_evidence evidence;
};

/* Begins with BASE. */
void cmt_plpmtu_start(struct cmt_plpmtu *p, const struct cmt_plpmtu_limits *limits, uint64_t now_us);
void cmt_plpmtu_stop(struct cmt_plpmtu *p);

/* The local interface takes packets of another size. */
void cmt_plpmtu_set_max(struct cmt_plpmtu *p, uint32_t max_bytes, uint64_t now_us);

/* The size of a probe to send now, 0 = none; to be called at `at_us` and as often as one likes. If a probe is
 * under way then, it is lost. `timeout_us`: longer than an answer takes. */
uint32_t cmt_plpmtu_probe(struct cmt_plpmtu *p, uint64_t now_us, uint64_t timeout_us);

/* A probe of this size, however old, arrived. */
void cmt_plpmtu_on_probe_arrived(struct cmt_plpmtu *p, uint32_t bytes, uint64_t now_us);

/* The path has failed: a probe that is under way says nothing. */
void cmt_plpmtu_on_path_failed(struct cmt_plpmtu *p);

/* A router says, or somebody in its name, that packets of more than `bytes` do not pass. Without effect
 * unless that lies between MIN and what was sent (RFC 8899, section 4.6.2). */
void cmt_plpmtu_on_too_big(struct cmt_plpmtu *p, uint32_t bytes, uint64_t now_us);

struct cmt_plpmtu_packet {
	uint32_t bytes, number; /* number: tells packets apart */
	uint64_t sent_us;
};
void cmt_plpmtu_on_arrived(struct cmt_plpmtu *p, const struct cmt_plpmtu_packet *packet, uint64_t now_us);
void cmt_plpmtu_on_lost(struct cmt_plpmtu *p, const struct cmt_plpmtu_packet *packet, uint64_t now_us);
/* Whatever was out on the path timed out, after cmt_plpmtu_on_lost() for each packet. */
void cmt_plpmtu_on_timeout(struct cmt_plpmtu *p, uint64_t now_us);

#endif
