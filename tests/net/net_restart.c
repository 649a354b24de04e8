/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Peers die without a word and come back on the same ports, again and again, while threads of this stack wait
 * in usrsctp_sendv() for room that those peers never made: the association restarts under them. They are told
 * (ECONNRESET), what they were writing is gone with the old association, and the next message goes to the new
 * one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "exchange_parts.h"

enum { PEERS = 3, PEER_PORT = 6000, MESSAGE_BYTES = 60000, RESTARTS = 5, LIFE_MS = 150, TIME_LIMIT_S = 100 };

static struct host host;
static struct exchange kind;
static atomic_ullong n_told;
static atomic_bool over;

/* --- the peers, in a process that is killed ----------------------------------------------------------------
 */

/* Closes `up` when all have tried to connect. */
static _Noreturn void be_peers(int up)
{
	struct sockaddr_in server[HOST_MAX_ADDRESSES];

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	usrsctp_init(host.udp_port[1], NULL, NULL);
	memcpy(server, host.addresses, sizeof(server));
	for (int i = 0; i < host.n_addresses; i++)
		server[i].sin_port = htons(EXCHANGE_PORT);
	for (unsigned i = 0; i < PEERS; i++) {
		struct socket *so = exchange_socket(&kind, &host, (uint16_t)(PEER_PORT + i), NULL, NULL);

		exchange_set_peer_port(so, host.udp_port[0]);
		(void)usrsctp_connectx(so, (struct sockaddr *)server, host.n_addresses, NULL);
	}
	(void)close(up);
	for (;;)
		(void)pause();
}

/* Forks before the stack under test has threads. */
static pid_t spawn_peers_again_and_again(void)
{
	pid_t spawner = fork();

	REQUIRE(spawner >= 0);
	if (spawner > 0)
		return spawner;
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (unsigned i = 0; i <= RESTARTS; i++) {
		int ends[2];
		pid_t peers;
		char nothing;

		REQUIRE(pipe(ends) == 0);
		peers = fork();
		REQUIRE(peers >= 0);
		if (peers == 0)
			be_peers(ends[1]);
		REQUIRE(close(ends[1]) == 0);
		REQUIRE(read(ends[0], &nothing, 1) == 0); /* until all are connected */
		REQUIRE(close(ends[0]) == 0);
		exchange_pause_us(1000 * LIFE_MS + 10 * (i % 5));
		(void)kill(peers, SIGKILL);
		REQUIRE(waitpid(peers, NULL, 0) == peers);
	}
	_exit(0);
}

/* --- the stack under test ---------------------------------------------------------------------------------
 */

struct sender {
	pthread_t thread;
	struct socket *so;
};

static void *send_until_over(void *arg)
{
	static const uint8_t message[MESSAGE_BYTES];
	struct sender *s = arg;

	while (!atomic_load(&over)) {
		if (usrsctp_sendv(s->so, message, sizeof(message), NULL, 0, NULL, 0, SCTP_SENDV_NOINFO, 0) >=
		    0)
			continue;
		atomic_fetch_add(&n_told, errno == ECONNRESET && !atomic_load(&over));
		exchange_pause_us(1000);
	}
	return NULL;
}

static void abort_association(struct socket *so)
{
	struct sctp_sndinfo info = {.snd_flags = SCTP_ABORT};

	(void)usrsctp_sendv(so, "", 0, NULL, 0, &info, sizeof(info), SCTP_SENDV_SNDINFO, 0);
}

static void run_restarts(const void *job, void *outcome)
{
	struct sender senders[PEERS];
	struct socket *listener;
	pid_t spawner;
	int status;

	kind.scheduler = *(const char *const *)job;
	(void)alarm(TIME_LIMIT_S);
	host_prepare(&host);
	spawner = spawn_peers_again_and_again();
	usrsctp_init(host.udp_port[0], NULL, NULL);
	listener = exchange_socket(&kind, &host, EXCHANGE_PORT, NULL, NULL);
	REQUIRE(usrsctp_listen(listener, PEERS) == 0);
	for (unsigned i = 0; i < PEERS; i++) {
		senders[i].so = usrsctp_accept(listener, NULL, NULL);
		REQUIRE(senders[i].so != NULL);
		REQUIRE(pthread_create(&senders[i].thread, NULL, send_until_over, &senders[i]) == 0);
	}
	REQUIRE(waitpid(spawner, &status, 0) == spawner && status == 0);
	atomic_store(&over, true);
	for (unsigned i = 0; i < PEERS; i++) {
		/* Wakes the thread: the association is gone. */
		abort_association(senders[i].so);
		REQUIRE(pthread_join(senders[i].thread, NULL) == 0);
		usrsctp_close(senders[i].so);
	}
	usrsctp_close(listener);
	exchange_finish();
	*(uint64_t *)outcome = n_told;
}

static void run(const char *scheduler)
{
	uint64_t told;

	isolate_run(run_restarts, &scheduler, &told, sizeof(told));
	print_message("told %llu times\n", (unsigned long long)told);
	assert_true(told >= PEERS);
}

static void senders_survive_restarts_with_arrival(void **state)
{
	(void)state;
	run("arrival");
}

static void senders_survive_restarts_without_cmt(void **state)
{
	(void)state;
	run(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(senders_survive_restarts_with_arrival),
	    cmocka_unit_test(senders_survive_restarts_without_cmt),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
