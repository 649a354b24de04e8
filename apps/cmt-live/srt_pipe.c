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

#include <srt/access_control.h>

#include "live_message.h"
#include "loop/wall_clock.h"
#include "secure/secret_file.h"
#include "srt_socket.h"
#include "ts_cut.h"

#define PROGRAM "cmt-live"

#define BUFFER_BYTES (4 << 20) /* the kernel gives what it allows */
#define LOOK_MS      50        /* between looks at what no descriptor tells */
#define RETRY_US     500000u
#define GONE_US      1500000u /* sent nothing for so long: somebody else may call */
#define LINGER_US    1000000u
#define EVENTS       4
#define TAIL_LOOK_MS 5      /* while what a peer that is gone has sent becomes due */
#define TAIL_MORE_US 50000u /* than the latency, until nothing can be due any more */

struct srt_pipe {
	struct srt_url url;
	const char *said;
	enum srt_pipe_way way;
	bool quiet;
	struct sockaddr_storage address;
	int fd, far_fd; /* the loop's end, the thread's end */
	int epoll;
	SRTSOCKET listener;
	pthread_t thread;
	bool has_library, has_thread;
	atomic_bool stop;
	/* Written by the thread; SRT's own thread reads them when somebody calls. */
	atomic_bool taken;
	_Atomic uint64_t heard_us; /* the peer connected, or sent something */
	/* The thread's. */
	bool connected;
	uint64_t tail_us; /* the peer is gone, and what it sent may become due until then; 0 = it is not */
	uint64_t call_us; /* no earlier than that */
	char told[sizeof(struct app_error)];
	uint8_t bytes[LIVE_MAX_DATAGRAM_BYTES];
	/* What both see: the thread changes it, and the loop reads it, with the lock held. */
	pthread_mutex_t lock;
	SRTSOCKET peer;              /* connecting or connected */
	struct srt_pipe_stats stats; /* SRT's own counters: of earlier connections */
};

/* Once: calls that fail one after the other fail for the same reason. */
static void tell(struct srt_pipe *p, const char *text)
{
	if (!p->quiet && strcmp(p->told, text) != 0) {
		app_complain(PROGRAM, "%s: %s", p->said, text);
	}
	(void)snprintf(p->told, sizeof(p->told), "%s", text);
}

/* --- counters --- */

static void add_of_peer(SRTSOCKET peer, struct srt_pipe_stats *stats)
{
	SRT_TRACEBSTATS now;

	if (peer == SRT_INVALID_SOCK || srt_bstats(peer, &now, 0) != 0) {
		return;
	}
	stats->lost += (uint64_t)now.pktRcvDropTotal + (uint64_t)now.pktSndDropTotal +
	               (uint64_t)now.pktRcvUndecryptTotal;
	stats->retransmits += (uint64_t)now.pktRetransTotal + (uint64_t)now.pktRcvRetrans;
	stats->rtt_ms = now.msRTT;
}

void srt_pipe_stats(struct srt_pipe *p, struct srt_pipe_stats *out)
{
	(void)pthread_mutex_lock(&p->lock);
	*out = p->stats;
	if (out->connected) {
		add_of_peer(p->peer, out);
	}
	(void)pthread_mutex_unlock(&p->lock);
}

static void count(struct srt_pipe *p, uint64_t datagrams, uint64_t dropped)
{
	(void)pthread_mutex_lock(&p->lock);
	p->stats.datagrams += datagrams;
	p->stats.dropped += dropped;
	(void)pthread_mutex_unlock(&p->lock);
}

/* --- the peer --- */

static void watch(struct srt_pipe *p, int events, bool known)
{
	if (known) {
		(void)srt_epoll_update_usock(p->epoll, p->peer, &events);
	} else {
		(void)srt_epoll_add_usock(p->epoll, p->peer, &events);
	}
}

static void set_peer(struct srt_pipe *p, SRTSOCKET peer, bool connected)
{
	(void)pthread_mutex_lock(&p->lock);
	if (p->stats.connected) {
		add_of_peer(p->peer, &p->stats);
	}
	p->peer = peer;
	p->stats.connected = connected;
	p->stats.connections += connected;
	(void)pthread_mutex_unlock(&p->lock);
	p->connected = connected;
	p->tail_us = 0;
	atomic_store(&p->taken, connected);
	atomic_store(&p->heard_us, app_wall_clock_us());
}

static void become_connected(struct srt_pipe *p, SRTSOCKET peer, bool watched)
{
	set_peer(p, peer, true);
	watch(p, p->way == SRT_PIPE_IN ? SRT_EPOLL_IN | SRT_EPOLL_ERR : SRT_EPOLL_ERR, watched);
	p->told[0] = '\0';
	tell(p, "connected by SRT");
}

static void drop_peer(struct srt_pipe *p, const char *why)
{
	const SRTSOCKET peer = p->peer;

	if (peer == SRT_INVALID_SOCK) {
		return;
	}
	(void)srt_epoll_remove_usock(p->epoll, peer);
	set_peer(p, SRT_INVALID_SOCK, false);
	(void)srt_close(peer);
	p->call_us = app_wall_clock_us() + RETRY_US;
	tell(p, why);
}

/* From a thread of SRT's, when somebody calls: 0 = may. */
static int admit(void *arg, SRTSOCKET socket, int version, const struct sockaddr *from, const char *streamid)
{
	struct srt_pipe *const p = arg;

	(void)version;
	(void)from;
	if (p->url.streamid[0] != '\0' && strcmp(p->url.streamid, streamid) != 0) {
		(void)srt_setrejectreason(socket, SRT_REJX_NOTFOUND);
		return -1;
	}
	if (atomic_load(&p->taken) &&
	    (p->way == SRT_PIPE_OUT || app_wall_clock_us() - atomic_load(&p->heard_us) < GONE_US)) {
		(void)srt_setrejectreason(socket, SRT_REJX_CONFLICT);
		return -1;
	}
	return 0;
}

static void accept_peer(struct srt_pipe *p)
{
	struct sockaddr_storage from;
	int len = sizeof(from);
	const SRTSOCKET peer = srt_accept(p->listener, (struct sockaddr *)&from, &len);

	if (peer == SRT_INVALID_SOCK) {
		return;
	}
	drop_peer(p, "another SRT peer calls: switching to it");
	become_connected(p, peer, false);
}

static void call(struct srt_pipe *p)
{
	struct app_error error;
	const SRTSOCKET s = srt_socket_call(&p->url, &p->address, &error);

	p->call_us = app_wall_clock_us() + RETRY_US;
	if (s == SRT_INVALID_SOCK) {
		tell(p, error.text);
		return;
	}
	set_peer(p, s, false);
	watch(p, SRT_EPOLL_OUT | SRT_EPOLL_ERR, false);
}

/* SRT gives out what has arrived only when it is due, and forgets the rest when its socket is closed. */
static void begin_tail(struct srt_pipe *p)
{
	int latency_ms = 0, len = sizeof(latency_ms);

	(void)srt_getsockflag(p->peer, SRTO_RCVLATENCY, &latency_ms, &len);
	(void)srt_epoll_remove_usock(p->epoll, p->peer);
	p->tail_us = app_wall_clock_us() + UINT64_C(1000) * (uint64_t)latency_ms + TAIL_MORE_US;
	atomic_store(&p->taken, false);
}

static void on_failure(struct srt_pipe *p)
{
	char why[160];

	if (p->connected && p->way == SRT_PIPE_IN && p->tail_us == 0) {
		begin_tail(p);
		return;
	}
	if (p->connected) {
		drop_peer(p, p->listener != SRT_INVALID_SOCK
		                 ? "the SRT peer is gone; waiting for the next one"
		                 : "the SRT peer is gone; connecting again");
		return;
	}
	(void)snprintf(why, sizeof(why), "cannot connect by SRT: %s; connecting again",
	               srt_rejectreason_str(srt_getrejectreason(p->peer)));
	drop_peer(p, why);
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

	while ((len = srt_recvmsg(p->peer, (char *)p->bytes, sizeof(p->bytes))) > 0) {
		atomic_store(&p->heard_us, app_wall_clock_us());
		count(p, 1, 0);
		if (!hand_over(p, (size_t)len)) {
			return;
		}
	}
	if (p->tail_us != 0 ? app_wall_clock_us() > p->tail_us : srt_getlasterror(NULL) != SRT_EASYNCRCV) {
		on_failure(p);
	}
}

/* A datagram that SRT would not take is cut, a transport stream between its packets. */
static void send_out(struct srt_pipe *p, size_t len)
{
	size_t at = 0, part;

	if (!p->connected) {
		count(p, 0, 1);
		return;
	}
	do {
		part = len <= SRT_SOCKET_MAX_BYTES ? len : ts_cut(p->bytes + at, len - at, true);
		if (srt_sendmsg(p->peer, (const char *)p->bytes + at, (int)part, SRT_MSGTTL_INF, 1) ==
		    SRT_ERROR) {
			count(p, 0, 1);
			return;
		}
		at += part;
	} while (at < len);
	count(p, 1, 0);
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

static void on_event(struct srt_pipe *p, const SRT_EPOLL_EVENT *event)
{
	if (event->fd == p->listener) {
		accept_peer(p);
	} else if (event->fd != p->peer) {
		return; /* dropped meanwhile */
	} else if (!p->connected && srt_getsockstate(p->peer) == SRTS_CONNECTED) {
		become_connected(p, p->peer, true);
	} else if ((event->events & SRT_EPOLL_IN) != 0 && p->way == SRT_PIPE_IN) {
		receive(p);
	} else if ((event->events & SRT_EPOLL_ERR) != 0) {
		on_failure(p);
	}
}

/* What is on its way to the peer. */
static void linger(struct srt_pipe *p)
{
	const uint64_t until_us = app_wall_clock_us() + LINGER_US;
	size_t blocks, bytes;

	while (p->connected && srt_getsockstate(p->peer) == SRTS_CONNECTED &&
	       app_wall_clock_us() < until_us && srt_getsndbuffer(p->peer, &blocks, &bytes) >= 0 &&
	       blocks > 0) {
		(void)poll(NULL, 0, 10);
	}
}

static int look_ms(const struct srt_pipe *p)
{
	if (p->way == SRT_PIPE_OUT) {
		return 0; /* it has waited for the loop already */
	}
	return p->tail_us != 0 ? TAIL_LOOK_MS : LOOK_MS;
}

static void *run(void *arg)
{
	struct srt_pipe *const p = arg;
	SRT_EPOLL_EVENT events[EVENTS];

	while (!atomic_load(&p->stop)) {
		struct pollfd written = {.fd = p->far_fd, .events = POLLIN};
		int n;

		if (p->way == SRT_PIPE_OUT && poll(&written, 1, LOOK_MS) > 0) {
			drain(p);
		}
		n = srt_epoll_uwait(p->epoll, events, EVENTS, look_ms(p));
		for (int i = 0; i < n; i++) {
			on_event(p, &events[i]);
		}
		if (p->tail_us != 0) {
			receive(p);
		}
		if (p->listener == SRT_INVALID_SOCK && p->peer == SRT_INVALID_SOCK &&
		    app_wall_clock_us() >= p->call_us) {
			call(p);
		}
	}
	if (p->way == SRT_PIPE_OUT) {
		drain(p);
		linger(p);
	}
	return NULL;
}

/* --- life --- */

static int start_listening(struct srt_pipe *p, struct app_error *error)
{
	const int events = SRT_EPOLL_IN;
	struct app_error why;

	p->listener = srt_socket_listen(&p->url, &p->address, admit, p, &why);
	if (p->listener == SRT_INVALID_SOCK) {
		return app_error_set(error, "%s: %s", p->said, why.text);
	}
	if (!p->quiet) {
		app_complain(PROGRAM, "%s: waiting for SRT on %s%s", p->said, p->url.at,
		             p->url.loopback_unasked ? "; with srt://0.0.0.0, other hosts can connect" : "");
	}
	return srt_epoll_add_usock(p->epoll, p->listener, &events) == 0
	           ? 0
	           : app_error_set(error, "%s: %s", p->said, srt_getlasterror_str());
}

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
		return app_error_set(error, "%s: %s", p->said, reason.text);
	}
	p->address = at.list[0];
	code = open_pair(p);
	p->epoll = srt_epoll_create();
	if (code == 0 && p->epoll < 0) {
		code = EMFILE;
	}
	if (code != 0) {
		return app_error_set(error, "%s: %s", p->said, strerror(code));
	}
	(void)srt_epoll_set(p->epoll, SRT_EPOLL_ENABLE_EMPTY);
	if (p->url.listens && start_listening(p, error) != 0) {
		return -1;
	}
	code = pthread_create(&p->thread, NULL, run, p);
	p->has_thread = code == 0;
	return code == 0 ? 0 : app_error_set(error, "%s: %s", p->said, strerror(code));
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
	p->said = said;
	p->way = way;
	p->quiet = quiet;
	p->fd = p->far_fd = p->epoll = -1;
	p->listener = p->peer = SRT_INVALID_SOCK;
	(void)pthread_mutex_init(&p->lock, NULL);
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
	if (p->peer != SRT_INVALID_SOCK) {
		(void)srt_close(p->peer);
	}
	if (p->listener != SRT_INVALID_SOCK) {
		(void)srt_close(p->listener);
	}
	if (p->epoll >= 0) {
		(void)srt_epoll_release(p->epoll);
	}
	if (p->fd >= 0) {
		close(p->fd);
		close(p->far_fd);
	}
	(void)pthread_mutex_destroy(&p->lock);
	if (p->has_library) {
		srt_socket_end();
	}
	explicit_bzero(&p->url, sizeof(p->url));
	free(p);
}
