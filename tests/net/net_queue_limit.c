/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How much a thread can hand over in usrsctp_sendv() before it has to wait, when the peer reads nothing:
 * messages of a byte, of which a send buffer of a megabyte would take a million. The peer's window takes one
 * for each of its bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <usrsctp_cmt.h>

#include "host.h"
#include "isolate.h"

enum { PORT = 7000, SNDBUF_BYTES = 1 << 20, RCVBUF_BYTES = 4096, STILL_MS = 1000 };

static atomic_uint handed;

static void pause_ms(unsigned ms)
{
	(void)nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L}, NULL);
}

static void set(struct socket *so, int level, int option, const void *value, socklen_t len)
{
	REQUIRE(usrsctp_setsockopt(so, level, option, value, len) == 0);
}

static struct socket *open_socket(const struct host *host)
{
	const int sndbuf_bytes = SNDBUF_BYTES, rcvbuf_bytes = RCVBUF_BYTES, on = 1;
	const struct sctp_udpencaps encapsulation = {.sue_assoc_id = SCTP_FUTURE_ASSOC,
	                                             .sue_address.ss_family = AF_INET,
	                                             .sue_port = htons(host->udp_port[0])};
	const struct sctp_cmt_policy policy = {
	    .size = sizeof(policy), .assoc_id = SCTP_FUTURE_ASSOC, .name = "arrival"};
	struct socket *const so = usrsctp_socket(AF_INET, SOCK_STREAM, IPPROTO_SCTP, NULL, NULL, 0, NULL);

	REQUIRE(so != NULL);
	set(so, SOL_SOCKET, SO_SNDBUF, &sndbuf_bytes, sizeof(sndbuf_bytes));
	set(so, SOL_SOCKET, SO_RCVBUF, &rcvbuf_bytes, sizeof(rcvbuf_bytes));
	set(so, IPPROTO_SCTP, SCTP_NODELAY, &on, sizeof(on));
	set(so, IPPROTO_SCTP, SCTP_REMOTE_UDP_ENCAPS_PORT, &encapsulation, sizeof(encapsulation));
	set(so, IPPROTO_SCTP, SCTP_CMT_SCHEDULER, &policy, sizeof(policy));
	return so;
}

static void *hand_over(void *arg)
{
	struct socket *const so = arg;

	while (usrsctp_sendv(so, "x", 1, NULL, 0, NULL, 0, SCTP_SENDV_NOINFO, 0) == 1)
		atomic_fetch_add(&handed, 1);
	return NULL;
}

/* Until the sender has stood still for so long. */
static unsigned wait_until_it_waits(void)
{
	unsigned before = 0, now = atomic_load(&handed);

	while (now == 0 || now != before) {
		before = now;
		pause_ms(STILL_MS);
		now = atomic_load(&handed);
	}
	return now;
}

static void count_handed(const void *chosen, void *outcome)
{
	const uint32_t limit = *(const uint32_t *)chosen;
	const struct linger at_once = {.l_onoff = 1};
	struct socket *listener, *client, *server;
	struct sockaddr_in address;
	struct host host;
	pthread_t thread;

	host_prepare(&host);
	usrsctp_init(host.udp_port[0], NULL, NULL);
	if (limit != 0)
		usrsctp_sysctl_set_sctp_max_chunks_on_queue(limit);
	address = host.addresses[0];
	address.sin_port = htons(PORT);
	listener = open_socket(&host);
	REQUIRE(usrsctp_bind(listener, (struct sockaddr *)&address, sizeof(address)) == 0);
	REQUIRE(usrsctp_listen(listener, 1) == 0);
	client = open_socket(&host);
	REQUIRE(usrsctp_connect(client, (struct sockaddr *)&address, sizeof(address)) == 0);
	server = usrsctp_accept(listener, NULL, NULL);
	REQUIRE(server != NULL);
	REQUIRE(pthread_create(&thread, NULL, hand_over, client) == 0);
	*(unsigned *)outcome = wait_until_it_waits();
	set(server, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
	usrsctp_close(server);
	REQUIRE(pthread_join(thread, NULL) == 0);
	usrsctp_close(client);
	usrsctp_close(listener);
	while (usrsctp_finish() != 0)
		pause_ms(10);
}

static unsigned handed_with(uint32_t chosen)
{
	unsigned n = 0;

	isolate_run(count_handed, &chosen, &n, sizeof(n));
	printf("limit %u: %u messages\n", chosen, n);
	return n;
}

static void no_more_than_8192_chunks_wait(void **state)
{
	(void)state;
	assert_in_range(handed_with(0), 8192, 8192 + RCVBUF_BYTES);
}

static void what_the_application_chooses_holds(void **state)
{
	(void)state;
	assert_in_range(handed_with(600), 600, 600 + RCVBUF_BYTES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(no_more_than_8192_chunks_wait),
	    cmocka_unit_test(what_the_application_chooses_holds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
