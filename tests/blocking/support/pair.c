/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/pair.h"

#include <poll.h>
#include <string.h>

#define FULL_MS 200 /* what waits for the loop has left by then */

void pair_assert_worked(long result, const char *file, int line)
{
	if (result < 0) {
		print_error("%s\n", cmt_reason());
		_fail(file, line);
	}
}

void pair_assert_fails(long result, int error, const char *words, const char *file, int line)
{
	if (result != -error || strstr(cmt_reason(), words) == NULL) {
		print_error("%ld, \"%s\"; expected %d, \"..%s..\"\n", result, cmt_reason(), -error, words);
		_fail(file, line);
	}
	print_message("%s\n", cmt_reason());
}

void pair_init(struct pair *p)
{
	*p = (struct pair){
	    .listening = {.size = sizeof(p->listening),
	                  .local = PAIR_ADDRESSES,
	                  .port = PAIR_PORT,
	                  .any_udp_port = true},
	    .connecting = {.size = sizeof(p->connecting),
	                   .peer = PAIR_ADDRESSES,
	                   .local = "127.0.1.2,127.0.2.2",
	                   .port = PAIR_PORT,
	                   .any_peer = true},
	};
}

void pair_listen(struct pair *p)
{
	assert_worked(cmt_listen(&p->listener, &p->listening));
	p->connecting.peer_udp_port = (uint16_t)cmt_listener_udp_port(p->listener);
}

void pair_connect(struct pair *p)
{
	assert_worked(cmt_connect(&p->client, &p->connecting, PAIR_TIMEOUT_MS));
	assert_worked(cmt_accept(&p->server, p->listener, PAIR_TIMEOUT_MS));
}

void pair_open(struct pair *p)
{
	pair_listen(p);
	pair_connect(p);
}

void pair_close(struct pair *p)
{
	assert_worked(cmt_close(p->client, PAIR_TIMEOUT_MS));
	assert_worked(cmt_close(p->server, PAIR_TIMEOUT_MS));
	cmt_listener_close(p->listener);
	p->client = p->server = NULL;
	p->listener = NULL;
}

int pair_fill(struct cmt_connection *c)
{
	static uint8_t bytes[PAIR_BULK_BYTES];
	int n = 0;

	while (n < PAIR_BULK_MAX && cmt_send(c, bytes, sizeof(bytes), NULL, FULL_MS) == 0) {
		n++;
	}
	return n;
}

bool pair_is_readable(int fd)
{
	struct pollfd one = {.fd = fd, .events = POLLIN};

	return poll(&one, 1, 0) == 1;
}
