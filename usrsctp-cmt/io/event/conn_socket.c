/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The sockets of connections and listeners: options and addresses. */
#include "conn.h"
#include "conn_secure.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define BUFFER_BYTES   1048576u
#define STREAMS        16
#define RTO_INITIAL_MS 1000 /* RFC 9260; upstream's is 3 s */
#define INIT_ATTEMPTS  255  /* the timeout ends it, not their number */

static const uint16_t notifications[] = {SCTP_ASSOC_CHANGE, SCTP_PEER_ADDR_CHANGE};

int conn_set_option(struct socket *so, int level, int option, const void *value, size_t len)
{
	return usrsctp_setsockopt(so, level, option, value, (socklen_t)len);
}

int conn_set_int(struct socket *so, int level, int option, uint32_t value)
{
	const int v = value > INT32_MAX ? INT32_MAX : (int)value;

	return conn_set_option(so, level, option, &v, sizeof(v));
}

static bool too_long(const char *text, size_t max)
{
	return text != NULL && strlen(text) >= max;
}

int conn_config_check(const struct usrsctp_cmt_conn_config *config)
{
	if (config == NULL || config->size != sizeof(*config) ||
	    too_long(config->scheduler, SCTP_CMT_POLICY_NAME_MAX) ||
	    too_long(config->scheduler_options, SCTP_CMT_POLICY_OPTIONS_MAX) ||
	    too_long(config->cc, SCTP_CMT_POLICY_NAME_MAX) ||
	    too_long(config->cc_options, SCTP_CMT_POLICY_OPTIONS_MAX)) {
		errno = EINVAL;
		return -1;
	}
	return 0;
}

static int set_policy(struct socket *so, int option, const char *name, const char *options)
{
	struct sctp_cmt_policy policy = {.size = sizeof(policy), .assoc_id = SCTP_FUTURE_ASSOC};

	snprintf(policy.name, sizeof(policy.name), "%s", name);
	snprintf(policy.options, sizeof(policy.options), "%s", options != NULL ? options : "");
	return conn_set_option(so, IPPROTO_SCTP, option, &policy, sizeof(policy));
}

static const char *scheduler_of(const struct usrsctp_cmt_conn_config *config)
{
	return config->scheduler != NULL ? config->scheduler : USRSCTP_CMT_DEFAULT_SCHEDULER;
}

static bool is_stock(const struct usrsctp_cmt_conn_config *config)
{
	return strcmp(scheduler_of(config), "stock") == 0;
}

static bool has_scheduler(const struct usrsctp_cmt_conn_config *config)
{
	return !is_stock(config) && strcmp(scheduler_of(config), "single") != 0;
}

static int set_scheduler(struct socket *so, const struct usrsctp_cmt_conn_config *config)
{
	struct sctp_assoc_value on = {.assoc_id = SCTP_FUTURE_ASSOC, .assoc_value = SCTP_CMT_BASE};

	if (has_scheduler(config)) {
		return set_policy(so, SCTP_CMT_SCHEDULER, scheduler_of(config), config->scheduler_options);
	}
	return is_stock(config) ? conn_set_option(so, IPPROTO_SCTP, SCTP_CMT_ON_OFF, &on, sizeof(on)) : 0;
}

/* Programs that call and mostly receive have no use for a scheduler, but the peer's measures. */
static int list_extension(struct socket *so)
{
	const struct sctp_assoc_value value = {.assoc_id = SCTP_FUTURE_ASSOC,
	                                       .assoc_value = SCTP_CMT_EXTENSION_ALWAYS};

	return conn_set_option(so, IPPROTO_SCTP, SCTP_CMT_EXTENSION, &value, sizeof(value));
}

/* The peer may reach none of them by that name, unless who runs the program says so. */
static int name_addresses(const struct usrsctp_cmt_event *ev, struct socket *so)
{
	const struct sctp_assoc_value value = {
	    .assoc_id = SCTP_FUTURE_ASSOC,
	    .assoc_value = ev->n_wanted > 0 ? SCTP_CMT_INIT_ADDRESSES_ALL : SCTP_CMT_INIT_ADDRESSES_NONE};

	return conn_set_option(so, IPPROTO_SCTP, SCTP_CMT_INIT_ADDRESSES, &value, sizeof(value));
}

static int set_cc(struct socket *so, const struct usrsctp_cmt_conn_config *config)
{
	return config->cc == NULL ? 0 : set_policy(so, SCTP_CMT_CC, config->cc, config->cc_options);
}

static int subscribe(struct socket *so)
{
	for (size_t i = 0; i < sizeof(notifications) / sizeof(notifications[0]); i++) {
		struct sctp_event event = {
		    .se_assoc_id = SCTP_FUTURE_ASSOC, .se_type = notifications[i], .se_on = 1};

		if (conn_set_option(so, IPPROTO_SCTP, SCTP_EVENT, &event, sizeof(event)) != 0) {
			return -1;
		}
	}
	return conn_set_int(so, IPPROTO_SCTP, SCTP_RECVRCVINFO, 1);
}

static int set_encapsulation(struct usrsctp_cmt_event *ev, struct socket *so, uint16_t peer_udp_port)
{
	struct sctp_udpencaps encaps = {.sue_assoc_id = SCTP_FUTURE_ASSOC};

	if (ev->config.transport != USRSCTP_CMT_EVENT_UDP) {
		return 0;
	}
	encaps.sue_port = htons(peer_udp_port != 0 ? peer_udp_port : USRSCTP_CMT_EVENT_UDP_PORT);
	return conn_set_option(so, IPPROTO_SCTP, SCTP_REMOTE_UDP_ENCAPS_PORT, &encaps, sizeof(encaps));
}

/* Associations without a scheduler do not probe. The largest first: conn_set_mtus() lowers it where that is
 * too much, before data are sent. */
static void fix_mtu(const struct usrsctp_cmt_event *ev, struct sctp_paddrparams *path)
{
	uint32_t mtu_bytes = 0;

	for (size_t i = 0; i < ev->n_locals; i++) {
		if (ev->locals[i].present && ev->locals[i].mtu_bytes > mtu_bytes) {
			mtu_bytes = ev->locals[i].mtu_bytes;
		}
	}
	path->spp_flags = SPP_PMTUD_DISABLE;
	path->spp_pathmtu = conn_chunk_bytes(ev, AF_INET6, mtu_bytes);
}

static int set_path_defaults(const struct usrsctp_cmt_event *ev, struct socket *so,
                             const struct usrsctp_cmt_conn_config *c)
{
	uint32_t max_retrans = c->path_max_retrans;
	struct sctp_paddrparams path = {.spp_assoc_id = SCTP_FUTURE_ASSOC,
	                                .spp_pathmaxrxt =
	                                    max_retrans > UINT16_MAX ? UINT16_MAX : (uint16_t)max_retrans};

	if (!has_scheduler(c)) {
		fix_mtu(ev, &path);
	}
	return conn_set_option(so, IPPROTO_SCTP, SCTP_PEER_ADDR_PARAMS, &path, sizeof(path));
}

static int set_options(struct usrsctp_cmt_event *ev, struct socket *so,
                       const struct usrsctp_cmt_conn_config *c, bool listens)
{
	const struct sctp_initmsg init = {
	    .sinit_num_ostreams = c->streams_out != 0 ? c->streams_out : STREAMS,
	    .sinit_max_instreams = c->streams_in_max != 0 ? c->streams_in_max : STREAMS,
	    .sinit_max_attempts = INIT_ATTEMPTS};
	const struct sctp_rtoinfo rto = {.srto_assoc_id = SCTP_FUTURE_ASSOC, .srto_initial = RTO_INITIAL_MS};
	const uint32_t sndbuf_bytes = c->sndbuf_bytes != 0 ? c->sndbuf_bytes : BUFFER_BYTES;
	const uint32_t rcvbuf_bytes = c->rcvbuf_bytes != 0 ? c->rcvbuf_bytes : BUFFER_BYTES;

	if (conn_set_int(so, SOL_SOCKET, SO_SNDBUF, sndbuf_bytes) != 0 ||
	    conn_set_int(so, SOL_SOCKET, SO_RCVBUF, rcvbuf_bytes) != 0 ||
	    conn_set_int(so, IPPROTO_SCTP, SCTP_NODELAY, 1) != 0 ||
	    conn_set_option(so, IPPROTO_SCTP, SCTP_RTOINFO, &rto, sizeof(rto)) != 0 ||
	    conn_set_option(so, IPPROTO_SCTP, SCTP_INITMSG, &init, sizeof(init)) != 0 ||
	    set_path_defaults(ev, so, c) != 0 || subscribe(so) != 0 ||
	    set_encapsulation(ev, so, c->peer_udp_port) != 0 || list_extension(so) != 0 ||
	    name_addresses(ev, so) != 0 || conn_secure_offer(so, c, listens) != 0) {
		return -1;
	}
	return set_scheduler(so, c) != 0 ? -1 : set_cc(so, c);
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
                                uint16_t port, bool listens)
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
	if (usrsctp_cmt_packets_assign(ev->packets, so) != 0 || usrsctp_set_non_blocking(so, 1) != 0 ||
	    set_options(ev, so, config, listens) != 0 || bind_all(ev, so, port) != 0) {
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
