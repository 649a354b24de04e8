/* SPDX-License-Identifier: BSD-3-Clause
 *
 * listing.h - the list of a folder (docs/media-protocol.md), made anew for each who asks. */
#ifndef STREAMD_LISTING_H
#define STREAMD_LISTING_H

#include "below.h"

/* Opens the list of the folder `name`, which is below `root_fd`, as a file in memory. Names that
 * begin with a dot or cannot stand in a path, and what is neither a file nor a folder below the one that is
 * served, are left out. 0, or -1 with errno. */
int listing_open(int root_fd, const char *name, struct resource *out);

#endif
