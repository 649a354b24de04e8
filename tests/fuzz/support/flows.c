/* SPDX-License-Identifier: BSD-3-Clause */
#include "network_parts.h"

#include <string.h>

#include <usrsctp_cmt_dtls.h>

#include "../../sim/support/packet.h"
#include "application.h"

enum {
	ANSWERS_MAX = 12, /* of the server to clients other than the two */
	RCVBUF_BYTES = 200000,
	MAX_RETRANS = 40, /* of two paths together */
	/* Not in the public header. */
	OPTION_INTERLEAVING_SUPPORTED = 0x1206
};

static uint8_t pattern(uint16_t port, uint32_t at)
{
	return (uint8_t)(at * 31 + (at >> 8) * 7 + port);
}

static void make_message(uint8_t *message, uint16_t port, uint32_t at)
{
	for (uint32_t i = 0; i < NETWORK_MESSAGE_BYTES; i++)
		message[i] = pattern(port, at + i);
}

static bool matches(const uint8_t *bytes, size_t n, uint16_t port, uint32_t at)
{
	for (uint32_t i = 0; i < n; i++) {
		if (bytes[i] != pattern(port, at + i))
			return false;
	}
	return true;
}

/* --- what they send and read --- */

static struct flow *flow_of(struct network *net, const struct sockaddr_storage *from)
{
	struct flow *flows[3] = {&net->bystander, &net->victim, &net->behind};

	for (unsigned i = 0; i < 3; i++) {
		if (flows[i]->so != NULL && application_port(from) == flows[i]->port)
			return flows[i];
	}
	return NULL;
}

/* A message to whoever sent one, so that the server has something in flight. Where addresses come and go,
 * what came from one that has gone since is answered all the same. */
static void answer(struct network *net, struct socket *so, struct sockaddr_storage *to, struct flow *flow)
{
	struct sctp_sndinfo info = {.snd_sid = 0};
	uint8_t message[NETWORK_MESSAGE_BYTES];
	bool by_address = flow == NULL || net->attack != NETWORK_PATHS;

	if (flow == NULL && net->answers++ >= ANSWERS_MAX)
		return;
	if (!by_address && so == net->listener)
		info.snd_assoc_id = application_association(so, flow->port);
	make_message(message, flow != NULL ? flow->port : 0, flow != NULL ? flow->answers_sent : 0);
	if (usrsctp_sendv(so, message, sizeof(message), by_address ? (struct sockaddr *)to : NULL, by_address,
	                  &info, sizeof(info), SCTP_SENDV_SNDINFO, 0) > 0 &&
	    flow != NULL)
		flow->answers_sent += NETWORK_MESSAGE_BYTES;
}

static void on_server(struct socket *so, void *arg, int unused)
{
	struct network *net = arg;
	uint8_t buffer[4096];

	(void)unused;
	for (unsigned n_messages = 0; n_messages < 1000; n_messages++) {
		struct sockaddr_storage from = {.ss_family = AF_UNSPEC};
		socklen_t from_bytes = sizeof(from), info_bytes = 0;
		unsigned kind = 0;
		int flags = 0;
		ssize_t n = usrsctp_recvv(so, buffer, sizeof(buffer), (struct sockaddr *)&from, &from_bytes,
		                          NULL, &info_bytes, &kind, &flags);
		struct flow *flow;

		if (n <= 0)
			return;
		if ((flags & MSG_NOTIFICATION) != 0)
			continue;
		flow = flow_of(net, &from);
		if (flow != NULL) {
			flow->wrong |= !matches(buffer, (size_t)n, flow->port, flow->received);
			flow->received += (uint32_t)n;
		}
		answer(net, so, &from, flow);
	}
}

static void on_listener(struct socket *so, void *arg, int unused)
{
	struct network *net = arg;
	struct sockaddr_storage from;
	socklen_t from_bytes = sizeof(from);
	struct socket *accepted;

	(void)unused;
	while ((accepted = usrsctp_accept(so, (struct sockaddr *)&from, &from_bytes)) != NULL) {
		if (net->n_accepted == NETWORK_SOCKETS_MAX) {
			usrsctp_close(accepted);
			continue;
		}
		net->accepted[net->n_accepted++] = (struct served){accepted, application_port(&from)};
		usrsctp_set_non_blocking(accepted, 1);
		usrsctp_set_upcall(accepted, on_server, net);
		on_server(accepted, net, 0);
	}
}

static void on_client(struct socket *so, void *arg, int unused)
{
	struct flow *flow = arg;
	uint8_t buffer[4096];

	(void)unused;
	if ((usrsctp_get_events(so) & SCTP_EVENT_ERROR) != 0)
		flow->ended = true;
	while ((usrsctp_get_events(so) & SCTP_EVENT_READ) != 0) {
		socklen_t info_bytes = 0;
		unsigned kind = 0;
		int flags = 0;
		ssize_t n =
		    usrsctp_recvv(so, buffer, sizeof(buffer), NULL, NULL, NULL, &info_bytes, &kind, &flags);

		if (n <= 0) {
			flow->ended |= n == 0 || (usrsctp_get_events(so) & SCTP_EVENT_ERROR) != 0;
			return;
		}
		if ((flags & MSG_NOTIFICATION) != 0)
			continue;
		flow->wrong |= !matches(buffer, (size_t)n, flow->port, flow->answers_received);
		flow->answers_received += (uint32_t)n;
	}
}

void flows_send(struct flow *flow, unsigned n)
{
	struct sctp_sndinfo info = {.snd_assoc_id = flow->association};
	uint8_t message[NETWORK_MESSAGE_BYTES];

	for (unsigned i = 0; i < n; i++) {
		make_message(message, flow->port, flow->sent);
		if (usrsctp_sendv(flow->so, message, sizeof(message), NULL, 0, &info, sizeof(info),
		                  SCTP_SENDV_SNDINFO, 0) <= 0)
			return;
		flow->sent += NETWORK_MESSAGE_BYTES;
	}
}

/* --- sockets --- */

static void set_value(struct socket *so, int option, uint32_t value)
{
	struct sctp_assoc_value v = {.assoc_id = SCTP_FUTURE_ASSOC, .assoc_value = value};

	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, option, &v, sizeof(v)) == 0);
}

static void want_events(struct socket *so)
{
	static const uint16_t types[] = {
	    SCTP_ASSOC_CHANGE,         SCTP_PEER_ADDR_CHANGE,       SCTP_REMOTE_ERROR,
	    SCTP_SHUTDOWN_EVENT,       SCTP_PARTIAL_DELIVERY_EVENT, SCTP_ADAPTATION_INDICATION,
	    SCTP_AUTHENTICATION_EVENT, SCTP_STREAM_RESET_EVENT,     SCTP_ASSOC_RESET_EVENT,
	    SCTP_STREAM_CHANGE_EVENT,  SCTP_SENDER_DRY_EVENT,       SCTP_SEND_FAILED_EVENT};

	for (unsigned i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		struct sctp_event event = {.se_assoc_id = SCTP_FUTURE_ASSOC, .se_type = types[i], .se_on = 1};

		REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_EVENT, &event, sizeof(event)) == 0);
	}
}

/* Behind NATs only what is in UDP gets through, and nobody reaches the addresses that a host has there. Who
 * is called outlasts the silence of a client whose NAT has changed on the only path that is left: 18 s. */
static void prepare_for_moves(const struct network *net, struct socket *so, int host)
{
	const struct sctp_assocparams patient = {.sasoc_asocmaxrxt = MAX_RETRANS};
	const struct sctp_assoc_value none = {.assoc_id = SCTP_FUTURE_ASSOC,
	                                      .assoc_value = SCTP_CMT_INIT_ADDRESSES_NONE};

	REQUIRE(usrsctp_cmt_sim_encapsulate(net->sim, so, 1, host == 1 ? -1 : 0) == 0);
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_ASSOCINFO, &patient, sizeof(patient)) == 0);
	if ((net->settings & NETWORK_NATS) != 0 && host == 0)
		REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_CMT_INIT_ADDRESSES, &none, sizeof(none)) ==
		        0);
}

static void configure(struct socket *so, uint8_t settings)
{
	const struct linger hard = {.l_onoff = 1, .l_linger = 0};
	const struct sctp_cmt_policy policy = {
	    .size = sizeof(policy), .assoc_id = SCTP_FUTURE_ASSOC, .name = "arrival"};
	static const uint8_t authenticated[] = {CHUNK_TIMESTAMP, CHUNK_ECHO, 0xc1, 0x80};
	const int bytes = RCVBUF_BYTES, two = 2;

	REQUIRE(usrsctp_set_non_blocking(so, 1) == 0);
	REQUIRE(usrsctp_setsockopt(so, SOL_SOCKET, SO_LINGER, &hard, sizeof(hard)) == 0);
	REQUIRE(usrsctp_setsockopt(so, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes)) == 0);
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_CMT_SCHEDULER, &policy, sizeof(policy)) == 0);
	if ((settings & NETWORK_EVENTS) != 0)
		want_events(so);
	if ((settings & NETWORK_IDATA) != 0) {
		REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_FRAGMENT_INTERLEAVE, &two, sizeof(two)) ==
		        0);
		set_value(so, OPTION_INTERLEAVING_SUPPORTED, 1);
	}
	if ((settings & NETWORK_NR_SACK) != 0)
		set_value(so, SCTP_NRSACK_SUPPORTED, 1);
	if ((settings & NETWORK_RESET) != 0)
		set_value(so, SCTP_ENABLE_STREAM_RESET, 7);
	for (unsigned i = 0; i < sizeof(authenticated) && (settings & NETWORK_AUTH) != 0; i++) {
		struct sctp_authchunk chunk = {.sauth_chunk = authenticated[i]};

		REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_AUTH_CHUNK, &chunk, sizeof(chunk)) == 0);
	}
}

static void offer_protection(struct socket *so, int host)
{
	union {
		struct sctp_dtls_config config;
		uint8_t bytes[sizeof(struct sctp_dtls_config) + 1];
	} u;

	memset(&u, 0, sizeof(u));
	u.config.sdc_flags = host == 0 ? SCTP_DTLS_CLIENT | SCTP_DTLS_REQUIRED : SCTP_DTLS_SERVER;
	u.config.sdc_nr_kmids = 1;
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_DTLS_LOCAL_CONFIG, &u, sizeof(u)) == 0);
}

static struct socket *open_socket(struct network *net, int type, int host, uint16_t port, uint8_t settings,
                                  int path)
{
	int family = (net->settings & NETWORK_IPV6) != 0 ? AF_INET6 : AF_INET;
	struct socket *so = usrsctp_socket(family, type, IPPROTO_SCTP, NULL, NULL, 0, NULL);

	REQUIRE(so != NULL);
	configure(so, net->attack == NETWORK_PATHS ? settings & ~NETWORK_NATS : settings);
	if (net->attack == NETWORK_PATHS)
		prepare_for_moves(net, so, host);
	if (net->attack == NETWORK_PROTECTED && (host == 1 || port == NETWORK_VICTIM_PORT))
		offer_protection(so, host);
	REQUIRE(usrsctp_cmt_sim_bind(net->sim, so, host, port, path) == 0);
	return so;
}

void flows_open_client(struct network *net, struct flow *flow, uint16_t port, uint8_t settings, int path)
{
	const int type = (settings & NETWORK_MANY) != 0 ? SOCK_SEQPACKET : SOCK_STREAM;

	*flow = (struct flow){.port = port, .so = open_socket(net, type, 0, port, settings, path)};
	usrsctp_set_upcall(flow->so, on_client, flow);
	REQUIRE(usrsctp_cmt_sim_connect(net->sim, flow->so, 1, NETWORK_SERVER_PORT, path) == 0);
	flow->association = application_association(flow->so, NETWORK_SERVER_PORT);
}

void flows_open_server(struct network *net)
{
	bool many = (net->settings & NETWORK_MANY) != 0;

	net->listener = open_socket(net, many ? SOCK_SEQPACKET : SOCK_STREAM, 1, NETWORK_SERVER_PORT,
	                            net->settings, NETWORK_ALL_PATHS);
	usrsctp_set_upcall(net->listener, many ? on_server : on_listener, net);
	REQUIRE(usrsctp_listen(net->listener, NETWORK_SOCKETS_MAX) == 0);
}
