/* SPDX-License-Identifier: BSD-3-Clause */
#include "options.h"

#include <string.h>
#include <unistd.h>

#include "live_message.h"
#include "read_options.h"
#include "shared_options.h"
#include "units.h"

#define PROGRAM             "cmt-live"
#define DEFAULT_LATENCY_MS  300u
#define DEFAULT_INTERVAL_US 1000000u
#define MIN_INTERVAL_US     100000u
/* Room for what is under way; the stack is given no more than that (sender.c). */
#define DEFAULT_BUFFER_BYTES (4u << 20)

enum { OPT_LATENCY = 1, OPT_RELEASE, OPT_RATE, OPT_ONCE, OPT_TIMEOUT, OPT_STATS, OPT_HELP, OPT_VERSION };

static const struct option long_options[] = {
    APP_TRANSPORT_LONG_OPTIONS,
    {"peer-udp-port", required_argument, NULL, APP_OPT_PEER_UDP_PORT},
    {"latency", required_argument, NULL, OPT_LATENCY},
    {"release", required_argument, NULL, OPT_RELEASE},
    {"rate", required_argument, NULL, OPT_RATE},
    {"once", no_argument, NULL, OPT_ONCE},
    {"timeout", required_argument, NULL, OPT_TIMEOUT},
    {"interval", required_argument, NULL, 'i'},
    {"stats", required_argument, NULL, OPT_STATS},
    {"quiet", no_argument, NULL, 'q'},
    {"help", no_argument, NULL, OPT_HELP},
    {"version", no_argument, NULL, OPT_VERSION},
    {NULL, 0, NULL, 0},
};

static int take_latency(const char *value, uint32_t *ms, struct app_error *error)
{
	uint64_t us;

	if (!app_parse_time(value, &us) || us < LIVE_MIN_LATENCY_MS * UINT64_C(1000) ||
	    us > LIVE_MAX_LATENCY_MS * UINT64_C(1000)) {
		return app_error_set(error, "--latency: \"%s\" is not a time from 1ms to 60s; write 300ms",
		                     value);
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

static int take_rate(const char *value, uint64_t *bps, struct app_error *error)
{
	if (!app_parse_rate(value, bps) || *bps == 0) {
		return app_error_set(error, "--rate: \"%s\" is not " APP_RATE_FORM, value);
	}
	return 0;
}

static int take_interval(const char *value, uint64_t *us, struct app_error *error)
{
	if (strcmp(value, "0") == 0) {
		*us = 0;
	} else if (!app_parse_time(value, us) || *us < MIN_INTERVAL_US) {
		return app_error_set(error, "--interval: \"%s\" is not 0 or a time from 100ms; write 1s",
		                     value);
	}
	return 0;
}

static int take(void *into, int code, const char *name, const char *value, struct app_error *error)
{
	struct live_options *const o = into;

	switch (code) {
	case OPT_LATENCY: return take_latency(value, &o->latency_ms, error);
	case OPT_RELEASE: return take_release(value, &o->early, error);
	case OPT_RATE: return take_rate(value, &o->rate_bps, error);
	case OPT_ONCE: o->once = true; return 0;
	case OPT_TIMEOUT: return app_take_timeout(value, &o->timeout_us, error);
	case 'i': return take_interval(value, &o->interval_us, error);
	case OPT_STATS: o->stats_json = true; return app_take_stats(value, error);
	case 'q': o->quiet = true; return 0;
	default: return app_transport_take(&o->transport, code, name, value, error);
	}
}

static int take_arguments(void *into, int n, char **texts, struct app_error *error)
{
	struct live_options *const o = into;

	if (n != 2) {
		return app_error_set(error,
		                     "two endpoints are needed, FROM and TO, and %d given; try `%s --help`",
		                     n, PROGRAM);
	}
	if (endpoint_parse(texts[0], &o->from, error) != 0 || endpoint_parse(texts[1], &o->to, error) != 0) {
		return -1;
	}
	if ((o->from.kind == ENDPOINT_CMT) == (o->to.kind == ENDPOINT_CMT)) {
		return app_error_set(error, "%s %s: one of the two, and one only, must be cmt://", texts[0],
		                     texts[1]);
	}
	o->sends = o->to.kind == ENDPOINT_CMT;
	return 0;
}

/* What follows from the endpoints. */
static void complete(struct live_options *o)
{
	const struct endpoint *const cmt = o->sends ? &o->to : &o->from;
	struct app_error ignored;

	o->listens = cmt->host[0] == '\0';
	o->transport.port = cmt->port != 0 ? cmt->port : o->transport.port;
	if (!o->listens) {
		return;
	}
	o->transport.udp_port =
	    o->transport.udp_port != 0 ? o->transport.udp_port : USRSCTP_CMT_EVENT_UDP_PORT;
	if (o->transport.bind.n == 0 && !o->transport.bind_any) {
		(void)app_addresses_add(&o->transport.bind, "127.0.0.1", 0, false, &ignored);
	}
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
	if (o->to.kind == ENDPOINT_STDIO && isatty(STDOUT_FILENO) == 1) {
		return app_error_set(error,
		                     "-: standard output is a terminal; pipe it into a player or a file");
	}
	if (o->to.kind == ENDPOINT_UDP && o->to.host[0] == '\0') {
		return app_error_set(error, "%s: names no address to send to; write udp://127.0.0.1:%u",
		                     o->to.text, o->to.port);
	}
	complete(o);
	return 0;
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

int live_options_parse(struct live_options *o, int argc, char **argv)
{
	*o = (struct live_options){.latency_ms = DEFAULT_LATENCY_MS,
	                           .interval_us = isatty(STDERR_FILENO) == 1 ? DEFAULT_INTERVAL_US : 0};
	app_transport_init(&o->transport);
	o->transport.port = LIVE_PORT;
	o->transport.sndbuf_bytes = o->transport.rcvbuf_bytes = DEFAULT_BUFFER_BYTES;
	return app_read_options(&command_line, argc, argv, o);
}
