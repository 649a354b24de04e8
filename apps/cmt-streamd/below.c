/* SPDX-License-Identifier: BSD-3-Clause */
#include "below.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RACES_MAX 8 /* somebody else is renaming folders all the time */

static int open_as(int root_fd, const char *name, uint64_t flags)
{
	const struct open_how how = {.flags = flags | O_CLOEXEC,
	                             .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
	long fd;

	for (int i = 0; i < RACES_MAX; i++) {
		fd = syscall(SYS_openat2, root_fd, name, &how, sizeof(how));
		if (fd >= 0 || errno != EAGAIN) {
			break;
		}
	}
	return (int)fd;
}

int below_open(int root_fd, const char *name)
{
	/* O_NONBLOCK: a FIFO of that name must not stop the server. */
	return open_as(root_fd, name, O_RDONLY | O_NONBLOCK | O_NOCTTY);
}

int below_folder(int root_fd, const char *name)
{
	return open_as(root_fd, name, O_RDONLY | O_DIRECTORY);
}

int below_stat(int root_fd, const char *name, struct stat *st)
{
	const int fd = open_as(root_fd, name, O_PATH);
	const int rc = fd >= 0 ? fstat(fd, st) : -1;

	if (fd >= 0) {
		close(fd);
	}
	return rc;
}
