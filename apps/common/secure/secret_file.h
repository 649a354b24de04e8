/* SPDX-License-Identifier: BSD-3-Clause
 *
 * secret_file.h - files that hold a secret: nobody else may be able to read them. */
#ifndef APP_SECRET_FILE_H
#define APP_SECRET_FILE_H

#include <stddef.h>

#include "text/message.h"

#define APP_SECRET_BYTES 1024 /* of a passphrase with its NUL */

/* Whether `file`, of option `option` ("--key"), can be read, and by nobody else: a regular file of ours not
 * by the group either, as ssh has it; one of somebody else's (a service's, with a group for it) not by all.
 * 0, or -1 with the reason. */
int app_secret_file_check(const char *option, const char *file, struct app_error *error);

/* Its first line, which is neither empty nor has a NUL, without the end of the line. 0, or -1 with the
 * reason. */
int app_secret_file_read(const char *option, const char *file, char out[APP_SECRET_BYTES],
                         struct app_error *error);

#endif
