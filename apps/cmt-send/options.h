/* SPDX-License-Identifier: BSD-3-Clause
 *
 * options.h - cmt-send's command line. */
#ifndef SEND_OPTIONS_H
#define SEND_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "options/transport_options.h"

struct send_options {
	struct app_transport transport;
	const char *name; /* --name; NULL = the files' own */
	bool resume, quiet, verbose, stats_json;
	uint64_t timeout_us;
	char **operands;
	int n_operands;
};

/* 0, or APP_EXIT_USAGE after a message on stderr. --help and --version end the program. `argv` must outlive
 * the options. */
int send_options_parse(struct send_options *o, int argc, char **argv);

extern const char send_help[];

#endif
