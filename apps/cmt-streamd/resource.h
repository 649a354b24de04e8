/* SPDX-License-Identifier: BSD-3-Clause
 *
 * resource.h - the file that a request's path names, and nothing that is not below the folder served. */
#ifndef STREAMD_RESOURCE_H
#define STREAMD_RESOURCE_H

#include "below.h"

/* The folder itself, as a descriptor; -1 with the reason. */
int resource_root(const char *directory, struct app_error *error);

/* Opens the file at `path`, which begins with "/". 0, or a status of docs/media-protocol.md (400 and above)
 * with the reason. Links are followed as long as they stay below the folder; a name that begins with a dot
 * does not exist, but for the list of a folder; a folder stands for its index.html. */
int resource_open(int root_fd, const char *path, struct resource *out, struct app_error *why);

#endif
