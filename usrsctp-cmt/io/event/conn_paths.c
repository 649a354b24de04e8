/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the interfaces of this host have to do with the paths of its connections. */
#include "conn.h"

#include <string.h>

#define UDP_HEADER_BYTES  8u
#define SCTP_HEADER_BYTES 12u
#define IP4_HEADER_BYTES  20u
#define IP6_HEADER_BYTES  40u

uint32_t conn_chunk_bytes(const struct usrsctp_cmt_event *ev, int family, uint32_t mtu_bytes)
{
	return mtu_bytes - SCTP_HEADER_BYTES - (family == AF_INET6 ? IP6_HEADER_BYTES : IP4_HEADER_BYTES) -
	       (ev->config.transport == USRSCTP_CMT_EVENT_UDP ? UDP_HEADER_BYTES : 0);
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

typedef void path_fn(const struct usrsctp_cmt_conn *conn, const struct sockaddr *peer);

static void for_each_path(const struct usrsctp_cmt_conn *conn, path_fn *fn)
{
	struct sockaddr *peers = NULL;
	int n = usrsctp_getpaddrs(conn->so, 0, &peers);
	const struct sockaddr *at = peers;

	for (int i = 0; i < n; i++) {
		fn(conn, at);
		at = (const struct sockaddr *)(const void *)((const uint8_t *)at + evio_address_len(at));
	}
	if (n > 0) {
		usrsctp_freepaddrs(peers);
	}
}

static void set_path(const struct usrsctp_cmt_conn *conn, const struct sockaddr *peer, uint32_t flags,
                     uint32_t payload_bytes)
{
	struct sctp_paddrparams path = {
	    .spp_assoc_id = SCTP_CURRENT_ASSOC, .spp_flags = flags, .spp_pathmtu = payload_bytes};

	memcpy(&path.spp_address, peer, evio_address_len(peer));
	(void)conn_set_option(conn->so, IPPROTO_SCTP, SCTP_PEER_ADDR_PARAMS, &path, sizeof(path));
}

/* Associations with a scheduler find out by probes, and ask for the interface's. */
static bool is_fixed(const struct usrsctp_cmt_conn *conn, const struct sockaddr *peer)
{
	struct sctp_paddrparams path = {.spp_assoc_id = SCTP_CURRENT_ASSOC};
	socklen_t len = sizeof(path);

	memcpy(&path.spp_address, peer, evio_address_len(peer));
	return usrsctp_getsockopt(conn->so, IPPROTO_SCTP, SCTP_PEER_ADDR_PARAMS, &path, &len) == 0 &&
	       (path.spp_flags & SPP_PMTUD_DISABLE) != 0;
}

static void set_mtu(const struct usrsctp_cmt_conn *conn, const struct sockaddr *peer)
{
	const struct evio_route *route = evio_route(conn->ev, peer);

	if (is_fixed(conn, peer)) {
		set_path(conn, peer, SPP_PMTUD_DISABLE,
		         conn_chunk_bytes(conn->ev, peer->sa_family, route->told_bytes) -
		             (conn->secure != NULL ? SCTP_DTLS_OVERHEAD_BYTES : 0));
	}
}

void conn_set_mtus(const struct usrsctp_cmt_conn *conn)
{
	for_each_path(conn, set_mtu);
}

/* A HEARTBEAT at once, where the next one may be half a minute away. Where addresses have changed it also
 * makes the stack choose the path's source again. */
static void probe(const struct usrsctp_cmt_conn *conn, const struct sockaddr *peer)
{
	struct sctp_paddrinfo info = {.spinfo_assoc_id = SCTP_CURRENT_ASSOC};
	socklen_t len = sizeof(info);

	memcpy(&info.spinfo_address, peer, evio_address_len(peer));
	if (usrsctp_getsockopt(conn->so, IPPROTO_SCTP, SCTP_GET_PEER_ADDR_INFO, &info, &len) == 0 &&
	    (info.spinfo_state != SCTP_ACTIVE || conn->ev->probe_all)) {
		set_path(conn, peer, SPP_HB_DEMAND, 0);
	}
}

void evio_conns_refresh(struct usrsctp_cmt_event *ev)
{
	struct usrsctp_cmt_conn *conn;

	TAILQ_FOREACH(conn, &ev->conns, in_all)
	{
		if (conn->state == CONN_UP || conn->state == CONN_PEER_CLOSED) {
			conn_set_mtus(conn);
			for_each_path(conn, probe);
			/* The stack has nobody told of paths that failed for this before a packet comes. */
			conn_make_ready(conn);
		}
	}
	ev->probe_all = false;
}
