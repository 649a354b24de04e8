/* SPDX-License-Identifier: BSD-3-Clause */
#include "pwf_theory.h"

#include "util/cmt_time.h"
#include "util/cmt_wide.h"

enum { PPM = 1000000 };

/* part / whole in millionths, to the nearest. */
static uint32_t ppm(uint64_t part, uint64_t whole)
{
	const struct cmt_wide rounded = cmt_wide_sum(cmt_wide_product(part, PPM), cmt_wide_of(whole / 2));

	return (uint32_t)cmt_wide_quotient(rounded, cmt_wide_of(whole)).low;
}

uint64_t pwf_chunk_bytes(const struct cmt_pwf *p, uint8_t chunk)
{
	if (chunk + 1 >= p->n)
		return 0;
	return cmt_wide_mul_div(cmt_pwf_rate_bps(p, chunk),
	                        (uint64_t)(p->paths[chunk + 1].delay_us - p->paths[chunk].delay_us),
	                        CMT_BPS_PER_BYTE_PER_US, UINT64_MAX);
}

/* Bytes of the pre-chunks below `chunk`. */
static uint64_t below_bytes(const struct cmt_pwf *p, uint8_t chunk)
{
	uint64_t sum = 0;

	for (uint8_t h = 0; h < chunk; h++)
		sum += pwf_chunk_bytes(p, h);
	return sum;
}

uint32_t pwf_f_ppm(const struct cmt_pwf *p, uint8_t chunk)
{
	uint64_t all = p->n > 0 ? below_bytes(p, (uint8_t)(p->n - 1)) : 0;

	if (all == 0 || chunk + 1 >= p->n)
		return 0;
	return ppm(below_bytes(p, (uint8_t)(chunk + 1)), all) - ppm(below_bytes(p, chunk), all);
}

uint32_t pwf_g_ppm(const struct cmt_pwf *p, uint8_t path, uint8_t chunk)
{
	uint64_t all = cmt_pwf_rate_bps(p, chunk), up_to;

	if (path > chunk || chunk >= p->n)
		return 0;
	up_to = cmt_pwf_rate_bps(p, path);
	return ppm(up_to, all) - ppm(up_to - p->paths[path].rate_bps, all);
}

static int64_t round_trip_us(const struct cmt_pwf_path *path, uint32_t packet_bytes)
{
	return cmt_min_us(CMT_PWF_DELAY_MAX_US, cmt_transmission_us(packet_bytes, path->rate_bps)) +
	       2 * path->delay_us;
}

/* sum_j b_j |r_i - r_j| over the paths of the chunk whose round trip is the shorter one (`sign` 1) or the
 * longer one (-1). */
static struct cmt_wide distance(const struct cmt_pwf *p, const int64_t *round_trips_us, uint8_t i,
                                uint8_t chunk, int sign)
{
	struct cmt_wide sum = {0, 0};

	for (uint8_t j = 0; j <= chunk; j++) {
		const int64_t us = sign * (round_trips_us[i] - round_trips_us[j]);

		sum = cmt_wide_sum(sum, cmt_wide_product(p->paths[j].rate_bps, (uint64_t)cmt_max_us(us, 0)));
	}
	return sum;
}

uint64_t pwf_timeout_ppm(const struct cmt_pwf *p, uint32_t packet_bytes)
{
	int64_t r[CMT_MAX_PATHS];
	struct cmt_wide largest = {0, 0};

	for (uint8_t i = 0; i < p->n; i++)
		r[i] = round_trip_us(&p->paths[i], packet_bytes);
	for (uint8_t h = 1; h < p->n; h++) {
		struct cmt_wide deviation = {0, 0}, farthest = {0, 0}, side;

		for (uint8_t i = 0; i <= h; i++) {
			const struct cmt_wide above = distance(p, r, i, h, 1),
			                      below = distance(p, r, i, h, -1);
			const bool is_above = cmt_wide_above(above, below);
			const struct cmt_wide d =
			    is_above ? cmt_wide_difference(above, below) : cmt_wide_difference(below, above);

			deviation = cmt_wide_sum(deviation, cmt_wide_times(d, p->paths[i].rate_bps));
			if (is_above && cmt_wide_above(d, farthest))
				farthest = d;
		}
		if (!cmt_wide_above(deviation, cmt_wide_of(0)))
			continue;
		side = cmt_wide_times(farthest, cmt_pwf_rate_bps(p, h) * PPM);
		side = cmt_wide_quotient(side, deviation);
		if (cmt_wide_above(side, largest))
			largest = side;
	}
	return largest.low;
}
