/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_bulk.h"

enum {
	WHOLE_PPM = 1000000,
	SHARE_BITS = 26,       /* shares of rates below 2^37 bit/s */
	STEP_MAX_US = 60000000 /* products with bytes per second fit 63 bits */
};

static uint8_t rank_by_delay(const struct cmt_bulk_path *paths, unsigned n_paths, unsigned i)
{
	unsigned rank = 0;

	for (unsigned j = 0; j < n_paths; j++) {
		if (paths[j].delay_us < paths[i].delay_us ||
		    (paths[j].delay_us == paths[i].delay_us && j < i))
			rank++;
	}
	return (uint8_t)rank;
}

static uint8_t rank_by_rate(const struct cmt_bulk_path *paths, unsigned n_paths, unsigned i)
{
	unsigned rank = 0;

	for (unsigned j = 0; j < n_paths; j++) {
		if (paths[j].rate_bps > paths[i].rate_bps ||
		    (paths[j].rate_bps == paths[i].rate_bps && j < i))
			rank++;
	}
	return (uint8_t)rank;
}

/* part * whole / sum, to the nearest, for part <= sum. */
static int64_t share(uint64_t part, uint64_t sum, int64_t whole)
{
	uint64_t fraction = ((part << SHARE_BITS) + sum / 2) / sum;

	return (int64_t)((fraction * (uint64_t)whole + (1u << (SHARE_BITS - 1))) >> SHARE_BITS);
}

static int64_t bytes_in(uint64_t rate_bps, int64_t time_us)
{
	return (int64_t)(rate_bps / 8 * (uint64_t)time_us / 1000000);
}

void cmt_bulk_plan(struct cmt_bulk_plan *out, const struct cmt_bulk_path *paths, unsigned n_paths,
                   struct cmt_bulk_step step)
{
	unsigned by_rank[CMT_SCHED_MAX_PATHS];
	uint64_t sum_bps = 0;
	int64_t arrives_us, least_hold_us = 0, step_bytes;

	*out = (struct cmt_bulk_plan){.n_paths = n_paths};
	for (unsigned i = 0; i < n_paths; i++) {
		sum_bps += paths[i].rate_bps;
		out->parts[i].rank = rank_by_delay(paths, n_paths, i);
		out->parts[i].place =
		    step.by_rate ? rank_by_rate(paths, n_paths, i) : out->parts[i].rank;
		by_rank[out->parts[i].rank] = i;
	}
	out->step_us =
	    cmt_min_us(STEP_MAX_US, paths[by_rank[n_paths - 1]].delay_us - paths[by_rank[0]].delay_us);
	out->bulk_us =
	    cmt_min_us(STEP_MAX_US, cmt_max_us(step.least_us, cmt_min_us(step.most_us, out->step_us)));
	step_bytes = bytes_in(sum_bps, out->bulk_us);
	for (unsigned i = 0; i < n_paths; i++) {
		struct cmt_bulk_part *part = &out->parts[i];

		part->share_ppm = (uint32_t)share(paths[i].rate_bps, sum_bps, WHOLE_PPM);
		part->send_us = share(paths[i].rate_bps, sum_bps, out->step_us);
		part->bytes = share(paths[i].rate_bps, sum_bps, step_bytes);
		part->bytes = part->bytes > 0 ? part->bytes : 1;
	}
	arrives_us = paths[by_rank[0]].delay_us + out->parts[by_rank[n_paths - 1]].send_us;
	for (unsigned rank = 0; rank < n_paths; rank++) {
		struct cmt_bulk_part *part = &out->parts[by_rank[rank]];

		part->hold_us = arrives_us - paths[by_rank[rank]].delay_us;
		least_hold_us = cmt_min_us(least_hold_us, part->hold_us);
		arrives_us += part->send_us;
	}
	for (unsigned i = 0; i < n_paths; i++)
		out->parts[i].hold_us -= least_hold_us;
	out->pause_us = paths[by_rank[0]].delay_us + out->parts[by_rank[0]].hold_us;
}

int64_t cmt_bulk_sent_bytes(uint64_t rate_bps, int64_t lead_us, uint32_t packet_bytes)
{
	int64_t bytes = bytes_in(rate_bps, cmt_min_us(2 * STEP_MAX_US, lead_us > 0 ? lead_us : -lead_us));

	return (lead_us > 0 ? bytes : -bytes) - (int64_t)packet_bytes;
}

int64_t cmt_bulk_lead_us(uint64_t rate_bps, int64_t sent_bytes, uint32_t packet_bytes)
{
	return (sent_bytes + (int64_t)packet_bytes) * 1000000 / (int64_t)(rate_bps / 8 + 1);
}

/* The step of path i that holds byte `at`, rounded down. */
static int64_t step_of(const struct cmt_bulk_plan *plan, unsigned i, int64_t at)
{
	int64_t bytes = plan->parts[i].bytes;

	return at >= 0 ? at / bytes : -((bytes - 1 - at) / bytes);
}

uint64_t cmt_bulk_ahead(const struct cmt_bulk_plan *plan, const int64_t *sent_bytes, unsigned i,
                        uint32_t packet_bytes)
{
	const bool last = plan->parts[i].place + 1u == plan->n_paths;
	const int64_t play = last ? cmt_min_us(packet_bytes, plan->parts[i].bytes) / 2 : 0;
	const int64_t step = step_of(plan, i, sent_bytes[i] + (int64_t)packet_bytes - 1 - play);
	uint64_t ahead = 0;

	for (unsigned j = 0; j < plan->n_paths; j++) {
		int64_t steps = step + (plan->parts[j].place < plan->parts[i].place ? 1 : 0);
		int64_t left_bytes = steps * plan->parts[j].bytes - sent_bytes[j];

		if (j != i && left_bytes > 0)
			ahead += (uint64_t)left_bytes;
	}
	return ahead;
}
