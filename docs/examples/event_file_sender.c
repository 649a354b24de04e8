/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sends a file to event_echo_server over all paths, as a byte stream through a bufferevent, and compares what
 * comes back.
 *
 *   ./event_file_sender [-p UDP_PORT] FILE ADDRESS...
 *
 * The addresses are those of one server; every one that this host reaches is a path. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <usrsctp_cmt_event.h>

#define ECHO_PORT     7
#define MAX_ADDRESSES 8
#define MAX_PATHS     SCTP_CMT_MAX_PATHS
#define AHEAD_BYTES   262144 /* of the file in memory */

struct transfer {
	struct event_base *base;
	struct usrsctp_cmt_conn *conn;
	struct bufferevent *bev;
	FILE *file, *again; /* to send from, to compare with */
	unsigned long long sent_bytes, echoed_bytes;
	int failed;
};

static void stop(struct transfer *t, const char *why)
{
	if (why != NULL) {
		fprintf(stderr, "event_file_sender: %s\n", why);
		t->failed = 1;
	}
	event_base_loopbreak(t->base);
}

static void send_more(struct bufferevent *bev, void *arg)
{
	struct transfer *t = arg;
	struct evbuffer *out = bufferevent_get_output(bev);
	char bytes[16384];
	size_t n;

	while (evbuffer_get_length(out) < AHEAD_BYTES && (n = fread(bytes, 1, sizeof(bytes), t->file)) > 0) {
		bufferevent_write(bev, bytes, n);
		t->sent_bytes += n;
	}
}

static void compare(struct bufferevent *bev, void *arg)
{
	struct transfer *t = arg;
	char bytes[16384], expected[16384];
	size_t n;

	while ((n = bufferevent_read(bev, bytes, sizeof(bytes))) > 0) {
		if (fread(expected, 1, n, t->again) != n || memcmp(bytes, expected, n) != 0) {
			stop(t, "what came back is not what was sent");
			return;
		}
		t->echoed_bytes += n;
	}
	if (feof(t->file) && t->echoed_bytes == t->sent_bytes) {
		stop(t, NULL);
	}
}

static void on_event(struct bufferevent *bev, short what, void *arg)
{
	if ((what & BEV_EVENT_CONNECTED) != 0) {
		send_more(bev, arg);
	} else {
		stop(arg,
		     (what & BEV_EVENT_EOF) != 0 ? "the server has closed" : strerror(EVUTIL_SOCKET_ERROR()));
	}
}

static void print_paths(const struct transfer *t)
{
	struct sctp_cmt_path_stats paths[MAX_PATHS] = {{.size = sizeof(paths[0])}};
	socklen_t len = sizeof(paths);

	if (usrsctp_getsockopt(usrsctp_cmt_conn_socket(t->conn), IPPROTO_SCTP, SCTP_CMT_PATH_STATS, paths,
	                       &len) != 0) {
		return;
	}
	for (size_t i = 0; i < len / sizeof(paths[0]); i++) {
		char to[INET_ADDRSTRLEN] = "";

		inet_ntop(AF_INET, &((struct sockaddr_in *)&paths[i].remote)->sin_addr, to, sizeof(to));
		printf("%s carried %.1f %%\n", to, paths[i].share_ppm / 1e4);
	}
}

static int transfer(struct transfer *t, const struct usrsctp_cmt_event_config *config,
                    const struct usrsctp_cmt_conn_config *connection, const struct sockaddr_storage *peer,
                    size_t n_peer)
{
	char error[256];
	struct usrsctp_cmt_event *ev = usrsctp_cmt_event_new(t->base, config, error, sizeof(error));

	if (ev == NULL) {
		fprintf(stderr, "event_file_sender: %s\n", error);
		return 1;
	}
	t->conn = usrsctp_cmt_conn_connect(ev, peer, n_peer, connection);
	t->bev = t->conn != NULL ? usrsctp_cmt_conn_bufferevent(t->conn, 0) : NULL;
	if (t->bev == NULL) {
		perror("event_file_sender: cannot connect");
		usrsctp_cmt_event_free(ev);
		return 1;
	}
	bufferevent_setcb(t->bev, compare, send_more, on_event, t);
	bufferevent_enable(t->bev, EV_READ | EV_WRITE);
	event_base_dispatch(t->base);
	if (!t->failed) {
		printf("%llu bytes there and back\n", t->echoed_bytes);
		print_paths(t);
	}
	usrsctp_cmt_conn_free(t->conn);
	bufferevent_free(t->bev);
	event_base_loop(t->base, EVLOOP_NONBLOCK); /* libevent frees bufferevents from the loop */
	usrsctp_cmt_event_free(ev);
	return t->failed;
}

int main(int argc, char **argv)
{
	struct sockaddr_storage peer[MAX_ADDRESSES] = {0};
	const struct usrsctp_cmt_event_config config = {.size = sizeof(config)};
	struct usrsctp_cmt_conn_config connection = {.size = sizeof(connection), .scheduler = "auto"};
	struct transfer t = {0};
	size_t n_peer = 0;
	int option, status;

	while ((option = getopt(argc, argv, "p:")) == 'p') {
		connection.peer_udp_port = (uint16_t)atoi(optarg);
	}
	for (int i = optind + 1; option == -1 && i < argc && n_peer < MAX_ADDRESSES; i++) {
		struct sockaddr_in *in = (struct sockaddr_in *)&peer[n_peer++];

		in->sin_family = AF_INET;
		in->sin_port = htons(ECHO_PORT);
		if (inet_pton(AF_INET, argv[i], &in->sin_addr) != 1) {
			option = 0;
		}
	}
	if (option != -1 || n_peer == 0) {
		fprintf(stderr, "usage: event_file_sender [-p UDP_PORT] FILE IPV4_ADDRESS...\n");
		return 2;
	}
	t.file = fopen(argv[optind], "rb");
	t.again = fopen(argv[optind], "rb");
	if (t.file == NULL || t.again == NULL) {
		perror(argv[optind]);
		return 1;
	}
	t.base = event_base_new();
	status = transfer(&t, &config, &connection, peer, n_peer);
	event_base_free(t.base);
	fclose(t.file);
	fclose(t.again);
	return status;
}
