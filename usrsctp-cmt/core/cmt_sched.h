/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_sched.h - the contract between the stack and a scheduler: which unsent chunk does the next packet of
 * which path carry?
 *
 * A TSN is a position, a path is a choice: TSNs are assigned before, so a scheduler may let a slow path carry
 * a chunk far ahead while the fast path carries the chunks before it later, and all arrive in order.
 *
 * Pure: policies read a snapshot and return a decision; state moves only in the event functions. No clock, no
 * allocation, no I/O, no globals. One association's calls never overlap; the caller holds its lock. */
#ifndef CMT_SCHED_H
#define CMT_SCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmt_exported.h"
#include "sched/cmt_units.h"
#include "util/cmt_limits.h"
#include "util/cmt_time.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CMT_SCHED_MAX_PATHS       CMT_MAX_PATHS
#define CMT_SCHED_STATE_MAX       8192 /* largest state_bytes */
#define CMT_SCHED_WINDOW_MIN_TSNS 4096 /* smallest window_tsns */

/* One path, read-only. Paths are ordered by id, and every usable path is in the view. */
struct cmt_path_view {
	uint8_t id;  /* stable while the path lives, below CMT_SCHED_MAX_PATHS */
	bool usable; /* confirmed and active; false when potentially failed or inactive */
	uint32_t cwnd_bytes, flight_bytes;
	uint32_t ssthresh_bytes; /* below it cwnd doubles every min RTT */
	uint32_t room_bytes;  /* DATA chunk bytes that the stack would accept now: 0, or a packet's worth */
	uint64_t room_at_us;  /* when pacing alone stands in the way: until then; else CMT_NEVER_US */
	uint64_t ready_at_us; /* when pacing and congestion window let the next packet leave; a full window
	                         when the SACK of its oldest packet is due; a time that has passed = now */
	uint64_t acked_at_us; /* when the SACK of the oldest packet under way is due; 0 = unknown */
	uint32_t srtt_us;     /* 0 = not measured */
	uint32_t min_rtt_us;  /* from sending to the SACK of an idle path; 0 = not measured */
	uint64_t rate_bps;    /* delivery rate, measured or from cwnd and srtt; 0 = unknown */
	bool rate_measured;   /* from the receiver's arrival times */
	uint32_t sent_pkts;   /* with DATA, so far */
	int64_t base_us;      /* base forward delay; common unknown offset on all paths: compare, never add;
	                         CMT_UNKNOWN_US */
	int64_t start_us;  /* when the next packet would start to leave the path's queue, by the same clock +
	                      now; CMT_UNKNOWN_US */
	int64_t queue_us;  /* how much of that is waiting; 0 when unknown */
	int64_t hold_us;   /* how long it should rest to show its base delay; 0 = need not */
	int64_t others_us; /* how much of the base delay may be a queue of others */
	int64_t jitter_us; /* how far arrivals scatter about what the queue explains */
	int64_t delay_us;  /* base forward delay with the clock offset taken off; known when start_us is */
	/* The lowest TSN under way on other paths that this one never carried. Known when there are copies,
	 * of paths that the scheduler copies to. */
	bool has_copy;
	uint32_t copy_tsn;
	/* What the application wishes (SCTP_CMT_PATH). */
	uint64_t limit_bps; /* rate above which the stack holds packets back: its cap, or its weight's part of
	                       the rate; 0 = none */
	uint32_t cost;      /* a path is to be used when those that cost less do not suffice */
	uint32_t weight_pct; /* part of what the path can carry, 1 to 100 */
};

struct cmt_view {
	uint64_t now_us;
	const struct cmt_units *units; /* unsent DATA chunks in TSN order; at least one */
	bool has_unordered; /* the lowest chunk of an unordered message may go before the lowest: */
	uint32_t unordered_tsn;
	uint8_t n_paths;
	const struct cmt_path_view *paths;
	uint32_t packet_bytes;        /* DATA chunk bytes that a packet carries at present */
	uint32_t wire_bytes;          /* size of such a packet on the wire */
	uint32_t limit_tsn;           /* highest TSN that may be sent: the peer tracks no more */
	uint32_t peer_rwnd_bytes;     /* window left */
	uint32_t total_flight_bytes;  /* charged against the window: chunks in flight with their overhead */
	uint32_t window_packet_bytes; /* what a packet's chunks charge against the window */
	uint32_t
	    window_unit_bytes; /* what one average unit charges: windows too small for a packet take that */
	uint32_t
	    window_reserve_bytes; /* must remain after a unit other than the lowest: a packet of that one */
	bool copies;       /* the scheduler has a slot for copies, and the peer tells which packets arrived */
	bool more_follows; /* more user data wait behind the units */
	/* What the application knows of its peer's (SCTP_CMT_NEEDED): the lowest unsent TSN is needed there
	 * at needed_us, may be long ago, and what follows at that rate. */
	uint64_t needed_bps; /* 0 = it told nothing */
	int64_t needed_us;
};

enum cmt_verdict { CMT_WAIT, CMT_SEND };

struct cmt_decision {
	enum cmt_verdict verdict;
	uint8_t path_id;  /* CMT_SEND */
	uint32_t tsn;     /* CMT_SEND: the unit; packets are filled up with the units behind it */
	uint64_t wake_us; /* CMT_WAIT: ask again then at the latest; CMT_NEVER_US = when something happens */
};

struct cmt_sent { /* a packet with DATA left */
	uint64_t now_us;
	uint8_t path_id;
	uint32_t first_tsn, chunks, bytes;
	bool retransmission;
	bool copy; /* of chunks under way on other paths */
};
struct cmt_acked { /* one chunk newly acknowledged */
	uint64_t now_us;
	uint8_t path_id;
	uint32_t tsn, bytes;
};
struct cmt_lost { /* one chunk declared lost, or found not to have been */
	uint64_t now_us;
	uint8_t path_id;
	uint32_t tsn, bytes;
};

/* What a policy tells of itself (SCTP_CMT_STATS). */
struct cmt_sched_report {
	uint64_t periods;        /* plans made */
	uint64_t prefetch_bytes; /* what the plan sends before its slowest path's first packet is due */
	uint64_t timeout_ppm;    /* millionths: no timeout comes from the delays of its paths if RTO is more
	                            than so many mean deviations above the mean; 0 = none can */
};

/* `name`, `next` are required; other slots may be NULL. Functions taking `st` get state_bytes of memory,
 * zeroed before init. */
struct cmt_sched_ops {
	size_t size;             /* CMT_SCHED_CONTRACT_BYTES */
	const char *name;        /* at most 31 characters of a-z 0-9 + - _ */
	const char *summary;     /* one line for lists */
	const char *option_help; /* "key=default [min..max]: meaning; ...", NULL without options */
	size_t state_bytes;      /* 0 .. CMT_SCHED_STATE_MAX */
	uint32_t window_tsns;    /* CMT_SCHED_WINDOW_MIN_TSNS ..: that are under way at most; 0: any */
	/* Parses "k=v,k=v". 0, or -EINVAL for an unknown key or bad value. NULL: takes no option. */
	int (*init)(void *st, const char *options);
	/* New measurements came in: the place to re-plan. Called before next() whenever a SACK or a path
	 * changed something. */
	void (*plan)(void *st, const struct cmt_view *v);
	/* What to do now. Changes nothing, so asking twice gives the same. */
	struct cmt_decision (*next)(const void *st, const struct cmt_view *v);
	/* How many bytes of unsent units the policy can make use of; NULL: the head only. */
	uint64_t (*look_ahead)(const void *st, const struct cmt_view *v);
	void (*on_sent)(void *st, const struct cmt_sent *e);
	void (*on_acked)(void *st, const struct cmt_acked *e);
	void (*on_lost)(void *st, const struct cmt_lost *e);
	void (*on_spurious)(void *st, const struct cmt_lost *e);
	/* A path appeared, came back, or went. */
	void (*on_path)(void *st, uint8_t path_id, bool usable, uint64_t now_us);
	/* Path for a chunk lost on `lost_on`, that goes in front of new data: CMT_SEND with a usable path.
	 * NULL: the path that arrives first. */
	struct cmt_decision (*retransmit)(const void *st, const struct cmt_view *v, uint8_t lost_on);
	/* What to send once more while it is under way: CMT_SEND of the `copy_tsn` of a path with has_copy;
	 * the packet is filled up with what follows. Asked before next() and whenever something was sent or
	 * heard; there may be no units. Changes nothing. NULL: no copies. */
	struct cmt_decision (*copy)(const void *st, const struct cmt_view *v);
	/* Copies only go to paths whose rate is not measured. */
	bool copies_to_measure;
	/* Fills a zeroed report. NULL: it has nothing to tell. */
	void (*report)(const void *st, struct cmt_sched_report *out);
};

/* What a scheduler was compiled against: sizes of everything that it shares with the stack. */
#define CMT_SCHED_CONTRACT_BYTES                                                                             \
	(sizeof(struct cmt_sched_ops) + sizeof(struct cmt_view) + sizeof(struct cmt_path_view))

/* The built-in scheduler number `i`, in the order of lists; NULL behind the last. */
const struct cmt_sched_ops *cmt_sched_builtin(size_t i);

/* 0, or -EINVAL when a required slot is missing or the name or sizes are not allowed. */
int cmt_sched_check_ops(const struct cmt_sched_ops *ops);

/* Whether the caller may carry out `d` on `v`: path usable and with room, the unit present and not beyond
 * limit_tsn, window left for the lowest unsent TSN when `d` is not that one. WAIT is always legal. */
bool cmt_sched_legal(const struct cmt_view *v, const struct cmt_decision *d);

/* The same for a decision of the copy slot: path usable and with room, the TSN its copy_tsn. */
bool cmt_sched_copy_legal(const struct cmt_view *v, const struct cmt_decision *d);

/* Whether `d` waits with nothing in flight and no time to wake. That would be for ever: the caller sends the
 * lowest unsent TSN instead. */
bool cmt_sched_stalls(const struct cmt_view *v, const struct cmt_decision *d);

/* The usable path (`with_room`: of those with room) whose next packet arrives first, -1 when there is none;
 * paths without a known arrival come last, by srtt. */
int cmt_sched_first_arrival(const struct cmt_view *v, bool with_room);

/* The same over paths with room, and over those without as soon as they are ready: a full window of a short
 * path opens before a packet of a long one arrives, and what is overdue by t is expected to take t again
 * (docs/adr/0026). Default for retransmissions, and for what the peer waits for (sched/cmt_gap.h). */
int cmt_sched_first_when_ready(const struct cmt_view *v);

/* The next packet of `p` goes behind so many bytes that wait for its window already. */
void cmt_sched_go_behind(struct cmt_path_view *p, uint64_t waiting_bytes);

/* Whether the window allows a unit other than the lowest one: room for it and for one packet of the lowest
 * unsent TSN. */
bool cmt_sched_window_ahead(const struct cmt_view *v);

#ifdef __cplusplus
}
#endif
#endif
