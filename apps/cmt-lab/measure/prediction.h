/* SPDX-License-Identifier: BSD-3-Clause
 *
 * prediction.h - how far predicted arrivals were from the true ones, per path id of the sender.
 *
 * Pure but for memory (samples.h). Times are the receiver's time stamps, modulo 2^32 microseconds. */
#ifndef LAB_PREDICTION_H
#define LAB_PREDICTION_H

#include <stddef.h>
#include <stdint.h>

#include "base/samples.h"

#define LAB_PREDICTION_PATHS   16
#define LAB_PREDICTION_UNKNOWN (-1)
#define LAB_PREDICTION_NO_ERROR INT64_MAX

struct lab_prediction_path {
	uint16_t path_id;
	uint32_t first_number;
	int64_t *predicted_us; /* by Path Packet Number - first_number */
	size_t n;
	struct lab_samples error_us;
};

struct lab_prediction {
	struct lab_prediction_path paths[LAB_PREDICTION_PATHS];
	size_t n_paths;
};

/* A packet left; LAB_PREDICTION_UNKNOWN when its arrival was not predicted or does not matter. */
void lab_prediction_sent(struct lab_prediction *p, uint16_t path_id, uint32_t number, int64_t predicted_us);

/* It arrived. By how much it was predicted too late; LAB_PREDICTION_NO_ERROR when it was not. */
int64_t lab_prediction_arrived(struct lab_prediction *p, uint16_t path_id, uint32_t number, uint32_t true_us);

/* The errors of a path, or NULL when there are none. */
struct lab_samples *lab_prediction_errors(struct lab_prediction *p, uint16_t path_id);

void lab_prediction_free(struct lab_prediction *p);

#endif
