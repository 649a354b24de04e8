/* SPDX-License-Identifier: BSD-3-Clause
 *
 * media_client.c - a client of docs/media-protocol.md that does what standard input says, for tests of
 * cmt-streamd: media_client LOCAL[,..] PEER[,..] [STREAMS]
 *
 * Commands, a line each: send STREAM TEXT (a control message), ppid STREAM PPID TEXT, blanks STREAM BYTES (a
 * control message of so many), unordered STREAM TEXT, deaf and hear (stop and go on reading), count STREAM,
 * close (shut down), abort. Its end is the end of the program.
 *
 * STREAMS is how many it lets the server open to it; 64 by default.
 *
 * What comes is printed: "up", "STREAM JSON" for a control message, before an end "STREAM body BYTES SHA256",
 * "STREAM count BYTES" in answer to count, and "end" when the association has ended. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>

#include "media_message.h"
#include "options/transport_options.h"
#include "sha256.h"

#define WATCHDOG_S 120

struct body {
	uint64_t bytes;
	EVP_MD_CTX *sha256;
};

struct client {
	struct event_base *base;
	struct app_transport transport;
	struct usrsctp_cmt_event *ev;
	struct usrsctp_cmt_conn *conn;
	struct bufferevent *commands;
	struct body bodies[MEDIA_STREAMS];
	bool up;
};

static void fail(const char *what)
{
	fprintf(stderr, "media_client: %s\n", what);
	exit(3);
}

static void write_message(struct client *c, unsigned stream, uint32_t ppid, uint16_t flags, const char *text)
{
	const struct usrsctp_cmt_message header = {
	    .stream_id = (uint16_t)stream, .ppid = ppid, .flags = flags};

	if (usrsctp_cmt_conn_write(c->conn, text, strlen(text), &header) != 0) {
		printf("refused\n");
	}
}

static void write_blanks(struct client *c, unsigned stream, size_t len)
{
	char *text = calloc(1, len + 1);

	if (text == NULL) {
		fail("no memory");
	}
	memset(text, ' ', len);
	write_message(c, stream, MEDIA_PPID_CONTROL, 0, text);
	free(text);
}

static void take_command(struct client *c, const char *line)
{
	unsigned stream = 0;
	unsigned long number = 0;
	int at = 0;

	if (sscanf(line, "send %u %n", &stream, &at) == 1 && at > 0) {
		write_message(c, stream, MEDIA_PPID_CONTROL, 0, line + at);
	} else if (sscanf(line, "ppid %u %lu %n", &stream, &number, &at) == 2 && at > 0) {
		write_message(c, stream, (uint32_t)number, 0, line + at);
	} else if (sscanf(line, "unordered %u %n", &stream, &at) == 1 && at > 0) {
		write_message(c, stream, MEDIA_PPID_CONTROL, USRSCTP_CMT_MESSAGE_UNORDERED, line + at);
	} else if (sscanf(line, "blanks %u %lu", &stream, &number) == 2) {
		write_blanks(c, stream, number);
	} else if (sscanf(line, "count %u", &stream) == 1 && stream < MEDIA_STREAMS) {
		printf("%u count %llu\n", stream, (unsigned long long)c->bodies[stream].bytes);
	} else if (strcmp(line, "deaf") == 0) {
		usrsctp_cmt_conn_disable(c->conn, EV_READ);
	} else if (strcmp(line, "hear") == 0) {
		usrsctp_cmt_conn_enable(c->conn, EV_READ);
	} else if (strcmp(line, "close") == 0) {
		usrsctp_cmt_conn_shutdown(c->conn);
	} else if (strcmp(line, "abort") == 0) {
		usrsctp_cmt_conn_abort(c->conn);
		c->conn = NULL;
		event_base_loopexit(c->base, &(struct timeval){0, 50000});
	} else {
		fail(line);
	}
	fflush(stdout);
}

static void on_commands(struct bufferevent *commands, void *arg)
{
	struct client *c = arg;
	char *line;

	while (c->up && c->conn != NULL &&
	       (line = evbuffer_readln(bufferevent_get_input(commands), NULL, EVBUFFER_EOL_LF)) != NULL) {
		take_command(c, line);
		free(line);
	}
}

static void on_commands_end(struct bufferevent *commands, short what, void *arg)
{
	struct client *c = arg;

	(void)commands;
	(void)what;
	event_base_loopbreak(c->base);
}

static void on_control(struct client *c, unsigned stream, const char *text)
{
	struct body *body = &c->bodies[stream];
	char hex[TRANSFER_SHA256_HEX_BYTES + 1];

	if (strstr(text, "\"type\":\"answer\"") != NULL) {
		EVP_MD_CTX_free(body->sha256);
		*body = (struct body){.sha256 = sha256_new()};
	} else if (strstr(text, "\"type\":\"end\"") != NULL && sha256_hex(body->sha256, hex)) {
		printf("%u body %llu %s\n", stream, (unsigned long long)body->bytes, hex);
	}
	printf("%u %s\n", stream, text);
}

static void on_readable(struct usrsctp_cmt_conn *conn, void *arg)
{
	static char buffer[MEDIA_DATA_MAX_BYTES + 1];
	struct client *c = arg;
	struct usrsctp_cmt_message header;
	ssize_t n = usrsctp_cmt_conn_read(conn, buffer, MEDIA_DATA_MAX_BYTES, &header);

	if (n < 0 || header.stream_id >= MEDIA_STREAMS) {
		return;
	}
	if (header.ppid == MEDIA_PPID_DATA) {
		c->bodies[header.stream_id].bytes += (uint64_t)n;
		sha256_add(c->bodies[header.stream_id].sha256, buffer, (size_t)n);
		return;
	}
	buffer[n] = '\0';
	on_control(c, header.stream_id, buffer);
	fflush(stdout);
}

static void on_event(struct usrsctp_cmt_conn *conn, const struct usrsctp_cmt_conn_event *event, void *arg)
{
	struct client *c = arg;

	switch (event->type) {
	case USRSCTP_CMT_CONN_UP:
		printf("up\n");
		c->up = true;
		on_commands(c->commands, c);
		break;
	case USRSCTP_CMT_CONN_PEER_CLOSED: (void)usrsctp_cmt_conn_shutdown(conn); break;
	case USRSCTP_CMT_CONN_CLOSED:
	case USRSCTP_CMT_CONN_FAILED:
	case USRSCTP_CMT_CONN_LOST:
		printf("end\n");
		usrsctp_cmt_conn_free(conn);
		c->conn = NULL;
		event_base_loopexit(c->base, &(struct timeval){0, 50000});
		break;
	case USRSCTP_CMT_CONN_PATH_UP:
	case USRSCTP_CMT_CONN_PATH_DOWN:
	case USRSCTP_CMT_CONN_PATH_ADDED:
	case USRSCTP_CMT_CONN_PATH_REMOVED: break;
	}
	fflush(stdout);
}

static void start(struct client *c, char **argv, uint16_t streams_in)
{
	struct app_transport *const transport = &c->transport;
	struct usrsctp_cmt_conn_config config;
	struct app_addresses to = {.n = 0};
	struct app_error error;

	app_transport_init(transport);
	if (app_addresses_add(&transport->bind, argv[1], 0, false, &error) != 0 ||
	    app_addresses_add(&to, argv[2], MEDIA_PORT, false, &error) != 0) {
		fail(error.text);
	}
	transport->connect = argv[2];
	if (app_transport_secure(transport, "media_client", true) != 0) {
		exit(3);
	}
	c->ev = app_transport_open(transport, c->base, &error);
	if (c->ev == NULL) {
		fail(error.text);
	}
	config = app_transport_conn_config(transport);
	config.peer_udp_port = MEDIA_PORT;
	config.streams_out = MEDIA_STREAMS;
	config.streams_in_max = streams_in;
	c->conn = usrsctp_cmt_conn_connect(c->ev, to.list, to.n, &config);
	c->commands = bufferevent_socket_new(c->base, STDIN_FILENO, 0);
	if (c->conn == NULL || c->commands == NULL) {
		fail("cannot connect");
	}
	usrsctp_cmt_conn_setcb(c->conn, on_readable, NULL, on_event, c);
	bufferevent_setcb(c->commands, on_commands, NULL, on_commands_end, c);
	bufferevent_enable(c->commands, EV_READ);
}

int main(int argc, char **argv)
{
	struct client c = {.base = event_base_new()};

	if (argc < 3 || c.base == NULL) {
		fail("two arguments are needed: local and peer addresses");
	}
	alarm(WATCHDOG_S);
	start(&c, argv, argc > 3 ? (uint16_t)atoi(argv[3]) : MEDIA_STREAMS);
	event_base_dispatch(c.base);
	usrsctp_cmt_event_free(c.ev);
	app_transport_unsecure(&c.transport);
	bufferevent_free(c.commands);
	event_base_loop(c.base, EVLOOP_NONBLOCK);
	event_base_free(c.base);
	for (int i = 0; i < MEDIA_STREAMS; i++) {
		EVP_MD_CTX_free(c.bodies[i].sha256);
	}
	return 0;
}
