/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pair.h - two connections that are each other's peers, in one process, over two loopback addresses. */
#ifndef TESTS_BLOCKING_PAIR_H
#define TESTS_BLOCKING_PAIR_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <usrsctp_cmt_blocking.h>

#define PAIR_ADDRESSES  "127.0.1.1,127.0.2.1"
#define PAIR_PORT       5001
#define PAIR_TIMEOUT_MS 20000 /* of what should come about */

struct pair {
	struct cmt_config listening, connecting; /* of who asks for nothing special; to be changed */
	struct cmt_listener *listener;
	struct cmt_connection *client, *server;
};

/* The configurations alone: a free UDP port, and the client takes whoever answers. */
void pair_init(struct pair *p);
/* The listener; then the configuration of the client has its port. */
void pair_listen(struct pair *p);
/* Both connections. */
void pair_connect(struct pair *p);
void pair_open(struct pair *p); /* all three */
/* Closes what is open, the client in good order. */
void pair_close(struct pair *p);

/* Sends messages of PAIR_BULK_BYTES until there has been no room for a while. How many. */
int pair_fill(struct cmt_connection *c);
#define PAIR_BULK_BYTES 60000u
#define PAIR_BULK_MAX   200 /* of a test that has gone wrong */

/* Whether poll(2) finds the descriptor readable now. */
bool pair_is_readable(int fd);

/* Fails the test with cmt_reason() unless `result` is not negative. */
#define assert_worked(result) pair_assert_worked((result), __FILE__, __LINE__)
void pair_assert_worked(long result, const char *file, int line);
/* Fails the test unless `result` is -error and the reason has `words` in it. */
#define assert_fails(result, error, words) pair_assert_fails((result), (error), (words), __FILE__, __LINE__)
void pair_assert_fails(long result, int error, const char *words, const char *file, int line);

#endif
