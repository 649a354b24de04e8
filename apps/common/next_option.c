/* SPDX-License-Identifier: BSD-3-Clause */
#include "next_option.h"

#include "shared_options.h"

int app_next_option(const struct app_options *options, int argc, char **argv, const char **name,
                    struct app_error *error)
{
	int index = -1, code;

	opterr = 0;
	code = getopt_long(argc, argv, options->short_options, options->long_options, &index);
	if (code == -1) {
		return APP_OPTIONS_END;
	}
	app_end_for_information(code == options->help_code ? options->help : NULL,
	                        code == options->version_code ? options->program : NULL);
	if (code == '?') {
		app_error_set(error, "\"%s\" is no option, or lacks its value; try `%s --help`",
		              argv[optind - 1], options->program);
		return APP_OPTIONS_WRONG;
	}
	*name = index >= 0 ? options->long_options[index].name : "";
	return code;
}
