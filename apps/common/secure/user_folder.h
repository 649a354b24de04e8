/* SPDX-License-Identifier: BSD-3-Clause
 *
 * user_folder.h - where programs keep what they make for the user who runs them (XDG Base Directory
 * Specification): $XDG_CONFIG_HOME/usrsctp-cmt (~/.config) and $XDG_STATE_HOME/usrsctp-cmt (~/.local/state).
 *
 * Reads the environment and the list of users. What is not an absolute path does not count. Without HOME the
 * home is that of the list of users; for root too where HOME or the variable is somebody else's folder, as
 * behind sudo, so that root leaves nothing there that its owner could not read. */
#ifndef APP_USER_FOLDER_H
#define APP_USER_FOLDER_H

#include <limits.h>

#include "text/message.h"

enum app_user_folder { APP_CONFIG_FOLDER, APP_STATE_FOLDER };

/* The path of the file `name`, which need not be there. 0, or -1 with the reason. */
int app_user_file(enum app_user_folder folder, const char *name, char out[PATH_MAX], struct app_error *error);

/* Makes the folders that `file` stands in, those that are missing, with mode 0700. 0, or -1 with errno. */
int app_make_folders_of(const char *file);

#endif
