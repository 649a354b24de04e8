/* SPDX-License-Identifier: BSD-3-Clause
 *
 * encoder.h - a live encoder: LAB_FRAMES_PER_S frames a second, each as large as the rate that it was told
 * when it made it, within limits. A frame is handed over at once, in whole messages; what is left belongs to
 * the next.
 *
 * Pure. Times count from the first frame. */
#ifndef LAB_ENCODER_H
#define LAB_ENCODER_H

#include <stdbool.h>
#include <stdint.h>

#include "scenario/scenario.h"

#define LAB_FRAMES_PER_S 30

struct lab_encoder {
	uint64_t n_frames; /* made so far */
	double bytes;      /* made and not handed over */
};

/* When the newest frame was due, or, when it is handed over, the next one is. */
uint64_t lab_encoder_due_us(const struct lab_encoder *e, uint64_t msg_bytes);
bool lab_encoder_wants_frame(const struct lab_encoder *e, uint64_t msg_bytes);
void lab_encoder_make_frame(struct lab_encoder *e, const struct lab_source *source, uint64_t told_bps);
void lab_encoder_handed(struct lab_encoder *e, uint64_t msg_bytes);

#endif
