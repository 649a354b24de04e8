/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An echo server without an event loop: one peer after the other, every message comes back.
 *
 *   ./blocking_server ADDRESS,ADDRESS... [UDP_PORT]
 *
 * Listens on SCTP port 7 of these local addresses, in UDP port 9899 or another; 0: a free one. Prints what
 * clients need. Ctrl-C ends it. */
#include <stdio.h>
#include <stdlib.h>

#include <usrsctp_cmt_blocking.h>

#define ECHO_PORT     7
#define TIMEOUT_MS    10000
#define MESSAGE_BYTES 65536

static int fail(const char *what)
{
	fprintf(stderr, "blocking_server: %s: %s\n", what, cmt_reason());
	return 1;
}

static void serve(struct cmt_connection *client)
{
	static char bytes[MESSAGE_BYTES];
	struct usrsctp_cmt_message how;
	ssize_t n;

	while ((n = cmt_recv(client, bytes, sizeof(bytes), &how, -1)) > 0) {
		if (cmt_send(client, bytes, (size_t)n, &how, TIMEOUT_MS) != 0) {
			(void)fail("cannot answer");
			break;
		}
	}
	if (n < 0) {
		(void)fail("cannot receive");
	}
	(void)cmt_close(client, TIMEOUT_MS);
}

int main(int argc, char **argv)
{
	struct cmt_config config = {.size = sizeof(config), .port = ECHO_PORT};
	char fingerprint[USRSCTP_CMT_FINGERPRINT_TEXT];
	struct cmt_listener *listener;
	struct cmt_connection *client;

	if (argc < 2) {
		fprintf(stderr, "usage: blocking_server IPV4_ADDRESS,... [UDP_PORT]\n");
		return 2;
	}
	config.local = argv[1];
	config.udp_port = argc > 2 ? (uint16_t)atoi(argv[2]) : 0;
	config.any_udp_port = argc > 2 && config.udp_port == 0;
	if (cmt_listen(&listener, &config) != 0 || cmt_listener_fingerprint(listener, fingerprint) != 0) {
		return fail("cannot listen");
	}
	printf("UDP port %d, %s\n", cmt_listener_udp_port(listener), fingerprint);
	fflush(stdout);
	while (cmt_accept(&client, listener, -1) == 0) {
		serve(client);
	}
	cmt_listener_close(listener);
	return fail("cannot accept");
}
