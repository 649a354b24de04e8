/* SPDX-License-Identifier: BSD-3-Clause */
#include "target_file.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROGRAM  "cmt-live"
#define IN_STEAD ".new"

static int write_to(int fd, const char *line)
{
	const size_t len = strlen(line);
	const int wrote = write(fd, line, len) == (ssize_t)len && write(fd, "\n", 1) == 1 ? 0 : -1;
	const int code = errno;

	if (close(fd) != 0 && wrote == 0) {
		return -1;
	}
	errno = code;
	return wrote;
}

/* Beside the file, so that it can take its place. */
static int replace(const char *name, const char *line)
{
	char in_stead[PATH_MAX];
	const int len = snprintf(in_stead, sizeof(in_stead), "%s" IN_STEAD, name);
	int fd;

	if (len < 0 || (size_t)len >= sizeof(in_stead)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = open(in_stead, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0) {
		return -1;
	}
	if (write_to(fd, line) != 0 || rename(in_stead, name) != 0) {
		const int code = errno;

		(void)unlink(in_stead);
		errno = code;
		return -1;
	}
	return 0;
}

static int put(const struct target_file *f, const struct live_target *target)
{
	json_t *const o = live_target_json(target);
	char *const line = json_dumps(o, JSON_COMPACT);
	int rc;

	json_decref(o);
	if (line == NULL) {
		errno = ENOMEM;
		return -1;
	}
	if (strcmp(f->name, "-") == 0) {
		rc = printf("%s\n", line) > 0 && fflush(stdout) == 0 ? 0 : -1;
	} else {
		rc = replace(f->name, line);
	}
	free(line);
	return rc;
}

int target_file_open(struct target_file *f, const char *name, uint32_t latency_ms, struct app_error *error)
{
	const struct live_target nothing = {.latency_ms = latency_ms};

	*f = (struct target_file){.name = name};
	if (name == NULL || put(f, &nothing) == 0) {
		return 0;
	}
	return app_error_set(error, "--target-bitrate-file: cannot write %s: %s", name, strerror(errno));
}

void target_file_write(struct target_file *f, const struct live_target *target)
{
	if (f->name == NULL || put(f, target) == 0) {
		f->failed = false;
		return;
	}
	if (!f->failed) {
		app_complain(PROGRAM, "--target-bitrate-file: cannot write %s: %s", f->name, strerror(errno));
	}
	f->failed = true;
}
