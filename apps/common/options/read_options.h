/* SPDX-License-Identifier: BSD-3-Clause
 *
 * read_options.h - a program's command line, on getopt_long(). */
#ifndef APP_READ_OPTIONS_H
#define APP_READ_OPTIONS_H

#include <getopt.h>

#include "text/message.h"

/* One option with its value, NULL when it takes none; `name` is its long name, also when it was written
 * short. `into` is the program's. 0, or -1 with the reason. */
typedef int app_take_option(void *into, int code, const char *name, const char *value,
                            struct app_error *error);

/* What is left of the command line behind them; and whether all fits together. 0, or -1 with the reason. */
typedef int app_take_arguments(void *into, int n, char **arguments, struct app_error *error);
typedef int app_check_options(void *into, struct app_error *error);

struct app_options {
	const char *program, *help;
	const char *short_options;
	const struct option *long_options;
	int help_code, version_code; /* print and end the program */
	app_take_option *take;
	app_take_arguments *take_arguments; /* NULL: one is an error */
	app_check_options *check;           /* NULL: nothing to check */
};

/* Reads the command line into `into`. 0; or, the reason having been told, what main() returns. */
int app_read_options(const struct app_options *options, int argc, char **argv, void *into);

#endif
