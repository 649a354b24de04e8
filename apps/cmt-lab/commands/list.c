/* SPDX-License-Identifier: BSD-3-Clause */
#include "commands/commands.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scheduler_names.h"
#include "setup/options.h"

static int is_scenario(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);

	return len > 4 && strcmp(entry->d_name + len - 4, ".ini") == 0;
}

static void print_scenario(const char *dir, const char *file)
{
	struct lab_scenario scenario;
	struct lab_error error;
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	if (lab_scenario_load_file(&scenario, path, &error) != 0) {
		fprintf(stderr, "%s\n", error.text);
		return;
	}
	printf("  %-13s %s\n", scenario.name, scenario.description);
	if (scenario.n_grid > 0) {
		printf("  %-13s   varies:", "");
		for (unsigned i = 0; i < scenario.n_grid; i++) {
			printf(" %s%s", scenario.grid[i].key, i + 1 < scenario.n_grid ? "," : "\n");
		}
	}
}

/* Options come as "key=default [min..max]: meaning; ...". */
static void print_policy(const char *name, const char *summary, const char *option, const char *flag)
{
	printf("  %-13s %s\n", name, summary == NULL ? "" : summary);
	while (option != NULL && *option != '\0') {
		int len = (int)strcspn(option, ";");

		printf("  %-13s   %s%.*s\n", "", flag, len, option);
		option += len;
		option += strspn(option, "; ");
	}
}

static void print_policies(void)
{
	const char *name;

	printf("\nSchedulers (-s)\n");
	printf("  %-13s upstream's own CMT\n", LAB_STOCK);
	for (unsigned i = 0; (name = usrsctp_cmt_scheduler_name(i)) != NULL; i++) {
		print_policy(name, usrsctp_cmt_scheduler_summary(i), usrsctp_cmt_scheduler_options(i), "-o ");
	}
	printf("\nCongestion controls (--cc)\n  %-13s the library's default\n", "default");
	for (unsigned i = 0; (name = usrsctp_cmt_cc_name(i)) != NULL; i++) {
		print_policy(name, usrsctp_cmt_cc_summary(i), usrsctp_cmt_cc_options(i), "NAME:");
	}
	print_policy(LAB_STOCK, "upstream's own", NULL, "");
	printf("\nRecoveries (--recovery)\n");
	for (unsigned i = 0; (name = usrsctp_cmt_recovery_name(i)) != NULL; i++) {
		print_policy(name, usrsctp_cmt_recovery_summary(i), NULL, "");
	}
}

int lab_cmd_list(int argc, char **argv)
{
	const char *dir = lab_scenario_dir();
	struct lab_options options;
	struct dirent **entries;
	int n;

	if (lab_options_parse(&options, argc, argv, 0, lab_help_list) != 0) {
		return LAB_EXIT_USAGE;
	}
	n = dir == NULL ? -1 : scandir(dir, &entries, is_scenario, alphasort);
	if (n < 0) {
		fprintf(stderr, "cmt-lab: no scenario folder found; set CMT_SCENARIO_DIR\n");
		return 1;
	}
	printf("Scenarios (%s)\n", dir);
	for (int i = 0; i < n; i++) {
		print_scenario(dir, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	printf("  %-13s random network number N: 2 to 5 paths, 0.5 to 50 Mbit/s, 5 to 300 ms\n"
	       "  %-13s the same with up to 1 %% loss\n",
	       "random:N", "random-lossy:N");
	print_policies();
	return 0;
}
