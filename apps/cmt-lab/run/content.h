/* SPDX-License-Identifier: BSD-3-Clause
 *
 * content.h - the bytes that cross the network: a pattern without end, or a file. */
#ifndef LAB_CONTENT_H
#define LAB_CONTENT_H

#include <stddef.h>
#include <stdint.h>

#include "scenario/scenario.h"

struct lab_content {
	uint8_t *file; /* mapped; NULL = the pattern */
	uint64_t file_bytes;
};

/* 0, or -1 with the reason. */
int lab_content_open(struct lab_content *c, const struct lab_source *source, struct lab_error *error);
void lab_content_close(struct lab_content *c);

/* Requires offset + len <= file_bytes for a file. */
void lab_content_fill(const struct lab_content *c, uint8_t *out, uint64_t offset, size_t len);

/* The number of leading bytes that are right. */
size_t lab_content_match(const struct lab_content *c, const uint8_t *bytes, uint64_t offset, size_t len);

#endif
