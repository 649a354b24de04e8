/* SPDX-License-Identifier: BSD-3-Clause
 *
 * options.h - the command line of cmt-gateway. */
#ifndef GATEWAY_OPTIONS_H
#define GATEWAY_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "options/transport_options.h"

#define GATEWAY_MAX_HOSTS 16

struct gateway_options {
	struct app_transport transport;
	struct sockaddr_storage listen;
	const char *hosts[GATEWAY_MAX_HOSTS]; /* point into argv */
	size_t n_hosts;
	const char *allow_origin; /* NULL = not given */
	uint64_t pace_bps, burst_bytes;
	uint32_t window_bytes;
	unsigned max_requests, max_clients;
	uint64_t retry_for_us, timeout_us, idle_us;
	uint64_t request_us, keep_alive_us, stall_us;
	bool verbose, quiet;
};

extern const char gateway_help[];

/* 0, or the status to exit with after a complaint on standard error. Ends the program for --help and
 * --version.
 */
int gateway_options_parse(struct gateway_options *o, int argc, char **argv);

#endif
