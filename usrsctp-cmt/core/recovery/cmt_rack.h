/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_rack.h - RACK-TLP (RFC 8985) for one path: when is a packet lost, and when is it time to probe?
 *
 * Pure: no clock, no allocation; the caller passes `now_us` from one monotonic clock, never decreasing, and
 * holds the association's lock. Packets are named by their Path Packet Number, in the order of sending, so
 * what TCP derives from times and sequence numbers of segments is a comparison of two numbers. TSN disorder
 * between paths is deliberate and says nothing; nor does it matter which path an acknowledgement came on.
 *
 * A packet is lost when one sent later on the same path was delivered and the reordering window has passed:
 *
 *     deadline = sent + round trip of the newest delivered packet + reordering window
 *
 * The window is 0 while no reordering was seen and one three numbers later was delivered (section 6.2, step
 * 4, by distance as in FACK, where TCP counts segments). Otherwise it is counted in quarters of the smallest
 * round trip, from one on. What arrives later than that widens it by as much as it was late, up to a smoothed
 * round trip; after 16 loss events without more it narrows again. What SACKs had no room for, and copies whose
 * arrival is concluded from what else arrived, may have been there long before: they say nothing of order, and
 * such copies are waited for as long as any window may be. */
#ifndef CMT_RACK_H
#define CMT_RACK_H

#include <stdbool.h>
#include <stdint.h>

#include "../util/cmt_time.h"

/* Longest delay of SACKs that is in use: what RFC 9260, section 6.2, recommends. */
#define CMT_RACK_MAX_SACK_DELAY_US 200000

struct cmt_rack {
	struct cmt_rack_newest {
		bool known;      /* something was delivered */
		uint32_t number; /* newest packet delivered */
		int64_t rtt_us;  /* its round trip */
	} before, now;           /* the SACK that is being taken in; with it */
	bool reordering;         /* seen on this path */
	uint32_t quarters;       /* of the smallest round trip in the reordering window, when reordering */
	uint32_t keep_events;    /* loss events until it narrows again */
};

/* A packet, and the path as it is. */
struct cmt_rack_packet {
	uint64_t sent_us;
	uint32_t number;
	uint32_t times_sent; /* what it carries; more than once: its acknowledgement is ambiguous */
	bool told_late;      /* it may have arrived long before anything told so */
};
struct cmt_rack_path {
	int64_t min_rtt_us; /* smallest round trip; CMT_UNKNOWN_US = none */
	int64_t srtt_us;    /* smoothed; 0 = none */
};

void cmt_rack_init(struct cmt_rack *r);

/* `packet` was delivered. One SACK names packets in order of TSNs, so order is judged against those before
 * it: cmt_rack_on_sack_end() follows each SACK. */
void cmt_rack_on_delivered(struct cmt_rack *r, const struct cmt_rack_path *path,
                           const struct cmt_rack_packet *packet, uint64_t now_us);

void cmt_rack_on_sack_end(struct cmt_rack *r);

/* When `packet`, which is out, is lost: now or in the past if it is; CMT_NEVER_US while nothing speaks for
 * it. What is lost whenever it is sent waits longer each time, since there is a limit to how often upstream
 * sends a chunk. */
uint64_t cmt_rack_deadline_us(const struct cmt_rack *r, const struct cmt_rack_path *path,
                              const struct cmt_rack_packet *packet);

/* What was declared lost arrived, `late_us` after a packet in its place should have; CMT_UNKNOWN_US: it is
 * not known how late (RFC 8985, section 6.2, step 4: one quarter more). */
void cmt_rack_on_spurious(struct cmt_rack *r, const struct cmt_rack_path *path, int64_t late_us);

/* Whether the window can grow no further: what comes later than this counts as lost. */
bool cmt_rack_window_is_full(const struct cmt_rack *r, const struct cmt_rack_path *path);

/* A loss event began: windows that were not needed for long become narrow again. */
void cmt_rack_on_loss_event(struct cmt_rack *r);

/* Time without acknowledgement after which the newest packet of the path is sent again (section 7.2): two
 * smoothed round trips; `alone`: the receiver may hold back the acknowledgement of a single packet. */
int64_t cmt_rack_probe_timeout_us(int64_t srtt_us, bool alone);

#endif
