/* SPDX-License-Identifier: BSD-3-Clause
 *
 * options.h - the command line of cmt-top. */
#ifndef TOP_OPTIONS_H
#define TOP_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "options/admin_options.h"

#define TOP_MAX_TARGETS 16

enum top_order { TOP_BY_ID, TOP_BY_RATE, TOP_BY_FAILED, TOP_BY_NAME };

struct top_options {
	struct app_admin targets[TOP_MAX_TARGETS];
	const char *names[TOP_MAX_TARGETS]; /* as written */
	size_t n_targets;
	bool once, json;
	uint64_t interval_us;
	enum top_order order;
};

extern const char top_help[];

/* 0, or the exit status when the arguments are wrong: the message has been printed. --help and --version end
 * the program. */
int top_options_parse(struct top_options *o, int argc, char **argv);

#endif
