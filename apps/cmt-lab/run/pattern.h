/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pattern.h - content that is a function of its place, so that a receiver can check it without a copy.
 *
 * Pure. No two stretches of eight bytes at multiples of eight are alike. */
#ifndef LAB_PATTERN_H
#define LAB_PATTERN_H

#include <stddef.h>
#include <stdint.h>

void lab_pattern_fill(uint8_t *out, uint64_t offset, size_t len);

/* The number of leading bytes that are right: `len` when all are. */
size_t lab_pattern_match(const uint8_t *bytes, uint64_t offset, size_t len);

#endif
