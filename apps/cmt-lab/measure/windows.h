/* SPDX-License-Identifier: BSD-3-Clause
 *
 * windows.h - bytes by the stretch of time in which they came.
 *
 * Pure but for memory (samples.h). */
#ifndef LAB_WINDOWS_H
#define LAB_WINDOWS_H

#include <stddef.h>
#include <stdint.h>

#define LAB_WINDOW_US 1000000u

struct lab_windows {
	uint64_t width_us; /* of each; set before the first bytes */
	uint64_t *bytes;
	size_t n, room;
};

/* `len_bytes` came `since_us` after the start. */
void lab_windows_add(struct lab_windows *w, uint64_t since_us, uint64_t len_bytes);

/* Of window `i`; 0 where nothing came. */
uint64_t lab_windows_bytes(const struct lab_windows *w, size_t i);

void lab_windows_free(struct lab_windows *w);

#endif
