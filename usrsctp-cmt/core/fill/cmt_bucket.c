/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_bucket.h"

#include "../util/cmt_random.h"
#include "../util/cmt_time.h"
#include "../util/cmt_wide.h"

enum {
	/* Draws for one packet of a thin path are bounded: each then stands for several packets of the chunk.
	 */
	DRAW_PPM_MIN = 31250,
	DRAWS_MAX = 512,
	PPM = 1000000
};

/* Sums of a few of these do not overflow. */
static const uint64_t LONGEST_US = INT64_MAX / 8;

void cmt_buckets_open(struct cmt_buckets *b, const struct cmt_buckets_open *open)
{
	*b = (struct cmt_buckets){.packet_bytes = open->packet_bytes, .n = open->n};
	cmt_pwf_plan(&b->pwf, open->paths, open->n, open->merge_us);
	for (uint8_t i = 0; i < open->n; i++)
		b->paths[i].rate_bps = open->paths[i].rate_bps;
}

static int64_t duration_us(const struct cmt_bucket_path *p, uint64_t bytes)
{
	return (int64_t)cmt_wide_mul_div(bytes, CMT_BPS_PER_BYTE_PER_US, p->rate_bps, LONGEST_US);
}

int64_t cmt_buckets_taken_us(const struct cmt_buckets *b, uint8_t path)
{
	return duration_us(&b->paths[path], b->paths[path].taken_bytes);
}

static int64_t level_us(const struct cmt_buckets *b, uint8_t path)
{
	const struct cmt_bucket_path *p = &b->paths[path];

	return b->pwf.paths[b->pwf.merged[path]].delay_us + p->drawn_us +
	       duration_us(p, p->taken_bytes + b->packet_bytes + b->packet_bytes / 2);
}

uint8_t cmt_buckets_chunk(const struct cmt_buckets *b, uint8_t path)
{
	return cmt_pwf_chunk_at(&b->pwf, level_us(b, path));
}

/* Packets of the path from its next one until `lead_us` behind it. */
static uint64_t drops(const struct cmt_buckets *b, uint8_t path, int64_t lead_us)
{
	return 1 + cmt_wide_mul_div((uint64_t)lead_us, b->paths[path].rate_bps,
	                            CMT_BPS_PER_BYTE_PER_US * b->packet_bytes, UINT32_MAX);
}

uint64_t cmt_buckets_ahead(const struct cmt_buckets *b, uint8_t path)
{
	const int64_t own_us = level_us(b, path);
	uint64_t pkts = 0;

	for (uint8_t j = 0; j < b->n; j++) {
		const int64_t lead_us = own_us - level_us(b, j) - (j > path);

		if (j != path && lead_us >= 0)
			pkts += drops(b, j, lead_us);
	}
	return pkts * b->packet_bytes;
}

void cmt_buckets_take(struct cmt_buckets *b, uint8_t path, uint32_t bytes)
{
	b->paths[path].taken_bytes += bytes;
}

void cmt_buckets_draw(struct cmt_buckets *b, uint8_t path, uint64_t *seed)
{
	struct cmt_bucket_path *p = &b->paths[path];
	const int64_t packet_us = cmt_min_us(CMT_PWF_DELAY_MAX_US, duration_us(p, b->packet_bytes));
	const uint64_t chunk_bps = cmt_pwf_rate_bps(&b->pwf, cmt_buckets_chunk(b, path));
	uint64_t g_ppm = cmt_wide_mul_div(p->rate_bps, PPM, chunk_bps, PPM);
	int64_t draws = 1;

	if (g_ppm < DRAW_PPM_MIN)
		g_ppm = DRAW_PPM_MIN;
	while (cmt_random_take(seed) % PPM >= g_ppm && draws < DRAWS_MAX)
		draws++;
	/* Packets of the chunk are g_ih times the path's interval apart. */
	p->drawn_us += (draws * (int64_t)g_ppm - PPM) * packet_us / PPM;
}
