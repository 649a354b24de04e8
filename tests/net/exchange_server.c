/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The server of an exchange: a thread for each association that it accepts, or callbacks. */
#include "exchange_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEARTBEAT_INTERVAL_MS = 200 };

struct peer {
	struct socket *so;
	uint8_t number;
	uint64_t got_bytes, answered_bytes;
	bool ended;
};

static pthread_mutex_t peers_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t peers_changed = PTHREAD_COND_INITIALIZER;
static unsigned n_ended;

/* Of callbacks: upstream gives the listening socket's argument to every socket that it accepts. */
static struct peer peers[EXCHANGE_MAX_ASSOCIATIONS * 16];
static size_t n_peers;

static void answer(const struct exchange *job, struct peer *peer)
{
	const struct exchange_answer content = {.confirmed_bytes = peer->got_bytes};

	if (peer->got_bytes < peer->answered_bytes + EXCHANGE_ANSWER_EVERY_BYTES &&
	    peer->got_bytes < job->bytes)
		return;
	peer->answered_bytes = peer->got_bytes;
	/* The client may just have aborted. */
	REQUIRE(usrsctp_sendv(peer->so, &content, sizeof(content), NULL, 0, NULL, 0, SCTP_SENDV_NOINFO, 0) ==
	            sizeof(content) ||
	        job->abort_midway);
}

static void take(const struct exchange *job, struct peer *peer, const uint8_t *data, size_t len)
{
	static _Thread_local uint8_t expected[EXCHANGE_MESSAGE_MAX_BYTES];

	REQUIRE(len <= sizeof(expected) && peer->got_bytes + len <= job->bytes);
	if (peer->got_bytes == 0)
		peer->number = data[0];
	exchange_content(peer->number, (uint32_t)peer->got_bytes, expected, len);
	REQUIRE(memcmp(data, expected, len) == 0);
	peer->got_bytes += len;
	answer(job, peer);
}

static void note_end(struct peer *peer)
{
	(void)pthread_mutex_lock(&peers_lock);
	peer->ended = true;
	n_ended++;
	(void)pthread_cond_signal(&peers_changed);
	(void)pthread_mutex_unlock(&peers_lock);
}

/* --- a thread for each --- */

struct reader {
	pthread_t thread;
	const struct exchange *job;
	struct peer peer;
};

static void *read_all(void *arg)
{
	struct reader *const reader = arg;
	uint8_t *const buffer = malloc(EXCHANGE_MESSAGE_MAX_BYTES);
	ssize_t len;

	REQUIRE(buffer != NULL);
	do {
		struct sctp_rcvinfo info;
		socklen_t info_len = sizeof(info);
		unsigned info_type;
		int flags = 0;

		len = usrsctp_recvv(reader->peer.so, buffer, EXCHANGE_MESSAGE_MAX_BYTES, NULL, NULL, &info,
		                    &info_len, &info_type, &flags);
		if (len > 0)
			take(reader->job, &reader->peer, buffer, (size_t)len);
	} while (len > 0);
	REQUIRE(len == 0 || (reader->job->abort_midway && errno == ECONNRESET));
	free(buffer);
	usrsctp_close(reader->peer.so);
	note_end(&reader->peer);
	return NULL;
}

static void serve_with_threads(const struct exchange *job, struct socket *listener, unsigned n)
{
	struct reader *const readers = calloc(n, sizeof(*readers));

	REQUIRE(readers != NULL);
	for (unsigned i = 0; i < n; i++) {
		readers[i].job = job;
		readers[i].peer.so = usrsctp_accept(listener, NULL, NULL);
		REQUIRE(readers[i].peer.so != NULL);
		REQUIRE(pthread_create(&readers[i].thread, NULL, read_all, &readers[i]) == 0);
	}
	for (unsigned i = 0; i < n; i++)
		REQUIRE(pthread_join(readers[i].thread, NULL) == 0);
	free(readers);
}

/* --- callbacks --- */

/* Called with upstream's threads, perhaps before accept() has handed the socket out. */
static struct peer *peer_of(struct socket *so)
{
	struct peer *peer = NULL;

	(void)pthread_mutex_lock(&peers_lock);
	for (size_t i = 0; i < n_peers && peer == NULL; i++) {
		if (peers[i].so == so && !peers[i].ended)
			peer = &peers[i];
	}
	if (peer == NULL) {
		REQUIRE(n_peers < sizeof(peers) / sizeof(peers[0]));
		peer = &peers[n_peers++];
		*peer = (struct peer){.so = so};
	}
	(void)pthread_mutex_unlock(&peers_lock);
	return peer;
}

static int receive(struct socket *so, union sctp_sockstore from, void *data, size_t len,
                   struct sctp_rcvinfo info, int flags, void *arg)
{
	struct peer *const peer = peer_of(so);

	(void)from;
	(void)info;
	if (data == NULL) {
		if (!peer->ended)
			note_end(peer);
		return 1;
	}
	if ((flags & MSG_NOTIFICATION) == 0)
		take(arg, peer, data, len);
	free(data);
	return 1;
}

static void serve_with_callbacks(struct socket *listener, unsigned n)
{
	struct socket **const sockets = calloc(n, sizeof(struct socket *));

	REQUIRE(sockets != NULL);
	for (unsigned i = 0; i < n; i++) {
		sockets[i] = usrsctp_accept(listener, NULL, NULL);
		REQUIRE(sockets[i] != NULL);
	}
	(void)pthread_mutex_lock(&peers_lock);
	while (n_ended < n)
		(void)pthread_cond_wait(&peers_changed, &peers_lock);
	(void)pthread_mutex_unlock(&peers_lock);
	for (unsigned i = 0; i < n; i++)
		usrsctp_close(sockets[i]);
	free(sockets);
}

/* So that the end of an association is noticed when its ABORT was lost. */
static void ask_often(struct socket *listener)
{
	struct sctp_paddrparams often = {.spp_assoc_id = SCTP_FUTURE_ASSOC,
	                                 .spp_hbinterval = HEARTBEAT_INTERVAL_MS,
	                                 .spp_flags = SPP_HB_ENABLE};

	REQUIRE(usrsctp_setsockopt(listener, IPPROTO_SCTP, SCTP_PEER_ADDR_PARAMS, &often, sizeof(often)) ==
	        0);
}

void exchange_serve(const struct exchange *job, const struct host *host, int ready_fd,
                    struct exchange_outcome *outcome)
{
	const unsigned n = job->associations * job->rounds;
	struct socket *listener;

	usrsctp_init(host->udp_port[1], NULL, NULL);
	/* Upstream refuses an argument without a callback. */
	listener = exchange_socket(job, host, EXCHANGE_PORT, job->callbacks ? receive : NULL,
	                           job->callbacks ? (void *)(uintptr_t)job : NULL);
	ask_often(listener);
	REQUIRE(usrsctp_listen(listener, (int)n) == 0);
	REQUIRE(write(ready_fd, "", 1) == 1);
	if (job->callbacks)
		serve_with_callbacks(listener, n);
	else
		serve_with_threads(job, listener, n);
	usrsctp_close(listener);
	outcome->ended = n_ended;
	exchange_finish();
}
