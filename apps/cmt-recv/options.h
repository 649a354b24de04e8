/* SPDX-License-Identifier: BSD-3-Clause
 *
 * options.h - cmt-recv's command line. */
#ifndef RECV_OPTIONS_H
#define RECV_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "options/transport_options.h"

struct recv_options {
	struct app_transport transport;
	const char *directory; /* -d */
	const char *output;    /* -o; NULL = the senders' names */
	bool overwrite, once, quiet, stats_json;
	uint64_t timeout_us;
};

/* 0, or APP_EXIT_USAGE after a message on stderr. --help and --version end the program. `argv` must outlive
 * the options. */
int recv_options_parse(struct recv_options *o, int argc, char **argv);

extern const char recv_help[];

#endif
