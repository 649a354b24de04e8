/* SPDX-License-Identifier: BSD-3-Clause */
#include "pwf_theory.h"

#include "util/cmt_time.h"

/* Rates of all paths times delays times rates do not fit into 64 bits. */
__extension__ typedef __int128 wide;

enum { PPM = 1000000 };

/* part / whole in millionths, to the nearest. */
static uint32_t ppm(wide part, wide whole)
{
	return (uint32_t)((part * PPM + whole / 2) / whole);
}

uint64_t pwf_chunk_bytes(const struct cmt_pwf *p, uint8_t chunk)
{
	if (chunk + 1 >= p->n)
		return 0;
	return (uint64_t)((wide)cmt_pwf_rate_bps(p, chunk) *
	                  (p->paths[chunk + 1].delay_us - p->paths[chunk].delay_us) / (8 * PPM));
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

/* sum_j b_j (r_i - r_j) over the paths of the chunk. */
static wide distance(const struct cmt_pwf *p, const int64_t *round_trips_us, uint8_t i, uint8_t chunk)
{
	wide sum = 0;

	for (uint8_t j = 0; j <= chunk; j++)
		sum += (wide)p->paths[j].rate_bps * (round_trips_us[i] - round_trips_us[j]);
	return sum;
}

uint64_t pwf_timeout_ppm(const struct cmt_pwf *p, uint32_t packet_bytes)
{
	int64_t r[CMT_PWF_MAX_PATHS];
	wide largest = 0;

	for (uint8_t i = 0; i < p->n; i++)
		r[i] = round_trip_us(&p->paths[i], packet_bytes);
	for (uint8_t h = 1; h < p->n; h++) {
		wide deviation = 0, farthest = 0;

		for (uint8_t i = 0; i <= h; i++) {
			wide d = distance(p, r, i, h);

			deviation += (d < 0 ? -d : d) * p->paths[i].rate_bps;
			farthest = d > farthest ? d : farthest;
		}
		if (deviation > 0 && farthest * cmt_pwf_rate_bps(p, h) * PPM / deviation > largest)
			largest = farthest * cmt_pwf_rate_bps(p, h) * PPM / deviation;
	}
	return (uint64_t)largest;
}
