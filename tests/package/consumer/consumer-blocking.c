/* SPDX-License-Identifier: BSD-3-Clause
 *
 * consumer-blocking.c - the least that a program does with libusrsctp-cmt-blocking: listens, connects to
 * itself, and has a message come back. */
#include <stdio.h>
#include <usrsctp_cmt_blocking.h>

static int talk(struct cmt_listener *listener)
{
	const struct cmt_config config = {.size = sizeof(config),
	                                  .peer = "127.0.0.1",
	                                  .local = "127.0.0.1",
	                                  .port = 5001,
	                                  .peer_udp_port = (uint16_t)cmt_listener_udp_port(listener),
	                                  .insecure = true};
	struct cmt_connection *client, *server;
	char byte;
	int result = cmt_connect(&client, &config, 10000);

	if (result != 0) {
		return result;
	}
	result = cmt_accept(&server, listener, 10000);
	if (result == 0) {
		result = cmt_send(server, "x", 1, NULL, 10000);
		if (result == 0 && cmt_recv(client, &byte, 1, NULL, 10000) != 1) {
			result = -1;
		}
		(void)cmt_close(server, 0);
	}
	(void)cmt_close(client, 0);
	return result;
}

int main(void)
{
	const struct cmt_config config = {
	    .size = sizeof(config), .port = 5001, .any_udp_port = true, .insecure = true};
	struct cmt_listener *listener;
	int result = cmt_listen(&listener, &config);

	if (result == 0) {
		result = talk(listener);
		cmt_listener_close(listener);
	}
	if (result != 0) {
		fprintf(stderr, "consumer-blocking: %s\n", cmt_reason());
		return 1;
	}
	return 0;
}
