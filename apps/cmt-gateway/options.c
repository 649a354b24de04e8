/* SPDX-License-Identifier: BSD-3-Clause */
#include "options.h"

#include <string.h>

#include "media_message.h"
#include "options/option_values.h"
#include "options/read_options.h"
#include "options/shared_options.h"

#define PROGRAM          "cmt-gateway"
#define DEFAULT_LISTEN   "127.0.0.1:8080"
#define WINDOW_MIN_BYTES 65536
#define WINDOW_MAX_BYTES (1u << 28)
#define DEFAULT_BUFFER   (2u << 20)
#define DEFAULT_BURST_S  4 /* of what --pace allows: most players begin with less */

enum {
	OPT_LISTEN = 256,
	OPT_HOST,
	OPT_ALLOW_ORIGIN,
	OPT_PACE,
	OPT_BURST,
	OPT_WINDOW,
	OPT_MAX_REQUESTS,
	OPT_MAX_CLIENTS,
	OPT_RETRY_FOR,
	OPT_TIMEOUT,
	OPT_IDLE,
	OPT_REQUEST_TIMEOUT,
	OPT_KEEP_ALIVE,
	OPT_STALL,
	OPT_HELP,
	OPT_VERSION
};

static const struct option long_options[] = {
    APP_TRANSPORT_LONG_OPTIONS,
    APP_CONNECT_LONG_OPTIONS,
    {"listen", required_argument, NULL, OPT_LISTEN},
    {"host", required_argument, NULL, OPT_HOST},
    {"allow-origin", required_argument, NULL, OPT_ALLOW_ORIGIN},
    {"pace", required_argument, NULL, OPT_PACE},
    {"burst", required_argument, NULL, OPT_BURST},
    {"window", required_argument, NULL, OPT_WINDOW},
    {"max-requests", required_argument, NULL, OPT_MAX_REQUESTS},
    {"max-clients", required_argument, NULL, OPT_MAX_CLIENTS},
    {"retry-for", required_argument, NULL, OPT_RETRY_FOR},
    {"timeout", required_argument, NULL, OPT_TIMEOUT},
    {"idle", required_argument, NULL, OPT_IDLE},
    {"request-timeout", required_argument, NULL, OPT_REQUEST_TIMEOUT},
    {"keep-alive", required_argument, NULL, OPT_KEEP_ALIVE},
    {"stall", required_argument, NULL, OPT_STALL},
    {"verbose", no_argument, NULL, 'v'},
    {"quiet", no_argument, NULL, 'q'},
    {"help", no_argument, NULL, OPT_HELP},
    {"version", no_argument, NULL, OPT_VERSION},
    {NULL, 0, NULL, 0},
};

static int take_listen(struct gateway_options *o, const char *value, struct app_error *error)
{
	return app_parse_service(value, &o->listen)
	           ? 0
	           : app_error_set(error,
	                           "--listen: \"%s\" is not [ADDR:]PORT; write 8080, 127.0.0.1:8080 or "
	                           "[::1]:8080",
	                           value);
}

static int take_host(struct gateway_options *o, const char *value, struct app_error *error)
{
	if (*value == '\0' || strchr(value, ':') != NULL) {
		return app_error_set(error, "--host: \"%s\" is not a name; write it without http:// and port",
		                     value);
	}
	if (o->n_hosts == GATEWAY_MAX_HOSTS) {
		return app_error_set(error, "--host: \"%s\": one name too many; at most %d", value,
		                     GATEWAY_MAX_HOSTS);
	}
	o->hosts[o->n_hosts++] = value;
	return 0;
}

static int take_origin(struct gateway_options *o, const char *value, struct app_error *error)
{
	if (strcmp(value, "*") != 0 && (strstr(value, "://") == NULL || strpbrk(value, " \t\r\n,") != NULL)) {
		return app_error_set(
		    error, "--allow-origin: \"%s\" is not an origin; write http://localhost:3000 or \"*\"",
		    value);
	}
	o->allow_origin = value;
	return 0;
}

static int take_time(const char *name, const char *value, uint64_t *us, struct app_error *error)
{
	return app_take_time(name, value, 1, APP_NO_LIMIT, us, error);
}

static int take_window(struct gateway_options *o, const char *value, struct app_error *error)
{
	uint64_t bytes;

	if (app_take_size("window", value, WINDOW_MIN_BYTES, WINDOW_MAX_BYTES, &bytes, error) != 0) {
		return -1;
	}
	o->window_bytes = (uint32_t)bytes;
	return 0;
}

static int take_count(const char *name, const char *value, int64_t max, unsigned *count,
                      struct app_error *error)
{
	int64_t parsed;

	if (app_take_count(name, value, 1, max, &parsed, error) != 0) {
		return -1;
	}
	*count = (unsigned)parsed;
	return 0;
}

static int take(void *into, int code, const char *name, const char *value, struct app_error *error)
{
	struct gateway_options *const o = into;

	switch (code) {
	case 'v': o->verbose = true; return 0;
	case 'q': o->quiet = true; return 0;
	case OPT_LISTEN: return take_listen(o, value, error);
	case OPT_HOST: return take_host(o, value, error);
	case OPT_ALLOW_ORIGIN: return take_origin(o, value, error);
	case OPT_PACE: return app_take_rate(name, value, MEDIA_PACE_MAX_BPS, &o->pace_bps, error);
	case OPT_BURST: return app_take_size(name, value, 0, APP_NO_LIMIT, &o->burst_bytes, error);
	case OPT_WINDOW: return take_window(o, value, error);
	case OPT_MAX_REQUESTS: return take_count(name, value, MEDIA_STREAMS - 1, &o->max_requests, error);
	case OPT_MAX_CLIENTS: return take_count(name, value, 10000, &o->max_clients, error);
	case OPT_RETRY_FOR: return take_time(name, value, &o->retry_for_us, error);
	case OPT_TIMEOUT: return app_take_timeout(name, value, &o->timeout_us, error);
	case OPT_IDLE: return take_time(name, value, &o->idle_us, error);
	case OPT_REQUEST_TIMEOUT: return take_time(name, value, &o->request_us, error);
	case OPT_KEEP_ALIVE: return take_time(name, value, &o->keep_alive_us, error);
	case OPT_STALL: return take_time(name, value, &o->stall_us, error);
	default: return app_transport_take(&o->transport, code, name, value, error);
	}
}

static int check(void *into, struct app_error *error)
{
	struct gateway_options *const o = into;

	if (o->transport.connect == NULL) {
		return app_error_set(error, "no server given; write --connect ADDR[,ADDR..]");
	}
	if (o->quiet && o->verbose) {
		return app_error_set(error, "-q and -v exclude each other");
	}
	if (o->pace_bps > 0 && MEDIA_DATA_MAX_BYTES * 8 * APP_SECOND_US / o->pace_bps > o->timeout_us / 2) {
		return app_error_set(error, "--pace: so slow that the server would be silent for longer than "
		                            "--timeout between messages; raise either");
	}
	if (o->burst_bytes == UINT64_MAX) {
		o->burst_bytes = o->pace_bps / 8 * DEFAULT_BURST_S;
	} else if (o->pace_bps == 0) {
		return app_error_set(error, "--burst: has no effect without --pace");
	}
	return app_transport_complete(&o->transport, false, error);
}

static const struct app_options command_line = {.program = PROGRAM,
                                                .help = gateway_help,
                                                .short_options = "vq",
                                                .long_options = long_options,
                                                .help_code = OPT_HELP,
                                                .version_code = OPT_VERSION,
                                                .take = take,
                                                .check = check};

int gateway_options_parse(struct gateway_options *o, int argc, char **argv)
{
	struct app_error error;

	*o = (struct gateway_options){.burst_bytes = UINT64_MAX,
	                              .window_bytes = 1u << 20,
	                              .max_requests = 32,
	                              .max_clients = 256,
	                              .retry_for_us = 30 * APP_SECOND_US,
	                              .timeout_us = 10 * APP_SECOND_US,
	                              .request_us = 10 * APP_SECOND_US,
	                              .keep_alive_us = 60 * APP_SECOND_US,
	                              .stall_us = 3600 * APP_SECOND_US};
	app_transport_init(&o->transport);
	o->transport.port = o->transport.server_udp_port = MEDIA_PORT;
	o->transport.rcvbuf_bytes = DEFAULT_BUFFER;
	(void)take_listen(o, DEFAULT_LISTEN, &error);
	return app_read_options(&command_line, argc, argv, o);
}
