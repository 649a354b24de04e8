/* SPDX-License-Identifier: BSD-3-Clause */
#include "options/read_options.h"

#include "options/shared_options.h"

static const char *long_name(const struct option *options, int code)
{
	while (options->name != NULL && options->val != code) {
		options++;
	}
	return options->name != NULL ? options->name : "";
}

static int take_all(const struct app_options *options, int argc, char **argv, void *into,
                    struct app_error *error)
{
	int code;

	opterr = 0;
	while ((code = getopt_long(argc, argv, options->short_options, options->long_options, NULL)) != -1) {
		app_end_for_information(code == options->help_code ? options->help : NULL,
		                        code == options->version_code ? options->program : NULL);
		if (code == '?') {
			return app_error_set(
			    error, "\"%s\": unknown option, or its value is missing; try `%s --help`",
			    argv[optind - 1], options->program);
		}
		if (options->take(into, code, long_name(options->long_options, code), optarg, error) != 0) {
			return -1;
		}
	}
	return 0;
}

static int take_arguments(const struct app_options *options, int n, char **arguments, void *into,
                          struct app_error *error)
{
	if (options->take_arguments != NULL) {
		return options->take_arguments(into, n, arguments, error);
	}
	return n == 0 ? 0
	              : app_error_set(error, "\"%s\": one argument too many; try `%s --help`", arguments[0],
	                              options->program);
}

int app_read_options(const struct app_options *options, int argc, char **argv, void *into)
{
	struct app_error error;

	if (take_all(options, argc, argv, into, &error) != 0 ||
	    take_arguments(options, argc - optind, argv + optind, into, &error) != 0 ||
	    (options->check != NULL && options->check(into, &error) != 0)) {
		app_complain(options->program, "%s", error.text);
		return APP_EXIT_USAGE;
	}
	return 0;
}
