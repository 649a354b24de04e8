/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ready.h - a descriptor that is readable while something holds. Exists only where somebody has asked for it.
 * The lock is held. */
#ifndef CMT_BLOCKING_READY_H
#define CMT_BLOCKING_READY_H

#include <stdbool.h>

struct blk_ready {
	int fd; /* -1: nobody has asked */
	bool holds;
};

#define BLK_READY_NONE ((struct blk_ready){.fd = -1})

/* The descriptor, or -errno with the reason. */
int blk_ready_fd(struct blk_ready *ready);
void blk_ready_set(struct blk_ready *ready, bool holds);
void blk_ready_close(struct blk_ready *ready);

#endif
