/* SPDX-License-Identifier: BSD-3-Clause */
#include "srt_pipe.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "live_message.h"
#include "loop/wall_clock.h"
#include "secure/secret_file.h"
#include "srt_peer.h"
#include "ts_cut.h"

#define BUFFER_BYTES (4 << 20) /* the kernel gives what it allows */
#define LOOK_MS      50        /* between looks at what no descriptor tells */
#define LINGER_US    1000000u
#define EVENTS       4
#define TAIL_LOOK_MS 5 /* while what a peer that is gone has sent becomes due */

struct srt_pipe {
	struct srt_url url;
	struct srt_peer peer;
	int fd, far_fd; /* the loop's end, the thread's end */
	pthread_t thread;
	bool has_library, has_peer, has_thread;
	atomic_bool stop;
	uint8_t bytes[LIVE_MAX_DATAGRAM_BYTES]; /* the thread's */
};

void srt_pipe_stats(struct srt_pipe *p, struct srt_pipe_stats *out)
{
	srt_peer_stats(&p->peer, out);
}

/* --- datagrams --- */

/* Waits for room. False when the pipe is being closed. */
static bool hand_over(struct srt_pipe *p, size_t len)
{
	while (!atomic_load(&p->stop)) {
		struct pollfd room = {.fd = p->far_fd, .events = POLLOUT};

		if (send(p->far_fd, p->bytes, len, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0) {
			return true;
		}
		if (errno != EAGAIN && errno != EWOULDBLOCK && errno != ENOBUFS && errno != EINTR) {
			return false;
		}
		(void)poll(&room, 1, LOOK_MS);
	}
	return false;
}

static void receive(struct srt_pipe *p)
{
	int len;

	while ((len = srt_recvmsg(p->peer.socket, (char *)p->bytes, sizeof(p->bytes))) > 0) {
		atomic_store(&p->peer.heard_us, app_wall_clock_us());
		srt_peer_count(&p->peer, 1, 0);
		if (!hand_over(p, (size_t)len)) {
			return;
		}
	}
	if (p->peer.tail_us != 0 ? app_wall_clock_us() > p->peer.tail_us
	                         : srt_getlasterror(NULL) != SRT_EASYNCRCV) {
		srt_peer_on_failure(&p->peer);
	}
}

/* A datagram that SRT would not take is cut, a transport stream between its packets. */
static void send_out(struct srt_pipe *p, size_t len)
{
	size_t at = 0, part;

	if (!p->peer.connected) {
		srt_peer_count(&p->peer, 0, 1);
		return;
	}
	do {
		part = len <= SRT_SOCKET_MAX_BYTES ? len : ts_cut(p->bytes + at, len - at, true);
		if (srt_sendmsg(p->peer.socket, (const char *)p->bytes + at, (int)part, SRT_MSGTTL_INF, 1) ==
		    SRT_ERROR) {
			srt_peer_count(&p->peer, 0, 1);
			return;
		}
		at += part;
	} while (at < len);
	srt_peer_count(&p->peer, 1, 0);
}

/* What the loop has written. */
static void drain(struct srt_pipe *p)
{
	ssize_t len;

	while ((len = recv(p->far_fd, p->bytes, sizeof(p->bytes), MSG_DONTWAIT)) > 0) {
		send_out(p, (size_t)len);
	}
}

/* --- the thread --- */

/* What is on its way to the peer. */
static void linger(struct srt_pipe *p)
{
	const uint64_t until_us = app_wall_clock_us() + LINGER_US;
	size_t blocks, bytes;

	while (p->peer.connected && srt_getsockstate(p->peer.socket) == SRTS_CONNECTED &&
	       app_wall_clock_us() < until_us && srt_getsndbuffer(p->peer.socket, &blocks, &bytes) >= 0 &&
	       blocks > 0) {
		(void)poll(NULL, 0, 10);
	}
}

static int look_ms(const struct srt_pipe *p)
{
	if (p->peer.way == SRT_PIPE_OUT) {
		return 0; /* it has waited for the loop already */
	}
	return p->peer.tail_us != 0 ? TAIL_LOOK_MS : LOOK_MS;
}

static void *run(void *arg)
{
	struct srt_pipe *const p = arg;
	SRT_EPOLL_EVENT events[EVENTS];

	while (!atomic_load(&p->stop)) {
		struct pollfd written = {.fd = p->far_fd, .events = POLLIN};
		int n;

		if (p->peer.way == SRT_PIPE_OUT && poll(&written, 1, LOOK_MS) > 0) {
			drain(p);
		}
		n = srt_epoll_uwait(p->peer.epoll, events, EVENTS, look_ms(p));
		for (int i = 0; i < n; i++) {
			if (srt_peer_on_event(&p->peer, &events[i])) {
				receive(p);
			}
		}
		if (p->peer.tail_us != 0) {
			receive(p);
		}
		srt_peer_look(&p->peer);
	}
	if (p->peer.way == SRT_PIPE_OUT) {
		drain(p);
		linger(p);
	}
	return NULL;
}

/* --- life --- */

static int read_passphrase(struct srt_url *url, struct app_error *error)
{
	char secret[APP_SECRET_BYTES];
	int rc;

	if (url->passphrase_file[0] == '\0') {
		return 0;
	}
	rc = app_secret_file_read("passphrase_file", url->passphrase_file, secret, error);
	if (rc == 0) {
		rc = srt_url_check_passphrase(secret, error);
	}
	if (rc == 0) {
		memcpy(url->passphrase, secret, strlen(secret) + 1);
	}
	explicit_bzero(secret, sizeof(secret));
	return rc;
}

static int open_pair(struct srt_pipe *p)
{
	const int buffer_bytes = BUFFER_BYTES;
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fds) != 0) {
		return errno;
	}
	p->fd = fds[0];
	p->far_fd = fds[1];
	for (int i = 0; i < 2; i++) {
		(void)setsockopt(fds[i], SOL_SOCKET, SO_SNDBUF, &buffer_bytes, sizeof(buffer_bytes));
	}
	return 0;
}

static int open_and_start(struct srt_pipe *p, struct app_error *error)
{
	struct app_addresses at = {.n = 0};
	struct app_error reason;
	int code;

	if (app_addresses_add(&at, p->url.at, p->url.port, true, &reason) != 0 ||
	    read_passphrase(&p->url, &reason) != 0) {
		return app_error_set(error, "%s: %s", p->peer.said, reason.text);
	}
	p->peer.address = at.list[0];
	code = open_pair(p);
	p->peer.epoll = srt_epoll_create();
	if (code == 0 && p->peer.epoll < 0) {
		code = EMFILE;
	}
	if (code != 0) {
		return app_error_set(error, "%s: %s", p->peer.said, strerror(code));
	}
	(void)srt_epoll_set(p->peer.epoll, SRT_EPOLL_ENABLE_EMPTY);
	p->has_peer = true;
	if (srt_peer_begin(&p->peer, error) != 0) {
		return -1;
	}
	code = pthread_create(&p->thread, NULL, run, p);
	p->has_thread = code == 0;
	return code == 0 ? 0 : app_error_set(error, "%s: %s", p->peer.said, strerror(code));
}

/* The program's signals are for its loop, and for none of the threads that begin here. */
static int begin(struct srt_pipe *p, struct app_error *error)
{
	sigset_t all, before;
	int rc;

	sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	rc = srt_socket_begin(error);
	p->has_library = rc == 0;
	if (rc == 0) {
		rc = open_and_start(p, error);
	}
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	return rc;
}

struct srt_pipe *srt_pipe_new(const struct srt_url *url, const char *said, enum srt_pipe_way way, bool quiet,
                              struct app_error *error)
{
	struct srt_pipe *const p = calloc(1, sizeof(*p));

	if (p == NULL) {
		app_error_set(error, "no memory");
		return NULL;
	}
	p->url = *url;
	p->peer.said = said;
	p->peer.way = way;
	p->peer.url = &p->url;
	p->peer.quiet = quiet;
	p->fd = p->far_fd = p->peer.epoll = -1;
	if (begin(p, error) == 0) {
		return p;
	}
	srt_pipe_free(p);
	return NULL;
}

int srt_pipe_fd(const struct srt_pipe *p)
{
	return p->fd;
}

void srt_pipe_free(struct srt_pipe *p)
{
	if (p == NULL) {
		return;
	}
	atomic_store(&p->stop, true);
	if (p->has_thread) {
		(void)pthread_join(p->thread, NULL);
	}
	if (p->has_peer) {
		srt_peer_end(&p->peer);
	}
	if (p->peer.epoll >= 0) {
		(void)srt_epoll_release(p->peer.epoll);
	}
	if (p->fd >= 0) {
		close(p->fd);
		close(p->far_fd);
	}
	if (p->has_library) {
		srt_socket_end();
	}
	explicit_bzero(&p->url, sizeof(p->url));
	free(p);
}
