/* SPDX-License-Identifier: BSD-3-Clause
 *
 * names.h - the names of files in transfer, of all senders, so that none is written twice at once. */
#ifndef RECV_NAMES_H
#define RECV_NAMES_H

#include <stdbool.h>

struct names {
	void *tree; /* all 0 is the start */
};

/* False when it is in use already, or without memory. `name` must stay until names_give_back(). */
bool names_take(struct names *names, const char *name);
void names_give_back(struct names *names, const char *name);

#endif
