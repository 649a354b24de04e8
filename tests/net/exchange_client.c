/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The client of an exchange: for each association one thread that sends and one that reads the answers, and
 * perhaps one that watches. */
#include "exchange_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct sender {
	pthread_t thread;
	const struct exchange *job;
	const struct host *host;
	unsigned number;
	uint64_t confirmed_bytes;

	pthread_mutex_t so_lock; /* held while the watcher uses `so` */
	struct socket *so;
};

static void share_socket(struct sender *sender, struct socket *so)
{
	(void)pthread_mutex_lock(&sender->so_lock);
	sender->so = so;
	(void)pthread_mutex_unlock(&sender->so_lock);
}

/* From a port that no other association has: where the ABORT of one was lost, another from its port would be
 * that one's restart (RFC 9260, section 5.2.4), and be read at its socket. */
static struct socket *connect_to_server(const struct sender *sender, unsigned round)
{
	const struct host *const host = sender->host;
	const unsigned port = EXCHANGE_PORT + 1 + sender->number * sender->job->rounds + round;
	struct socket *const so = exchange_socket(sender->job, host, (uint16_t)port, NULL, NULL);
	struct sockaddr_in peer[HOST_MAX_ADDRESSES];

	exchange_set_peer_port(so, host->udp_port[1]);
	memcpy(peer, host->addresses, sizeof(peer));
	for (int i = 0; i < host->n_addresses; i++)
		peer[i].sin_port = htons(EXCHANGE_PORT);
	REQUIRE(usrsctp_connectx(so, (struct sockaddr *)peer, host->n_addresses, NULL) == 0);
	return so;
}

struct answers {
	pthread_t thread;
	struct socket *so;
	uint64_t expected_bytes;
	uint64_t confirmed_bytes;
};

static void read_answer(struct answers *answers)
{
	struct exchange_answer content;
	struct sctp_rcvinfo info;
	socklen_t info_len = sizeof(info);
	unsigned info_type;
	int flags = 0;
	const ssize_t len = usrsctp_recvv(answers->so, &content, sizeof(content), NULL, NULL, &info,
	                                  &info_len, &info_type, &flags);

	REQUIRE(len == sizeof(content) && content.confirmed_bytes > answers->confirmed_bytes);
	answers->confirmed_bytes = content.confirmed_bytes;
}

static void *read_answers(void *arg)
{
	struct answers *const answers = arg;

	while (answers->confirmed_bytes < answers->expected_bytes)
		read_answer(answers);
	return NULL;
}

static void send_content(const struct sender *sender, struct socket *so, uint32_t bytes)
{
	uint8_t *const message = malloc(EXCHANGE_MESSAGE_MAX_BYTES);
	uint32_t len;

	REQUIRE(message != NULL);
	for (uint32_t at = 0; at < bytes; at += len) {
		len = bytes - at < sender->job->message_bytes ? bytes - at : sender->job->message_bytes;
		exchange_content(sender->number, at, message, len);
		REQUIRE(usrsctp_sendv(so, message, len, NULL, 0, NULL, 0, SCTP_SENDV_NOINFO, 0) ==
		        (ssize_t)len);
	}
	free(message);
}

static void abort_association(struct socket *so)
{
	const struct linger linger = {.l_onoff = 1, .l_linger = 0};

	REQUIRE(usrsctp_setsockopt(so, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger)) == 0);
	usrsctp_close(so);
}

static void run_association(struct sender *sender, unsigned round)
{
	const struct exchange *const job = sender->job;
	struct socket *const so = connect_to_server(sender, round);
	struct answers answers = {.so = so, .expected_bytes = job->bytes};

	share_socket(sender, so);
	if (job->abort_midway) {
		send_content(sender, so, job->bytes / 2);
		/* The server has accepted it, and will see its end. */
		read_answer(&answers);
		share_socket(sender, NULL);
		abort_association(so);
		return;
	}
	REQUIRE(pthread_create(&answers.thread, NULL, read_answers, &answers) == 0);
	send_content(sender, so, job->bytes);
	/* The server could not answer any more while the association shuts down. */
	REQUIRE(pthread_join(answers.thread, NULL) == 0);
	sender->confirmed_bytes += answers.confirmed_bytes;
	share_socket(sender, NULL);
	usrsctp_close(so);
}

static void *run_sender(void *arg)
{
	struct sender *const sender = arg;

	for (unsigned round = 0; round < sender->job->rounds; round++)
		run_association(sender, round);
	return NULL;
}

/* --- the watcher --- */

struct watcher {
	pthread_t thread;
	struct sender *senders;
	unsigned n_senders, max_paths;
	atomic_bool stop;
};

static unsigned look_at(struct socket *so)
{
	struct sctp_cmt_path_stats paths[SCTP_CMT_MAX_PATHS] = {{.size = sizeof(paths[0])}};
	struct sctp_cmt_stats stats = {.size = sizeof(stats)};
	struct sctp_status status = {0};
	socklen_t len = sizeof(paths);
	unsigned n_paths = 0;

	/* Between connecting and closing the association may be gone already. */
	if (usrsctp_getsockopt(so, IPPROTO_SCTP, SCTP_CMT_PATH_STATS, paths, &len) == 0)
		n_paths = (unsigned)(len / sizeof(paths[0]));
	len = sizeof(stats);
	(void)usrsctp_getsockopt(so, IPPROTO_SCTP, SCTP_CMT_STATS, &stats, &len);
	len = sizeof(status);
	(void)usrsctp_getsockopt(so, IPPROTO_SCTP, SCTP_STATUS, &status, &len);
	return n_paths;
}

static void *watch(void *arg)
{
	const struct timespec pause = {.tv_nsec = 2000000};
	struct watcher *const watcher = arg;

	while (!atomic_load(&watcher->stop)) {
		for (unsigned i = 0; i < watcher->n_senders; i++) {
			struct sender *const sender = &watcher->senders[i];
			unsigned n_paths = 0;

			(void)pthread_mutex_lock(&sender->so_lock);
			if (sender->so != NULL)
				n_paths = look_at(sender->so);
			(void)pthread_mutex_unlock(&sender->so_lock);
			if (n_paths > watcher->max_paths)
				watcher->max_paths = n_paths;
		}
		(void)nanosleep(&pause, NULL);
	}
	return NULL;
}

void exchange_drive(const struct exchange *job, const struct host *host, struct exchange_outcome *outcome)
{
	struct sender *const senders = calloc(job->associations, sizeof(*senders));
	struct watcher watcher = {.senders = senders, .n_senders = job->associations};

	REQUIRE(senders != NULL && job->associations <= EXCHANGE_MAX_ASSOCIATIONS);
	usrsctp_init(host->udp_port[0], NULL, NULL);
	for (unsigned i = 0; i < job->associations; i++) {
		senders[i].job = job;
		senders[i].host = host;
		senders[i].number = i;
		REQUIRE(pthread_mutex_init(&senders[i].so_lock, NULL) == 0);
		REQUIRE(pthread_create(&senders[i].thread, NULL, run_sender, &senders[i]) == 0);
	}
	if (job->watch)
		REQUIRE(pthread_create(&watcher.thread, NULL, watch, &watcher) == 0);
	for (unsigned i = 0; i < job->associations; i++) {
		REQUIRE(pthread_join(senders[i].thread, NULL) == 0);
		outcome->confirmed_bytes += senders[i].confirmed_bytes;
	}
	atomic_store(&watcher.stop, true);
	if (job->watch)
		REQUIRE(pthread_join(watcher.thread, NULL) == 0);
	outcome->max_paths = watcher.max_paths;
	for (unsigned i = 0; i < job->associations; i++)
		(void)pthread_mutex_destroy(&senders[i].so_lock);
	free(senders);
}
