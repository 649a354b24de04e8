/* SPDX-License-Identifier: BSD-3-Clause */
#include "resource.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "listing.h"
#include "media_type.h"

#define INDEX "index.html"

int resource_root(const char *directory, struct app_error *error)
{
	const int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int again;

	if (fd < 0) {
		return app_error_set(error, "cannot open the folder %s: %s; choose another with -d",
		                     directory, strerror(errno));
	}
	again = below_open(fd, ".");
	if (again < 0) {
		app_error_set(error, "cannot serve the folder %s: %s%s", directory, strerror(errno),
		              errno == ENOSYS ? "; Linux 5.6 or newer is needed (openat2)" : "");
		close(fd);
		return -1;
	}
	close(again);
	return fd;
}

static int refuse(int status, struct app_error *why, const char *text)
{
	app_error_set(why, "%s", text);
	return status;
}

static int refuse_errno(int code, struct app_error *why)
{
	switch (code) {
	case ENOENT:
	case ENOTDIR:
	case ENAMETOOLONG:
	case ELOOP:
	case EXDEV: return refuse(404, why, "no such file");
	case EACCES:
	case EPERM: return refuse(403, why, "permission denied");
	case ENXIO:
	case ENODEV: return refuse(403, why, "not a regular file");
	case EMFILE:
	case ENFILE:
	case ENOMEM:
	case EAGAIN: return refuse(503, why, "the server is short of descriptors or memory; try again later");
	default: app_error_set(why, "the file cannot be read: %s", strerror(code)); return 500;
	}
}

/* 0, or the status of a path that names nothing, or nothing to be shown. */
static int check_component(const char *at, size_t len, struct app_error *why)
{
	size_t n;

	if (len == 0 || (at[0] == '.' && (len == 1 || (len == 2 && at[1] == '.')))) {
		return refuse(400, why, "a path has an empty component, \".\" or \"..\"");
	}
	for (size_t i = 0; i < len; i += n) {
		n = app_printable_bytes(at + i);
		if (n == 0) {
			return refuse(400, why, "a path has a control character");
		}
	}
	return at[0] == '.' ? refuse(404, why, "no such file") : 0;
}

static int check_path(const char *path, struct app_error *why)
{
	const char *at = path + 1;

	while (*at != '\0') {
		const size_t len = strcspn(at, "/");
		const int status = check_component(at, len, why);

		if (status != 0) {
			return status;
		}
		at += at[len] == '/' ? len + 1 : len;
	}
	return 0;
}

/* -1 with errno. */
static int open_and_look(int root_fd, const char *name, struct stat *st)
{
	int fd = below_open(root_fd, name);

	if (fd >= 0 && fstat(fd, st) != 0) {
		const int code = errno;

		close(fd);
		errno = code;
		fd = -1;
	}
	return fd;
}

static void describe(struct resource *out, const struct stat *st, const char *name)
{
	const uint64_t modified_ns =
	    (uint64_t)st->st_mtim.tv_sec * 1000000000u + (uint64_t)st->st_mtim.tv_nsec;
	const uint64_t changed_ns =
	    (uint64_t)st->st_ctim.tv_sec * 1000000000u + (uint64_t)st->st_ctim.tv_nsec;

	out->size = (uint64_t)st->st_size;
	out->modified_us = (int64_t)st->st_mtim.tv_sec * 1000000 + st->st_mtim.tv_nsec / 1000;
	out->content_type = media_type_of(name);
	/* Who sets a time of modification cannot set that of the change. */
	snprintf(out->etag, sizeof(out->etag), "%" PRIx64 "-%" PRIx64 "-%" PRIx64, out->size, modified_ns,
	         changed_ns);
}

static int open_list(int root_fd, const char *path, struct resource *out, struct app_error *why)
{
	char folder[MEDIA_PATH_MAX_BYTES + 1];
	int status;

	(void)snprintf(folder, sizeof(folder), "%.*s", (int)(strlen(path) - strlen(MEDIA_LIST_NAME)), path);
	status = check_path(folder, why);
	if (status != 0) {
		return status;
	}
	return listing_open(root_fd, folder[1] != '\0' ? folder + 1 : ".", out) == 0
	           ? 0
	           : refuse_errno(errno, why);
}

int resource_open(int root_fd, const char *path, struct resource *out, struct app_error *why)
{
	char name[MEDIA_PATH_MAX_BYTES + sizeof("/" INDEX)];
	struct stat st;
	int status;

	if (media_is_list(path)) {
		return open_list(root_fd, path, out, why);
	}
	status = check_path(path, why);
	if (status != 0) {
		return status;
	}
	snprintf(name, sizeof(name), "%s", path[1] != '\0' ? path + 1 : ".");
	out->fd = open_and_look(root_fd, name, &st);
	if (out->fd >= 0 && S_ISDIR(st.st_mode)) {
		close(out->fd);
		strcat(name, "/" INDEX);
		out->fd = open_and_look(root_fd, name, &st);
	}
	if (out->fd < 0) {
		return refuse_errno(errno, why);
	}
	if (!S_ISREG(st.st_mode)) {
		close(out->fd);
		return refuse(403, why, "not a regular file");
	}
	describe(out, &st, name);
	return 0;
}
