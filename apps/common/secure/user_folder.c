/* SPDX-License-Identifier: BSD-3-Clause */
#include "secure/user_folder.h"

#include <errno.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OURS "usrsctp-cmt"

static const struct {
	const char *variable, *below_home;
} folders[] = {
    [APP_CONFIG_FOLDER] = {"XDG_CONFIG_HOME", ".config"},
    [APP_STATE_FOLDER] = {"XDG_STATE_HOME", ".local/state"},
};

static bool is_somebody_elses(const char *folder)
{
	struct stat status;

	return geteuid() == 0 && stat(folder, &status) == 0 && status.st_uid != 0;
}

/* NULL where the variable is of no use. */
static const char *folder_in(const char *variable)
{
	const char *const folder = getenv(variable);

	return folder != NULL && folder[0] == '/' && !is_somebody_elses(folder) ? folder : NULL;
}

static const char *home(void)
{
	const char *const folder = folder_in("HOME");
	const struct passwd *user;

	if (folder != NULL) {
		return folder;
	}
	user = getpwuid(geteuid());
	return user != NULL && user->pw_dir != NULL && user->pw_dir[0] == '/' ? user->pw_dir : NULL;
}

int app_user_file(enum app_user_folder folder, const char *name, char out[PATH_MAX], struct app_error *error)
{
	const char *const variable = folders[folder].variable;
	const char *const given = folder_in(variable), *const at = given != NULL ? given : home();
	int len;

	if (at == NULL) {
		return app_error_set(error, "this user has no home; set HOME or %s", variable);
	}
	len = snprintf(out, PATH_MAX, "%s%s%s/" OURS "/%s", at, given != NULL ? "" : "/",
	               given != NULL ? "" : folders[folder].below_home, name);
	return len < PATH_MAX ? 0
	                      : app_error_set(error, "%.100s...: the path is too long; set %s", at, variable);
}

int app_make_folders_of(const char *file)
{
	char path[PATH_MAX];

	if (strlen(file) >= sizeof(path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	(void)snprintf(path, sizeof(path), "%s", file);
	for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(path, 0700) != 0 && errno != EEXIST) {
			/* What is there may be on a disk that nothing can be made on. */
			const int why = errno;

			if (access(path, F_OK) != 0) {
				errno = why;
				return -1;
			}
		}
		*slash = '/';
	}
	return 0;
}
