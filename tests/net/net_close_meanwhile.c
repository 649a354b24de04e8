/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A socket closes at the very moment at which a thread of the stack, in the midst of a COOKIE-ECHO, has let
 * go of its association. The linker puts functions of ours (--wrap) in front of those of upstream that are
 * called just there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/socket.h>
#include <unistd.h>

#include "exchange_parts.h"

enum { TIME_LIMIT_S = 60, CLOSES_FOR_MS = 200, CHUNKS_AT = 12, COOKIE_ECHO = 10 };

struct mbuf;

struct socket *__wrap_sonewconn(struct socket *listener, int status);
struct socket *__real_sonewconn(struct socket *listener, int status);
struct mbuf *__wrap_m_split(struct mbuf *m, int length, int wait);
struct mbuf *__real_m_split(struct mbuf *m, int length, int wait);
int __wrap_pthread_mutex_lock(pthread_mutex_t *lock);
int __real_pthread_mutex_lock(pthread_mutex_t *lock);
ssize_t __wrap_sendmsg(int fd, const struct msghdr *message, int flags);
ssize_t __real_sendmsg(int fd, const struct msghdr *message, int flags);

static struct {
	struct socket *listener; /* closes when the next association has got a socket */
	struct socket *acceptor; /* the next COOKIE-ECHO comes twice; at the second one the association is
	                            accepted and aborted */
	unsigned cookies;
	pthread_t closer;
	atomic_bool closes;
} closing;

/* The association is not locked. */
struct socket *__wrap_sonewconn(struct socket *listener, int status)
{
	struct socket *const so = __real_sonewconn(listener, status);

	if (listener == closing.listener) {
		usrsctp_close(closing.listener);
		closing.listener = NULL;
	}
	return so;
}

static void *accept_and_abort(void *listener)
{
	const struct linger at_once = {.l_onoff = 1, .l_linger = 0};
	struct socket *const so = usrsctp_accept(listener, NULL, NULL);

	REQUIRE(so != NULL);
	REQUIRE(usrsctp_setsockopt(so, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once)) == 0);
	usrsctp_close(so);
	return NULL;
}

/* This thread's next lock is the one it takes when it has let go of the association. */
static _Thread_local bool lets_close;

struct mbuf *__wrap_m_split(struct mbuf *m, int length, int wait)
{
	if (closing.acceptor != NULL && ++closing.cookies == 2) {
		REQUIRE(pthread_create(&closing.closer, NULL, accept_and_abort, closing.acceptor) == 0);
		atomic_store(&closing.closes, true);
		lets_close = true;
	}
	return __real_m_split(m, length, wait);
}

int __wrap_pthread_mutex_lock(pthread_mutex_t *lock)
{
	if (lets_close) {
		lets_close = false;
		exchange_pause_us(1000 * CLOSES_FOR_MS);
	}
	return __real_pthread_mutex_lock(lock);
}

/* 0 where there is none. */
static uint8_t first_chunk_type(const struct msghdr *message)
{
	size_t at = CHUNKS_AT;

	for (size_t i = 0; i < message->msg_iovlen; i++) {
		const struct iovec *const part = &message->msg_iov[i];

		if (at < part->iov_len)
			return ((const uint8_t *)part->iov_base)[at];
		at -= part->iov_len;
	}
	return 0;
}

ssize_t __wrap_sendmsg(int fd, const struct msghdr *message, int flags)
{
	if (closing.acceptor != NULL && first_chunk_type(message) == COOKIE_ECHO)
		(void)__real_sendmsg(fd, message, flags);
	return __real_sendmsg(fd, message, flags);
}

struct ends {
	struct host host;
	struct socket *listener, *client;
};

static struct ends open_ends(const char *scheduler)
{
	const struct exchange kind = {.scheduler = scheduler};
	struct ends e;

	(void)alarm(TIME_LIMIT_S);
	host_prepare(&e.host);
	usrsctp_init(e.host.udp_port[0], NULL, NULL);
	e.listener = exchange_socket(&kind, &e.host, EXCHANGE_PORT, NULL, NULL);
	REQUIRE(usrsctp_listen(e.listener, 1) == 0);
	e.client = exchange_socket(&kind, &e.host, 0, NULL, NULL);
	exchange_set_peer_port(e.client, e.host.udp_port[0]);
	return e;
}

static void connect_ends(struct ends *e)
{
	struct sockaddr_in peer = e->host.addresses[0];

	peer.sin_port = htons(EXCHANGE_PORT);
	(void)usrsctp_connect(e->client, (struct sockaddr *)&peer, sizeof(peer));
}

static void connect_to_a_closing_listener(const void *scheduler, void *outcome)
{
	struct ends e = open_ends(scheduler);

	(void)outcome;
	closing.listener = e.listener;
	connect_ends(&e);
	usrsctp_close(e.client);
	REQUIRE(closing.listener == NULL);
	exchange_finish();
}

static void accept_and_abort_at_the_second_cookie(const void *scheduler, void *outcome)
{
	struct ends e = open_ends(scheduler);

	(void)outcome;
	closing.acceptor = e.listener;
	connect_ends(&e);
	for (unsigned ms = 0; !atomic_load(&closing.closes); ms++) {
		REQUIRE(ms < 1000 * TIME_LIMIT_S);
		exchange_pause_us(1000);
	}
	REQUIRE(pthread_join(closing.closer, NULL) == 0);
	usrsctp_close(e.client);
	usrsctp_close(e.listener);
	exchange_finish();
}

static void run(void (*scenario)(const void *, void *))
{
	static const char scheduler[] = "arrival";
	char nothing;

	isolate_run(scenario, NULL, &nothing, sizeof(nothing));
	isolate_run(scenario, scheduler, &nothing, sizeof(nothing));
}

static void the_listener_of_a_new_association_goes_when_that_has_left(void **state)
{
	(void)state;
	run(connect_to_a_closing_listener);
}

static void the_association_of_a_second_cookie_stays_until_that_is_done(void **state)
{
	(void)state;
	run(accept_and_abort_at_the_second_cookie);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_listener_of_a_new_association_goes_when_that_has_left),
	    cmocka_unit_test(the_association_of_a_second_cookie_stays_until_that_is_done),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
