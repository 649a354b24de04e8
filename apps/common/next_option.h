/* SPDX-License-Identifier: BSD-3-Clause
 *
 * next_option.h - a program's command line, option by option, on getopt_long(). */
#ifndef APP_NEXT_OPTION_H
#define APP_NEXT_OPTION_H

#include <getopt.h>

#include "message.h"

#define APP_OPTIONS_END   (-1) /* optind is the first argument that is no option */
#define APP_OPTIONS_WRONG (-2)

struct app_options {
	const char *program, *help;
	const char *short_options;
	const struct option *long_options;
	int help_code, version_code; /* print and end the program */
};

/* The next option's code, its value in optarg; *name is its long name, "" when it was written short. Or
 * APP_OPTIONS_END, or APP_OPTIONS_WRONG with the reason. */
int app_next_option(const struct app_options *options, int argc, char **argv, const char **name,
                    struct app_error *error);

#endif
