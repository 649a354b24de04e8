/* SPDX-License-Identifier: BSD-3-Clause */
#include "conn.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUFFER_BYTES       1048576u
#define STREAMS            16
#define CONNECT_TIMEOUT_MS 30000
#define RTO_INITIAL_MS     1000 /* RFC 9260; upstream's is 3 s */
#define LINGER_TIMEOUT_MS  30000
#define INIT_ATTEMPTS      255 /* the timeout ends it, not their number */
#define UDP_HEADER_BYTES   8u
#define SCTP_HEADER_BYTES  12u
#define IP4_HEADER_BYTES   20u
#define IP6_HEADER_BYTES   40u

static const uint16_t notifications[] = {SCTP_ASSOC_CHANGE, SCTP_PEER_ADDR_CHANGE};

/* --- sockets --- */

static int set_option(struct socket *so, int level, int option, const void *value, size_t len)
{
	return usrsctp_setsockopt(so, level, option, value, (socklen_t)len);
}

static int set_int(struct socket *so, int level, int option, uint32_t value)
{
	const int v = value > INT32_MAX ? INT32_MAX : (int)value;

	return set_option(so, level, option, &v, sizeof(v));
}

int conn_config_check(const struct usrsctp_cmt_conn_config *config)
{
	if (config == NULL || config->size != sizeof(*config) ||
	    (config->scheduler != NULL && strlen(config->scheduler) >= SCTP_CMT_POLICY_NAME_MAX) ||
	    (config->scheduler_options != NULL &&
	     strlen(config->scheduler_options) >= SCTP_CMT_POLICY_OPTIONS_MAX)) {
		errno = EINVAL;
		return -1;
	}
	return 0;
}

static int set_scheduler(struct socket *so, const struct usrsctp_cmt_conn_config *config)
{
	struct sctp_cmt_policy policy = {.size = sizeof(policy), .assoc_id = SCTP_FUTURE_ASSOC};
	struct sctp_assoc_value on = {.assoc_id = SCTP_FUTURE_ASSOC, .assoc_value = SCTP_CMT_BASE};
	const char *name = config->scheduler != NULL ? config->scheduler : "arrival";

	if (strcmp(name, "single") == 0) {
		return 0;
	}
	if (strcmp(name, "stock") == 0) {
		return set_option(so, IPPROTO_SCTP, SCTP_CMT_ON_OFF, &on, sizeof(on));
	}
	snprintf(policy.name, sizeof(policy.name), "%s", name);
	snprintf(policy.options, sizeof(policy.options), "%s",
	         config->scheduler_options != NULL ? config->scheduler_options : "");
	return set_option(so, IPPROTO_SCTP, SCTP_CMT_SCHEDULER, &policy, sizeof(policy));
}

static int subscribe(struct socket *so)
{
	for (size_t i = 0; i < sizeof(notifications) / sizeof(notifications[0]); i++) {
		struct sctp_event event = {
		    .se_assoc_id = SCTP_FUTURE_ASSOC, .se_type = notifications[i], .se_on = 1};

		if (set_option(so, IPPROTO_SCTP, SCTP_EVENT, &event, sizeof(event)) != 0) {
			return -1;
		}
	}
	return set_int(so, IPPROTO_SCTP, SCTP_RECVRCVINFO, 1);
}

static int set_encapsulation(struct usrsctp_cmt_event *ev, struct socket *so, uint16_t peer_udp_port)
{
	struct sctp_udpencaps encaps = {.sue_assoc_id = SCTP_FUTURE_ASSOC};

	if (ev->config.transport != USRSCTP_CMT_EVENT_UDP) {
		return 0;
	}
	encaps.sue_port = htons(peer_udp_port != 0 ? peer_udp_port : USRSCTP_CMT_EVENT_UDP_PORT);
	return set_option(so, IPPROTO_SCTP, SCTP_REMOTE_UDP_ENCAPS_PORT, &encaps, sizeof(encaps));
}

static int set_options(struct usrsctp_cmt_event *ev, struct socket *so,
                       const struct usrsctp_cmt_conn_config *c)
{
	struct sctp_initmsg init = {.sinit_num_ostreams = c->streams_out != 0 ? c->streams_out : STREAMS,
	                            .sinit_max_instreams =
	                                c->streams_in_max != 0 ? c->streams_in_max : STREAMS,
	                            .sinit_max_attempts = INIT_ATTEMPTS};
	struct sctp_paddrparams path = {.spp_assoc_id = SCTP_FUTURE_ASSOC};

	struct sctp_rtoinfo rto = {.srto_assoc_id = SCTP_FUTURE_ASSOC, .srto_initial = RTO_INITIAL_MS};

	path.spp_pathmaxrxt = (uint16_t)(c->path_max_retrans > UINT16_MAX ? UINT16_MAX : c->path_max_retrans);
	path.spp_address.ss_family = AF_UNSPEC;
	return set_int(so, SOL_SOCKET, SO_SNDBUF, c->sndbuf_bytes != 0 ? c->sndbuf_bytes : BUFFER_BYTES) ==
	                   0 &&
	               set_int(so, SOL_SOCKET, SO_RCVBUF,
	                       c->rcvbuf_bytes != 0 ? c->rcvbuf_bytes : BUFFER_BYTES) == 0 &&
	               set_int(so, IPPROTO_SCTP, SCTP_NODELAY, 1) == 0 &&
	               set_option(so, IPPROTO_SCTP, SCTP_RTOINFO, &rto, sizeof(rto)) == 0 &&
	               set_option(so, IPPROTO_SCTP, SCTP_INITMSG, &init, sizeof(init)) == 0 &&
	               (c->path_max_retrans == 0 ||
	                set_option(so, IPPROTO_SCTP, SCTP_PEER_ADDR_PARAMS, &path, sizeof(path)) == 0) &&
	               subscribe(so) == 0 && set_encapsulation(ev, so, c->peer_udp_port) == 0 &&
	               set_scheduler(so, c) == 0
	           ? 0
	           : -1;
}

static uint16_t chosen_port(struct socket *so)
{
	struct sockaddr *addresses = NULL;
	uint16_t port = 0;

	if (usrsctp_getladdrs(so, 0, &addresses) > 0) {
		port = evio_address_port(addresses);
		usrsctp_freeladdrs(addresses);
	}
	return port;
}

/* The first address settles the port, the others follow it. */
static int bind_all(const struct usrsctp_cmt_event *ev, struct socket *so, uint16_t port)
{
	uint8_t packed[EVIO_ADDRESSES_MAX * sizeof(struct sockaddr_in6)];
	struct sockaddr *const first = (struct sockaddr *)(void *)packed;
	int n = evio_pack_addresses(ev, port, packed);

	if (n == 0) {
		errno = EADDRNOTAVAIL;
		return -1;
	}
	if (usrsctp_bindx(so, first, 1, SCTP_BINDX_ADD_ADDR) != 0) {
		return -1;
	}
	if (n == 1) {
		return 0;
	}
	if (port == 0) {
		n = evio_pack_addresses(ev, chosen_port(so), packed);
	}
	return usrsctp_bindx(so, (struct sockaddr *)(void *)(packed + evio_address_len(first)), n - 1,
	                     SCTP_BINDX_ADD_ADDR);
}

struct socket *conn_socket_open(struct usrsctp_cmt_event *ev, const struct usrsctp_cmt_conn_config *config,
                                uint16_t port)
{
	bool six = false;
	struct socket *so;

	for (size_t i = 0; i < ev->n_locals; i++) {
		six = six || (ev->locals[i].present && ev->locals[i].address.any.sa_family == AF_INET6);
	}
	so = usrsctp_socket(six ? AF_INET6 : AF_INET, SOCK_STREAM, IPPROTO_SCTP, NULL, NULL, 0, NULL);
	if (so == NULL) {
		return NULL;
	}
	if (usrsctp_set_non_blocking(so, 1) != 0 || set_options(ev, so, config) != 0 ||
	    bind_all(ev, so, port) != 0) {
		int error = errno;

		usrsctp_close(so);
		errno = error;
		return NULL;
	}
	return so;
}

void conn_socket_rebind(struct socket *so, const struct evio_local *local, bool add)
{
	union evio_address address;

	evio_address_copy(&address, &local->address.any, chosen_port(so));
	(void)usrsctp_bindx(so, &address.any, 1, add ? SCTP_BINDX_ADD_ADDR : SCTP_BINDX_REM_ADDR);
}

void evio_conns_rebind(struct usrsctp_cmt_event *ev, const struct evio_local *local, bool add)
{
	struct usrsctp_cmt_conn *conn;

	TAILQ_FOREACH(conn, &ev->conns, in_all)
	{
		if (conn->state != CONN_OVER) {
			conn_socket_rebind(conn->so, local, add);
		}
	}
}

/* --- life --- */

struct usrsctp_cmt_conn *conn_new(struct usrsctp_cmt_event *ev, struct socket *so)
{
	struct usrsctp_cmt_conn *conn = calloc(1, sizeof(*conn));

	if (conn == NULL) {
		usrsctp_close(so);
		errno = ENOMEM;
		return NULL;
	}
	conn->ev = ev;
	conn->so = so;
	conn->state = CONN_CONNECTING;
	conn->enabled = EV_READ | EV_WRITE;
	conn->wants_room = true;
	TAILQ_INSERT_TAIL(&ev->conns, conn, in_all);
	usrsctp_set_upcall(so, conn_upcall, conn);
	return conn;
}

static void make_unready(struct usrsctp_cmt_conn *conn)
{
	if (conn->is_ready) {
		conn->is_ready = false;
		TAILQ_REMOVE(&conn->ev->ready, conn, in_ready);
		conn->ev->n_ready--;
	}
}

static void stop_timer(struct usrsctp_cmt_conn *conn)
{
	if (conn->timer != NULL) {
		event_free(conn->timer);
		conn->timer = NULL;
	}
}

/* Ends the association at once if there still is one. */
static void destroy(struct usrsctp_cmt_conn *conn)
{
	const struct linger now = {.l_onoff = 1, .l_linger = 0};

	make_unready(conn);
	TAILQ_REMOVE(&conn->ev->conns, conn, in_all);
	stop_timer(conn);
	conn_bridge_free(conn->bridge);
	free(conn->peers);
	usrsctp_set_upcall(conn->so, NULL, NULL);
	if (conn->state != CONN_OVER) {
		(void)set_option(conn->so, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
	}
	usrsctp_close(conn->so);
	free(conn);
}

static void give_up(evutil_socket_t fd, short what, void *arg)
{
	struct usrsctp_cmt_conn *conn = arg;
	struct usrsctp_cmt_event *ev = conn->ev;

	(void)fd;
	(void)what;
	evio_enter(ev);
	if (conn->forgotten) {
		destroy(conn);
	} else if (conn->state == CONN_CONNECTING) {
		conn_event(conn, USRSCTP_CMT_CONN_FAILED, ETIMEDOUT, NULL);
	}
	evio_leave(ev);
}

static int start_timer(struct usrsctp_cmt_conn *conn, uint32_t ms)
{
	const struct timeval wait = {.tv_sec = ms / 1000, .tv_usec = (suseconds_t)(ms % 1000) * 1000};

	stop_timer(conn);
	conn->timer = evtimer_new(conn->ev->base, give_up, conn);
	return conn->timer != NULL ? event_add(conn->timer, &wait) : -1;
}

static int connect_all(struct usrsctp_cmt_conn *conn)
{
	uint8_t packed[EVIO_ADDRESSES_MAX * sizeof(struct sockaddr_in6)];
	uint8_t *at = packed;

	for (size_t i = 0; i < conn->n_peers; i++) {
		memcpy(at, &conn->peers[i], evio_address_len(&conn->peers[i].any));
		at += evio_address_len(&conn->peers[i].any);
	}
	if (usrsctp_connectx(conn->so, (const struct sockaddr *)(const void *)packed, (int)conn->n_peers,
	                     NULL) != 0 &&
	    errno != EINPROGRESS) {
		return -1;
	}
	return 0;
}

static bool peers_are_valid(const struct sockaddr_storage *peer, size_t n)
{
	uint16_t port;

	if (n == 0 || n > EVIO_ADDRESSES_MAX || peer == NULL) {
		return false;
	}
	port = evio_address_port((const struct sockaddr *)&peer[0]);
	for (size_t i = 0; i < n; i++) {
		if ((peer[i].ss_family != AF_INET && peer[i].ss_family != AF_INET6) ||
		    evio_address_port((const struct sockaddr *)&peer[i]) != port) {
			return false;
		}
	}
	return port != 0;
}

struct usrsctp_cmt_conn *usrsctp_cmt_conn_connect(struct usrsctp_cmt_event *ev,
                                                  const struct sockaddr_storage *peer, size_t n_peer,
                                                  const struct usrsctp_cmt_conn_config *config)
{
	struct usrsctp_cmt_conn *conn;
	struct socket *so;

	if (conn_config_check(config) != 0 || !peers_are_valid(peer, n_peer)) {
		errno = EINVAL;
		return NULL;
	}
	so = conn_socket_open(ev, config, config->local_port);
	if (so == NULL) {
		return NULL;
	}
	conn = conn_new(ev, so);
	if (conn == NULL) {
		return NULL;
	}
	conn->peers = calloc(n_peer, sizeof(*conn->peers));
	if (conn->peers == NULL) {
		destroy(conn);
		errno = ENOMEM;
		return NULL;
	}
	conn->n_peers = n_peer;
	for (size_t i = 0; i < n_peer; i++) {
		const struct sockaddr *address = (const struct sockaddr *)&peer[i];

		evio_address_copy(&conn->peers[i], address, evio_address_port(address));
	}
	if (start_timer(conn, config->connect_timeout_ms != 0 ? config->connect_timeout_ms
	                                                      : CONNECT_TIMEOUT_MS) != 0 ||
	    connect_all(conn) != 0) {
		int error = errno;

		destroy(conn);
		errno = error;
		return NULL;
	}
	evio_schedule(ev);
	return conn;
}

static void end(struct usrsctp_cmt_conn *conn)
{
	if (conn->serving) {
		conn->freed = true;
	} else {
		destroy(conn);
	}
}

void usrsctp_cmt_conn_abort(struct usrsctp_cmt_conn *conn)
{
	if (conn != NULL) {
		struct usrsctp_cmt_event *ev = conn->ev;

		end(conn);
		evio_schedule(ev);
	}
}

void usrsctp_cmt_conn_free(struct usrsctp_cmt_conn *conn)
{
	if (conn == NULL) {
		return;
	}
	conn_bridge_free(conn->bridge);
	conn->bridge = NULL;
	usrsctp_cmt_conn_setcb(conn, NULL, NULL, NULL, NULL);
	if (conn->state == CONN_CONNECTING || conn->state == CONN_OVER ||
	    start_timer(conn, LINGER_TIMEOUT_MS) != 0) {
		usrsctp_cmt_conn_abort(conn);
		return;
	}
	conn->forgotten = true;
	(void)usrsctp_cmt_conn_shutdown(conn);
	conn_make_ready(conn);
}

void evio_conns_free_all(struct usrsctp_cmt_event *ev)
{
	struct usrsctp_cmt_conn *conn;

	while ((conn = TAILQ_FIRST(&ev->conns)) != NULL) {
		destroy(conn);
	}
}

int usrsctp_cmt_conn_shutdown(struct usrsctp_cmt_conn *conn)
{
	if (conn->state == CONN_CONNECTING || conn->state == CONN_OVER) {
		errno = ENOTCONN;
		return -1;
	}
	if (conn->shutting_down) {
		return 0;
	}
	conn->shutting_down = true;
	if (usrsctp_shutdown(conn->so, SHUT_WR) != 0) {
		/* The peer was first and its shutdown is complete. */
		conn_event(conn, USRSCTP_CMT_CONN_CLOSED, 0, NULL);
	}
	conn_make_ready(conn);
	return 0;
}

/* --- what happens to it --- */

void conn_make_ready(struct usrsctp_cmt_conn *conn)
{
	if (!conn->is_ready) {
		conn->is_ready = true;
		conn->ev->n_ready++;
		TAILQ_INSERT_TAIL(&conn->ev->ready, conn, in_ready);
		evio_schedule(conn->ev);
	}
}

void conn_upcall(struct socket *so, void *arg, int flags)
{
	(void)so;
	(void)flags;
	conn_make_ready(arg);
}

void conn_event(struct usrsctp_cmt_conn *conn, enum usrsctp_cmt_conn_event_type type, int error,
                const struct sockaddr *address)
{
	if (conn->state == CONN_OVER) {
		return;
	}
	conn->pending =
	    (struct usrsctp_cmt_conn_event){.size = sizeof(conn->pending), .type = type, .error = error};
	if (address != NULL && (address->sa_family == AF_INET || address->sa_family == AF_INET6)) {
		memcpy(&conn->pending.address, address, evio_address_len(address));
	}
	switch (type) {
	case USRSCTP_CMT_CONN_UP: conn->state = CONN_UP; break;
	case USRSCTP_CMT_CONN_PEER_CLOSED: conn->state = CONN_PEER_CLOSED; break;
	case USRSCTP_CMT_CONN_CLOSED:
	case USRSCTP_CMT_CONN_FAILED:
	case USRSCTP_CMT_CONN_LOST: conn->state = CONN_OVER; break;
	case USRSCTP_CMT_CONN_PATH_UP:
	case USRSCTP_CMT_CONN_PATH_DOWN:
	case USRSCTP_CMT_CONN_PATH_ADDED:
	case USRSCTP_CMT_CONN_PATH_REMOVED: break;
	}
	if (conn->state != CONN_CONNECTING && !conn->forgotten) {
		stop_timer(conn);
		free(conn->peers);
		conn->peers = NULL;
		conn->n_peers = 0;
	}
	conn_make_ready(conn);
}

void evio_conns_refused(struct usrsctp_cmt_event *ev, const struct sockaddr *to, int error)
{
	struct usrsctp_cmt_conn *conn;

	TAILQ_FOREACH(conn, &ev->conns, in_all)
	{
		for (size_t i = conn->n_refused; i < conn->n_peers; i++) {
			union evio_address swap = conn->peers[i];

			if (!evio_address_equal(&swap.any, to)) {
				continue;
			}
			conn->peers[i] = conn->peers[conn->n_refused];
			conn->peers[conn->n_refused++] = swap;
			conn->refused_error = error;
		}
		/* Only a hint, and only while nothing was heard of the peer: anybody can send ICMP. */
		if (conn->n_peers > 0 && conn->n_refused == conn->n_peers) {
			conn_event(conn, USRSCTP_CMT_CONN_FAILED, conn->refused_error, NULL);
		}
	}
}

void evio_conns_path_mtu(struct usrsctp_cmt_event *ev, const struct sockaddr *to, uint32_t mtu_bytes)
{
	const uint32_t overhead = SCTP_HEADER_BYTES +
	                          (to->sa_family == AF_INET6 ? IP6_HEADER_BYTES : IP4_HEADER_BYTES) +
	                          (ev->config.transport == USRSCTP_CMT_EVENT_UDP ? UDP_HEADER_BYTES : 0);
	struct sctp_paddrparams path = {.spp_assoc_id = SCTP_CURRENT_ASSOC, .spp_flags = SPP_PMTUD_DISABLE};
	struct usrsctp_cmt_conn *conn;

	if (mtu_bytes <= overhead || mtu_bytes > ev->config.mtu_max_bytes) {
		return;
	}
	memcpy(&path.spp_address, to, evio_address_len(to));
	path.spp_pathmtu = mtu_bytes - overhead;
	TAILQ_FOREACH(conn, &ev->conns, in_all)
	{
		/* Refused where the association has no such path. */
		(void)set_option(conn->so, IPPROTO_SCTP, SCTP_PEER_ADDR_PARAMS, &path, sizeof(path));
	}
}

/* --- serving --- */

static void tell_event(struct usrsctp_cmt_conn *conn)
{
	struct usrsctp_cmt_conn_event event = conn->pending;

	conn->pending.type = 0;
	if (conn->event_cb != NULL) {
		conn->event_cb(conn, &event, conn->arg);
	}
}

static void serve_reading(struct usrsctp_cmt_conn *conn)
{
	enum conn_head head = CONN_HEAD_EVENT;

	while (head == CONN_HEAD_EVENT && !conn->freed) {
		if (conn->pending.type != 0) {
			tell_event(conn);
			continue;
		}
		head = conn->state == CONN_PEER_CLOSED && !conn->shutting_down ? CONN_HEAD_NOTHING
		                                                               : conn_look(conn);
	}
	if (head != CONN_HEAD_DATA || conn->freed || (conn->enabled & EV_READ) == 0 ||
	    conn->read_cb == NULL ||
	    (conn->read_low > 1 && usrsctp_cmt_conn_readable(conn) < conn->read_low)) {
		return;
	}
	conn->read_cb(conn, conn->arg);
	if (!conn->freed && (conn->pending.type != 0 || !conn->drained)) {
		conn_make_ready(conn);
	}
}

static size_t write_low(const struct usrsctp_cmt_conn *conn)
{
	int buffer = 0;
	socklen_t len = sizeof(buffer);

	if (conn->write_low != 0 || usrsctp_getsockopt(conn->so, SOL_SOCKET, SO_SNDBUF, &buffer, &len) != 0) {
		return conn->write_low;
	}
	return (size_t)buffer / 2;
}

static void serve_writing(struct usrsctp_cmt_conn *conn)
{
	if (conn->freed || !conn->wants_room || conn->write_cb == NULL || (conn->enabled & EV_WRITE) == 0 ||
	    conn->shutting_down || (conn->state != CONN_UP && conn->state != CONN_PEER_CLOSED) ||
	    usrsctp_cmt_conn_queued(conn) > write_low(conn)) {
		return;
	}
	conn->wants_room = false;
	conn->write_cb(conn, conn->arg);
}

static void serve(struct usrsctp_cmt_conn *conn)
{
	conn->serving = true;
	if (conn->forgotten) {
		conn_discard(conn);
		conn->freed = conn->freed || conn->state == CONN_OVER;
	} else {
		serve_reading(conn);
		serve_writing(conn);
	}
	conn->serving = false;
	if (conn->freed) {
		destroy(conn);
	}
}

void evio_serve_ready(struct usrsctp_cmt_event *ev)
{
	struct usrsctp_cmt_conn *conn;

	/* As many as there are now: who is ready again waits for the next round of the loop. */
	for (unsigned n = ev->n_ready; n > 0 && (conn = TAILQ_FIRST(&ev->ready)) != NULL; n--) {
		make_unready(conn);
		serve(conn);
	}
}

/* --- settings --- */

void usrsctp_cmt_conn_setcb(struct usrsctp_cmt_conn *conn, usrsctp_cmt_conn_data_cb *read_cb,
                            usrsctp_cmt_conn_data_cb *write_cb, usrsctp_cmt_conn_event_cb *event_cb,
                            void *arg)
{
	conn->read_cb = read_cb;
	conn->write_cb = write_cb;
	conn->event_cb = event_cb;
	conn->arg = arg;
	conn_make_ready(conn);
}

void usrsctp_cmt_conn_enable(struct usrsctp_cmt_conn *conn, short events)
{
	conn->enabled |= events;
	conn_make_ready(conn);
}

void usrsctp_cmt_conn_disable(struct usrsctp_cmt_conn *conn, short events)
{
	conn->enabled &= (short)~events;
}

int usrsctp_cmt_conn_setwatermarks(struct usrsctp_cmt_conn *conn, const struct usrsctp_cmt_watermarks *marks)
{
	if (marks == NULL || marks->size != sizeof(*marks)) {
		errno = EINVAL;
		return -1;
	}
	if (marks->write_high != 0 &&
	    set_int(conn->so, SOL_SOCKET, SO_SNDBUF,
	            marks->write_high > INT32_MAX ? INT32_MAX : (uint32_t)marks->write_high) != 0) {
		return -1;
	}
	conn->read_low = marks->read_low;
	conn->write_low = marks->write_low;
	conn_make_ready(conn);
	return 0;
}

struct socket *usrsctp_cmt_conn_socket(const struct usrsctp_cmt_conn *conn)
{
	return conn->so;
}
