/* SPDX-License-Identifier: BSD-3-Clause
 *
 * srt_peer.h - the one SRT peer of an endpoint: who may be it, how it comes and goes, what is counted. For
 * srt_pipe.c, in a build with libsrt.
 *
 * All of it is the thread's that serves the peer, but srt_peer_stats(), which any thread may call, and what
 * SRT's own threads ask when somebody calls. */
#ifndef LIVE_SRT_PEER_H
#define LIVE_SRT_PEER_H

#include <pthread.h>
#include <stdatomic.h>

#include "srt_pipe.h"
#include "srt_socket.h"

struct srt_peer {
	/* Set before it begins. */
	const struct srt_url *url;
	const char *said; /* how the endpoint was written, for messages */
	enum srt_pipe_way way;
	bool quiet;
	struct sockaddr_storage address;
	int epoll;
	SRTSOCKET listener; /* SRT_INVALID_SOCK = it calls */
	SRTSOCKET socket;   /* connecting or connected; SRT_INVALID_SOCK = there is none */
	bool connected;
	uint64_t tail_us; /* it is gone, and what it sent may become due until then; 0 = it is not */
	uint64_t call_us; /* no earlier than that */
	uint64_t looked_us;
	char told[sizeof(struct app_error)];
	/* SRT's threads read them. */
	atomic_bool taken;
	_Atomic uint64_t heard_us; /* it connected, or sent something */
	/* With the lock held. */
	pthread_mutex_t lock;
	struct srt_pipe_stats stats; /* SRT's own counters: of earlier connections */
	struct srt_pipe_stats now;   /* SRT's own counters: of this one */
};

/* `url`, `said`, `way`, `quiet`, `address` and `epoll` are set, all else is zero. Listens, if that is what
 * the endpoint says. 0, or -1 with the reason; srt_peer_end() in any case. */
int srt_peer_begin(struct srt_peer *p, struct app_error *error);
void srt_peer_end(struct srt_peer *p);

/* Calls, when it is time to; and keeps SRT's counters, which are gone when the peer is. From time to time. */
void srt_peer_look(struct srt_peer *p);

/* What has happened to the listener or the peer. True: something can be read. */
bool srt_peer_on_event(struct srt_peer *p, const SRT_EPOLL_EVENT *event);

/* Nothing more can be read or written now. */
void srt_peer_on_failure(struct srt_peer *p);

void srt_peer_count(struct srt_peer *p, uint64_t datagrams, uint64_t dropped);
void srt_peer_stats(struct srt_peer *p, struct srt_pipe_stats *out);

#endif
