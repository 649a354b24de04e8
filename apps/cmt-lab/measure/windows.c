/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/windows.h"

#include <stdlib.h>
#include <string.h>

#include "base/samples.h"

void lab_windows_add(struct lab_windows *w, uint64_t since_us, uint64_t len_bytes)
{
	size_t i = (size_t)(since_us / w->width_us);

	if (i >= w->room) {
		size_t room = 2 * i + 64;

		w->bytes = lab_grow(w->bytes, room, sizeof(*w->bytes));
		memset(w->bytes + w->room, 0, (room - w->room) * sizeof(*w->bytes));
		w->room = room;
	}
	w->bytes[i] += len_bytes;
	w->n = i >= w->n ? i + 1 : w->n;
}

uint64_t lab_windows_bytes(const struct lab_windows *w, size_t i)
{
	return i < w->n ? w->bytes[i] : 0;
}

void lab_windows_free(struct lab_windows *w)
{
	free(w->bytes);
	*w = (struct lab_windows){.width_us = w->width_us};
}
