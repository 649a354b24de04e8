/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_pwf.h"

#include "../util/cmt_time.h"
#include "../util/cmt_wide.h"

enum { PPM = 1000000 };

static struct cmt_pwf_path limited(const struct cmt_pwf_path *path)
{
	struct cmt_pwf_path p = *path;

	p.delay_us = cmt_min_us(cmt_max_us(p.delay_us, 0), CMT_PWF_DELAY_MAX_US);
	if (p.rate_bps == 0)
		p.rate_bps = 1;
	if (p.rate_bps > CMT_PWF_RATE_MAX_BPS)
		p.rate_bps = CMT_PWF_RATE_MAX_BPS;
	return p;
}

static uint64_t rounded(int64_t delay_us, uint64_t merge_us)
{
	return ((uint64_t)delay_us + merge_us / 2) / merge_us;
}

/* Indices of `paths` by rising delay, equal ones in the order given. */
static void sort(const struct cmt_pwf_path *paths, uint8_t n, uint8_t *order)
{
	for (uint8_t i = 0; i < n; i++) {
		uint8_t k = i;

		for (; k > 0 && paths[order[k - 1]].delay_us > paths[i].delay_us; k--)
			order[k] = order[k - 1];
		order[k] = i;
	}
}

void cmt_pwf_plan(struct cmt_pwf *out, const struct cmt_pwf_path *paths, uint8_t n, uint64_t merge_us)
{
	struct cmt_pwf_path in[CMT_MAX_PATHS];
	uint8_t order[CMT_MAX_PATHS];

	*out = (struct cmt_pwf){.n = 0};
	for (uint8_t i = 0; i < n; i++)
		in[i] = limited(&paths[i]);
	sort(in, n, order);
	for (uint8_t k = 0; k < n; k++) {
		const struct cmt_pwf_path *path = &in[order[k]];

		if (out->n > 0 &&
		    rounded(path->delay_us, merge_us) == rounded(out->paths[out->n - 1].delay_us, merge_us))
			out->paths[out->n - 1].rate_bps += path->rate_bps;
		else
			out->paths[out->n++] = *path;
		out->merged[order[k]] = (uint8_t)(out->n - 1);
	}
}

uint8_t cmt_pwf_chunk_at(const struct cmt_pwf *p, int64_t level_us)
{
	uint8_t chunk = 0;

	while (chunk + 1 < p->n && p->paths[chunk + 1].delay_us <= level_us)
		chunk++;
	return chunk;
}

uint64_t cmt_pwf_rate_bps(const struct cmt_pwf *p, uint8_t chunk)
{
	uint64_t sum = 0;

	for (uint8_t i = 0; i <= chunk && i < p->n; i++)
		sum += p->paths[i].rate_bps;
	return sum;
}

int64_t cmt_pwf_start_us(const struct cmt_pwf *p, uint8_t path, uint8_t chunk)
{
	return p->paths[chunk].delay_us - p->paths[path].delay_us;
}

uint64_t cmt_pwf_chunk_bytes(const struct cmt_pwf *p, uint8_t chunk)
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
		sum += cmt_pwf_chunk_bytes(p, h);
	return sum;
}

uint64_t cmt_pwf_prefetch_bytes(const struct cmt_pwf *p)
{
	return below_bytes(p, p->n);
}

/* part / whole in millionths, to the nearest. */
static uint32_t ppm(uint64_t part, uint64_t whole)
{
	const struct cmt_wide rounded = cmt_wide_sum(cmt_wide_product(part, PPM), cmt_wide_of(whole / 2));

	return (uint32_t)cmt_wide_quotient(rounded, cmt_wide_of(whole)).low;
}

uint32_t cmt_pwf_f_ppm(const struct cmt_pwf *p, uint8_t chunk)
{
	const uint64_t all = cmt_pwf_prefetch_bytes(p);

	if (all == 0 || chunk + 1 >= p->n)
		return 0;
	return ppm(below_bytes(p, (uint8_t)(chunk + 1)), all) - ppm(below_bytes(p, chunk), all);
}

uint32_t cmt_pwf_g_ppm(const struct cmt_pwf *p, uint8_t path, uint8_t chunk)
{
	uint64_t all = cmt_pwf_rate_bps(p, chunk), up_to;

	if (path > chunk || chunk >= p->n)
		return 0;
	up_to = cmt_pwf_rate_bps(p, path);
	return ppm(up_to, all) - ppm(up_to - p->paths[path].rate_bps, all);
}

static uint64_t round_trip_us(const struct cmt_pwf_path *path, uint32_t packet_bytes)
{
	const int64_t packet_us = cmt_transmission_us(packet_bytes, path->rate_bps);

	return (uint64_t)(cmt_min_us(CMT_PWF_DELAY_MAX_US, packet_us) + 2 * path->delay_us);
}

/* The left side for the slowest path of a chunk, in millionths. With the sums B = sum b_i and R = sum b_i r_i
 * over the chunk's paths it is  (r_max B - R) B / sum_i b_i |r_i B - R|. */
static uint64_t chunk_timeout_ppm(const struct cmt_pwf *p, const uint64_t *r_us, uint8_t chunk)
{
	const uint64_t all_bps = cmt_pwf_rate_bps(p, chunk);
	struct cmt_wide mean = {0, 0}, deviation = {0, 0}, farthest = {0, 0};

	for (uint8_t i = 0; i <= chunk; i++)
		mean = cmt_wide_sum(mean, cmt_wide_product(p->paths[i].rate_bps, r_us[i]));
	for (uint8_t i = 0; i <= chunk; i++) {
		const struct cmt_wide own = cmt_wide_product(all_bps, r_us[i]);
		const bool above = cmt_wide_above(own, mean);
		const struct cmt_wide d =
		    above ? cmt_wide_difference(own, mean) : cmt_wide_difference(mean, own);

		deviation = cmt_wide_sum(deviation, cmt_wide_times(d, p->paths[i].rate_bps));
		if (above && cmt_wide_above(d, farthest))
			farthest = d;
	}
	if (!cmt_wide_above(deviation, cmt_wide_of(0)))
		return 0;
	return cmt_wide_quotient(cmt_wide_times(farthest, all_bps * PPM), deviation).low;
}

uint64_t cmt_pwf_timeout_ppm(const struct cmt_pwf *p, uint32_t packet_bytes)
{
	uint64_t r_us[CMT_MAX_PATHS], largest = 0;

	for (uint8_t i = 0; i < p->n; i++)
		r_us[i] = round_trip_us(&p->paths[i], packet_bytes);
	for (uint8_t h = 1; h < p->n; h++) {
		const uint64_t side = chunk_timeout_ppm(p, r_us, h);

		largest = side > largest ? side : largest;
	}
	return largest;
}
