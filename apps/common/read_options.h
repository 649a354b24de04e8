/* SPDX-License-Identifier: BSD-3-Clause
 *
 * read_options.h - a program's command line, on getopt_long(). */
#ifndef APP_READ_OPTIONS_H
#define APP_READ_OPTIONS_H

#include <getopt.h>

#include "message.h"

/* One option with its value, NULL when it takes none; `name` is its long name, "" when it was written short.
 * `into` is the program's. 0, or -1 with the reason. */
typedef int app_take_option(void *into, int code, const char *name, const char *value,
                            struct app_error *error);

struct app_options {
	const char *program, *help;
	const char *short_options;
	const struct option *long_options;
	int help_code, version_code; /* print and end the program */
	app_take_option *take;
};

/* Takes all options. 0, and optind is the first argument that is none; or -1 with the reason. */
int app_read_options(const struct app_options *options, int argc, char **argv, void *into,
                     struct app_error *error);

/* Behind it, of a program that takes nothing but options: 0, or -1 when there is an argument. */
int app_no_arguments(const struct app_options *options, int argc, char **argv, struct app_error *error);

#endif
