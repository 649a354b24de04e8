/* SPDX-License-Identifier: BSD-3-Clause */
#include "sink.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <event2/buffer.h>

#include "loop/loop_events.h"
#include "loop/pipe_out.h"
#include "udp_socket.h"

struct sink {
	int fd;                       /* UDP or SRT; -1 = standard output */
	struct srt_pipe *srt;         /* NULL = the sink is another one */
	const struct live_host *host; /* the same */
	struct pipe_out *out;
	struct evbuffer *waiting; /* behind what `out` keeps */
	struct event *failed;
	bool busy; /* `out` keeps something */
	int error;
	uint64_t dropped;
	void (*on_failed)(int error, void *arg);
	void *arg;
};

static void fail(struct sink *s, int error)
{
	if (s->error == 0) {
		s->error = error;
		event_active(s->failed, 0, 0);
	}
}

static void on_failure(evutil_socket_t fd, short what, void *arg)
{
	const struct sink *const s = arg;

	(void)fd;
	(void)what;
	s->on_failed(s->error, s->arg);
}

static void flush(struct sink *s)
{
	while (!s->busy && s->error == 0 && evbuffer_get_length(s->waiting) > 0) {
		const size_t len = evbuffer_get_contiguous_space(s->waiting);
		const int got = pipe_out_write(s->out, evbuffer_pullup(s->waiting, (ev_ssize_t)len), len);

		if (got < 0) {
			fail(s, errno);
			return;
		}
		s->busy = got == 1;
		(void)evbuffer_drain(s->waiting, len);
	}
}

static void on_written(int code, void *arg)
{
	struct sink *const s = arg;

	s->busy = false;
	if (code != 0) {
		fail(s, code);
	}
	flush(s);
}

void sink_write(struct sink *s, const void *bytes, size_t len)
{
	if (s->host != NULL) {
		s->dropped += !s->host->deliver(bytes, len, s->host->arg);
		return;
	}
	if (s->fd >= 0) {
		/* Nobody may listen yet: an error of an earlier datagram is told with this one. */
		if (send(s->fd, bytes, len, MSG_DONTWAIT) < 0 &&
		    (errno != ECONNREFUSED || send(s->fd, bytes, len, MSG_DONTWAIT) < 0)) {
			s->dropped++;
		}
		return;
	}
	if (s->error != 0 || evbuffer_get_length(s->waiting) + len > SINK_MAX_BYTES ||
	    evbuffer_add(s->waiting, bytes, len) != 0) {
		s->dropped++;
		return;
	}
	flush(s);
}

uint64_t sink_dropped(const struct sink *s)
{
	return s->dropped;
}

bool sink_is_empty(const struct sink *s)
{
	return s->fd >= 0 || s->host != NULL || s->error != 0 ||
	       (!s->busy && evbuffer_get_length(s->waiting) == 0);
}

struct sink *sink_new(struct event_base *base, const struct live_options *options,
                      void (*on_failed)(int error, void *arg), void *arg, struct app_error *error)
{
	struct sink *const s = calloc(1, sizeof(*s));

	if (s == NULL) {
		app_error_set(error, "no memory");
		return NULL;
	}
	*s = (struct sink){.fd = -1, .on_failed = on_failed, .arg = arg};
	s->failed = event_new(base, -1, 0, on_failure, s);
	s->waiting = evbuffer_new();
	if (options->to.kind == ENDPOINT_UDP) {
		s->fd = udp_socket_connect(&options->to, error);
	} else if (options->to.kind == ENDPOINT_SRT) {
		s->srt =
		    srt_pipe_new(&options->to.srt, options->to.text, SRT_PIPE_OUT, options->quiet, error);
		s->fd = s->srt != NULL ? srt_pipe_fd(s->srt) : -1;
	} else if (options->to.kind == ENDPOINT_HOST) {
		s->host = options->host;
	} else {
		s->out = pipe_out_new(base, STDOUT_FILENO, on_written, s);
	}
	if (s->failed == NULL || s->waiting == NULL || (s->fd < 0 && s->out == NULL && s->host == NULL)) {
		if (options->to.kind == ENDPOINT_STDIO) {
			app_error_set(error, "no memory");
		}
		sink_free(s);
		return NULL;
	}
	return s;
}

struct srt_pipe *sink_srt(const struct sink *s)
{
	return s->srt;
}

void sink_free(struct sink *s)
{
	if (s == NULL) {
		return;
	}
	pipe_out_free(s->out);
	if (s->waiting != NULL) {
		evbuffer_free(s->waiting);
	}
	app_event_free(s->failed);
	if (s->srt != NULL) {
		srt_pipe_free(s->srt);
	} else if (s->fd >= 0) {
		close(s->fd);
	}
	free(s);
}
