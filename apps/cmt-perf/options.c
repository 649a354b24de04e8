/* SPDX-License-Identifier: BSD-3-Clause */
#include "options.h"

#include <stdlib.h>
#include <string.h>

#include "read_options.h"
#include "units.h"

#define PROGRAM             "cmt-perf"
#define DEFAULT_DURATION_US 10000000u
#define DEFAULT_INTERVAL_US 1000000u
#define MIN_INTERVAL_US     10000u
/* One DATA chunk a packet at an MTU of 1500. */
#define DEFAULT_MSG_BYTES 1400u

static const struct option long_options[] = {
    APP_TRANSPORT_LONG_OPTIONS,
    {"peer-udp-port", required_argument, NULL, APP_OPT_PEER_UDP_PORT},
    {"server", no_argument, NULL, 's'},
    {"one-off", no_argument, NULL, '1'},
    {"client", required_argument, NULL, 'c'},
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

/* As --time and --interval are written; a bare number is seconds, as iperf3 has it. */
static bool parse_seconds(const char *text, uint64_t *us)
{
	int64_t seconds;

	if (app_parse_count(text, 0, PERF_MAX_DURATION_US / 1000000, &seconds)) {
		*us = (uint64_t)seconds * 1000000;
		return true;
	}
	return app_parse_time(text, us) && *us <= PERF_MAX_DURATION_US;
}

static int take_duration(const char *value, uint64_t *us, struct app_error *error)
{
	if (!parse_seconds(value, us) || *us == 0) {
		return app_error_set(
		    error, "--time: \"%s\" is not a time up to a day; write 5, 500ms or 1.5s", value);
	}
	return 0;
}

static int take_interval(const char *value, uint64_t *us, struct app_error *error)
{
	if (!parse_seconds(value, us) || (*us != 0 && *us < MIN_INTERVAL_US)) {
		return app_error_set(
		    error, "--interval: \"%s\" is not 0 or a time from 10ms; write 1 or 500ms", value);
	}
	return 0;
}

static int take_bytes(const char *value, uint64_t *bytes, struct app_error *error)
{
	if (!app_parse_size(value, bytes) || *bytes == 0 || *bytes > INT64_MAX) {
		return app_error_set(error, "--bytes: \"%s\" is not " APP_SIZE_FORM, value);
	}
	return 0;
}

static int take_rate(const char *value, uint64_t *bps, struct app_error *error)
{
	if (!app_parse_rate(value, bps) || *bps == 0 || *bps > INT64_MAX) {
		return app_error_set(error, "--rate: \"%s\" is not " APP_RATE_FORM, value);
	}
	return 0;
}

static int take_message(const char *value, uint32_t *bytes, struct app_error *error)
{
	uint64_t size;

	if (!app_parse_size(value, &size) || size < PERF_MIN_MSG_BYTES || size > PERF_MAX_MSG_BYTES) {
		return app_error_set(error, "--msg: \"%s\" is not a size from %u to 256KiB", value,
		                     PERF_MIN_MSG_BYTES);
	}
	*bytes = (uint32_t)size;
	return 0;
}

static int take_parallel(const char *value, uint32_t *n, struct app_error *error)
{
	int64_t count;

	if (!app_parse_count(value, 1, PERF_MAX_PARALLEL, &count)) {
		return app_error_set(error, "--parallel: \"%s\" is not a number from 1 to %d", value,
		                     PERF_MAX_PARALLEL);
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
	case 'c': o->transport.connect = value; return 0;
	case 't': return take_duration(value, &o->test.duration_us, error);
	case 'n': return take_bytes(value, &o->test.bytes, error);
	case 'b': return take_rate(value, &o->test.rate_bps, error);
	case 'l': return take_message(value, &o->test.msg_bytes, error);
	case 'R': o->test.reverse = true; return 0;
	case 'P': return take_parallel(value, &o->test.parallel, error);
	case 'i': return take_interval(value, &o->interval_us, error);
	case 'J': o->json = true; return 0;
	case 'q': o->quiet = true; return 0;
	default: return app_transport_take(&o->transport, code, name, value, error);
	}
}

/* What was left out. */
static void complete(struct perf_options *o)
{
	struct app_error ignored;

	if (o->server) {
		o->transport.udp_port =
		    o->transport.udp_port != 0 ? o->transport.udp_port : USRSCTP_CMT_EVENT_UDP_PORT;
		if (o->transport.bind.n == 0 && !o->transport.bind_any) {
			(void)app_addresses_add(&o->transport.bind, "127.0.0.1", 0, false, &ignored);
		}
	} else if (o->test.duration_us == 0 && o->test.bytes == 0) {
		o->test.duration_us = DEFAULT_DURATION_US;
	}
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
	complete(o);
	return 0;
}

static const struct app_options command_line = {.program = PROGRAM,
                                                .help = perf_help,
                                                .short_options = "s1c:t:n:b:l:RP:i:Jqhv",
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
	o->transport.port = PERF_PORT;
	return app_read_options(&command_line, argc, argv, o);
}
