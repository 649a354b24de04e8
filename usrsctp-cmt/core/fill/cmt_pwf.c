/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_pwf.h"

#include "../util/cmt_time.h"

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
