/* SPDX-License-Identifier: BSD-3-Clause
 *
 * summary.h - sums up the packets of each path, for the statistics.
 *
 * Fed with packets in the order of the capture, all of them or those that pass a filter; every number is
 * right at any time, as the tables it fills have no end. */
#ifndef CMT_WS_SUMMARY_H
#define CMT_WS_SUMMARY_H

#include "quantile.h"
#include "state.h"

struct cmt_times {
	uint64_t n;
	int64_t min_us, sum_us;
	struct cmt_quantile p95;
};

/* One path of one direction. */
struct cmt_row {
	const struct cmt_path *path;
	struct cmt_sums *sums;
	unsigned index;          /* of all rows, in order of appearance */
	uint64_t packets, bytes; /* seen first */
	uint64_t copies;         /* of these, seen twice */
	uint64_t joined;         /* of these, by segmentation offload: several in a datagram */
	uint64_t payload_bytes;  /* of chunks that are no retransmissions */
	uint64_t retransmits, spurious;
	struct cmt_times transit[2]; /* between the two views: packets without DATA, and with */
	struct cmt_times delay;      /* forward delay, of echoes; minus the first one of the direction */
	uint32_t jitter_us;
	uint64_t numbered, first_number, last_number;
	int64_t unreported;                /* of all echoes */
	uint64_t echoed_from, echoed_to;   /* they answer for the numbers between */
	uint32_t ordinal_from, ordinal_to; /* which are so many in the capture */
	struct {
		uint64_t chunks, reordered;
		uint32_t extent_max;
	} order[2]; /* as seen first, and second */
};

/* What the paths of one direction share. */
struct cmt_sums {
	const struct cmt_half *half;
	GPtrArray *rows;           /* of struct cmt_row */
	int64_t first_us, last_us; /* packets with DATA */
	bool has_data, has_delay;
	int32_t first_delay_us;
	int64_t least_delay_us; /* minus first_delay_us */
};

struct cmt_summary {
	GHashTable *by_path, *by_half;
	unsigned n_rows;
};

/* The row of the packet's path. */
struct cmt_row *cmt_summary_add(struct cmt_summary *s, const struct cmt_packet *p);
void cmt_summary_free(struct cmt_summary *s);

/* Packets that did not arrive. With both views in the capture those not seen twice; else numbers left out,
 * and what echoes tell of numbers that were not left out. */
uint64_t cmt_row_lost(const struct cmt_row *row);

double cmt_row_goodput_bps(const struct cmt_row *row);

/* With both views of the capture, the transit time (of packets with DATA, if any); else the forward delay
 * above the least of the direction. */
struct cmt_delays {
	bool known, is_transit;
	double min_us, mean_us, p95_us;
} cmt_row_delays(const struct cmt_row *row);

/* Which view tells the order of arrival. */
int cmt_row_view(const struct cmt_row *row);

#endif
