/* SPDX-License-Identifier: BSD-3-Clause */
#include "repair_measure.h"

#include <string.h>

#define CARRIES_US UINT64_C(1000000)

/* Where a path is kept; one that is new takes the place of one that is gone. */
static size_t place_of(struct repair_measure *m, const struct sctp_cmt_path_stats *path)
{
	size_t oldest = 0;

	for (size_t i = 0; i < SCTP_CMT_MAX_PATHS; i++) {
		if (m->paths[i].id == path->path_id) {
			return i;
		}
		if (m->paths[i].carried_us < m->paths[oldest].carried_us) {
			oldest = i;
		}
	}
	memset(&m->paths[oldest], 0, sizeof(m->paths[oldest]));
	m->paths[oldest].id = path->path_id;
	return oldest;
}

/* Counts what is new; whether the path carries data. */
static bool count_path(struct repair_measure *m, const struct sctp_cmt_path_stats *path, uint64_t now_us)
{
	const size_t at = place_of(m, path);

	if (path->sent_bytes != m->paths[at].sent_bytes) {
		m->paths[at].carried_us = now_us;
	}
	m->buckets[m->next].sent_bytes += path->sent_bytes - m->paths[at].sent_bytes;
	m->buckets[m->next].lost_bytes += (int64_t)(path->lost_bytes - m->paths[at].lost_bytes) -
	                                  (int64_t)(path->spurious_bytes - m->paths[at].spurious_bytes);
	m->paths[at].sent_bytes = path->sent_bytes;
	m->paths[at].lost_bytes = path->lost_bytes;
	m->paths[at].spurious_bytes = path->spurious_bytes;
	return path->state == SCTP_CMT_PATH_ACTIVE && m->paths[at].carried_us != 0 &&
	       now_us - m->paths[at].carried_us <= CARRIES_US;
}

static void count_paths(struct repair_measure *m, const struct repair_seen *seen, uint64_t now_us)
{
	int64_t least_us = INT64_MAX, most_us = INT64_MIN;

	for (size_t i = 0; i < seen->n_paths; i++) {
		const struct sctp_cmt_path_stats *const path = &seen->paths[i];

		if (count_path(m, path, now_us) && path->fwd_delay_us != SCTP_CMT_UNKNOWN_US) {
			least_us = path->fwd_delay_us < least_us ? path->fwd_delay_us : least_us;
			most_us = path->fwd_delay_us > most_us ? path->fwd_delay_us : most_us;
		}
	}
	m->spread_us = most_us > least_us ? (uint64_t)(most_us - least_us) : 0;
}

static void count_datagrams(struct repair_measure *m, const struct repair_seen *seen)
{
	m->buckets[m->next].sent = seen->sent - m->last.sent;
	m->buckets[m->next].unsent = seen->unsent - m->last.unsent;
	if (seen->told && m->last.told) {
		m->buckets[m->next].missed =
		    (int64_t)(seen->missed - m->last.missed) - (int64_t)(seen->unsent - m->last.unsent);
	}
	m->last = *seen;
	m->last.paths = NULL;
}

void repair_measure_look(struct repair_measure *m, const struct repair_seen *seen, uint64_t now_us)
{
	if (m->looked_us != 0 && now_us - m->looked_us < REPAIR_MEASURE_BUCKET_US) {
		return;
	}
	m->next = (m->next + 1) % REPAIR_MEASURE_BUCKETS;
	memset(&m->buckets[m->next], 0, sizeof(m->buckets[m->next]));
	if (m->looked_us == 0) {
		m->last = *seen;
	}
	m->looked_us = now_us;
	count_paths(m, seen, now_us);
	count_datagrams(m, seen);
}

static double share(int64_t part, uint64_t all)
{
	if (part <= 0 || all == 0) {
		return 0;
	}
	return (uint64_t)part < all ? (double)part / (double)all : 1;
}

double repair_measure_missed(const struct repair_measure *m)
{
	uint64_t sent = 0;
	int64_t missed = 0;

	for (size_t i = 0; i < REPAIR_MEASURE_BUCKETS; i++) {
		sent += m->buckets[i].sent;
		missed += m->buckets[i].missed;
	}
	return share(missed, sent);
}

double repair_measure_lost(const struct repair_measure *m)
{
	const double missed = repair_measure_missed(m);
	uint64_t sent_bytes = 0;
	int64_t lost_bytes = 0;
	double lost;

	for (size_t i = 0; i < REPAIR_MEASURE_BUCKETS; i++) {
		sent_bytes += m->buckets[i].sent_bytes;
		lost_bytes += m->buckets[i].lost_bytes;
	}
	lost = share(lost_bytes, sent_bytes);
	return lost > missed ? lost : missed;
}

bool repair_measure_overloaded(const struct repair_measure *m)
{
	for (unsigned i = 0; i < REPAIR_MEASURE_OVERLOAD; i++) {
		if (m->buckets[(m->next + REPAIR_MEASURE_BUCKETS - i) % REPAIR_MEASURE_BUCKETS].unsent > 0) {
			return true;
		}
	}
	return false;
}
