/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/encoder.h"

bool lab_encoder_wants_frame(const struct lab_encoder *e, uint64_t msg_bytes)
{
	return e->bytes < (double)msg_bytes;
}

uint64_t lab_encoder_due_us(const struct lab_encoder *e, uint64_t msg_bytes)
{
	const uint64_t frame = lab_encoder_wants_frame(e, msg_bytes) ? e->n_frames : e->n_frames - 1;

	return frame * 1000000 / LAB_FRAMES_PER_S;
}

void lab_encoder_make_frame(struct lab_encoder *e, const struct lab_source *source, uint64_t told_bps)
{
	uint64_t bps = told_bps > source->least_bps ? told_bps : source->least_bps;

	bps = bps < source->most_bps ? bps : source->most_bps;
	e->n_frames++;
	e->bytes += (double)bps / 8 / LAB_FRAMES_PER_S;
}

void lab_encoder_handed(struct lab_encoder *e, uint64_t msg_bytes)
{
	e->bytes -= (double)msg_bytes;
}
