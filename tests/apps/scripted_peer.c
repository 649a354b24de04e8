/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scripted_peer.c - a peer that says what it is told to, for tests of what cmt-send, cmt-recv, cmt-gateway
 * and cmt-live do about it.
 *
 * scripted_peer send LOCAL[,..] PEER[,..] STEP...
 * scripted_peer recv LOCAL[,..] STEP...
 *
 * A step is c:JSON (a control message), b:BYTES (one of so many blanks), d:BYTES (a data message of so many
 * zeros), p:PPID:TEXT,
 * l:HEX, n:HEX (a message of cmt-live, ordered or not), t:MS (wait so long),
 * s:STREAM:JSON, m:STREAM:PPID:TEXT, u:JSON (unordered), w:TYPE (wait until a control message of that type
 * has come), close (shut down) or stay (do nothing more). What comes is printed, a line a message: control
 * messages as they are, "data BYTES" for others. Ends when the association does, or when the steps are done.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>

#include "media_message.h"
#include "options/transport_options.h"
#include "transfer_message.h"

#define WATCHDOG_S     120
#define LIVE_PPID      0x434d544cu
#define LIVE_MAX_BYTES 2000

struct peer {
	struct event_base *base;
	struct app_transport transport;
	struct usrsctp_cmt_event *ev;
	char **steps;
	int n_steps, at;
	char awaited[32];
	unsigned long repeats; /* of the newest x */
	struct usrsctp_cmt_conn *conn;
	struct event *pause;
};

static void fail(const char *what)
{
	fprintf(stderr, "scripted_peer: %s\n", what);
	exit(3);
}

static void write_all(struct usrsctp_cmt_conn *conn, const char *bytes, size_t len,
                      const struct usrsctp_cmt_message *header)
{
	if (usrsctp_cmt_conn_write(conn, bytes, len, header) != 0) {
		fail("cannot write");
	}
}

static void write_filled(struct usrsctp_cmt_conn *conn, uint32_t ppid, int fill, size_t len)
{
	const struct usrsctp_cmt_message header = {.ppid = ppid};
	char *bytes = malloc(len + 1);

	if (bytes == NULL) {
		fail("no memory");
	}
	memset(bytes, fill, len);
	write_all(conn, bytes, len, &header);
	free(bytes);
}

/* A number and what follows the colon behind it. */
static const char *number(const char *text, unsigned long *out)
{
	char *end;

	*out = strtoul(text, &end, 0);
	if (*end != ':') {
		fail("a step lacks its number");
	}
	return end + 1;
}

/* As often as there is room; on_writable() goes on. */
static void repeat(struct peer *peer, struct usrsctp_cmt_conn *conn, const char *text)
{
	const struct usrsctp_cmt_message header = {.ppid = TRANSFER_PPID_CONTROL};

	while (peer->repeats > 0 && usrsctp_cmt_conn_write(conn, text, strlen(text), &header) == 0) {
		peer->repeats--;
	}
	if (peer->repeats > 0) {
		peer->at--;
	}
}

static void write_hex(struct usrsctp_cmt_conn *conn, const char *hex, uint16_t flags)
{
	const struct usrsctp_cmt_message header = {.ppid = LIVE_PPID, .flags = flags};
	char bytes[LIVE_MAX_BYTES];
	unsigned int byte;
	size_t n = 0;

	while (n < sizeof(bytes) && sscanf(hex + 2 * n, "%2x", &byte) == 1) {
		bytes[n++] = (char)byte;
	}
	write_all(conn, bytes, n, &header);
}

static void pause_for(struct peer *peer, struct usrsctp_cmt_conn *conn, unsigned long ms)
{
	const struct timeval wait = {.tv_sec = (time_t)(ms / 1000),
	                             .tv_usec = (suseconds_t)(ms % 1000) * 1000};

	peer->conn = conn;
	snprintf(peer->awaited, sizeof(peer->awaited), "time");
	event_add(peer->pause, &wait);
}

/* False: wait. */
static bool take_step(struct peer *peer, struct usrsctp_cmt_conn *conn, const char *step)
{
	struct usrsctp_cmt_message header = {.ppid = TRANSFER_PPID_CONTROL};
	const char *text = step + 2;
	unsigned long n;

	if (strcmp(step, "stay") == 0) {
		snprintf(peer->awaited, sizeof(peer->awaited), "nothing");
		return false;
	}
	if (strcmp(step, "close") == 0) {
		usrsctp_cmt_conn_shutdown(conn);
		return false;
	}
	if (strcmp(step, "deaf") == 0) {
		usrsctp_cmt_conn_disable(conn, EV_READ);
		return true;
	}
	switch (step[0]) {
	case 'x':
		text = number(text, &n);
		peer->repeats = peer->repeats > 0 ? peer->repeats : n;
		repeat(peer, conn, text);
		return peer->repeats == 0;
	case 't': pause_for(peer, conn, strtoul(text, NULL, 0)); return false;
	case 'l': write_hex(conn, text, 0); return true;
	case 'n': write_hex(conn, text, USRSCTP_CMT_MESSAGE_UNORDERED); return true;
	case 'w': snprintf(peer->awaited, sizeof(peer->awaited), "%s", text); return false;
	case 'b': write_filled(conn, TRANSFER_PPID_CONTROL, ' ', strtoul(text, NULL, 0)); return true;
	case 'd': write_filled(conn, TRANSFER_PPID_DATA, 0, strtoul(text, NULL, 0)); return true;
	case 'p':
		text = number(text, &n);
		header.ppid = (uint32_t)n;
		break;
	case 's':
		text = number(text, &n);
		header.stream_id = (uint16_t)n;
		break;
	case 'm':
		text = number(text, &n);
		header.stream_id = (uint16_t)n;
		text = number(text, &n);
		header.ppid = (uint32_t)n;
		break;
	case 'u': header.flags = USRSCTP_CMT_MESSAGE_UNORDERED; break;
	default: break;
	}
	write_all(conn, text, strlen(text), &header);
	return true;
}

static void go_on(struct peer *peer, struct usrsctp_cmt_conn *conn)
{
	while (peer->awaited[0] == '\0' && peer->at < peer->n_steps) {
		if (!take_step(peer, conn, peer->steps[peer->at++])) {
			return;
		}
	}
}

static void on_readable(struct usrsctp_cmt_conn *conn, void *arg)
{
	static char buffer[1 << 20];
	struct peer *peer = arg;
	struct usrsctp_cmt_message header;
	char type[64];
	ssize_t n;

	while ((n = usrsctp_cmt_conn_read(conn, buffer, sizeof(buffer) - 1, &header)) >= 0) {
		buffer[n] = '\0';
		if (header.ppid != TRANSFER_PPID_CONTROL && header.ppid != MEDIA_PPID_CONTROL) {
			printf("data %zd\n", n);
			continue;
		}
		printf("%s\n", buffer);
		fflush(stdout);
		snprintf(type, sizeof(type), "\"type\":\"%s\"", peer->awaited);
		if (strstr(buffer, type) != NULL) {
			peer->awaited[0] = '\0';
			go_on(peer, conn);
		}
	}
}

static void on_pause_over(evutil_socket_t fd, short what, void *arg)
{
	struct peer *peer = arg;

	(void)fd;
	(void)what;
	peer->awaited[0] = '\0';
	go_on(peer, peer->conn);
}

static void on_writable(struct usrsctp_cmt_conn *conn, void *arg)
{
	go_on(arg, conn);
}

static void on_event(struct usrsctp_cmt_conn *conn, const struct usrsctp_cmt_conn_event *event, void *arg)
{
	struct peer *peer = arg;

	switch (event->type) {
	case USRSCTP_CMT_CONN_PEER_CLOSED:
	case USRSCTP_CMT_CONN_CLOSED:
	case USRSCTP_CMT_CONN_FAILED:
	case USRSCTP_CMT_CONN_LOST:
		printf("end\n");
		fflush(stdout);
		event_del(peer->pause);
		usrsctp_cmt_conn_free(conn);
		event_base_loopexit(peer->base, &(struct timeval){0, 20000});
		break;
	default: break;
	}
}

static void on_accept(struct usrsctp_cmt_listener *listener, struct usrsctp_cmt_conn *conn, void *arg)
{
	(void)listener;
	usrsctp_cmt_conn_setcb(conn, on_readable, on_writable, on_event, arg);
	go_on(arg, conn);
}

static void start(struct peer *peer, bool sends, char **argv)
{
	struct app_transport *const transport = &peer->transport;
	struct usrsctp_cmt_conn_config config;
	struct app_addresses to = {.n = 0};
	struct app_error error;
	struct usrsctp_cmt_conn *conn;

	app_transport_init(transport);
	transport->udp_port = sends ? 0 : USRSCTP_CMT_EVENT_UDP_PORT;
	if (app_addresses_add(&transport->bind, argv[2], 0, false, &error) != 0 ||
	    (sends && app_addresses_add(&to, argv[3], APP_DEFAULT_PORT, false, &error) != 0)) {
		fail(error.text);
	}
	transport->listens = !sends;
	transport->connect = sends ? argv[3] : NULL;
	if (app_transport_secure(transport, "scripted_peer", true) != 0) {
		exit(3);
	}
	peer->ev = app_transport_open(transport, peer->base, &error);
	if (peer->ev == NULL) {
		fail(error.text);
	}
	config = app_transport_conn_config(transport);
	if (!sends) {
		if (usrsctp_cmt_listen(peer->ev, APP_DEFAULT_PORT, &config, on_accept, peer) == NULL) {
			fail("cannot listen");
		}
		printf("listening\n");
		fflush(stdout);
		return;
	}
	conn = usrsctp_cmt_conn_connect(peer->ev, to.list, to.n, &config);
	if (conn == NULL) {
		fail("cannot connect");
	}
	usrsctp_cmt_conn_setcb(conn, on_readable, on_writable, on_event, peer);
}

int main(int argc, char **argv)
{
	bool sends = argc > 3 && strcmp(argv[1], "send") == 0;
	int first = sends ? 4 : 3;
	struct peer peer = {.base = event_base_new(), .steps = argv + first, .n_steps = argc - first};

	if (argc < 4 || peer.base == NULL) {
		fail("too few arguments");
	}
	alarm(WATCHDOG_S);
	peer.pause = evtimer_new(peer.base, on_pause_over, &peer);
	start(&peer, sends, argv);
	event_base_dispatch(peer.base);
	usrsctp_cmt_event_free(peer.ev);
	app_transport_unsecure(&peer.transport);
	event_free(peer.pause);
	event_base_free(peer.base);
	return 0;
}
