/* SPDX-License-Identifier: BSD-3-Clause */
#include "exchange_parts.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "policy.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

/* An exchange takes a second or two; several times that under a sanitizer. */
enum { TIME_LIMIT_S = 120 };

void exchange_content(unsigned number, uint32_t at, uint8_t *out, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		const uint32_t place = at + (uint32_t)i;

		out[i] =
		    place == 0 ? (uint8_t)number : (uint8_t)((place * 2654435761u + number * 40503u) >> 21);
	}
}

struct socket *exchange_socket(const struct exchange *job, const struct host *host, uint16_t port,
                               int (*receive)(struct socket *, union sctp_sockstore, void *, size_t,
                                              struct sctp_rcvinfo, int, void *),
                               void *arg)
{
	struct socket *const so = usrsctp_socket(AF_INET, SOCK_STREAM, IPPROTO_SCTP, receive, NULL, 0, arg);
	struct sockaddr_in addresses[HOST_MAX_ADDRESSES];

	REQUIRE(so != NULL);
	memcpy(addresses, host->addresses, sizeof(addresses));
	for (int i = 0; i < host->n_addresses; i++)
		addresses[i].sin_port = htons(port);
	REQUIRE(usrsctp_bindx(so, (struct sockaddr *)addresses, host->n_addresses, SCTP_BINDX_ADD_ADDR) == 0);
	policy_choose(so, SCTP_CMT_SCHEDULER, job->scheduler);
	return so;
}

void exchange_set_peer_port(struct socket *so, uint16_t udp_port)
{
	const struct sctp_udpencaps encapsulation = {
	    .sue_assoc_id = SCTP_FUTURE_ASSOC, .sue_address.ss_family = AF_INET, .sue_port = htons(udp_port)};

	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_REMOTE_UDP_ENCAPS_PORT, &encapsulation,
	                           sizeof(encapsulation)) == 0);
}

void exchange_pause_us(unsigned us)
{
	(void)nanosleep(&(struct timespec){.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000L}, NULL);
}

void exchange_finish(void)
{
	for (int tries = 0; usrsctp_finish() != 0; tries++) {
		REQUIRE(tries < 3000);
		exchange_pause_us(10000);
	}
#if defined(__SANITIZE_ADDRESS__)
	REQUIRE(__lsan_do_recoverable_leak_check() == 0);
#endif
}

void exchange_run(const void *job, void *outcome)
{
	struct host host;
	int ready[2], status = -1;
	pid_t server;
	char byte;

	(void)alarm(TIME_LIMIT_S);
	host_prepare(&host);
	REQUIRE(pipe(ready) == 0);
	(void)fflush(NULL);
	server = fork();
	REQUIRE(server >= 0);
	if (server == 0) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		(void)close(ready[0]);
		exchange_serve(job, &host, ready[1], outcome);
		_exit(0);
	}
	(void)close(ready[1]);
	REQUIRE(read(ready[0], &byte, 1) == 1);
	exchange_drive(job, &host, outcome);
	/* Until then the client's stack answers the server's HEARTBEATs: with an ABORT where one was lost. */
	REQUIRE(waitpid(server, &status, 0) == server && status == 0);
	exchange_finish();
}
