/* SPDX-License-Identifier: BSD-3-Clause */
#include "source.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "live_message.h"
#include "loop/loop_events.h"
#include "loop/wall_clock.h"
#include "ts_cut.h"
#include "udp_socket.h"

#define BUFFER_BYTES  (LIVE_MAX_DATAGRAM_BYTES + 1)
#define UDP_AT_ONCE   64 /* datagrams before the loop goes round */
#define STDIN_AT_ONCE 65536
#define IDLE_US       20000 /* then less than a full datagram of a transport stream goes */
#define PACE_MIN_US   1000

struct source {
	const struct live_options *options;
	struct source_events events;
	int fd;               /* ours to close only of UDP */
	struct srt_pipe *srt; /* NULL = the source is another one */
	struct event *readable, *timer;
	size_t filled;
	uint64_t pace_at_us; /* with --rate: when the next may be read */
	uint8_t bytes[BUFFER_BYTES];
};

static bool is_udp(const struct source *s)
{
	return s->options->from.kind == ENDPOINT_UDP;
}

/* Hands out what is complete, or `all`. */
static void cut(struct source *s, bool all)
{
	size_t at = 0, len;

	while ((len = ts_cut(s->bytes + at, s->filled - at, all)) > 0) {
		s->events.on_datagram(s->bytes + at, len, s->events.arg);
		at += len;
	}
	s->filled -= at;
	memmove(s->bytes, s->bytes + at, s->filled);
}

static void end(struct source *s, int error)
{
	(void)evtimer_del(s->timer);
	if (s->readable != NULL) {
		(void)event_del(s->readable);
	}
	cut(s, true);
	if (s->filled > 0) {
		s->events.on_datagram(s->bytes, s->filled, s->events.arg);
	}
	s->events.on_end(error, s->events.arg);
}

static void on_datagrams(evutil_socket_t fd, short what, void *arg)
{
	struct source *const s = arg;

	(void)what;
	for (int i = 0; i < UDP_AT_ONCE; i++) {
		const ssize_t n = recv(fd, s->bytes, sizeof(s->bytes), MSG_DONTWAIT);

		if (n == 0 && s->options->from.kind == ENDPOINT_HOST) {
			end(s, 0);
			return;
		}
		if (n < 0 && errno != EINTR) {
			return;
		}
		if (n > 0) {
			s->events.on_datagram(s->bytes, (size_t)n, s->events.arg);
		}
	}
}

static void wait_us(struct source *s, uint64_t us)
{
	if (app_timer_start(s->timer, us) != 0) {
		end(s, ENOMEM);
	}
}

/* At most `most` bytes. False at the end. */
static bool read_stdin(struct source *s, size_t most)
{
	const ssize_t n = read(s->fd, s->bytes + s->filled, most);

	if (n < 0 && (errno == EINTR || errno == EAGAIN)) {
		return true;
	}
	if (n <= 0) {
		end(s, n < 0 ? errno : 0);
		return false;
	}
	s->filled += (size_t)n;
	cut(s, false);
	return true;
}

static void on_stdin(evutil_socket_t fd, short what, void *arg)
{
	struct source *const s = arg;
	const size_t room = sizeof(s->bytes) - s->filled;

	(void)fd;
	(void)what;
	if (read_stdin(s, room < STDIN_AT_ONCE ? room : STDIN_AT_ONCE) && s->filled > 0) {
		wait_us(s, IDLE_US);
	}
}

static bool is_readable(const struct source *s)
{
	struct pollfd ready = {.fd = s->fd, .events = POLLIN};

	return poll(&ready, 1, 0) != 0;
}

/* With --rate: reads a datagram's worth whenever one is due. What was missed while nothing came is not made
 * up for. */
static void on_pace(struct source *s)
{
	uint64_t now_us = app_wall_clock_us();

	if (s->pace_at_us == 0 || (now_us > s->pace_at_us + IDLE_US && !is_readable(s))) {
		s->pace_at_us = now_us;
	}
	while (s->pace_at_us <= now_us) {
		const size_t want = TS_CUT_BYTES - s->filled;

		if (!is_readable(s)) {
			wait_us(s, PACE_MIN_US);
			return;
		}
		if (!read_stdin(s, want)) {
			return;
		}
		s->pace_at_us += (uint64_t)((double)want * 8e6 / (double)s->options->rate_bps);
	}
	wait_us(s, s->pace_at_us - now_us);
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
	struct source *const s = arg;

	(void)fd;
	(void)what;
	if (s->options->rate_bps != 0) {
		on_pace(s);
	} else {
		cut(s, true);
	}
}

static int open_stdin(struct event_base *base, struct source *s, struct app_error *error)
{
	struct stat st;

	s->fd = STDIN_FILENO;
	if (fstat(s->fd, &st) != 0) {
		return app_error_set(error, "standard input: %s", strerror(errno));
	}
	if (s->options->rate_bps != 0) {
		return app_timer_start(s->timer, 0) == 0 ? 0 : app_error_set(error, "no memory");
	}
	if (!S_ISFIFO(st.st_mode) && !S_ISSOCK(st.st_mode) && isatty(s->fd) == 0) {
		return app_error_set(error, "standard input is a file, which would be sent all at once; "
		                            "write --rate RATE, the rate of its media, e.g. 8Mbit");
	}
	s->readable = event_new(base, s->fd, EV_READ | EV_PERSIST, on_stdin, s);
	if (s->readable == NULL || event_add(s->readable, NULL) != 0) {
		return app_error_set(error, "no memory");
	}
	return 0;
}

static int open_datagrams(struct event_base *base, struct source *s, struct app_error *error)
{
	const struct endpoint *const from = &s->options->from;

	if (is_udp(s)) {
		s->fd = udp_socket_bind(from, error);
	} else if (from->kind == ENDPOINT_HOST) {
		s->fd = s->options->host->source_fd;
	} else {
		s->srt = srt_pipe_new(&from->srt, from->text, SRT_PIPE_IN, s->options->quiet, error);
		s->fd = s->srt != NULL ? srt_pipe_fd(s->srt) : -1;
	}
	if (s->fd < 0) {
		return -1;
	}
	s->readable = event_new(base, s->fd, EV_READ | EV_PERSIST, on_datagrams, s);
	return s->readable != NULL && event_add(s->readable, NULL) == 0 ? 0
	                                                                : app_error_set(error, "no memory");
}

struct source *source_new(struct event_base *base, const struct live_options *options,
                          const struct source_events *events, struct app_error *error)
{
	struct source *const s = calloc(1, sizeof(*s));

	if (s == NULL) {
		app_error_set(error, "no memory");
		return NULL;
	}
	s->options = options;
	s->events = *events;
	s->fd = -1;
	s->timer = evtimer_new(base, on_timer, s);
	if (s->timer == NULL) {
		app_error_set(error, "no memory");
	} else if ((options->from.kind == ENDPOINT_STDIO ? open_stdin(base, s, error)
	                                                 : open_datagrams(base, s, error)) == 0) {
		return s;
	}
	source_free(s);
	return NULL;
}

struct srt_pipe *source_srt(const struct source *s)
{
	return s != NULL ? s->srt : NULL;
}

void source_free(struct source *s)
{
	if (s == NULL) {
		return;
	}
	app_event_free(s->timer);
	app_event_free(s->readable);
	if (is_udp(s) && s->fd >= 0) {
		close(s->fd);
	}
	srt_pipe_free(s->srt);
	free(s);
}
