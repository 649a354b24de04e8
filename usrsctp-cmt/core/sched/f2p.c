/* SPDX-License-Identifier: BSD-3-Clause
 *
 * f2p - fine-grained forward prediction (F2P-DPS, Ni et al. 2014, as in section II of the OCPS paper): as
 * fps, with N the expected number of packets when losses halve windows (cmt_forward.h).
 *
 * Loss rates are those of the last 1000 to 2000 chunks of each path; a loss that turns out to have been none
 * is taken back. A path says nothing about its losses before 100 chunks. */
#include "cmt_forward.h"

enum { CHUNKS_MIN = 100, CHUNKS_MAX = 2000, WHOLE_PPM = 1000000 };

struct f2p {
	struct cmt_forward_options options;
	struct f2p_path {
		uint32_t acked_chunks, lost_chunks;
	} paths[CMT_SCHED_MAX_PATHS]; /* by path id */
};

static uint32_t loss_ppm(const struct f2p_path *p)
{
	uint32_t chunks = p->acked_chunks + p->lost_chunks;

	return chunks < CHUNKS_MIN ? 0 : p->lost_chunks * WHOLE_PPM / chunks;
}

static uint64_t count(const void *st, const struct cmt_view *v, const struct cmt_ahead_path *p,
                      int64_t lead_us)
{
	const struct f2p *f = st;
	struct cmt_forward_path forward = cmt_forward_of(&f->options, v, p);

	forward.loss_ppm = loss_ppm(&f->paths[p->path->id]);
	return cmt_forward_f2p(&forward, lead_us);
}

uint64_t cmt_f2p_ahead(const void *st, const struct cmt_view *v, const struct cmt_ahead_path *paths,
                       unsigned index)
{
	return cmt_forward_ahead(st, v, paths, index, count);
}

static struct cmt_decision f2p_next(const void *st, const struct cmt_view *v)
{
	const struct f2p *f = st;

	return cmt_ahead_next(st, &f->options.ahead, v, cmt_f2p_ahead);
}

static uint64_t f2p_look_ahead(const void *st, const struct cmt_view *v)
{
	const struct f2p *f = st;

	return cmt_ahead_look_ahead(st, &f->options.ahead, v, cmt_f2p_ahead);
}

static void note(struct f2p_path *p, uint32_t acked_chunks, uint32_t lost_chunks)
{
	p->acked_chunks += acked_chunks;
	p->lost_chunks += lost_chunks;
	if (p->acked_chunks + p->lost_chunks >= CHUNKS_MAX) {
		p->acked_chunks /= 2;
		p->lost_chunks /= 2;
	}
}

static void f2p_on_acked(void *st, const struct cmt_acked *e)
{
	struct f2p *f = st;

	note(&f->paths[e->path_id], 1, 0);
}

static void f2p_on_lost(void *st, const struct cmt_lost *e)
{
	struct f2p *f = st;

	note(&f->paths[e->path_id], 0, 1);
}

static void f2p_on_spurious(void *st, const struct cmt_lost *e)
{
	struct f2p *f = st;
	struct f2p_path *p = &f->paths[e->path_id];

	p->lost_chunks -= p->lost_chunks > 0 ? 1 : 0;
}

const struct cmt_sched_ops cmt_sched_f2p = {
    .size = CMT_SCHED_CONTRACT_BYTES,
    .name = "f2p",
    .summary = "as fps, with losses expected at the rate that each path shows (F2P-DPS, Ni et al.)",
    .option_help = CMT_FORWARD_OPTION_HELP,
    .state_bytes = sizeof(struct f2p),
    .init = cmt_forward_init,
    .next = f2p_next,
    .look_ahead = f2p_look_ahead,
    .on_acked = f2p_on_acked,
    .on_lost = f2p_on_lost,
    .on_spurious = f2p_on_spurious,
};
