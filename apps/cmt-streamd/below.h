/* SPDX-License-Identifier: BSD-3-Clause
 *
 * below.h - opens what is below the folder served, and nothing else: links are followed as long as they stay
 * there. */
#ifndef STREAMD_BELOW_H
#define STREAMD_BELOW_H

#include <stdint.h>

#include "media_message.h"

struct stat;

/* What was opened. */
struct resource {
	int fd; /* the caller closes it */
	uint64_t size;
	int64_t modified_us; /* since 1970 */
	char etag[MEDIA_ETAG_MAX_BYTES + 1];
	const char *content_type;
};

/* The file or folder `name` below the root as a descriptor; -1 with errno. */
int below_open(int root_fd, const char *name);

/* The same, a folder only. */
int below_folder(int root_fd, const char *name);

/* What the file or folder `name` below the root is. -1 with errno. */
int below_stat(int root_fd, const char *name, struct stat *st);

#endif
