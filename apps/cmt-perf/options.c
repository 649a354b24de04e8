/* SPDX-License-Identifier: BSD-3-Clause */
#include "options.h"

#include <stdlib.h>
#include <string.h>

#include "options/option_values.h"
#include "options/read_options.h"

#define PROGRAM             "cmt-perf"
#define DEFAULT_DURATION_US 10000000u
#define DEFAULT_INTERVAL_US 1000000u
#define MIN_INTERVAL_US     10000u
/* One DATA chunk a packet at an MTU of 1500. */
#define DEFAULT_MSG_BYTES 1360u /* beside the headers in 1500 bytes, encrypted, over IPv6 too */

static const struct option long_options[] = {
    APP_TRANSPORT_LONG_OPTIONS,
    {"peer-udp-port", required_argument, NULL, APP_OPT_PEER_UDP_PORT},
    APP_KNOWN_PEERS_LONG_OPTIONS,
    {"server", no_argument, NULL, 's'},
    {"one-off", no_argument, NULL, '1'},
    {"client", required_argument, NULL, 'c'},
    {"server-port", required_argument, NULL, 'p'},
    {"time", required_argument, NULL, 't'},
    {"bytes", required_argument, NULL, 'n'},
    {"rate", required_argument, NULL, 'b'},
    {"msg", required_argument, NULL, 'l'},
    {"reverse", no_argument, NULL, 'R'},
    {"parallel", required_argument, NULL, 'P'},
    {"interval", required_argument, NULL, 'i'},
    {"json", no_argument, NULL, 'J'},
    {"quiet", no_argument, NULL, 'q'},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'v'},
    {NULL, 0, NULL, 0},
};

static int take_message(const char *value, uint32_t *bytes, struct app_error *error)
{
	uint64_t size;

	if (app_take_size("msg", value, PERF_MIN_MSG_BYTES, PERF_MAX_MSG_BYTES, &size, error) != 0) {
		return -1;
	}
	*bytes = (uint32_t)size;
	return 0;
}

static int take_parallel(const char *value, uint32_t *n, struct app_error *error)
{
	int64_t count;

	if (app_take_count("parallel", value, 1, PERF_MAX_PARALLEL, &count, error) != 0) {
		return -1;
	}
	*n = (uint32_t)count;
	return 0;
}

static int take(void *into, int code, const char *name, const char *value, struct app_error *error)
{
	struct perf_options *const o = into;

	switch (code) {
	case 's': o->server = true; return 0;
	case '1': o->one_off = true; return 0;
	case 'c': return app_transport_take(&o->transport, APP_OPT_CONNECT, name, value, error);
	case 'B': return app_transport_take(&o->transport, APP_OPT_BIND, "bind", value, error);
	case 'p': return app_take_port(name, value, false, &o->server_port, error);
	case 't': return app_take_time(name, value, 1, PERF_MAX_DURATION_US, &o->test.duration_us, error);
	case 'n': return app_take_size(name, value, 1, APP_NO_LIMIT, &o->test.bytes, error);
	case 'b': return app_take_rate(name, value, APP_NO_LIMIT, &o->test.rate_bps, error);
	case 'l': return take_message(value, &o->test.msg_bytes, error);
	case 'R': o->test.reverse = true; return 0;
	case 'P': return take_parallel(value, &o->test.parallel, error);
	case 'i': return app_take_interval(name, value, MIN_INTERVAL_US, &o->interval_us, error);
	case 'J': o->json = true; return 0;
	case 'q': o->quiet = true; return 0;
	default: return app_transport_take(&o->transport, code, name, value, error);
	}
}

/* The same as a port behind the server's addresses. */
static int take_server_port(struct perf_options *o, struct app_error *error)
{
	uint16_t *const behind = o->server ? &o->transport.bind_port : &o->transport.connect_port;

	if (*behind != 0 && *behind != o->server_port) {
		return app_error_set(error,
		                     "-p %u: the server's addresses have port %u; write only one of them",
		                     o->server_port, *behind);
	}
	*behind = o->server_port;
	return 0;
}

static int check(void *into, struct app_error *error)
{
	struct perf_options *const o = into;

	if (o->server == (o->transport.connect != NULL)) {
		return app_error_set(error, "either -s (server) or -c ADDR[,ADDR..] (client) is needed");
	}
	if (o->one_off && !o->server) {
		return app_error_set(error, "--one-off: is for servers; leave it out");
	}
	if (o->server && (o->test.duration_us != 0 || o->test.bytes != 0 || o->test.rate_bps != 0 ||
	                  o->test.reverse || o->test.parallel != 1 || o->json)) {
		return app_error_set(
		    error, "-t, -n, -b, -R, -P and -J are for clients; a server does what they ask");
	}
	if (o->test.duration_us != 0 && o->test.bytes != 0) {
		return app_error_set(error, "-t and -n exclude each other; write one of them");
	}
	if (o->test.msg_bytes > o->transport.sndbuf_bytes / 2) {
		return app_error_set(error, "--msg: \"%u\" is too large; at most half of --sndbuf",
		                     o->test.msg_bytes);
	}
	if (!o->server && o->test.duration_us == 0 && o->test.bytes == 0) {
		o->test.duration_us = DEFAULT_DURATION_US;
	}
	if (o->server_port != 0 && take_server_port(o, error) != 0) {
		return -1;
	}
	return app_transport_complete(&o->transport, o->server, error);
}

static const struct app_options command_line = {.program = PROGRAM,
                                                .help = perf_help,
                                                .short_options = "s1c:p:B:t:n:b:l:RP:i:Jqhv",
                                                .long_options = long_options,
                                                .help_code = 'h',
                                                .version_code = 'v',
                                                .take = take,
                                                .check = check};

int perf_options_parse(struct perf_options *o, int argc, char **argv)
{
	*o = (struct perf_options){.interval_us = DEFAULT_INTERVAL_US,
	                           .test = {.parallel = 1, .msg_bytes = DEFAULT_MSG_BYTES}};
	app_transport_init(&o->transport);
	o->transport.port = o->transport.server_udp_port = PERF_PORT;
	return app_read_options(&command_line, argc, argv, o);
}
