/* SPDX-License-Identifier: BSD-3-Clause
 *
 * options.h - cmt-streamd's command line and its configuration file, which knows the same names. */
#ifndef STREAMD_OPTIONS_H
#define STREAMD_OPTIONS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "options/transport_options.h"

struct streamd_options {
	struct app_transport transport;
	char directory[PATH_MAX];
	char access_log[PATH_MAX]; /* "-" = standard output, "none" */
	int64_t max_clients, max_requests;
	uint64_t memory_bytes;
	uint64_t hello_timeout_us, idle_timeout_us, stall_timeout_us, grace_us;
	bool quiet, no_list;
	struct streamd_kept *kept; /* values of the file, which `transport` points into */
};

/* 0, or APP_EXIT_USAGE after a message on stderr. --help and --version end the program. `argv` must outlive
 * the options. */
int streamd_options_parse(struct streamd_options *o, int argc, char **argv);
void streamd_options_free(struct streamd_options *o);

extern const char streamd_help[];

#endif
