/* SPDX-License-Identifier: BSD-3-Clause */
#include "secure/secret_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The descriptor, or -1. */
static int open_checked(const char *option, const char *file, struct app_error *error)
{
	const int fd = open(file, O_RDONLY | O_CLOEXEC);
	struct stat status;
	mode_t others;

	if (fd < 0 || fstat(fd, &status) != 0) {
		app_error_set(error, "%s: cannot read %s: %s", option, file, strerror(errno));
		if (fd >= 0) {
			(void)close(fd);
		}
		return -1;
	}
	others = status.st_uid == geteuid() ? S_IRWXG | S_IRWXO : S_IRWXO;
	if (S_ISREG(status.st_mode) && (status.st_mode & others) != 0) {
		(void)close(fd);
		return app_error_set(error,
		                     "%s: others can read or change %s (mode %04o); run chmod 600 on it",
		                     option, file, (unsigned)(status.st_mode & 07777));
	}
	return fd;
}

int app_secret_file_check(const char *option, const char *file, struct app_error *error)
{
	const int fd = open_checked(option, file, error);

	if (fd < 0) {
		return -1;
	}
	(void)close(fd);
	return 0;
}

/* As much as there is, `max` at most; -1 with errno. */
static ssize_t read_all(int fd, char *out, size_t max)
{
	size_t n = 0;
	ssize_t got;

	while (n < max && (got = read(fd, out + n, max - n)) != 0) {
		if (got < 0 && errno != EINTR) {
			return -1;
		}
		n += got > 0 ? (size_t)got : 0;
	}
	return (ssize_t)n;
}

/* Ends `line`, of `n` bytes, behind its first line. 0, or -1 with the reason. */
static int cut(const char *option, const char *file, char *line, size_t n, struct app_error *error)
{
	const char *const end = memchr(line, '\n', n);
	size_t len = end != NULL ? (size_t)(end - line) : n;

	if (len == APP_SECRET_BYTES) {
		return app_error_set(error, "%s: the first line of %s is longer than %d bytes; shorten it",
		                     option, file, APP_SECRET_BYTES - 1);
	}
	if (end != NULL && len > 0 && line[len - 1] == '\r') {
		len--;
	}
	if (len == 0 || memchr(line, '\0', len) != NULL) {
		return app_error_set(error, "%s: the first line of %s %s; write the passphrase there", option,
		                     file, len == 0 ? "is empty" : "is no text");
	}
	line[len] = '\0';
	return 0;
}

int app_secret_file_read(const char *option, const char *file, char out[APP_SECRET_BYTES],
                         struct app_error *error)
{
	const int fd = open_checked(option, file, error);
	ssize_t n;
	int code;

	if (fd < 0) {
		return -1;
	}
	n = read_all(fd, out, APP_SECRET_BYTES);
	code = errno;
	(void)close(fd);
	return n < 0 ? app_error_set(error, "%s: cannot read %s: %s", option, file, strerror(code))
	             : cut(option, file, out, (size_t)n, error);
}
