/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/prediction.h"

#include <stdlib.h>

/* Keeps a broken sender from making the lab allocate without end. */
#define MAX_NUMBERS (UINT32_C(1) << 28)

static struct lab_prediction_path *find(struct lab_prediction *p, uint16_t path_id)
{
	for (size_t i = 0; i < p->n_paths; i++) {
		if (p->paths[i].path_id == path_id) {
			return &p->paths[i];
		}
	}
	return NULL;
}

void lab_prediction_sent(struct lab_prediction *p, uint16_t path_id, uint32_t number, int64_t predicted_us)
{
	struct lab_prediction_path *path = find(p, path_id);
	uint32_t index;

	if (path == NULL) {
		if (p->n_paths == LAB_PREDICTION_PATHS) {
			return;
		}
		path = &p->paths[p->n_paths++];
		path->path_id = path_id;
		path->first_number = number;
	}
	index = number - path->first_number;
	if (index >= MAX_NUMBERS) {
		return;
	}
	if (index >= path->n) {
		size_t room = path->n == 0 ? 1024 : 2 * path->n;

		room = room > index ? room : (size_t)index + 1;
		path->predicted_us = lab_grow(path->predicted_us, room, sizeof(*path->predicted_us));
		while (path->n < room) {
			path->predicted_us[path->n++] = LAB_PREDICTION_UNKNOWN;
		}
	}
	path->predicted_us[index] = predicted_us;
}

int64_t lab_prediction_arrived(struct lab_prediction *p, uint16_t path_id, uint32_t number, uint32_t true_us)
{
	struct lab_prediction_path *path = find(p, path_id);
	uint32_t index = path == NULL ? 0 : number - path->first_number;
	int64_t error;

	if (path == NULL || index >= path->n || path->predicted_us[index] == LAB_PREDICTION_UNKNOWN) {
		return LAB_PREDICTION_NO_ERROR;
	}
	error = (int32_t)((uint32_t)path->predicted_us[index] - true_us);
	lab_samples_add(&path->error_us, (uint64_t)(error < 0 ? -error : error));
	path->predicted_us[index] = LAB_PREDICTION_UNKNOWN;
	return error;
}

struct lab_samples *lab_prediction_errors(struct lab_prediction *p, uint16_t path_id)
{
	struct lab_prediction_path *path = find(p, path_id);

	return path == NULL || path->error_us.n == 0 ? NULL : &path->error_us;
}

void lab_prediction_free(struct lab_prediction *p)
{
	for (size_t i = 0; i < p->n_paths; i++) {
		free(p->paths[i].predicted_us);
		lab_samples_free(&p->paths[i].error_us);
	}
	*p = (struct lab_prediction){.n_paths = 0};
}
