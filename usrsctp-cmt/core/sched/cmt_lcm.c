/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_lcm.h"

enum { WHOLE_PARTS = 64, PPM = 1000000 };

/* --- the cycle --- */

/* Times that `part_us` goes into `whole_us`, rounded, 1 .. most. */
static uint32_t times_in(int64_t part_us, int64_t whole_us, int64_t most)
{
	return (uint32_t)cmt_max_us(1, cmt_min_us(most, (whole_us + part_us / 2) / part_us));
}

/* How far `times` parts are from the whole. */
static int64_t error_ppm(int64_t part_us, uint32_t times, int64_t whole_us)
{
	int64_t error_us = part_us * times - whole_us;

	return cmt_max_us(error_us, -error_us) * PPM / whole_us;
}

/* Fills in m_i and K_i of a cycle so long; how far the worst of them is from whole. */
static int64_t divide(struct cmt_lcm_plan *plan, const struct cmt_lcm_path *paths, int64_t cycle_us)
{
	int64_t worst_ppm = 0;

	plan->cycle_us = cycle_us;
	for (unsigned i = 0; i < plan->n_paths; i++) {
		const struct cmt_lcm_path *p = &paths[i];
		struct cmt_lcm_part *part = &plan->parts[i];

		part->bursts = (uint8_t)times_in(p->delay_us, cycle_us, CMT_LCM_BURSTS_MAX);
		part->pkts = times_in(p->interval_us, cycle_us, CMT_LCM_PKTS_MAX);
		worst_ppm = cmt_max_us(worst_ppm, error_ppm(p->delay_us, part->bursts, cycle_us));
		worst_ppm = cmt_max_us(worst_ppm, error_ppm(p->interval_us, part->pkts, cycle_us));
	}
	return worst_ppm;
}

static void choose_cycle(struct cmt_lcm_plan *plan, const struct cmt_lcm_path *paths)
{
	int64_t shortest_us = INT64_MAX, longest_us = 0, least_ppm = INT64_MAX, chosen_us = 0;

	for (unsigned i = 0; i < plan->n_paths; i++) {
		shortest_us = cmt_min_us(shortest_us, paths[i].delay_us);
		longest_us = cmt_max_us(longest_us, paths[i].delay_us);
	}
	for (int64_t cycle_us = longest_us; least_ppm > PPM / WHOLE_PARTS; cycle_us += longest_us) {
		int64_t worst_ppm;

		if (chosen_us > 0 && cycle_us > CMT_LCM_BURSTS_MAX * shortest_us)
			break;
		worst_ppm = divide(plan, paths, cycle_us);
		if (worst_ppm < least_ppm) {
			least_ppm = worst_ppm;
			chosen_us = cycle_us;
		}
	}
	(void)divide(plan, paths, chosen_us);
}

/* --- the order --- */

static uint64_t pkts_before(const struct cmt_lcm_part *p, uint64_t burst)
{
	return burst / p->bursts * p->pkts + burst % p->bursts * p->pkts / p->bursts;
}

/* Algorithms 1 and 2. Burst k arrives at (k + 1) / m of the cycle. */
static void lay_out(struct cmt_lcm_plan *plan)
{
	unsigned next[CMT_SCHED_MAX_PATHS] = {0};

	plan->n_order = 0;
	plan->pkts = 0;
	for (unsigned i = 0; i < plan->n_paths; i++)
		plan->n_order += plan->parts[i].bursts;
	for (unsigned step = 0; step < plan->n_order; step++) {
		struct cmt_lcm_part *first;
		unsigned place = 0;

		for (unsigned i = 1; i < plan->n_paths; i++) {
			unsigned here = (next[i] + 1) * plan->parts[place].bursts;
			unsigned there = (next[place] + 1) * plan->parts[i].bursts;

			if (here < there ||
			    (here == there && plan->parts[i].bursts > plan->parts[place].bursts))
				place = i;
		}
		first = &plan->parts[place];
		plan->order[step] = (uint8_t)place;
		first->seq[next[place]] = plan->pkts;
		plan->pkts +=
		    (uint32_t)(pkts_before(first, next[place] + 1) - pkts_before(first, next[place]));
		next[place]++;
	}
}

void cmt_lcm_plan(struct cmt_lcm_plan *out, const struct cmt_lcm_path *paths, unsigned n_paths,
                  uint32_t packet_bytes)
{
	struct cmt_lcm_path bounded[CMT_SCHED_MAX_PATHS];

	out->n_paths = n_paths;
	out->packet_bytes = packet_bytes;
	for (unsigned i = 0; i < n_paths; i++)
		bounded[i] = (struct cmt_lcm_path){cmt_min_us(paths[i].delay_us, CMT_LCM_TIME_MAX_US),
		                                   cmt_min_us(paths[i].interval_us, CMT_LCM_TIME_MAX_US)};
	choose_cycle(out, bounded);
	lay_out(out);
}

/* --- turns --- */

static uint64_t pkts_in(const struct cmt_lcm_part *p, uint64_t burst)
{
	return pkts_before(p, burst + 1) - pkts_before(p, burst);
}

/* Paths that send less than a packet in their delay have bursts of none. */
static struct cmt_lcm_turn begin(const struct cmt_lcm_part *p, uint64_t burst)
{
	while (pkts_in(p, burst) == 0)
		burst++;
	return (struct cmt_lcm_turn){.burst = burst};
}

/* Algorithm 3. */
static uint64_t due(const struct cmt_lcm_plan *plan, unsigned i, uint64_t elapsed_us)
{
	uint64_t cycle_us = (uint64_t)plan->cycle_us;

	return elapsed_us / cycle_us * plan->parts[i].bursts +
	       elapsed_us % cycle_us * plan->parts[i].bursts / cycle_us;
}

struct cmt_lcm_turn cmt_lcm_turn_at(const struct cmt_lcm_plan *plan, unsigned i, struct cmt_lcm_turn last,
                                    uint64_t elapsed_us)
{
	const struct cmt_lcm_part *p = &plan->parts[i];
	uint64_t burst = due(plan, i, elapsed_us);

	if (burst > last.burst)
		return begin(p, burst);
	return pkts_in(p, last.burst) > 0 ? last : begin(p, last.burst);
}

struct cmt_lcm_turn cmt_lcm_after(const struct cmt_lcm_plan *plan, unsigned i, struct cmt_lcm_turn turn,
                                  uint32_t bytes)
{
	const struct cmt_lcm_part *p = &plan->parts[i];

	turn.sent_bytes += bytes;
	return turn.sent_bytes + plan->packet_bytes / 2 < pkts_in(p, turn.burst) * plan->packet_bytes
	           ? turn
	           : begin(p, turn.burst + 1);
}

bool cmt_lcm_is_outrun(const struct cmt_lcm_plan *plan, unsigned i, struct cmt_lcm_turn turn,
                       uint64_t elapsed_us)
{
	const struct cmt_lcm_part *p = &plan->parts[i];
	uint64_t burst = due(plan, i, elapsed_us);

	return turn.burst > burst &&
	       pkts_before(p, turn.burst) - pkts_before(p, burst) > (p->pkts - 1) / p->bursts + 1;
}

/* Bursts of a cycle that begin below packet `seq`. */
static uint64_t bursts_below(const struct cmt_lcm_part *p, uint32_t seq)
{
	unsigned low = 0, high = p->bursts;

	while (low < high) {
		unsigned middle = (low + high) / 2;

		if (p->seq[middle] < seq)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint64_t cmt_lcm_ahead_bytes(const struct cmt_lcm_plan *plan, const struct cmt_lcm_turn *turns, unsigned i)
{
	const struct cmt_lcm_part *own = &plan->parts[i];
	uint64_t cycle = turns[i].burst / own->bursts, bytes = 0;
	uint32_t seq = own->seq[turns[i].burst % own->bursts];

	for (unsigned j = 0; j < plan->n_paths; j++) {
		const struct cmt_lcm_part *p = &plan->parts[j];
		uint64_t before = pkts_before(p, cycle * p->bursts + bursts_below(p, seq));
		uint64_t sent = pkts_before(p, turns[j].burst);

		if (j != i && before * plan->packet_bytes > sent * plan->packet_bytes + turns[j].sent_bytes)
			bytes += (before - sent) * plan->packet_bytes - turns[j].sent_bytes;
	}
	return bytes;
}
