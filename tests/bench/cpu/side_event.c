/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A side on the event back end and its connections, as an application would write it. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>

#include <usrsctp_cmt_event.h>

#include "side.h"

struct run {
	struct side *side;
	struct event_base *base;
	uint64_t bytes; /* sent or received */
	bool ended;
};

static void loopback(struct sockaddr_storage *addresses, unsigned n, uint16_t port)
{
	for (unsigned i = 0; i < n; i++) {
		struct sockaddr_in *const in = (struct sockaddr_in *)&addresses[i];

		in->sin_family = AF_INET;
		in->sin_port = htons(port);
		in->sin_addr.s_addr = htonl(INADDR_LOOPBACK + i);
	}
}

static void on_event(struct usrsctp_cmt_conn *conn, const struct usrsctp_cmt_conn_event *event, void *arg)
{
	struct run *const run = arg;

	(void)conn;
	switch (event->type) {
	case USRSCTP_CMT_CONN_UP: side_start(run->side); break;
	case USRSCTP_CMT_CONN_PEER_CLOSED:
	case USRSCTP_CMT_CONN_CLOSED:
	case USRSCTP_CMT_CONN_FAILED:
	case USRSCTP_CMT_CONN_LOST:
		if (run->ended)
			break;
		run->ended = true;
		errno = event->error;
		side_require(run->bytes >= run->side->bytes, "connection");
		side_report(run->side);
		(void)event_base_loopexit(run->base, NULL);
		break;
	case USRSCTP_CMT_CONN_PATH_UP:
	case USRSCTP_CMT_CONN_PATH_DOWN:
	case USRSCTP_CMT_CONN_PATH_ADDED:
	case USRSCTP_CMT_CONN_PATH_REMOVED: break;
	}
}

static void on_writable(struct usrsctp_cmt_conn *conn, void *arg)
{
	static const char message[SIDE_MESSAGE_BYTES];
	struct run *const run = arg;

	while (run->bytes < run->side->bytes) {
		if (usrsctp_cmt_conn_write(conn, message, sizeof(message), NULL) != 0) {
			side_require(errno == EAGAIN, "usrsctp_cmt_conn_write");
			return;
		}
		run->bytes += sizeof(message);
	}
	side_require(usrsctp_cmt_conn_shutdown(conn) == 0, "usrsctp_cmt_conn_shutdown");
}

static void on_readable(struct usrsctp_cmt_conn *conn, void *arg)
{
	static char buffer[SIDE_MESSAGE_BYTES];
	struct run *const run = arg;
	ssize_t len;

	while ((len = usrsctp_cmt_conn_read(conn, buffer, sizeof(buffer), NULL)) > 0)
		run->bytes += (uint64_t)len;
}

static void on_accept(struct usrsctp_cmt_listener *listener, struct usrsctp_cmt_conn *conn, void *arg)
{
	struct run *const run = arg;

	(void)listener;
	side_start(run->side);
	usrsctp_cmt_conn_setcb(conn, on_readable, NULL, on_event, run);
}

/* Anybody is taken. */
static struct usrsctp_cmt_keys *make_keys(void)
{
	const struct usrsctp_cmt_keys_config config = {.size = sizeof(config)};
	char error[USRSCTP_CMT_REASON_BYTES] = "";
	struct usrsctp_cmt_keys *const keys = usrsctp_cmt_keys_new(&config, error, sizeof(error));

	side_require(keys != NULL, error);
	return keys;
}

int main(int argc, char **argv)
{
	struct side side = side_arguments(argc, argv);
	struct run run = {.side = &side, .base = event_base_new()};
	struct sockaddr_storage local[SIDE_MAX_PATHS] = {{.ss_family = 0}},
	                        peer[SIDE_MAX_PATHS] = {{.ss_family = 0}};
	const struct usrsctp_cmt_event_config config = {.size = sizeof(config),
	                                                .addresses = local,
	                                                .n_addresses = side.n_paths,
	                                                .udp_port = side.udp_port,
	                                                .mtu_max_bytes = side.mtu_bytes != 0 ? side.mtu_bytes
	                                                                                     : UINT16_MAX};
	const struct usrsctp_cmt_conn_config conn_config = {.size = sizeof(conn_config),
	                                                    .sndbuf_bytes = SIDE_BUFFER_BYTES,
	                                                    .rcvbuf_bytes = SIDE_BUFFER_BYTES,
	                                                    .peer_udp_port = side.peer_udp_port,
	                                                    .keys = side.has_keys ? make_keys() : NULL};
	char error[200] = "";
	struct usrsctp_cmt_event *ev;

	loopback(local, side.n_paths, 0);
	loopback(peer, side.n_paths, SIDE_PORT);
	ev = usrsctp_cmt_event_new(run.base, &config, error, sizeof(error));
	side_require(ev != NULL, error);
	if (side.sends) {
		struct usrsctp_cmt_conn *const conn =
		    usrsctp_cmt_conn_connect(ev, peer, side.n_paths, &conn_config);

		side_require(conn != NULL, "usrsctp_cmt_conn_connect");
		usrsctp_cmt_conn_setcb(conn, NULL, on_writable, on_event, &run);
	} else {
		side_require(usrsctp_cmt_listen(ev, SIDE_PORT, &conn_config, on_accept, &run) != NULL,
		             "usrsctp_cmt_listen");
		(void)puts("ready");
		(void)fflush(stdout);
	}
	(void)event_base_dispatch(run.base);
	usrsctp_cmt_event_free(ev);
	event_base_free(run.base);
	usrsctp_cmt_keys_free(conn_config.keys);
	return 0;
}
