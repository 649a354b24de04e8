/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_bucket.h - cascaded leaky buckets with several faucets (Wang, Liao, Li 2013, section 4.1, Figure 6):
 * they enforce a plan of water filling (cmt_pwf.h) for one period.
 *
 * Pure: no clock, no allocation. Not thread safe; the caller holds the association lock. O(N) for a packet of
 * N paths.
 *
 * The flow fills N buckets one after the other: bucket h holds chunk h, what remains goes on to the next, and
 * the last one has no bottom. Bucket h has a faucet for each path i <= h. A path's faucet of bucket h is dry
 * after b_i (d_{h+1} - d_h) bytes, and its faucet of the next bucket follows; a path that keeps to b_i so
 * sends its part of chunk h during [d_h - d_i, d_{h+1} - d_i]. Paths that were merged have faucets of their
 * own on the same buckets. There are always tokens: a faucet delays nothing, it says whose a packet is.
 *
 * A path's packets make one sub-flow, of which packet k, from 0, falls at the level
 *
 *     level_i(k) = d_i + (k + 3/2) L / b_i
 *
 * and the drops of all faucets make up the flow in the order of their levels, so that in chunk h path i has
 * g_ih of the packets: the deficit form of assigning. In the random form a packet of the chunk is the path's
 * with probability g_ih, its packets are geometric draws apart, and order holds on average. Of the 3/2 the
 * half is a margin: of two paths the thin one's packets are early rather than late. Three packets that
 * overtake one make a third duplicate acknowledgement; a thin path's early packet overtakes alone.
 *
 * A packet that a path has not taken stays its own until the period ends. */
#ifndef CMT_BUCKET_H
#define CMT_BUCKET_H

#include "cmt_pwf.h"

struct cmt_bucket_path {
	uint64_t rate_bps;    /* b_i */
	uint64_t taken_bytes; /* from all of its faucets */
	int64_t drawn_us;     /* how far draws have put its next packet behind its share's level */
};

struct cmt_buckets {
	uint32_t packet_bytes; /* L */
	uint8_t n;
	struct cmt_bucket_path paths[CMT_MAX_PATHS]; /* by position in what was opened */
	struct cmt_pwf pwf;
};

struct cmt_buckets_open {
	uint64_t merge_us;
	uint32_t packet_bytes;            /* above 0 */
	uint8_t n;                        /* paths, up to CMT_MAX_PATHS */
	const struct cmt_pwf_path *paths; /* rates above 0 */
};

/* Begins a period: fills the buckets for these paths, nothing is taken yet. */
void cmt_buckets_open(struct cmt_buckets *b, const struct cmt_buckets_open *open);

/* Time that what the path has taken needs at its rate. */
int64_t cmt_buckets_taken_us(const struct cmt_buckets *b, uint8_t path);

/* The bucket that the path's next packet is from. */
uint8_t cmt_buckets_chunk(const struct cmt_buckets *b, uint8_t path);

/* Bytes that the faucets of other paths drip before the path's next packet and that are not taken yet; at the
 * same level, the path that comes first goes first. */
uint64_t cmt_buckets_ahead(const struct cmt_buckets *b, uint8_t path);

/* Takes the path's next packet out. */
void cmt_buckets_take(struct cmt_buckets *b, uint8_t path, uint32_t bytes);

/* Draws where the path's next packet falls: behind as many of its chunk as are other paths'. Changes `seed`.
 */
void cmt_buckets_draw(struct cmt_buckets *b, uint8_t path, uint64_t *seed);

#endif
