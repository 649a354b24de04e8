/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that can be watched, as short as they get. It says on standard output when the stack told it of a
 * path, with the time of the calendar, so that a test can measure how long others take to show it.
 *
 *   watched_program listen ADDR[,ADDR..]
 *   watched_program connect ADMIN N BYTES LOCAL[,LOCAL..] PEER[,PEER..]
 *
 * The second opens N connections to the first and writes BYTES to each of them every 20 ms. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <event2/event.h>

#include "monitor.h"
#include "options/transport_options.h"

#define PROGRAM        "watched_program"
#define EVERY_US       20000
#define MAX_CONNS      1000
#define MESSAGE_BYTES  1400
#define BUFFER_BYTES   65536
#define RECEIVE_BUFFER 131072

struct program {
	struct event_base *base;
	struct monitor *monitor;
	struct usrsctp_cmt_conn *conns[MAX_CONNS];
	size_t n, up;
	uint32_t bytes;
};

static void on_event(struct usrsctp_cmt_conn *conn, const struct usrsctp_cmt_conn_event *event, void *arg)
{
	struct program *const p = arg;
	char address[APP_ADDRESS_TEXT_BYTES];
	struct timespec now;

	(void)clock_gettime(CLOCK_REALTIME, &now);
	if (event->type == USRSCTP_CMT_CONN_PATH_DOWN || event->type == USRSCTP_CMT_CONN_PATH_UP) {
		printf("%s %s %.6f\n", event->type == USRSCTP_CMT_CONN_PATH_DOWN ? "down" : "up",
		       app_address_text(&event->address, address, sizeof(address)),
		       (double)now.tv_sec + (double)now.tv_nsec / 1e9);
	} else if (event->type == USRSCTP_CMT_CONN_UP && ++p->up == p->n) {
		printf("all up\n");
	} else if (event->type == USRSCTP_CMT_CONN_FAILED || event->type == USRSCTP_CMT_CONN_LOST) {
		printf("lost\n");
		(void)event_base_loopbreak(p->base);
	}
	(void)conn;
	(void)fflush(stdout);
}

static void on_readable(struct usrsctp_cmt_conn *conn, void *arg)
{
	static char buffer[BUFFER_BYTES];

	(void)arg;
	(void)usrsctp_cmt_conn_read(conn, buffer, sizeof(buffer), NULL);
}

static void on_accept(struct usrsctp_cmt_listener *listener, struct usrsctp_cmt_conn *conn, void *arg)
{
	(void)listener;
	usrsctp_cmt_conn_setcb(conn, on_readable, NULL, NULL, arg);
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
	static const char message[MESSAGE_BYTES];
	struct program *const p = arg;

	(void)fd;
	(void)what;
	for (size_t i = 0; i < p->n; i++) {
		for (uint32_t left = p->bytes; left > 0;) {
			const uint32_t len = left < MESSAGE_BYTES ? left : MESSAGE_BYTES;

			if (usrsctp_cmt_conn_write(p->conns[i], message, len, NULL) != 0) {
				break;
			}
			left -= len;
		}
	}
}

static struct usrsctp_cmt_event *open_transport(struct app_transport *t, struct event_base *base,
                                                const char *addresses, uint16_t udp_port)
{
	struct app_error error;
	struct usrsctp_cmt_event *ev = NULL;

	app_transport_init(t);
	t->rcvbuf_bytes = t->sndbuf_bytes = RECEIVE_BUFFER;
	t->udp_port = udp_port;
	if (app_addresses_add(&t->bind, addresses, 0, false, &error) != 0 ||
	    (ev = app_transport_open(t, base, &error)) == NULL) {
		app_complain(PROGRAM, "%s", error.text);
		exit(APP_EXIT_FAILED);
	}
	return ev;
}

static int serve(struct program *p, const char *addresses)
{
	struct app_transport t;
	struct usrsctp_cmt_event *const ev =
	    open_transport(&t, p->base, addresses, USRSCTP_CMT_EVENT_UDP_PORT);
	const struct usrsctp_cmt_conn_config config = app_transport_conn_config(&t);

	if (usrsctp_cmt_listen(ev, t.port, &config, on_accept, p) == NULL) {
		return APP_EXIT_FAILED;
	}
	printf("listening\n");
	(void)fflush(stdout);
	(void)event_base_dispatch(p->base);
	return APP_EXIT_OK;
}

static int watch(struct program *p, char **argv)
{
	const struct timeval every = {0, EVERY_US};
	struct app_transport t;
	struct app_addresses peer = {.n = 0};
	struct app_error error;
	struct usrsctp_cmt_event *const ev = open_transport(&t, p->base, argv[5], 0);
	const struct usrsctp_cmt_conn_config config = app_transport_conn_config(&t);

	if (app_transport_take(&t, APP_OPT_ADMIN, "admin", argv[2], &error) != 0 ||
	    app_addresses_add(&peer, argv[6], t.port, false, &error) != 0 ||
	    monitor_new(&p->monitor, p->base, &t.admin, PROGRAM, &error) != 0) {
		app_complain(PROGRAM, "%s", error.text);
		return APP_EXIT_FAILED;
	}
	p->n = (size_t)atoi(argv[3]);
	p->bytes = (uint32_t)atoi(argv[4]);
	for (size_t i = 0; i < p->n && i < MAX_CONNS; i++) {
		char name[40];

		p->conns[i] = usrsctp_cmt_conn_connect(ev, peer.list, peer.n, &config);
		if (p->conns[i] == NULL) {
			return APP_EXIT_FAILED;
		}
		(void)snprintf(name, sizeof(name), "viewer %zu", i + 1);
		usrsctp_cmt_conn_setcb(p->conns[i], on_readable, NULL, on_event, p);
		monitor_add(p->monitor, p->conns[i], name);
	}
	(void)event_add(event_new(p->base, -1, EV_PERSIST, on_timer, p), &every);
	(void)event_base_dispatch(p->base);
	monitor_free(p->monitor);
	usrsctp_cmt_event_free(ev);
	return APP_EXIT_OK;
}

int main(int argc, char **argv)
{
	static struct program p;

	p.base = event_base_new();
	if (argc == 3 && strcmp(argv[1], "listen") == 0) {
		return serve(&p, argv[2]);
	}
	return argc == 7 && strcmp(argv[1], "connect") == 0 ? watch(&p, argv) : APP_EXIT_USAGE;
}
