/* SPDX-License-Identifier: BSD-3-Clause */
#include "client.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "gate.h"
#include "host/routes.h"
#include "loop/loop_events.h"
#include "loop/wall_clock.h"
#include "monitor.h"
#include "net/connect_error.h"
#include "net/path_stats.h"
#include "options/shared_options.h"
#include "own.h"
#include "peer.h"
#include "report.h"

#define PROGRAM            "cmt-tun"
#define TICK_US            250000u
#define RETRY_US           1000000u
#define CONNECT_TIMEOUT_MS 8000u
#define WELCOME_US         5000000u

struct client {
	const struct tun_options *options;
	struct event_base *base;
	struct usrsctp_cmt_event *ev;
	struct app_addresses servers;
	struct tun_gate gate;
	struct tun_routes routes;
	struct monitor *monitor;
	struct app_signals signals;
	struct event *tick;
	struct tun_peer *peer; /* NULL: none is called */
	struct tun_own own;
	int64_t token;
	uint64_t since_us;  /* the last change between tunnel and no tunnel */
	uint64_t called_us; /* the peer, last */
	uint64_t call_us;   /* no earlier than that */
	char said[sizeof(struct app_error)];
	struct tun_report report;
	int exit_code;
};

/* Once: calls that fail one after the other fail for the same reason. */
static void say(struct client *c, const char *text)
{
	if (!c->options->quiet && strcmp(c->said, text) != 0) {
		app_complain(PROGRAM, "%s", text);
	}
	(void)snprintf(c->said, sizeof(c->said), "%s", text);
}

static bool is_open(const struct client *c)
{
	return c->peer != NULL && tun_peer_is_open(c->peer);
}

/* --- packets --- */

static void on_packet(uint8_t *bytes, const struct inner_packet *p, uint64_t now_us, void *arg)
{
	const struct client *const c = arg;

	if (c->peer != NULL && tun_own_is(&c->own, p, p->source)) {
		tun_peer_send(c->peer, bytes, p, now_us);
	}
}

static void on_batch(uint64_t now_us, void *arg)
{
	const struct client *const c = arg;

	if (c->peer != NULL) {
		tun_peer_push(c->peer, now_us);
	}
}

static bool accepts(const struct inner_packet *p, void *arg)
{
	const struct client *const c = arg;

	return tun_own_is(&c->own, p, p->destination);
}

static void deliver(const uint8_t *bytes, size_t len, const struct inner_packet *joined, void *arg)
{
	const struct client *const c = arg;

	tun_device_write(&c->gate.device, bytes, len, joined);
}

/* --- the device, and what leads there --- */

/* The server's addresses that the association knows of. */
static int except_servers(struct client *c, struct app_error *error)
{
	struct app_assoc_stats stats;

	app_assoc_stats_read(usrsctp_cmt_conn_socket(tun_peer_conn(c->peer)), &stats);
	for (size_t i = 0; i < stats.n_paths; i++) {
		if (tun_routes_except(&c->routes, &stats.paths[i].remote, error) != 0) {
			return -1;
		}
	}
	return 0;
}

/* Those that were offered stay for as long as the program runs. */
static int take_routes(struct client *c, const struct tun_message *m, struct app_error *error)
{
	if (c->options->accept_routes && (m->has & TUN_M_ROUTES) != 0) {
		c->routes.list = c->options->routes;
		if (tun_prefixes_add(&c->routes.list, m->routes, error) != 0) {
			return -1;
		}
	}
	return tun_routes_set(&c->routes, c->gate.device.index, error);
}

static void on_welcome(struct client *c, const struct tun_message *m)
{
	char text[2 * TUN_PREFIX_TEXT_BYTES + 100];
	struct app_error error;

	if (tun_peer_is_open(c->peer)) {
		tun_peer_refuse(c->peer, "a second WELCOME came");
		return;
	}
	if (tun_peer_open(c->peer) != 0) {
		tun_peer_refuse(c->peer, "no memory");
		return;
	}
	if (tun_own_set_mtu(&c->own, tun_peer_mtu_bytes(c->peer), &error) != 0 ||
	    tun_own_take(&c->own, m, &error) != 0 || except_servers(c, &error) != 0 ||
	    take_routes(c, m, &error) != 0) {
		say(c, error.text);
		tun_peer_refuse(c->peer, "the client cannot use what it was given");
		return;
	}
	c->since_us = app_wall_clock_us();
	c->report.tunnels++;
	(void)snprintf(text, sizeof(text), "the tunnel is up: %s has %s%s%s, packets of %u bytes",
	               c->gate.device.name, m->address4,
	               m->address4[0] != '\0' && m->address6[0] != '\0' ? ", " : "", m->address6,
	               c->own.mtu_bytes);
	c->said[0] = '\0';
	say(c, text);
	monitor_add(c->monitor, tun_peer_conn(c->peer), m->address4[0] != '\0' ? m->address4 : m->address6);
	monitor_figures(c->monitor, tun_peer_conn(c->peer), tun_peer_figures, c->peer);
}

/* --- the connection --- */

static void on_up(struct tun_peer *peer, void *arg)
{
	const struct client *const c = arg;
	struct tun_message hello = {.type = TUN_HELLO,
	                            .has = TUN_M_VERSION | TUN_M_TOKEN | TUN_M_AGENT,
	                            .version = TUN_VERSION,
	                            .token = c->token};

	(void)app_release_text(PROGRAM, hello.agent, sizeof(hello.agent));
	if (c->own.addresses[0].bits != 0) {
		(void)tun_prefix_text(&c->own.addresses[0], hello.address4);
		hello.has |= TUN_M_ADDRESS4;
	}
	if (c->own.addresses[1].bits != 0) {
		(void)tun_prefix_text(&c->own.addresses[1], hello.address6);
		hello.has |= TUN_M_ADDRESS6;
	}
	tun_peer_say(peer, &hello);
}

static void on_message(struct tun_peer *peer, const struct tun_message *m, void *arg)
{
	if (m->type == TUN_WELCOME) {
		on_welcome(arg, m);
	} else {
		tun_peer_refuse(peer, "HELLO came from the server");
	}
}

/* Without a tunnel its routes lead nowhere. */
static void go_down(struct client *c, const char *why)
{
	const struct tun_carrier_stats stats = tun_peer_stats(c->peer);

	tun_report_add(&c->report.sum, &stats);
	monitor_remove(c->monitor, tun_peer_conn(c->peer));
	tun_peer_free(c->peer, why);
	c->peer = NULL;
	tun_routes_unset(&c->routes, c->gate.device.index);
	if (!c->routes.kill_switch) {
		(void)tun_routes_clean(&c->routes);
	}
	c->call_us = app_wall_clock_us() + RETRY_US;
}

static void say_cannot_connect(struct client *c, int code, const char *reason)
{
	const struct app_transport *const t = &c->options->transport;
	const struct app_connect_attempt attempt = {.peer = &c->servers,
	                                            .udp_port = t->raw ? 0 : t->peer_udp_port,
	                                            .server = "cmt-tun serve",
	                                            .in_the_clear = t->keys == NULL,
	                                            .reason = reason};
	struct app_error why, text;

	(void)app_connect_error(&attempt, code, &why);
	(void)app_error_set(&text, "%s; connecting again", why.text);
	say(c, text.text);
}

static void on_end(struct tun_peer *peer, const char *why, void *arg)
{
	struct client *const c = arg;
	const bool was_open = c->own.mtu_bytes != 0 && tun_peer_mtu_bytes(peer) != 0;
	struct app_error text;

	if (was_open) {
		(void)app_error_set(&text, "the tunnel is down: %s", why);
		say(c, text.text);
		c->since_us = app_wall_clock_us();
	} else {
		say_cannot_connect(c, tun_peer_error(peer), tun_peer_error(peer) != 0 ? NULL : why);
	}
	go_down(c, NULL);
}

static void call(struct client *c)
{
	struct usrsctp_cmt_conn_config config = app_transport_conn_config(&c->options->transport);
	struct tun_peer_config peer = {.base = c->base,
	                               .settings = &c->options->carry,
	                               .events = {.on_up = on_up,
	                                          .on_message = on_message,
	                                          .on_end = on_end,
	                                          .accepts = accepts,
	                                          .deliver = deliver,
	                                          .arg = c}};

	config.streams_out = config.streams_in_max = TUN_STREAMS;
	config.connect_timeout_ms = CONNECT_TIMEOUT_MS;
	c->called_us = app_wall_clock_us();
	c->call_us = c->called_us + RETRY_US;
	peer.conn = usrsctp_cmt_conn_connect(c->ev, c->servers.list, c->servers.n, &config);
	if (peer.conn == NULL) {
		say_cannot_connect(c, errno, NULL);
		return;
	}
	c->peer = tun_peer_new(&peer);
	if (c->peer == NULL) {
		usrsctp_cmt_conn_abort(peer.conn);
		return;
	}
	monitor_add(c->monitor, peer.conn, NULL);
}

static void on_tick(evutil_socket_t fd, short what, void *arg)
{
	struct client *const c = arg;
	const uint64_t now_us = app_wall_clock_us();
	struct app_error error;

	(void)fd;
	(void)what;
	if (is_open(c)) {
		if (tun_own_set_mtu(&c->own, tun_peer_mtu_bytes(c->peer), &error) != 0 ||
		    except_servers(c, &error) != 0) {
			say(c, error.text);
		}
		return;
	}
	if (c->peer != NULL && now_us - c->called_us > CONNECT_TIMEOUT_MS * UINT64_C(1000) + WELCOME_US) {
		say(c, "the server does not answer HELLO; connecting again");
		go_down(c, NULL);
	}
	if (c->peer == NULL && now_us >= c->call_us) {
		call(c);
	}
	if (c->options->timeout_us != 0 && now_us - c->since_us > c->options->timeout_us) {
		app_complain(PROGRAM, "--timeout: there was no tunnel for that long");
		c->exit_code = APP_EXIT_FAILED;
		(void)event_base_loopbreak(c->base);
	}
}

static void on_signal(evutil_socket_t number, short what, void *arg)
{
	const struct client *const c = arg;

	(void)number;
	(void)what;
	(void)event_base_loopbreak(c->base);
}

/* --- beginning and end --- */

static int open_routes(struct client *c, struct app_error *error)
{
	c->routes.table = c->options->table;
	c->routes.list = c->options->routes;
	c->routes.kill_switch = c->options->kill_switch;
	c->routes.netlink = tun_netlink_open();
	if (c->routes.netlink == NULL) {
		return app_error_set(error, "cannot ask the kernel for routes: %s", strerror(errno));
	}
	c->own.netlink = c->routes.netlink;
	c->own.device = &c->gate.device;
	/* A kill switch that holds already goes on holding. */
	if (!c->options->kill_switch) {
		(void)tun_routes_clean(&c->routes);
	}
	for (size_t i = 0; i < c->servers.n; i++) {
		if (tun_routes_except(&c->routes, &c->servers.list[i], error) != 0) {
			return -1;
		}
	}
	return c->options->kill_switch ? tun_routes_prepare(&c->routes, error) : 0;
}

static int open_all(struct client *c, struct app_error *error)
{
	const struct app_transport *const t = &c->options->transport;
	const struct tun_gate_events events = {.on_packet = on_packet, .on_batch = on_batch, .arg = c};

	if (getrandom(&c->token, sizeof(c->token), 0) != (ssize_t)sizeof(c->token)) {
		return app_error_set(error, "no random numbers: %s", strerror(errno));
	}
	c->token &= INT64_MAX;
	/* Names are looked up while they can be. */
	if (app_transport_peer(t, &c->servers, error) != 0 ||
	    tun_gate_open(&c->gate, c->base, c->options->device, c->options->carry.mode != TUN_MODE_UNORDERED,
	                  &events, error) != 0 ||
	    open_routes(c, error) != 0) {
		return -1;
	}
	c->ev = app_transport_open(t, c->base, error);
	if (c->ev == NULL || monitor_new(&c->monitor, c->base, &t->admin, PROGRAM, error) != 0) {
		return -1;
	}
	c->tick = app_tick_new(c->base, TICK_US, on_tick, c);
	if (c->tick == NULL || app_signals_catch(&c->signals, c->base, on_signal, c) != 0) {
		return app_error_set(error, "no memory");
	}
	return 0;
}

static void close_all(struct client *c)
{
	if (c->peer != NULL) {
		go_down(c, "the client has ended");
	}
	if (c->routes.netlink != NULL) {
		(void)tun_routes_clean(&c->routes);
		tun_netlink_close(c->routes.netlink);
	}
	monitor_free(c->monitor);
	usrsctp_cmt_event_free(c->ev);
	app_signals_free(&c->signals);
	app_event_free(c->tick);
	tun_gate_close(&c->gate);
}

int client_run(const struct tun_options *options)
{
	struct client *const c = calloc(1, sizeof(*c));
	struct app_error error = {"no memory"};
	int exit_code = APP_EXIT_FAILED;

	if (c == NULL || (c->base = app_new_precise_base()) == NULL) {
		app_complain(PROGRAM, "%s", error.text);
		free(c);
		return exit_code;
	}
	c->options = options;
	c->gate.device.fd = -1;
	c->report.role = "connect";
	c->since_us = app_wall_clock_us();
	if (open_all(c, &error) != 0) {
		app_complain(PROGRAM, "%s", error.text);
		close_all(c);
	} else {
		call(c);
		(void)event_base_dispatch(c->base);
		exit_code = c->exit_code;
		close_all(c);
		c->report.malformed_pkts = c->gate.malformed_pkts;
		if (options->stats_json) {
			tun_report_print(&c->report);
		}
	}
	event_base_free(c->base);
	free(c);
	return exit_code;
}
