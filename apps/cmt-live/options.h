/* SPDX-License-Identifier: BSD-3-Clause
 *
 * options.h - the command line of cmt-live. */
#ifndef LIVE_OPTIONS_H
#define LIVE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "endpoint.h"
#include "options/transport_options.h"

struct live_options {
	struct endpoint from, to;
	bool sends;   /* `to` is the CMT endpoint; else `from` is */
	bool listens; /* for CMT; else it calls */
	uint32_t latency_ms;
	bool early;           /* --release early */
	uint64_t rate_bps;    /* standard input is read no faster than this; 0 = as it comes */
	bool once;            /* end with the first stream */
	uint64_t timeout_us;  /* give up after this long without a connection; 0 = never */
	uint64_t interval_us; /* between status lines; 0 = none */
	bool stats_json, quiet;
	const char *target_file; /* --target-bitrate-file; NULL = none */
	struct app_transport transport;
};

extern const char live_help[];

/* 0, or the exit status when the arguments are wrong: the message has been printed. --help and --version end
 * the program. */
int live_options_parse(struct live_options *o, int argc, char **argv);

#endif
