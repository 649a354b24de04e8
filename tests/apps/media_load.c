/* SPDX-License-Identifier: BSD-3-Clause
 *
 * media_load.c - many clients of cmt-streamd at once: media_load LOCAL[,..] PEER[,..] COUNT PATH FILE
 *
 * Connects COUNT associations, waits until all are up, then has each get PATH and compares every byte with
 * FILE. Prints one line of JSON: how many were up at once, how many got all of it, and the seconds it took.
 * Exit status 1 unless all did; 3, and why, as soon as one is lost
 * before that, or nothing has arrived for STILL_S. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <event2/event.h>

#include "loop/wall_clock.h"
#include "media_read.h"
#include "options/transport_options.h"

#define STILL_S      30
#define WINDOW_BYTES 262144

struct load {
	struct event_base *base;
	struct app_transport transport;
	struct usrsctp_cmt_event *ev;
	const char *path, *file;
	uint64_t file_bytes, got_bytes; /* of all clients */
	uint64_t seen;                  /* their messages and bytes when last looked at */
	unsigned count, welcome, verified, ended;
	uint64_t began_us;
	struct one *all;
};

struct one {
	struct load *load;
	struct usrsctp_cmt_conn *conn;
	struct media_in in;
	uint64_t bytes, window_bytes;
};

static void fail(const char *what)
{
	fprintf(stderr, "media_load: %s\n", what);
	exit(3);
}

static void send_message(struct one *o, uint16_t stream_id, const struct media_message *m)
{
	const struct usrsctp_cmt_message header = {.stream_id = stream_id, .ppid = MEDIA_PPID_CONTROL};
	size_t len;
	char *text = media_encode(m, &len);

	if (text == NULL || usrsctp_cmt_conn_write(o->conn, text, len, &header) != 0) {
		fail("cannot write");
	}
	free(text);
}

static void request_all(struct load *load)
{
	struct media_message m = {.type = MEDIA_REQUEST,
	                          .has = MEDIA_M_METHOD | MEDIA_M_PATH | MEDIA_M_WINDOW_BYTES,
	                          .window_bytes = WINDOW_BYTES};

	snprintf(m.path, sizeof(m.path), "%s", load->path);
	load->began_us = app_wall_clock_us();
	for (unsigned i = 0; i < load->count; i++) {
		load->all[i].window_bytes = WINDOW_BYTES;
		send_message(&load->all[i], 1, &m);
	}
}

static void on_body(struct one *o, const void *bytes, size_t len)
{
	const struct load *load = o->load;
	struct media_message m = {.type = MEDIA_WINDOW, .has = MEDIA_M_WINDOW_BYTES};

	if (o->bytes + len > load->file_bytes || memcmp(load->file + o->bytes, bytes, len) != 0) {
		fail("a byte is wrong");
	}
	o->bytes += len;
	o->load->got_bytes += len;
	if (o->window_bytes - o->bytes < WINDOW_BYTES / 2 && o->window_bytes < load->file_bytes) {
		o->window_bytes = o->bytes + WINDOW_BYTES;
		m.window_bytes = (int64_t)o->window_bytes;
		send_message(o, 1, &m);
	}
}

static void on_message(struct one *o, const struct media_message *m)
{
	const struct media_message bye = {.type = MEDIA_BYE};
	struct load *load = o->load;

	switch (m->type) {
	case MEDIA_WELCOME:
		if (++load->welcome == load->count) {
			request_all(load);
		}
		break;
	case MEDIA_ANSWER:
		if (m->status != 200) {
			fail(m->text);
		}
		break;
	case MEDIA_END:
		load->verified += o->bytes == load->file_bytes && (m->has & MEDIA_M_TEXT) == 0;
		send_message(o, 0, &bye);
		break;
	case MEDIA_BYE: break;
	case MEDIA_HELLO:
	case MEDIA_REQUEST:
	case MEDIA_WINDOW:
	case MEDIA_CANCEL:
	case MEDIA_ERROR:
	case MEDIA_TYPES: fail(m->text);
	}
}

static void on_readable(struct usrsctp_cmt_conn *conn, void *arg)
{
	static struct media_read got;
	struct one *o = arg;
	struct app_error error;

	switch (media_read(&o->in, conn, &got, &error)) {
	case MEDIA_GOT_NOTHING: break;
	case MEDIA_GOT_MESSAGE: on_message(o, &got.message); break;
	case MEDIA_GOT_DATA: on_body(o, got.bytes, got.len); break;
	case MEDIA_GOT_WRONG: fail(error.text);
	}
}

static void on_event(struct usrsctp_cmt_conn *conn, const struct usrsctp_cmt_conn_event *event, void *arg)
{
	struct one *o = arg;
	const struct media_message hello = {
	    .type = MEDIA_HELLO, .has = MEDIA_M_VERSION, .version = MEDIA_VERSION};

	switch (event->type) {
	case USRSCTP_CMT_CONN_UP: send_message(o, 0, &hello); break;
	case USRSCTP_CMT_CONN_PEER_CLOSED: (void)usrsctp_cmt_conn_shutdown(conn); break;
	case USRSCTP_CMT_CONN_FAILED:
	case USRSCTP_CMT_CONN_LOST:
		if (o->bytes != o->load->file_bytes) {
			fail(strerror(event->error));
		}
	/* fall through */
	case USRSCTP_CMT_CONN_CLOSED:
		if (++o->load->ended == o->load->count) {
			event_base_loopbreak(o->load->base);
		}
		break;
	case USRSCTP_CMT_CONN_PATH_UP:
	case USRSCTP_CMT_CONN_PATH_DOWN:
	case USRSCTP_CMT_CONN_PATH_ADDED:
	case USRSCTP_CMT_CONN_PATH_REMOVED: break;
	}
}

static void look(evutil_socket_t fd, short what, void *arg)
{
	struct load *load = arg;
	const uint64_t now = load->welcome + load->got_bytes + load->ended;

	(void)fd;
	(void)what;
	if (now == load->seen) {
		fprintf(stderr, "media_load: %u up, %" PRIu64 " bytes, %u verified, %u ended\n",
		        load->welcome, load->got_bytes, load->verified, load->ended);
		fail("stands still");
	}
	load->seen = now;
}

static void start(struct load *load, const char *local, const char *peer)
{
	struct app_transport *const transport = &load->transport;
	struct usrsctp_cmt_conn_config config;
	struct app_addresses to = {.n = 0};
	struct app_error error;

	app_transport_init(transport);
	if (app_addresses_add(&transport->bind, local, 0, false, &error) != 0 ||
	    app_addresses_add(&to, peer, MEDIA_PORT, false, &error) != 0) {
		fail(error.text);
	}
	transport->connect = peer;
	if (app_transport_secure(transport, "media_load", true) != 0) {
		exit(3);
	}
	load->ev = app_transport_open(transport, load->base, &error);
	load->all = calloc(load->count, sizeof(*load->all));
	if (load->ev == NULL || load->all == NULL) {
		fail(load->ev == NULL ? error.text : "no memory");
	}
	config = app_transport_conn_config(transport);
	config.peer_udp_port = MEDIA_PORT;
	config.streams_out = config.streams_in_max = MEDIA_STREAMS;
	for (unsigned i = 0; i < load->count; i++) {
		struct one *o = &load->all[i];

		o->load = load;
		o->conn = usrsctp_cmt_conn_connect(load->ev, to.list, to.n, &config);
		if (o->conn == NULL) {
			fail("cannot connect");
		}
		usrsctp_cmt_conn_setcb(o->conn, on_readable, NULL, on_event, o);
	}
}

static void map_file(struct load *load, const char *name)
{
	const int fd = open(name, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *at;

	if (fd < 0 || fstat(fd, &st) != 0) {
		fail(name);
	}
	load->file_bytes = (uint64_t)st.st_size;
	at = mmap(NULL, load->file_bytes, PROT_READ, MAP_PRIVATE, fd, 0);
	if (at == MAP_FAILED) {
		fail(name);
	}
	load->file = at;
	close(fd);
}

int main(int argc, char **argv)
{
	static const struct timeval still = {.tv_sec = STILL_S};
	struct load load = {.base = event_base_new()};
	struct event *watch = event_new(load.base, -1, EV_PERSIST, look, &load);

	if (argc != 6 || watch == NULL || event_add(watch, &still) != 0) {
		fail("five arguments are needed: local and peer addresses, count, path, file");
	}
	load.count = (unsigned)strtoul(argv[3], NULL, 10);
	load.path = argv[4];
	map_file(&load, argv[5]);
	start(&load, argv[1], argv[2]);
	event_base_dispatch(load.base);
	printf("{\"clients\": %u, \"verified\": %u, \"seconds\": %.3f}\n", load.welcome, load.verified,
	       (double)(app_wall_clock_us() - load.began_us) / 1e6);
	for (unsigned i = 0; i < load.count; i++) {
		usrsctp_cmt_conn_abort(load.all[i].conn);
		media_in_free(&load.all[i].in);
	}
	usrsctp_cmt_event_free(load.ev);
	app_transport_unsecure(&load.transport);
	event_free(watch);
	event_base_free(load.base);
	free(load.all);
	return load.verified == load.count ? 0 : 1;
}
