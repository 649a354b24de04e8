/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_gap.h - when a gap at the peer goes before everything else, and on which path.
 *
 * Pure: no clock, no allocation.
 *
 * Chunks leave out of TSN order, so the lowest outstanding one may be unsent while the peer holds what comes
 * behind it. Schedulers leave room for it in the window (cmt_sched_window_ahead()), but the peer may have
 * less room than it said: messages that wait for its application cost it more than their bytes, what was
 * taken for lost, gave its room back and arrives all the same takes it twice, and some peers count chunks as
 * well (upstream's sctp_max_chunks_on_queue). A peer that is full of what waits for the gap drops all that
 * lies above, retransmissions and window probes too, for ever. What fills the gap it accepts (RFC 9260,
 * section 6.2): that goes whatever window and scheduler say, and before anything is sent again. Upstream does
 * the same for the lowest outstanding TSN once it was sent.
 *
 * After a loss of hundreds of packets a peer may be full of what stands behind hundreds of gaps. One a round
 * trip takes seconds; as all of them are accepted, all go as fast as congestion control allows, when the peer
 * says that it has no room and less is under way to it than it waits for. */
#ifndef CMT_GAP_H
#define CMT_GAP_H

#include "../cmt_sched.h"

struct cmt_gap {
	uint32_t lowest_tsn;   /* outstanding: behind the cumulative ack */
	uint32_t unsent_tsn;   /* lowest unsent */
	uint32_t highest_tsn;  /* that the peer has told of */
	uint32_t window_bytes; /* left */
	uint32_t a_rwnd_bytes; /* that the newest SACK told, with all that was under way to come out of it */
	uint32_t flight_bytes; /* under way */
	uint32_t unsent_bytes; /* below highest_tsn, where cmt_gap_has_no_room(); counted up to more than
	                          flight_bytes */
	uint32_t packet_bytes; /* the smallest of the paths' MTUs */
	bool resends_lowest;   /* the lowest chunk that was sent waits to be sent again */
	bool refuses;          /* cmt_gap_is_refused() of some chunk */
};

/* Whether the lowest outstanding chunk is unsent, and the peer has told of one behind it. */
bool cmt_gap_is_unsent(const struct cmt_gap *g);

/* Whether a chunk that is lost now, after so many transmissions, tells that the peer drops what lies above
 * all that it has. */
bool cmt_gap_is_refused(const struct cmt_gap *g, uint32_t lost_tsn, uint32_t transmissions);

/* Whether the peer says that it has no room for a packet. */
bool cmt_gap_has_no_room(const struct cmt_gap *g);

/* Whether the lowest unsent chunk goes now: it is the lowest outstanding one as well, and the window is
 * closed, or the peer is as full without saying so; or it is one of many that a full peer waits for. */
bool cmt_gap_goes_first(const struct cmt_gap *g);

/* The lowest unit, on the path where it arrives first; WAIT while that has no room. */
struct cmt_decision cmt_gap_decide(const struct cmt_view *v);

/* Whether the peer's window lets a chunk go: it is large enough for one, is probed (RFC 9260, section 6.1,
 * rule A), or the gap goes first. */
bool cmt_gap_window_is_open(const struct cmt_view *v, bool goes_first);

#endif
