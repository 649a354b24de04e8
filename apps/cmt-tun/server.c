/* SPDX-License-Identifier: BSD-3-Clause */
#include "server.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "gate.h"
#include "host/netlink.h"
#include "loop/loop_events.h"
#include "monitor.h"
#include "options/shared_options.h"
#include "peer.h"
#include "report.h"
#include "secure/encryption.h"

#define PROGRAM          "cmt-tun"
#define DEVICE_MTU_BYTES 1500u /* those that are too large for a client are answered */
#define MOST_UNKNOWN     64u   /* clients that have not said HELLO yet; then the oldest has to go */

struct server;

struct client {
	struct client *next;
	struct server *server;
	struct tun_peer *peer;
	unsigned number; /* of its addresses; 0 = none yet */
	int64_t token;
	struct app_encryption encryption;
	bool batched; /* has packets of this batch */
};

struct server {
	const struct tun_options *options;
	struct event_base *base;
	struct usrsctp_cmt_event *ev;
	struct usrsctp_cmt_listener *listener;
	struct tun_gate gate;
	struct tun_netlink *netlink;
	struct tun_pool pool;
	struct client *clients;
	struct client *by_number[TUN_POOL_MAX_NUMBER + 1];
	unsigned n_unknown;
	struct monitor *monitor;
	struct app_signals signals;
	struct tun_report report;
};

static void say(const struct server *s, const char *what, const struct client *c, const char *more)
{
	struct tun_prefix address;
	char text[TUN_PREFIX_TEXT_BYTES] = "?", peer[APP_ENCRYPTION_TEXT_BYTES];

	if (!s->options->quiet) {
		if (tun_pool_address(&s->pool, AF_INET, c->number, &address) ||
		    tun_pool_address(&s->pool, AF_INET6, c->number, &address)) {
			(void)tun_prefix_text(&address, text);
		}
		app_complain(PROGRAM, "%s: %s%s", text, what,
		             more != NULL ? more : app_encryption_text(&c->encryption, peer));
	}
}

/* --- packets --- */

static unsigned number_of(const struct server *s, const struct inner_packet *p, const uint8_t *address)
{
	return tun_pool_number(&s->pool, p->version == INNER_IPV4 ? AF_INET : AF_INET6, address);
}

static void on_packet(uint8_t *bytes, const struct inner_packet *p, uint64_t now_us, void *arg)
{
	const struct server *const s = arg;
	struct client *const c = s->by_number[number_of(s, p, p->destination)];

	if (c != NULL) {
		c->batched = true;
		tun_peer_send(c->peer, bytes, p, now_us);
	}
}

static void on_batch(uint64_t now_us, void *arg)
{
	const struct server *const s = arg;

	for (struct client *c = s->clients; c != NULL; c = c->next) {
		if (c->batched) {
			c->batched = false;
			tun_peer_push(c->peer, now_us);
		}
	}
}

/* A client sends from its own addresses alone. */
static bool accepts(const struct inner_packet *p, void *arg)
{
	const struct client *const c = arg;

	return c->number != 0 && number_of(c->server, p, p->source) == c->number;
}

static void deliver(const uint8_t *bytes, size_t len, const struct inner_packet *joined, void *arg)
{
	const struct client *const c = arg;

	tun_device_write(&c->server->gate.device, bytes, len, joined);
}

/* --- clients --- */

static void forget(struct client *c)
{
	struct server *const s = c->server;
	const struct tun_carrier_stats stats = tun_peer_stats(c->peer);
	struct client **at = &s->clients;

	while (*at != c) {
		at = &(*at)->next;
	}
	*at = c->next;
	if (c->number != 0) {
		s->by_number[c->number] = NULL;
		tun_pool_give_back(&s->pool, c->number);
	} else {
		s->n_unknown--;
	}
	tun_report_add(&s->report.sum, &stats);
	monitor_remove(s->monitor, tun_peer_conn(c->peer));
	free(c);
}

static void remove_client(struct client *c, const char *why)
{
	struct tun_peer *const peer = c->peer;

	forget(c);
	tun_peer_free(peer, why);
}

static void on_end(struct tun_peer *peer, const char *why, void *arg)
{
	struct client *const c = arg;

	(void)peer;
	if (c->number != 0) {
		say(c->server, "gone: ", c, why);
	}
	remove_client(c, NULL);
}

static bool is_same(const struct client *a, const struct client *b)
{
	return a->token == b->token && a->encryption.encrypted == b->encryption.encrypted &&
	       memcmp(a->encryption.peer.fingerprint, b->encryption.peer.fingerprint,
	              sizeof(a->encryption.peer.fingerprint)) == 0;
}

/* What the client had on an earlier connection that has not been missed yet. */
static void take_over(struct client *c)
{
	for (struct client *other = c->server->clients; other != NULL; other = other->next) {
		if (other != c && other->number != 0 && is_same(other, c)) {
			remove_client(other, "the client has connected again");
			return;
		}
	}
}

static unsigned wanted_number(const struct server *s, const struct tun_message *hello)
{
	struct app_error error;
	struct tun_prefix address;

	if ((hello->has & TUN_M_ADDRESS4) != 0 &&
	    tun_prefix_parse(hello->address4, false, &address, &error) == 0) {
		return tun_pool_number(&s->pool, AF_INET, address.address);
	}
	if ((hello->has & TUN_M_ADDRESS6) != 0 &&
	    tun_prefix_parse(hello->address6, false, &address, &error) == 0) {
		return tun_pool_number(&s->pool, AF_INET6, address.address);
	}
	return 0;
}

/* The routes that are offered, as far as they fit. */
static void put_routes(const struct tun_prefixes *offers, struct tun_message *welcome)
{
	size_t at = 0;

	for (size_t i = 0; i < offers->n && at + TUN_PREFIX_TEXT_BYTES + 1 < sizeof(welcome->routes); i++) {
		char text[TUN_PREFIX_TEXT_BYTES];

		at += (size_t)snprintf(welcome->routes + at, sizeof(welcome->routes) - at, "%s%s",
		                       at > 0 ? "," : "", tun_prefix_text(&offers->list[i], text));
		welcome->has |= TUN_M_ROUTES;
	}
}

static void welcome(struct client *c)
{
	const struct server *const s = c->server;
	struct tun_message message = {
	    .type = TUN_WELCOME, .has = TUN_M_VERSION | TUN_M_AGENT, .version = TUN_VERSION};
	struct tun_prefix address;

	(void)app_release_text(PROGRAM, message.agent, sizeof(message.agent));
	if (tun_pool_address(&s->pool, AF_INET, c->number, &address)) {
		(void)tun_prefix_text(&address, message.address4);
		message.has |= TUN_M_ADDRESS4;
	}
	if (tun_pool_address(&s->pool, AF_INET6, c->number, &address)) {
		(void)tun_prefix_text(&address, message.address6);
		message.has |= TUN_M_ADDRESS6;
	}
	put_routes(&s->options->offers, &message);
	tun_peer_say(c->peer, &message);
	monitor_add(s->monitor, tun_peer_conn(c->peer),
	            message.address4[0] != '\0' ? message.address4 : message.address6);
	monitor_figures(s->monitor, tun_peer_conn(c->peer), tun_peer_figures, c->peer);
}

static void on_message(struct tun_peer *peer, const struct tun_message *m, void *arg)
{
	struct client *const c = arg;
	struct server *const s = c->server;

	if (m->type != TUN_HELLO || c->number != 0) {
		tun_peer_refuse(peer, "a message came that is not a client's, or a second HELLO");
		return;
	}
	c->token = m->token;
	take_over(c);
	if (tun_peer_open(peer) != 0) {
		tun_peer_refuse(peer, "no memory");
		return;
	}
	c->number = tun_pool_take(&s->pool, wanted_number(s, m));
	if (c->number == 0) {
		tun_peer_refuse(peer, "all addresses of the pool are taken");
		return;
	}
	s->by_number[c->number] = c;
	s->n_unknown--;
	s->report.tunnels++;
	welcome(c);
	say(s, "connected: ", c, NULL);
}

static void on_up(struct tun_peer *peer, void *arg)
{
	(void)peer;
	(void)arg;
}

/* So that who connects and says nothing keeps nobody out. Clients stand from the newest on. */
static void make_room(struct server *s)
{
	struct client *oldest = NULL;

	for (struct client *c = s->clients; c != NULL; c = c->next) {
		oldest = c->number == 0 ? c : oldest;
	}
	if (s->n_unknown >= MOST_UNKNOWN && oldest != NULL) {
		struct tun_peer *const peer = oldest->peer;

		forget(oldest);
		tun_peer_abort(peer);
	}
}

static void on_accept(struct usrsctp_cmt_listener *listener, struct usrsctp_cmt_conn *conn, void *arg)
{
	struct server *const s = arg;
	struct client *const c = calloc(1, sizeof(*c));
	const struct tun_peer_config config = {.base = s->base,
	                                       .conn = conn,
	                                       .is_up = true,
	                                       .settings = &s->options->carry,
	                                       .events = {.on_up = on_up,
	                                                  .on_message = on_message,
	                                                  .on_end = on_end,
	                                                  .accepts = accepts,
	                                                  .deliver = deliver,
	                                                  .arg = c}};

	(void)listener;
	make_room(s);
	if (c == NULL || (c->peer = tun_peer_new(&config)) == NULL) {
		usrsctp_cmt_conn_abort(conn);
		free(c);
		return;
	}
	c->server = s;
	app_encryption_read(conn, &c->encryption);
	c->next = s->clients;
	s->clients = c;
	s->n_unknown++;
	monitor_add(s->monitor, conn, NULL);
}

/* --- beginning and end --- */

static void on_signal(evutil_socket_t number, short what, void *arg)
{
	const struct server *const s = arg;

	(void)number;
	(void)what;
	(void)event_base_loopbreak(s->base);
}

static int set_address(const struct server *s, int family, struct app_error *error)
{
	struct tun_prefix address;
	char text[TUN_PREFIX_TEXT_BYTES];
	int rc;

	if (!tun_pool_address(&s->pool, family, TUN_POOL_SERVER, &address)) {
		return 0;
	}
	rc = tun_netlink_address(s->netlink, true, s->gate.device.index, &address);
	return rc == 0 ? 0
	               : app_error_set(error, "cannot give %s the address %s: %s", s->gate.device.name,
	                               tun_prefix_text(&address, text), strerror(-rc));
}

static int open_device(struct server *s, struct app_error *error)
{
	const struct tun_gate_events events = {.on_packet = on_packet, .on_batch = on_batch, .arg = s};
	int rc;

	if (tun_gate_open(&s->gate, s->base, s->options->device, s->options->carry.mode != TUN_MODE_UNORDERED,
	                  &events, error) != 0) {
		return -1;
	}
	s->netlink = tun_netlink_open();
	if (s->netlink == NULL) {
		return app_error_set(error, "cannot ask the kernel for addresses: %s", strerror(errno));
	}
	rc = tun_netlink_link(s->netlink, s->gate.device.index,
	                      s->options->carry.mtu_bytes != 0 ? s->options->carry.mtu_bytes
	                                                       : DEVICE_MTU_BYTES);
	if (rc != 0) {
		return app_error_set(error, "cannot set %s up: %s", s->gate.device.name, strerror(-rc));
	}
	return set_address(s, AF_INET, error) == 0 ? set_address(s, AF_INET6, error) : -1;
}

static int open_all(struct server *s, struct app_error *error)
{
	const struct app_transport *const t = &s->options->transport;
	const struct app_listen listen = {
	    .base = s->base, .streams = TUN_STREAMS, .on_accept = on_accept, .arg = s};

	if (open_device(s, error) != 0 ||
	    app_transport_listen(t, &listen, &s->ev, &s->listener, error) != 0 ||
	    monitor_new(&s->monitor, s->base, &t->admin, PROGRAM, error) != 0) {
		return -1;
	}
	return app_signals_catch(&s->signals, s->base, on_signal, s) == 0 ? 0
	                                                                  : app_error_set(error, "no memory");
}

static void close_all(struct server *s)
{
	while (s->clients != NULL) {
		remove_client(s->clients, "the server has ended");
	}
	usrsctp_cmt_listener_free(s->listener);
	monitor_free(s->monitor);
	usrsctp_cmt_event_free(s->ev);
	app_signals_free(&s->signals);
	tun_netlink_close(s->netlink);
	tun_gate_close(&s->gate);
}

int server_run(const struct tun_options *options)
{
	struct server *const s = calloc(1, sizeof(*s));
	struct app_error error = {"no memory"};
	int exit_code = APP_EXIT_FAILED;

	if (s == NULL || (s->base = app_new_precise_base()) == NULL) {
		app_complain(PROGRAM, "%s", error.text);
		free(s);
		return exit_code;
	}
	s->options = options;
	s->pool = options->pool;
	s->gate.device.fd = -1;
	s->report.role = "serve";
	if (open_all(s, &error) != 0) {
		app_complain(PROGRAM, "%s", error.text);
		close_all(s);
	} else {
		if (!options->quiet) {
			app_transport_say_where(PROGRAM, &options->transport, s->ev);
		}
		(void)event_base_dispatch(s->base);
		exit_code = APP_EXIT_OK;
		close_all(s);
		s->report.malformed_pkts = s->gate.malformed_pkts;
		if (options->stats_json) {
			tun_report_print(&s->report);
		}
	}
	event_base_free(s->base);
	free(s);
	return exit_code;
}
