/* SPDX-License-Identifier: BSD-3-Clause */
#include "loop/pipe_out.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <event2/event.h>

#include "loop/loop_events.h"

struct pipe_out {
	struct event *writable; /* NULL: a file, which never waits */
	int fd;
	char *kept;
	size_t kept_bytes, kept_at;
	pipe_out_cb *fn;
	void *arg;
};

/* The descriptor stays in blocking mode, because others may share it: poll() says whether PIPE_BUF bytes fit.
 */
static ssize_t write_some(const struct pipe_out *out, const char *bytes, size_t len)
{
	struct pollfd ready = {.fd = out->fd, .events = POLLOUT};

	if (out->writable == NULL) {
		return write(out->fd, bytes, len);
	}
	if (poll(&ready, 1, 0) == 0) {
		errno = EAGAIN;
		return -1;
	}
	return write(out->fd, bytes, len < PIPE_BUF ? len : PIPE_BUF);
}

/* Bytes written before it would have had to wait; -1 with errno. */
static ssize_t write_ready(const struct pipe_out *out, const char *bytes, size_t len)
{
	size_t at = 0;

	while (at < len) {
		ssize_t n = write_some(out, bytes + at, len - at);

		if (n < 0 && errno == EAGAIN) {
			break;
		}
		if (n < 0 && errno != EINTR) {
			return -1;
		}
		at += n > 0 ? (size_t)n : 0;
	}
	return (ssize_t)at;
}

static void on_writable(evutil_socket_t fd, short what, void *arg)
{
	struct pipe_out *out = arg;
	ssize_t n = write_ready(out, out->kept + out->kept_at, out->kept_bytes - out->kept_at);
	int code = n < 0 ? errno : 0;

	(void)fd;
	(void)what;
	if (n >= 0) {
		out->kept_at += (size_t)n;
		if (out->kept_at < out->kept_bytes) {
			return;
		}
	}
	event_del(out->writable);
	free(out->kept);
	out->kept = NULL;
	out->fn(code, out->arg);
}

struct pipe_out *pipe_out_new(struct event_base *base, int fd, pipe_out_cb *fn, void *arg)
{
	struct pipe_out *out = calloc(1, sizeof(*out));
	struct stat st;

	if (out == NULL) {
		return NULL;
	}
	*out = (struct pipe_out){.fd = fd, .fn = fn, .arg = arg};
	if (fstat(fd, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode) || isatty(fd) == 1)) {
		out->writable = event_new(base, fd, EV_WRITE | EV_PERSIST, on_writable, out);
		if (out->writable == NULL) {
			free(out);
			return NULL;
		}
	}
	return out;
}

int pipe_out_write(struct pipe_out *out, const void *bytes, size_t len)
{
	ssize_t n = write_ready(out, bytes, len);

	if (n < 0) {
		return -1;
	}
	if ((size_t)n == len) {
		return 0;
	}
	out->kept_bytes = len - (size_t)n;
	out->kept_at = 0;
	out->kept = malloc(out->kept_bytes);
	if (out->kept == NULL || event_add(out->writable, NULL) != 0) {
		free(out->kept);
		out->kept = NULL;
		errno = ENOMEM;
		return -1;
	}
	memcpy(out->kept, (const char *)bytes + n, out->kept_bytes);
	return 1;
}

void pipe_out_free(struct pipe_out *out)
{
	if (out != NULL) {
		app_event_free(out->writable);
		free(out->kept);
		free(out);
	}
}
