/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>

#include <usrsctp_cmt.h>

#include "commands/commands.h"

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(int argc, char **argv);
	} commands[] = {{"list", lab_cmd_list},       {"show", lab_cmd_show},       {"run", lab_cmd_run},
	                {"compare", lab_cmd_compare}, {"targets", lab_cmd_targets}, {"demo", lab_cmd_demo},
	                {"figure", lab_cmd_figure},   {"figures", lab_cmd_figures}, {"sweep", lab_cmd_sweep},
	                {"sweeps", lab_cmd_sweeps},   {"results", lab_cmd_results}, {"bench", lab_cmd_bench},
	                {"show-run", lab_cmd_show_run}};

	if (argc < 2) {
		fputs(lab_help_main, stderr);
		return 2;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
		fputs(lab_help_main, stdout);
		return 0;
	}
	if (strcmp(argv[1], "--version") == 0) {
		printf("cmt-lab %d.%d.%d\n", USRSCTP_CMT_VERSION_MAJOR, USRSCTP_CMT_VERSION_MINOR,
		       USRSCTP_CMT_VERSION_PATCH);
		return 0;
	}
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (strcmp(argv[1], commands[i].name) == 0) {
			return commands[i].run(argc - 1, argv + 1);
		}
	}
	fprintf(stderr,
	        "cmt-lab: \"%s\" is not a command; write list, show, run, show-run, compare, figure, figures, sweep, "
	        "sweeps, targets, bench, results or demo\n",
	        argv[1]);
	return 2;
}
