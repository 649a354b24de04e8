/* SPDX-License-Identifier: BSD-3-Clause
 *
 * view.h - what programs tell, as lines of text: for the screen, and for --once.
 *
 * Pure. Nothing in `stats` is trusted: what is missing or of another type is 0 or "-", and text is made
 * printable. */
#ifndef TOP_VIEW_H
#define TOP_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "options.h"

enum top_line_kind {
	TOP_PLAIN,
	TOP_PROGRAM, /* one begins */
	TOP_COLUMNS, /* names of columns */
	TOP_ASSOC,
	TOP_GOOD, /* a path, or an event, by its state */
	TOP_WAIT,
	TOP_BAD
};

#define TOP_LINE_BYTES 512

struct top_line {
	enum top_line_kind kind;
	char text[TOP_LINE_BYTES];
};

struct top_view {
	struct top_line *lines;
	size_t n, room;
};

struct top_view_options {
	size_t width; /* columns that do not fit are left out */
	enum top_order order;
	bool only_failed;
};

/* Adds a program's lines. `error`: why it does not answer, or "". */
void top_view_add(struct top_view *v, const struct top_view_options *options, const char *name,
                  const json_t *stats, const char *error);
void top_view_clear(struct top_view *v);
void top_view_free(struct top_view *v);

#endif
