/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An echo server on libevent: every message comes back on the stream it came by.
 *
 *   ./event_echo_server [-p UDP_PORT] ADDRESS...
 *
 * Listens on SCTP port 7 of these local addresses, in UDP (port 9899 unless -p says otherwise). Ctrl-C ends
 * it. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>
#include <usrsctp_cmt_event.h>

#define ECHO_PORT     7
#define MAX_ADDRESSES 8
#define MESSAGE_BYTES 65536

/* What was read and could not be written back yet. While there is something, nothing more is read: the peer's
 * window closes, and it waits. */
struct echo {
	struct usrsctp_cmt_message message;
	size_t len;
	char bytes[MESSAGE_BYTES];
};

static int write_back(struct usrsctp_cmt_conn *conn, struct echo *echo)
{
	if (echo->len > 0 && usrsctp_cmt_conn_write(conn, echo->bytes, echo->len, &echo->message) != 0) {
		usrsctp_cmt_conn_disable(conn, EV_READ);
		return -1;
	}
	echo->len = 0;
	usrsctp_cmt_conn_enable(conn, EV_READ);
	return 0;
}

static void on_readable(struct usrsctp_cmt_conn *conn, void *arg)
{
	struct echo *echo = arg;
	ssize_t n;

	while (write_back(conn, echo) == 0 &&
	       (n = usrsctp_cmt_conn_read(conn, echo->bytes, sizeof(echo->bytes), &echo->message)) > 0) {
		echo->len = (size_t)n;
	}
}

static void on_writable(struct usrsctp_cmt_conn *conn, void *arg)
{
	(void)write_back(conn, arg);
}

static void on_event(struct usrsctp_cmt_conn *conn, const struct usrsctp_cmt_conn_event *event, void *arg)
{
	switch (event->type) {
	case USRSCTP_CMT_CONN_PEER_CLOSED:
	case USRSCTP_CMT_CONN_LOST:
		usrsctp_cmt_conn_free(conn);
		free(arg);
		break;
	default: break;
	}
}

static void on_accept(struct usrsctp_cmt_listener *listener, struct usrsctp_cmt_conn *conn, void *arg)
{
	struct echo *echo = calloc(1, sizeof(*echo));

	(void)listener;
	(void)arg;
	if (echo == NULL) {
		usrsctp_cmt_conn_abort(conn);
		return;
	}
	usrsctp_cmt_conn_setcb(conn, on_readable, on_writable, on_event, echo);
}

static void on_interrupt(evutil_socket_t signal_number, short what, void *arg)
{
	(void)signal_number;
	(void)what;
	event_base_loopbreak(arg);
}

static int serve(struct event_base *base, const struct usrsctp_cmt_event_config *config)
{
	const struct usrsctp_cmt_conn_config each = {.size = sizeof(each)};
	char error[256];
	struct usrsctp_cmt_event *ev = usrsctp_cmt_event_new(base, config, error, sizeof(error));

	if (ev == NULL) {
		fprintf(stderr, "event_echo_server: %s\n", error);
		return 1;
	}
	if (usrsctp_cmt_listen(ev, ECHO_PORT, &each, on_accept, NULL) == NULL) {
		perror("event_echo_server: cannot listen");
		usrsctp_cmt_event_free(ev);
		return 1;
	}
	printf("listening on UDP port %u\n", usrsctp_cmt_event_udp_port(ev));
	fflush(stdout);
	event_base_dispatch(base);
	usrsctp_cmt_event_free(ev);
	return 0;
}

int main(int argc, char **argv)
{
	struct sockaddr_storage addresses[MAX_ADDRESSES] = {0};
	struct usrsctp_cmt_event_config config = {
	    .size = sizeof(config), .addresses = addresses, .udp_port = USRSCTP_CMT_EVENT_UDP_PORT};
	struct event_base *base;
	struct event *interrupt;
	int option, status;

	while ((option = getopt(argc, argv, "p:")) == 'p') {
		config.udp_port = (uint16_t)atoi(optarg);
	}
	for (; option == -1 && optind < argc && config.n_addresses < MAX_ADDRESSES; optind++) {
		struct sockaddr_in *in = (struct sockaddr_in *)&addresses[config.n_addresses++];

		in->sin_family = AF_INET;
		if (inet_pton(AF_INET, argv[optind], &in->sin_addr) != 1) {
			option = 0;
		}
	}
	if (option != -1 || config.n_addresses == 0) {
		fprintf(stderr, "usage: event_echo_server [-p UDP_PORT] IPV4_ADDRESS...\n");
		return 2;
	}
	base = event_base_new();
	interrupt = evsignal_new(base, SIGINT, on_interrupt, base);
	event_add(interrupt, NULL);
	status = serve(base, &config);
	event_free(interrupt);
	event_base_free(base);
	return status;
}
