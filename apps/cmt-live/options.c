/* SPDX-License-Identifier: BSD-3-Clause */
#include "options.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "live_message.h"
#include "options/option_values.h"
#include "options/read_options.h"
#include "options/shared_options.h"

#define PROGRAM             "cmt-live"
#define DEFAULT_LATENCY_MS  300u
#define DEFAULT_INTERVAL_US 1000000u
#define MIN_INTERVAL_US     100000u
/* Room for what is under way; the stack is given no more than that (sender.c). */
#define DEFAULT_BUFFER_BYTES (4u << 20)

enum {
	OPT_LATENCY = 1,
	OPT_RELEASE,
	OPT_RATE,
	OPT_ONCE,
	OPT_TIMEOUT,
	OPT_STATS,
	OPT_TARGET,
	OPT_REPAIR,
	OPT_HELP,
	OPT_VERSION
};

static const struct option long_options[] = {
    APP_TRANSPORT_LONG_OPTIONS,
    {"peer-udp-port", required_argument, NULL, APP_OPT_PEER_UDP_PORT},
    APP_KNOWN_PEERS_LONG_OPTIONS,
    APP_METERED_LONG_OPTIONS,
    {"latency", required_argument, NULL, OPT_LATENCY},
    {"release", required_argument, NULL, OPT_RELEASE},
    {"repair", required_argument, NULL, OPT_REPAIR},
    {"rate", required_argument, NULL, OPT_RATE},
    {"once", no_argument, NULL, OPT_ONCE},
    {"timeout", required_argument, NULL, OPT_TIMEOUT},
    {"interval", required_argument, NULL, 'i'},
    {"stats", required_argument, NULL, OPT_STATS},
    {"target-bitrate-file", required_argument, NULL, OPT_TARGET},
    {"quiet", no_argument, NULL, 'q'},
    {"help", no_argument, NULL, OPT_HELP},
    {"version", no_argument, NULL, OPT_VERSION},
    {NULL, 0, NULL, 0},
};

static int take_latency(const char *value, uint32_t *ms, struct app_error *error)
{
	uint64_t us;

	if (app_take_time("latency", value, LIVE_MIN_LATENCY_MS * UINT64_C(1000),
	                  LIVE_MAX_LATENCY_MS * UINT64_C(1000), &us, error) != 0) {
		return -1;
	}
	*ms = (uint32_t)(us / 1000);
	return 0;
}

static int take_release(const char *value, bool *early, struct app_error *error)
{
	if (strcmp(value, "early") != 0 && strcmp(value, "deadline") != 0) {
		return app_error_set(error, "--release: \"%s\" is not deadline or early", value);
	}
	*early = strcmp(value, "early") == 0;
	return 0;
}

static int take_repair(const char *value, bool *repair, struct app_error *error)
{
	if (strcmp(value, "auto") != 0 && strcmp(value, "off") != 0) {
		return app_error_set(error, "--repair: \"%s\" is not auto or off", value);
	}
	*repair = strcmp(value, "auto") == 0;
	return 0;
}

static int take(void *into, int code, const char *name, const char *value, struct app_error *error)
{
	struct live_options *const o = into;

	switch (code) {
	case OPT_LATENCY: return take_latency(value, &o->latency_ms, error);
	case OPT_RELEASE: return take_release(value, &o->early, error);
	case OPT_REPAIR: return take_repair(value, &o->repair, error);
	case OPT_RATE: return app_take_rate(name, value, APP_NO_LIMIT, &o->rate_bps, error);
	case OPT_ONCE: o->once = true; return 0;
	case OPT_TIMEOUT: return app_take_timeout(name, value, &o->timeout_us, error);
	case 'i': return app_take_interval(name, value, MIN_INTERVAL_US, &o->interval_us, error);
	case OPT_STATS: o->stats_json = true; return app_take_stats(value, error);
	case OPT_TARGET: o->target_file = value; return 0;
	case 'q': o->quiet = true; return 0;
	default: return app_transport_take(&o->transport, code, name, value, error);
	}
}

int live_options_settle(struct live_options *o, struct app_error *error)
{
	const struct endpoint *cmt;

	if ((o->from.kind == ENDPOINT_CMT) == (o->to.kind == ENDPOINT_CMT)) {
		return app_error_set(error, "%s %s: exactly one of the two must be cmt://", o->from.text,
		                     o->to.text);
	}
	o->sends = o->to.kind == ENDPOINT_CMT;
	cmt = o->sends ? &o->to : &o->from;
	o->listens = cmt->hosts == NULL;
	o->transport.connect = cmt->hosts;
	*(o->listens ? &o->transport.bind_port : &o->transport.connect_port) = cmt->port;
	return 0;
}

static int take_arguments(void *into, int n, char **texts, struct app_error *error)
{
	struct live_options *const o = into;

	if (n != 2) {
		return app_error_set(
		    error, "two endpoints are needed, FROM and TO; %d given; try `%s --help`", n, PROGRAM);
	}
	if (endpoint_parse(texts[0], &o->from, error) != 0 || endpoint_parse(texts[1], &o->to, error) != 0) {
		return -1;
	}
	return live_options_settle(o, error);
}

static int check(void *into, struct app_error *error)
{
	struct live_options *const o = into;

	if (o->rate_bps != 0 && o->from.kind != ENDPOINT_STDIO) {
		return app_error_set(error, "--rate: is for standard input (-); leave it out");
	}
	if (o->early && o->sends) {
		return app_error_set(error, "--release: is for the side that receives; leave it out");
	}
	if (o->target_file != NULL && !o->sends) {
		return app_error_set(error,
		                     "--target-bitrate-file: is for the side that sends; leave it out");
	}
	if (o->to.kind == ENDPOINT_STDIO && isatty(STDOUT_FILENO) == 1) {
		return app_error_set(error,
		                     "-: standard output is a terminal; pipe it into a player or a file");
	}
	if (o->to.kind == ENDPOINT_UDP && o->to.hosts == NULL) {
		return app_error_set(error, "%s: names no address to send to; write udp://127.0.0.1:%u",
		                     o->to.text, o->to.port);
	}
	return app_transport_complete(&o->transport, o->listens, error);
}

static const struct app_options command_line = {.program = PROGRAM,
                                                .help = live_help,
                                                .short_options = "i:q",
                                                .long_options = long_options,
                                                .help_code = OPT_HELP,
                                                .version_code = OPT_VERSION,
                                                .take = take,
                                                .take_arguments = take_arguments,
                                                .check = check};

void live_options_init(struct live_options *o)
{
	*o = (struct live_options){.latency_ms = DEFAULT_LATENCY_MS, .repair = true};
	app_transport_init(&o->transport);
	o->transport.port = o->transport.server_udp_port = LIVE_PORT;
	o->transport.sndbuf_bytes = o->transport.rcvbuf_bytes = DEFAULT_BUFFER_BYTES;
}

int live_options_parse(struct live_options *o, int argc, char **argv)
{
	live_options_init(o);
	o->interval_us = isatty(STDERR_FILENO) == 1 ? DEFAULT_INTERVAL_US : 0;
	return app_read_options(&command_line, argc, argv, o);
}

void live_say(const struct live_options *o, const char *format, ...)
{
	struct app_error line;
	va_list args;

	va_start(args, format);
	(void)vsnprintf(line.text, sizeof(line.text), format, args);
	va_end(args);
	if (o->host != NULL) {
		o->host->say(line.text, o->host->arg);
	} else {
		app_complain(PROGRAM, "%s", line.text);
	}
}
