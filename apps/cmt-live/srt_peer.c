/* SPDX-License-Identifier: BSD-3-Clause */
#include "srt_peer.h"

#include <stdio.h>
#include <string.h>

#include <srt/access_control.h>

#include "loop/wall_clock.h"

#define PROGRAM "cmt-live"

#define RETRY_US     500000u
#define GONE_US      1500000u /* sent nothing for so long: somebody else may call */
#define LOOK_US      50000u
#define TAIL_MORE_US 50000u /* than the latency, until nothing can be due any more */

/* Once: calls that fail one after the other fail for the same reason. */
static void tell(struct srt_peer *p, const char *text)
{
	if (!p->quiet && strcmp(p->told, text) != 0) {
		app_complain(PROGRAM, "%s: %s", p->said, text);
	}
	(void)snprintf(p->told, sizeof(p->told), "%s", text);
}

/* --- counters --- */

/* With the lock held. SRT tells nothing of a connection that is over. */
static void keep_counters(struct srt_peer *p)
{
	SRT_TRACEBSTATS now;

	if (!p->stats.connected || srt_bstats(p->socket, &now, 0) != 0) {
		return;
	}
	p->now.lost = (uint64_t)now.pktRcvDropTotal + (uint64_t)now.pktSndDropTotal +
	              (uint64_t)now.pktRcvUndecryptTotal;
	p->now.retransmits = (uint64_t)now.pktRetransTotal + (uint64_t)now.pktRcvRetrans;
	p->now.rtt_ms = now.msRTT;
}

static void sum(struct srt_pipe_stats *stats, const struct srt_pipe_stats *now)
{
	stats->lost += now->lost;
	stats->retransmits += now->retransmits;
	stats->rtt_ms = now->rtt_ms > 0 ? now->rtt_ms : stats->rtt_ms;
}

void srt_peer_stats(struct srt_peer *p, struct srt_pipe_stats *out)
{
	(void)pthread_mutex_lock(&p->lock);
	keep_counters(p);
	*out = p->stats;
	sum(out, &p->now);
	(void)pthread_mutex_unlock(&p->lock);
}

void srt_peer_count(struct srt_peer *p, uint64_t datagrams, uint64_t dropped)
{
	(void)pthread_mutex_lock(&p->lock);
	p->stats.datagrams += datagrams;
	p->stats.dropped += dropped;
	(void)pthread_mutex_unlock(&p->lock);
}

/* --- the peer --- */

static void watch(struct srt_peer *p, int events, bool known)
{
	if (known) {
		(void)srt_epoll_update_usock(p->epoll, p->socket, &events);
	} else {
		(void)srt_epoll_add_usock(p->epoll, p->socket, &events);
	}
}

static void set_peer(struct srt_peer *p, SRTSOCKET peer, bool connected)
{
	(void)pthread_mutex_lock(&p->lock);
	keep_counters(p);
	sum(&p->stats, &p->now);
	p->now = (struct srt_pipe_stats){.connected = false};
	p->socket = peer;
	p->stats.connected = connected;
	p->stats.connections += connected;
	(void)pthread_mutex_unlock(&p->lock);
	p->connected = connected;
	p->tail_us = 0;
	atomic_store(&p->taken, connected);
	atomic_store(&p->heard_us, app_wall_clock_us());
}

static void become_connected(struct srt_peer *p, SRTSOCKET peer, bool watched)
{
	set_peer(p, peer, true);
	watch(p, p->way == SRT_PIPE_IN ? SRT_EPOLL_IN | SRT_EPOLL_ERR : SRT_EPOLL_ERR, watched);
	p->told[0] = '\0';
	tell(p, "connected by SRT");
}

static void drop_peer(struct srt_peer *p, const char *why)
{
	const SRTSOCKET peer = p->socket;

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
	struct srt_peer *const p = arg;

	(void)version;
	(void)from;
	if (p->url->streamid[0] != '\0' && strcmp(p->url->streamid, streamid) != 0) {
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

static void accept_peer(struct srt_peer *p)
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

static void call(struct srt_peer *p)
{
	struct app_error error;
	const SRTSOCKET s = srt_socket_call(p->url, &p->address, &error);

	p->call_us = app_wall_clock_us() + RETRY_US;
	if (s == SRT_INVALID_SOCK) {
		tell(p, error.text);
		return;
	}
	set_peer(p, s, false);
	watch(p, SRT_EPOLL_OUT | SRT_EPOLL_ERR, false);
}

/* SRT gives out what has arrived only when it is due, and forgets the rest when its socket is closed. */
static void begin_tail(struct srt_peer *p)
{
	int latency_ms = 0, len = sizeof(latency_ms);

	(void)srt_getsockflag(p->socket, SRTO_RCVLATENCY, &latency_ms, &len);
	(void)srt_epoll_remove_usock(p->epoll, p->socket);
	p->tail_us = app_wall_clock_us() + UINT64_C(1000) * (uint64_t)latency_ms + TAIL_MORE_US;
	atomic_store(&p->taken, false);
}

void srt_peer_on_failure(struct srt_peer *p)
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
	               srt_rejectreason_str(srt_getrejectreason(p->socket)));
	drop_peer(p, why);
}

bool srt_peer_on_event(struct srt_peer *p, const SRT_EPOLL_EVENT *event)
{
	if (event->fd == p->listener) {
		accept_peer(p);
	} else if (event->fd != p->socket) {
		return false; /* dropped meanwhile */
	} else if (!p->connected && srt_getsockstate(p->socket) == SRTS_CONNECTED) {
		become_connected(p, p->socket, true);
	} else if ((event->events & SRT_EPOLL_IN) != 0 && p->way == SRT_PIPE_IN) {
		return true;
	} else if ((event->events & SRT_EPOLL_ERR) != 0) {
		srt_peer_on_failure(p);
	}
	return false;
}

void srt_peer_look(struct srt_peer *p)
{
	const uint64_t now_us = app_wall_clock_us();

	if (now_us - p->looked_us < LOOK_US) {
		return;
	}
	p->looked_us = now_us;
	(void)pthread_mutex_lock(&p->lock);
	keep_counters(p);
	(void)pthread_mutex_unlock(&p->lock);
	if (p->listener == SRT_INVALID_SOCK && p->socket == SRT_INVALID_SOCK && now_us >= p->call_us) {
		call(p);
	}
}

int srt_peer_begin(struct srt_peer *p, struct app_error *error)
{
	const int events = SRT_EPOLL_IN;
	struct app_error why;

	p->listener = p->socket = SRT_INVALID_SOCK;
	(void)pthread_mutex_init(&p->lock, NULL);
	if (!p->url->listens) {
		return 0;
	}
	p->listener = srt_socket_listen(p->url, &p->address, admit, p, &why);
	if (p->listener == SRT_INVALID_SOCK) {
		return app_error_set(error, "%s: %s", p->said, why.text);
	}
	if (!p->quiet) {
		app_complain(PROGRAM, "%s: waiting for SRT on %s%s", p->said, p->url->at,
		             p->url->loopback_unasked ? "; with srt://0.0.0.0, other hosts can connect" : "");
	}
	return srt_epoll_add_usock(p->epoll, p->listener, &events) == 0
	           ? 0
	           : app_error_set(error, "%s: %s", p->said, srt_getlasterror_str());
}

void srt_peer_end(struct srt_peer *p)
{
	if (p->socket != SRT_INVALID_SOCK) {
		(void)srt_close(p->socket);
	}
	if (p->listener != SRT_INVALID_SOCK) {
		(void)srt_close(p->listener);
	}
	(void)pthread_mutex_destroy(&p->lock);
}
