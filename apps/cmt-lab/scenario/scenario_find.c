/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds a scenario by file name, by name, or takes it as inline text. */
#include "scenario/scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scenario/random_network.h"

/* The build names the source tree, and where installed scenarios are as seen from the program's folder: so
 * both may move together. */
#ifndef LAB_SCENARIO_SOURCE_DIR
#define LAB_SCENARIO_SOURCE_DIR "tests/scenarios"
#endif
#ifndef LAB_SCENARIO_FROM_PROGRAM
#define LAB_SCENARIO_FROM_PROGRAM "../share/usrsctp-cmt/scenarios"
#endif

static bool is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* NULL: the program is not installed. */
static const char *installed_dir(void)
{
	static char path[4096 + sizeof(LAB_SCENARIO_FROM_PROGRAM)];
	ssize_t len = readlink("/proc/self/exe", path, 4096);
	char *end;

	if (len <= 0 || len >= 4096) {
		return NULL;
	}
	path[len] = '\0';
	end = strrchr(path, '/');
	if (end == NULL) {
		return NULL;
	}
	strcpy(end + 1, LAB_SCENARIO_FROM_PROGRAM);
	return is_directory(path) ? path : NULL;
}

const char *lab_scenario_dir(void)
{
	const char *installed, *chosen = getenv("CMT_SCENARIO_DIR");

	if (chosen != NULL && *chosen != '\0') {
		return is_directory(chosen) ? chosen : NULL;
	}
	installed = installed_dir();
	if (installed != NULL) {
		return installed;
	}
	return is_directory(LAB_SCENARIO_SOURCE_DIR) ? LAB_SCENARIO_SOURCE_DIR : NULL;
}

static bool looks_like_name(const char *what)
{
	return strspn(what, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") ==
	       strlen(what);
}

static bool looks_like_file(const char *what)
{
	size_t len = strlen(what);

	return len > 4 && strcmp(what + len - 4, ".ini") == 0;
}

int lab_scenario_load(struct lab_scenario *scenario, const char *what, struct lab_error *error)
{
	const char *dir = lab_scenario_dir();
	char path[4096];

	if (is_file(what) || looks_like_file(what)) {
		return lab_scenario_load_file(scenario, what, error);
	}
	if (lab_is_random_network(what)) {
		return lab_random_network(scenario, what, error);
	}
	if (!looks_like_name(what)) {
		return lab_scenario_load_inline(scenario, what, error);
	}
	snprintf(path, sizeof(path), "%s/%s.ini", dir == NULL ? "." : dir, what);
	if (!is_file(path)) {
		snprintf(error->text, sizeof(error->text),
		         "\"%s\" is not a scenario; `cmt-lab list` shows those of %s. Give a file, or write "
		         "it inline as "
		         "1.6Mbit/10ms,0.4Mbit/100ms (CMT_SCENARIO_DIR names another folder)",
		         what, dir == NULL ? "(no folder found)" : dir);
		return -1;
	}
	return lab_scenario_load_file(scenario, path, error);
}
