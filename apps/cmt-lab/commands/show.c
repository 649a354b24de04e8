/* SPDX-License-Identifier: BSD-3-Clause */
#include "commands/commands.h"

#include <stdio.h>

#include "setup/describe.h"
#include "setup/options.h"

int lab_cmd_show(int argc, char **argv)
{
	static struct lab_options options;
	json_t *description;

	if (lab_options_parse(&options, argc, argv, LAB_OPT_LOAD | LAB_OPT_SEED | LAB_OPT_JSON,
	                      lab_help_show) != 0 ||
	    lab_options_load(&options) != 0) {
		return LAB_EXIT_USAGE;
	}
	description = lab_describe(&options.run);
	json_dumpf(description, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(10));
	putchar('\n');
	json_decref(description);
	return 0;
}
