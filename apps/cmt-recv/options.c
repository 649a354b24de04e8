/* SPDX-License-Identifier: BSD-3-Clause */
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options/read_options.h"
#include "options/shared_options.h"

#define PROGRAM            "cmt-recv"
#define DEFAULT_TIMEOUT_US 60000000u

enum { OPT_OVERWRITE = 256, OPT_ONCE, OPT_TIMEOUT, OPT_STATS, OPT_HELP, OPT_VERSION };

static const struct option long_options[] = {
    APP_TRANSPORT_LONG_OPTIONS,
    {"directory", required_argument, NULL, 'd'},
    {"output", required_argument, NULL, 'o'},
    {"quiet", no_argument, NULL, 'q'},
    {"overwrite", no_argument, NULL, OPT_OVERWRITE},
    {"once", no_argument, NULL, OPT_ONCE},
    {"timeout", required_argument, NULL, OPT_TIMEOUT},
    {"stats", required_argument, NULL, OPT_STATS},
    {"help", no_argument, NULL, OPT_HELP},
    {"version", no_argument, NULL, OPT_VERSION},
    {NULL, 0, NULL, 0},
};

static int take(void *into, int code, const char *name, const char *value, struct app_error *error)
{
	struct recv_options *const o = into;

	switch (code) {
	case 'd': o->directory = value; return 0;
	case 'o': o->output = value; return 0;
	case 'q': o->quiet = true; return 0;
	case OPT_OVERWRITE: o->overwrite = true; return 0;
	case OPT_ONCE: o->once = true; return 0;
	case OPT_TIMEOUT: return app_take_timeout(name, value, &o->timeout_us, error);
	case OPT_STATS: o->stats_json = true; return app_take_stats(value, error);
	default: return app_transport_take(&o->transport, code, name, value, error);
	}
}

static int check(void *into, struct app_error *error)
{
	struct recv_options *const o = into;

	if (o->output != NULL && o->directory != NULL) {
		return app_error_set(error, "-o and -d exclude each other; write -o DIR/FILE");
	}
	if (o->output != NULL && *o->output == '\0') {
		return app_error_set(error, "-o: the name is empty; write -o FILE or -o -");
	}
	return app_transport_complete(&o->transport, true, error);
}

static const struct app_options command_line = {.program = PROGRAM,
                                                .help = recv_help,
                                                .short_options = "d:o:q",
                                                .long_options = long_options,
                                                .help_code = OPT_HELP,
                                                .version_code = OPT_VERSION,
                                                .take = take,
                                                .check = check};

int recv_options_parse(struct recv_options *o, int argc, char **argv)
{
	*o = (struct recv_options){.timeout_us = DEFAULT_TIMEOUT_US};
	app_transport_init(&o->transport);
	return app_read_options(&command_line, argc, argv, o);
}
