/* SPDX-License-Identifier: BSD-3-Clause
 *
 * options.h - the command line of cmt-perf. */
#ifndef PERF_OPTIONS_H
#define PERF_OPTIONS_H

#include "options/transport_options.h"
#include "perf_test.h"

struct perf_options {
	bool server;
	bool one_off; /* the server ends after one test */
	bool json;
	bool quiet;
	uint64_t interval_us;  /* of reports; 0 = none */
	struct perf_test test; /* clients */
	uint16_t server_port;  /* -p; 0 = not given */
	struct app_transport transport;
};

extern const char perf_help[];

/* 0, or the exit status when the arguments are wrong: the message has been printed. --help and --version end
 * the program. */
int perf_options_parse(struct perf_options *o, int argc, char **argv);

#endif
