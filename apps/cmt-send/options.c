/* SPDX-License-Identifier: BSD-3-Clause */
#include "options.h"

#include <string.h>

#include "options/read_options.h"
#include "options/shared_options.h"

#define PROGRAM            "cmt-send"
#define DEFAULT_TIMEOUT_US 60000000u
/* One DATA chunk a packet at an MTU of 1500, the cheapest for both sides. */
#define DEFAULT_MSG_BYTES 1400u

enum { OPT_RESUME = 256, OPT_NAME, OPT_TIMEOUT, OPT_STATS, OPT_HELP, OPT_VERSION };

static const struct option long_options[] = {
    APP_TRANSPORT_LONG_OPTIONS,
    APP_CONNECT_LONG_OPTIONS,
    APP_MESSAGE_LONG_OPTIONS,
    {"quiet", no_argument, NULL, 'q'},
    {"verbose", no_argument, NULL, 'v'},
    {"resume", no_argument, NULL, OPT_RESUME},
    {"name", required_argument, NULL, OPT_NAME},
    {"timeout", required_argument, NULL, OPT_TIMEOUT},
    {"stats", required_argument, NULL, OPT_STATS},
    {"help", no_argument, NULL, OPT_HELP},
    {"version", no_argument, NULL, OPT_VERSION},
    {NULL, 0, NULL, 0},
};

static int take(void *into, int code, const char *name, const char *value, struct app_error *error)
{
	struct send_options *const o = into;

	switch (code) {
	case 'q': o->quiet = true; return 0;
	case 'v': o->verbose = true; return 0;
	case OPT_RESUME: o->resume = true; return 0;
	case OPT_NAME: o->name = value; return 0;
	case OPT_TIMEOUT: return app_take_timeout(name, value, &o->timeout_us, error);
	case OPT_STATS: o->stats_json = true; return app_take_stats(value, error);
	default: return app_transport_take(&o->transport, code, name, value, error);
	}
}

static int take_arguments(void *into, int n, char **operands, struct app_error *error)
{
	struct send_options *const o = into;

	(void)error;
	o->operands = operands;
	o->n_operands = n;
	return 0;
}

static bool has_stdin(const struct send_options *o)
{
	for (int i = 0; i < o->n_operands; i++) {
		if (strcmp(o->operands[i], "-") == 0) {
			return true;
		}
	}
	return false;
}

static int check(void *into, struct app_error *error)
{
	struct send_options *const o = into;

	if (o->transport.connect == NULL) {
		return app_error_set(error, "no receiver given; write --connect ADDR[,ADDR..]");
	}
	if (o->n_operands == 0) {
		return app_error_set(error,
		                     "nothing to send; name files or folders, or - for standard input");
	}
	if (o->name != NULL && o->n_operands > 1) {
		return app_error_set(error, "--name: is for one file or folder, and %d are given",
		                     o->n_operands);
	}
	if (o->resume && has_stdin(o)) {
		return app_error_set(error, "--resume: standard input cannot be resumed; send a file");
	}
	if (o->transport.msg_bytes > o->transport.sndbuf_bytes / 2) {
		return app_error_set(error, "--msg: \"%u\" is too large for --sndbuf %u; at most half of it",
		                     o->transport.msg_bytes, o->transport.sndbuf_bytes);
	}
	return app_transport_complete(&o->transport, false, error);
}

static const struct app_options command_line = {.program = PROGRAM,
                                                .help = send_help,
                                                .short_options = "qv",
                                                .long_options = long_options,
                                                .help_code = OPT_HELP,
                                                .version_code = OPT_VERSION,
                                                .take = take,
                                                .take_arguments = take_arguments,
                                                .check = check};

int send_options_parse(struct send_options *o, int argc, char **argv)
{
	*o = (struct send_options){.timeout_us = DEFAULT_TIMEOUT_US};
	app_transport_init(&o->transport);
	o->transport.msg_bytes = DEFAULT_MSG_BYTES;
	return app_read_options(&command_line, argc, argv, o);
}
