/* SPDX-License-Identifier: BSD-3-Clause */
#include "ready.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "reason.h"

static void show(const struct blk_ready *ready)
{
	uint64_t count = 1;

	if (ready->holds) {
		(void)!write(ready->fd, &count, sizeof(count));
	} else {
		(void)!read(ready->fd, &count, sizeof(count));
	}
}

int blk_ready_fd(struct blk_ready *ready)
{
	if (ready->fd < 0) {
		ready->fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
		if (ready->fd < 0) {
			return blk_fail(errno, "no descriptor: %s", strerror(errno));
		}
		show(ready);
	}
	return ready->fd;
}

void blk_ready_set(struct blk_ready *ready, bool holds)
{
	if (ready->holds != holds) {
		ready->holds = holds;
		if (ready->fd >= 0) {
			show(ready);
		}
	}
}

void blk_ready_close(struct blk_ready *ready)
{
	if (ready->fd >= 0) {
		close(ready->fd);
		ready->fd = -1;
	}
}
