/* SPDX-License-Identifier: BSD-3-Clause */
#include "options/transport_options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <usrsctp_cmt_trace.h>

#include "net/port_holder.h"
#include "options/option_values.h"
#include "text/units.h"

#define BUFFER_MIN_BYTES 4096u
#define BUFFER_MAX_BYTES (1u << 30)
#define MTU_MIN_BYTES    576
#define MTU_MAX_BYTES    65535

void app_transport_init(struct app_transport *t)
{
	*t = (struct app_transport){.port = APP_DEFAULT_PORT,
	                            .server_udp_port = USRSCTP_CMT_EVENT_UDP_PORT,
	                            .sndbuf_bytes = APP_DEFAULT_BUFFER_BYTES,
	                            .rcvbuf_bytes = APP_DEFAULT_BUFFER_BYTES,
	                            .scheduler = USRSCTP_CMT_DEFAULT_SCHEDULER};
}

static int refuse(const char *name, const char *value, const char *form, struct app_error *error)
{
	return app_error_set(error, "--%s: \"%s\" is not %s", name, value, form);
}

static int take_buffer(const char *name, const char *value, uint32_t min, uint32_t max, uint32_t *bytes,
                       struct app_error *error)
{
	uint64_t size;

	if (app_take_size(name, value, min, max, &size, error) != 0) {
		return -1;
	}
	*bytes = (uint32_t)size;
	return 0;
}

static int take_udp_port(struct app_transport *t, const char *name, const char *value,
                         struct app_error *error)
{
	t->udp_port_written = true;
	return app_take_port(name, value, true, &t->udp_port, error);
}

/* Names are looked up later, by app_transport_peer(). */
static int take_connect(struct app_transport *t, const char *name, const char *value, struct app_error *error)
{
	struct app_error reason;

	t->connect = value;
	return app_addresses_port(value, &t->connect_port, &reason) == 0
	           ? 0
	           : app_error_set(error, "--%s: %s", name, reason.text);
}

static int take_bind(struct app_transport *t, const char *name, const char *value, struct app_error *error)
{
	const size_t any_len = strlen("any");
	const bool any =
	    strncmp(value, "any", any_len) == 0 && (value[any_len] == '\0' || value[any_len] == ':');
	struct app_error reason;
	uint16_t port;

	if (app_addresses_port(value, &port, &reason) != 0 ||
	    (!any && app_addresses_add(&t->bind, value, 0, false, &reason) != 0)) {
		return app_error_set(error, "--%s: %s", name, reason.text);
	}
	if (t->bind_port != 0 && port != 0 && port != t->bind_port) {
		return app_error_set(error, "--bind: ports %u and %u differ; all addresses share one port",
		                     t->bind_port, port);
	}
	t->bind_port = port != 0 ? port : t->bind_port;
	t->bind_any |= any;
	if (t->bind_any && t->bind.n > 0) {
		return app_error_set(error, "--bind: \"any\" cannot be combined with other addresses");
	}
	return 0;
}

static int take_mtu(const char *name, const char *value, struct app_transport *t, struct app_error *error)
{
	uint64_t size;

	if (!app_parse_size(value, &size) || size < MTU_MIN_BYTES || size > MTU_MAX_BYTES) {
		return refuse(name, value, "a packet size; write 576 to 65535", error);
	}
	t->mtu_bytes = (uint32_t)size;
	return 0;
}

/* "single" is a word of the connection interface, not a scheduler of the library. */
static bool is_scheduler(const char *name, char *known, size_t known_bytes)
{
	size_t at = (size_t)snprintf(known, known_bytes, "single, stock");
	const char *have;

	for (unsigned i = 0; (have = usrsctp_cmt_scheduler_name(i)) != NULL; i++) {
		if (strcmp(have, name) == 0) {
			return true;
		}
		if (strcmp(have, "stock") != 0 && at < known_bytes) {
			at += (size_t)snprintf(known + at, known_bytes - at, ", %s", have);
		}
	}
	return strcmp(name, "single") == 0 || strcmp(name, "stock") == 0;
}

static int take_scheduler(struct app_transport *t, const char *value, struct app_error *error)
{
	const char *colon = strchr(value, ':');
	size_t len = colon != NULL ? (size_t)(colon - value) : strlen(value);
	char known[400];

	if (len >= sizeof(t->scheduler)) {
		return refuse("sched", value, "NAME[:KEY=VALUE,..]; write auto or lcm", error);
	}
	memcpy(t->scheduler, value, len);
	t->scheduler[len] = '\0';
	if (!is_scheduler(t->scheduler, known, sizeof(known))) {
		return app_error_set(error, "--sched: \"%s\" is not a scheduler; write one of %s",
		                     t->scheduler, known);
	}
	if (colon != NULL && strlen(colon + 1) >= sizeof(t->scheduler_options)) {
		return refuse("sched", value, "short enough", error);
	}
	snprintf(t->scheduler_options, sizeof(t->scheduler_options), "%s", colon != NULL ? colon + 1 : "");
	return app_policy_fault(&app_scheduler_kind, "--sched", t->scheduler, t->scheduler_options, error)
	           ? -1
	           : 0;
}

int app_transport_take(struct app_transport *t, int code, const char *name, const char *value,
                       struct app_error *error)
{
	if (code >= APP_SECURE_FIRST && code < APP_SECURE_END) {
		return app_secure_take(&t->secure, code, name, value, error);
	}
	switch (code) {
	case APP_OPT_BIND: return take_bind(t, name, value, error);
	case APP_OPT_CONNECT: return take_connect(t, name, value, error);
	case APP_OPT_PORT: t->port_written = true; return app_take_port(name, value, false, &t->port, error);
	case APP_OPT_UDP_PORT: return take_udp_port(t, name, value, error);
	case APP_OPT_PEER_UDP_PORT: return app_take_port(name, value, false, &t->peer_udp_port, error);
	case APP_OPT_RAW: t->raw = true; return 0;
	case APP_OPT_MTU: return take_mtu(name, value, t, error);
	case APP_OPT_SCHED: return take_scheduler(t, value, error);
	case APP_OPT_CC: return app_policy_parse(&t->cc, &app_cc_kind, "--cc", value, error);
	case APP_OPT_SNDBUF:
		return take_buffer(name, value, BUFFER_MIN_BYTES, BUFFER_MAX_BYTES, &t->sndbuf_bytes, error);
	case APP_OPT_RCVBUF:
		return take_buffer(name, value, BUFFER_MIN_BYTES, BUFFER_MAX_BYTES, &t->rcvbuf_bytes, error);
	case APP_OPT_QLOG: t->qlog = value; return 0;
	case APP_OPT_MSG: return take_buffer(name, value, 1, APP_MSG_MAX_BYTES, &t->msg_bytes, error);
	case APP_OPT_METERED: return app_metered_take(&t->metered, name, value, error);
	case APP_OPT_ADMIN: return app_admin_parse(&t->admin, "--admin", value, error);
	default: return app_error_set(error, "--%s: no such option", name);
	}
}

/* The PORT behind the addresses of --bind or --connect. `udp_port` is what it stands for, if `udp_written`
 * does not say that an option has named that; then, and without UDP, it is the SCTP port. */
static int settle_port(struct app_transport *t, uint16_t port, const char *option, bool udp_written,
                       uint16_t *udp_port, struct app_error *error)
{
	if (port == 0) {
		return 0;
	}
	if (!t->raw && !udp_written) {
		*udp_port = port;
		return 0;
	}
	if (t->port_written && t->port != port) {
		return app_error_set(error, "--%s: port %u, but --port %u; write only one of them", option,
		                     port, t->port);
	}
	t->port = port;
	return 0;
}

/* --bind of who calls: its own UDP port. The SCTP port is the other side's. */
static int settle_own_port(struct app_transport *t, struct app_error *error)
{
	if (t->bind_port == 0) {
		return 0;
	}
	if (t->raw || (t->udp_port_written && t->udp_port != t->bind_port)) {
		return app_error_set(error, "--bind: port %u has no meaning with %s; leave it out",
		                     t->bind_port, t->raw ? "--raw" : "--udp-port");
	}
	t->udp_port = t->bind_port;
	return 0;
}

int app_transport_complete(struct app_transport *t, bool listens, struct app_error *error)
{
	struct app_error ignored;
	const int own = listens
	                    ? settle_port(t, t->bind_port, "bind", t->udp_port_written, &t->udp_port, error)
	                    : settle_own_port(t, error);

	if (own != 0 || settle_port(t, t->connect_port, "connect", t->peer_udp_port != 0, &t->peer_udp_port,
	                            error) != 0) {
		return -1;
	}
	if (t->peer_udp_port == 0) {
		t->peer_udp_port = t->server_udp_port;
	}
	if (listens && t->udp_port == 0 && !t->udp_port_written) {
		t->udp_port = t->server_udp_port;
	}
	if (listens && t->bind.n == 0 && !t->bind_any) {
		t->loopback_unasked = true;
		(void)app_addresses_add(&t->bind, APP_LOOPBACK, 0, false, &ignored);
	}
	t->listens = listens;
	return app_secure_check(&t->secure, listens, error);
}

int app_transport_keys(struct app_transport *t, const char *program, bool quiet, struct app_error *error)
{
	struct app_peer_names peer;
	const struct app_secure_config config = {
	    .program = program, .options = &t->secure, .peer = t->listens ? NULL : &peer, .quiet = quiet};

	app_peer_names_of(&peer, t->connect, t->raw ? t->port : t->peer_udp_port);
	return app_secure_new(&t->keys, &config, error);
}

int app_transport_secure(struct app_transport *t, const char *program, bool quiet)
{
	struct app_error error;

	if (app_transport_keys(t, program, quiet, &error) != 0) {
		app_complain(program, "%s", error.text);
		return APP_EXIT_FAILED;
	}
	return 0;
}

void app_transport_unsecure(struct app_transport *t)
{
	app_secure_free(t->keys);
	t->keys = NULL;
}

int app_transport_peer(const struct app_transport *t, struct app_addresses *peer, struct app_error *error)
{
	struct app_error reason;

	peer->n = 0;
	if (t->connect == NULL) {
		return app_error_set(error, "no peer given; write --connect ADDR[,ADDR..]");
	}
	if (app_addresses_add(peer, t->connect, t->port, true, &reason) != 0) {
		return app_error_set(error, "--connect: %s", reason.text);
	}
	return 0;
}

/* The first of the addresses that the host does not have. */
static const struct sockaddr_storage *foreign(const struct app_transport *t)
{
	for (size_t i = 0; i < t->bind.n; i++) {
		if (!app_address_is_local(&t->bind.list[i])) {
			return &t->bind.list[i];
		}
	}
	return NULL;
}

static void explain(const struct app_transport *t, int code, const char *library, struct app_error *error)
{
	const struct sockaddr_storage *missing = code == EADDRNOTAVAIL ? foreign(t) : NULL;
	char address[APP_ADDRESS_TEXT_BYTES], have[300];
	const char *holder;
	struct app_addresses host;

	if (missing != NULL) {
		app_addresses_of_host(&host);
		app_error_set(
		    error, "cannot bind %s: address not on this host (have %s); write --bind any to use all",
		    app_address_text(missing, address, sizeof(address)),
		    app_addresses_text(&host, have, sizeof(have)));
	} else if (code == EADDRINUSE) {
		holder = app_port_holder(&t->bind, t->udp_port, have, sizeof(have));
		app_error_set(error, "%s%s%s; choose another with --udp-port", library,
		              holder != NULL ? ", by " : "", holder != NULL ? holder : "");
	} else if (code == EPERM || code == EACCES) {
		app_error_set(error,
		              "cannot open raw sockets: no permission; run as root or with CAP_NET_RAW, or "
		              "leave --raw out");
	} else {
		app_error_set(error, "cannot start the network back end: %s",
		              library[0] != '\0' ? library : strerror(code));
	}
}

static void close_qlog(void)
{
	if (usrsctp_cmt_qlog_close() != 0) {
		app_complain(program_invocation_short_name, "--qlog: the file is incomplete: %s",
		             strerror(errno));
	}
}

static int open_qlog(const struct app_transport *t, struct app_error *error)
{
	if (t->qlog == NULL) {
		return 0;
	}
	if (usrsctp_cmt_qlog_open(t->qlog, program_invocation_short_name) != 0) {
		return app_error_set(error, "--qlog %s: %s", t->qlog, strerror(errno));
	}
	return atexit(close_qlog) == 0 ? 0 : app_error_set(error, "no memory");
}

struct usrsctp_cmt_event *app_transport_open(const struct app_transport *t, struct event_base *base,
                                             struct app_error *error)
{
	struct usrsctp_cmt_event_config config = {
	    .size = sizeof(config),
	    .addresses = t->bind.n > 0 ? t->bind.list : NULL,
	    .n_addresses = t->bind.n,
	    .transport = t->raw ? USRSCTP_CMT_EVENT_RAW : USRSCTP_CMT_EVENT_UDP,
	    .udp_port = t->udp_port,
	    .mtu_max_bytes = t->mtu_bytes,
	    .except_interface = t->except_interface,
	};
	char library[300] = "";
	struct usrsctp_cmt_event *ev;

	if (open_qlog(t, error) != 0) {
		return NULL;
	}
	ev = usrsctp_cmt_event_new(base, &config, library, sizeof(library));

	if (ev == NULL) {
		explain(t, errno, library, error);
	}
	return ev;
}

struct usrsctp_cmt_conn_config app_transport_conn_config(const struct app_transport *t)
{
	return (struct usrsctp_cmt_conn_config){
	    .size = sizeof(struct usrsctp_cmt_conn_config),
	    .scheduler = t->scheduler,
	    .scheduler_options = t->scheduler_options[0] != '\0' ? t->scheduler_options : NULL,
	    .cc = t->cc.name[0] != '\0' ? t->cc.name : NULL,
	    .cc_options = t->cc.options[0] != '\0' ? t->cc.options : NULL,
	    .sndbuf_bytes = t->sndbuf_bytes,
	    .rcvbuf_bytes = t->rcvbuf_bytes,
	    .peer_udp_port = t->peer_udp_port,
	    .keys = app_secure_keys(t->keys),
	};
}

void app_transport_listen_error(const struct app_transport *t, int code, struct app_error *error)
{
	if (code == EADDRINUSE) {
		app_error_set(error, "cannot listen on SCTP port %u: in use; choose another with --port",
		              t->port);
	} else {
		app_error_set(error, "cannot listen on SCTP port %u: %s", t->port, strerror(code));
	}
}

int app_transport_listen(const struct app_transport *t, const struct app_listen *how,
                         struct usrsctp_cmt_event **ev, struct usrsctp_cmt_listener **listener,
                         struct app_error *error)
{
	struct usrsctp_cmt_conn_config config = app_transport_conn_config(t);

	config.streams_out = config.streams_in_max = how->streams;
	*ev = app_transport_open(t, how->base, error);
	if (*ev == NULL) {
		return -1;
	}
	*listener = usrsctp_cmt_listen(*ev, t->port, &config, how->on_accept, how->arg);
	if (*listener == NULL) {
		app_transport_listen_error(t, errno, error);
		return -1;
	}
	app_secure_tell_refused(t->keys, *listener);
	return 0;
}

void app_transport_say_where(const char *program, const struct app_transport *t,
                             const struct usrsctp_cmt_event *ev)
{
	struct app_addresses at = {.n = 0};
	char text[APP_MAX_ADDRESSES * APP_ADDRESS_TEXT_BYTES];

	at.n = usrsctp_cmt_event_addresses(ev, at.list, APP_MAX_ADDRESSES);
	at.n = at.n > APP_MAX_ADDRESSES ? APP_MAX_ADDRESSES : at.n;
	app_complain(program, "listening on %s, SCTP port %u%s%.0u%s",
	             app_addresses_text(&at, text, sizeof(text)), t->port, t->raw ? "" : ", UDP port ",
	             usrsctp_cmt_event_udp_port(ev),
	             t->loopback_unasked ? "; with --bind any, other hosts can connect" : "");
	app_secure_say_fingerprint(t->keys);
}
