/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A listening socket closes at the very moment at which a thread of the stack has made a socket for an
 * association, which still belongs to the listener's endpoint. That endpoint goes when the association has
 * left it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <unistd.h>

#include "exchange_parts.h"

enum { TIME_LIMIT_S = 60 };

/* The linker puts it in front of upstream's function (--wrap). */
struct socket *__wrap_sonewconn(struct socket *listener, int status);
struct socket *__real_sonewconn(struct socket *listener, int status);

static struct socket *closes;

struct socket *__wrap_sonewconn(struct socket *listener, int status)
{
	struct socket *const so = __real_sonewconn(listener, status);

	if (listener == closes) {
		usrsctp_close(closes);
		closes = NULL;
	}
	return so;
}

static void connect_to_a_closing_listener(const void *job, void *outcome)
{
	const struct exchange kind = {.scheduler = job};
	struct socket *listener, *client;
	struct sockaddr_in peer;
	struct host host;

	(void)outcome;
	(void)alarm(TIME_LIMIT_S);
	host_prepare(&host);
	usrsctp_init(host.udp_port[0], NULL, NULL);
	listener = exchange_socket(&kind, &host, EXCHANGE_PORT, NULL, NULL);
	REQUIRE(usrsctp_listen(listener, 1) == 0);
	closes = listener;
	client = exchange_socket(&kind, &host, 0, NULL, NULL);
	exchange_set_peer_port(client, host.udp_port[0]);
	peer = host.addresses[0];
	peer.sin_port = htons(EXCHANGE_PORT);
	(void)usrsctp_connect(client, (struct sockaddr *)&peer, sizeof(peer));
	usrsctp_close(client);
	REQUIRE(closes == NULL);
	exchange_finish();
}

static void its_endpoint_goes(void **state)
{
	char nothing;

	(void)state;
	isolate_run(connect_to_a_closing_listener, NULL, &nothing, sizeof(nothing));
}

static void its_endpoint_goes_with_a_scheduler(void **state)
{
	static const char scheduler[] = "arrival";
	char nothing;

	(void)state;
	isolate_run(connect_to_a_closing_listener, scheduler, &nothing, sizeof(nothing));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(its_endpoint_goes),
	    cmocka_unit_test(its_endpoint_goes_with_a_scheduler),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
