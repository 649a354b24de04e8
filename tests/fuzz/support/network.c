/* SPDX-License-Identifier: BSD-3-Clause */
#include "network.h"

#include <stdio.h>
#include <string.h>

#include <usrsctp_cmt_sim.h>

#include "../../sim/support/packet.h"
#include "application.h"
#include "attacker.h"
#include "fuzz.h"
#include "snapshot.h"

enum {
	ALL_PATHS = -1,
	SOCKETS_MAX = 24,
	MESSAGE_BYTES = 700,
	MESSAGES_BEFORE = 6,
	MESSAGES_UNDER = 3, /* of the victim; one of the bystander's shows as well that it goes on */
	MESSAGES_BEHIND = 1,
	ANSWERS_MAX = 12, /* of the server to clients other than the two */
	PORT_BEHIND = 5003,
	RCVBUF_BYTES = 200000,
	/* Not in the public header. */
	OPTION_INTERLEAVING_SUPPORTED = 0x1206
};
#define CONFIRMED_US UINT64_C(100000)    /* the handshake is over, the paths are confirmed */
#define PATIENCE_US  UINT64_C(120000000) /* T3 may have backed off */
#define STEP_US      UINT64_C(10000)
#define LINGER_US    UINT64_C(4000000) /* what the attack left behind has some timers */
#define SETTLE_US    UINT64_C(4000000) /* the bystander's search for packet sizes is over */

network_watch_fn *network_watch;
uint64_t network_seed = 1;
bool network_plain;

/* A client and what the server has of it. */
struct flow {
	struct socket *so;
	uint16_t port;
	sctp_assoc_t association; /* of a one-to-many socket */
	uint32_t sent, received;  /* bytes */
	uint32_t answers_sent, answers_received;
	bool wrong, ended;
};

/* What the server has of a client: the newest association with its port. */
struct served {
	struct socket *so;
	uint16_t port;
};

struct network {
	struct usrsctp_cmt_sim *sim;
	const uint8_t *script;
	size_t size, offset;
	uint8_t settings;
	enum network_attack attack;
	struct socket *listener;
	struct served accepted[SOCKETS_MAX];
	unsigned n_accepted, answers;
	struct flow bystander, victim, behind;
	struct attackers attackers;
	bool deaf[ATTACKER_PATHS];
	bool attack_over, acted, victim_unread; /* the server reads nothing more of the victim's */
};

static uint8_t pattern(uint16_t port, uint32_t at)
{
	return (uint8_t)(at * 31 + (at >> 8) * 7 + port);
}

static void make_message(uint8_t *message, uint16_t port, uint32_t at)
{
	for (uint32_t i = 0; i < MESSAGE_BYTES; i++)
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

/* --- applications --- */

static struct flow *flow_of(struct network *net, const struct sockaddr_storage *from)
{
	struct flow *flows[3] = {&net->bystander, &net->victim, &net->behind};

	for (unsigned i = 0; i < 3; i++) {
		if (flows[i]->so != NULL && application_port(from) == flows[i]->port)
			return flows[i];
	}
	return NULL;
}

/* A message to whoever sent one, so that the server has something in flight. */
static void answer(struct network *net, struct socket *so, struct sockaddr_storage *to, struct flow *flow)
{
	uint8_t message[MESSAGE_BYTES];

	if (flow == NULL && net->answers++ >= ANSWERS_MAX)
		return;
	make_message(message, flow != NULL ? flow->port : 0, flow != NULL ? flow->answers_sent : 0);
	if (usrsctp_sendv(so, message, sizeof(message), (struct sockaddr *)to, 1, NULL, 0, SCTP_SENDV_NOINFO,
	                  0) > 0 &&
	    flow != NULL)
		flow->answers_sent += MESSAGE_BYTES;
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
		if (net->n_accepted == SOCKETS_MAX) {
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

static void send_messages(struct flow *flow, unsigned n)
{
	struct sctp_sndinfo info = {.snd_assoc_id = flow->association};
	uint8_t message[MESSAGE_BYTES];

	for (unsigned i = 0; i < n; i++) {
		make_message(message, flow->port, flow->sent);
		if (usrsctp_sendv(flow->so, message, sizeof(message), NULL, 0, &info, sizeof(info),
		                  SCTP_SENDV_SNDINFO, 0) <= 0)
			return;
		flow->sent += MESSAGE_BYTES;
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

static struct socket *open_socket(struct network *net, int type, int host, uint16_t port, uint8_t settings,
                                  int path)
{
	int family = (net->settings & NETWORK_IPV6) != 0 ? AF_INET6 : AF_INET;
	struct socket *so = usrsctp_socket(family, type, IPPROTO_SCTP, NULL, NULL, 0, NULL);

	REQUIRE(so != NULL);
	configure(so, settings);
	REQUIRE(usrsctp_cmt_sim_bind(net->sim, so, host, port, path) == 0);
	return so;
}

static void open_client(struct network *net, struct flow *flow, uint16_t port, uint8_t settings, int path)
{
	const int type = (settings & NETWORK_MANY) != 0 ? SOCK_SEQPACKET : SOCK_STREAM;

	*flow = (struct flow){.port = port, .so = open_socket(net, type, 0, port, settings, path)};
	usrsctp_set_upcall(flow->so, on_client, flow);
	REQUIRE(usrsctp_cmt_sim_connect(net->sim, flow->so, 1, NETWORK_SERVER_PORT, path) == 0);
	flow->association = application_association(flow->so, NETWORK_SERVER_PORT);
}

static void open_server(struct network *net)
{
	bool many = (net->settings & NETWORK_MANY) != 0;

	net->listener = open_socket(net, many ? SOCK_SEQPACKET : SOCK_STREAM, 1, NETWORK_SERVER_PORT,
	                            net->settings, ALL_PATHS);
	usrsctp_set_upcall(net->listener, many ? on_server : on_listener, net);
	REQUIRE(usrsctp_listen(net->listener, SOCKETS_MAX) == 0);
}

/* --- the attack --- */

static bool is_spared(const struct network *net)
{
	return net->attack == NETWORK_BLIND || net->attack == NETWORK_CHUNKS;
}

static void show(struct network *net, const struct usrsctp_cmt_sim_packet *packet)
{
	static uint8_t chunks[9000];
	const struct script_packet p = {.who = (unsigned)packet->direction,
	                                .tag = SCRIPT_TAG_RIGHT,
	                                .path = (unsigned)packet->path,
	                                .relative = true,
	                                .chunks = chunks,
	                                .len =
	                                    attackers_tell(&net->attackers, packet->direction, packet->path,
	                                                   packet->packet, packet->packet_bytes, chunks)};

	network_watch(packet_get16(packet->packet + (packet->direction == 0 ? 0 : 2)), &p);
}

/* Host 0 knows nothing of the attackers' own associations, and would end them: what they get does not arrive.
 */
static void keep_from_host_0(struct network *net, const struct usrsctp_cmt_sim_packet *packet)
{
	const bool theirs = attackers_own(packet_get16(packet->packet + 2));
	struct usrsctp_cmt_sim_link link;

	if (net->deaf[packet->path] == theirs)
		return;
	net->deaf[packet->path] = theirs;
	REQUIRE(usrsctp_cmt_sim_get_link(net->sim, packet->path, 1, &link) == 0);
	link.down = theirs;
	REQUIRE(usrsctp_cmt_sim_set_link(net->sim, packet->path, 1, &link) == 0);
}

static void watch(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *packet, void *arg)
{
	struct network *net = arg;

	(void)sim;
	if (packet->event != USRSCTP_CMT_SIM_SENT)
		return;
	if (network_watch != NULL && !net->attackers.speaking)
		show(net, packet);
	if (packet->direction == 1)
		keep_from_host_0(net, packet);
	attackers_hear(&net->attackers, packet->direction, packet->path, packet->packet,
	               packet->packet_bytes);
}

static void attack(struct usrsctp_cmt_sim *sim, void *arg);

/* The packet at the script's offset goes out when its time has come. */
static void schedule(struct network *net)
{
	size_t offset = net->offset;
	struct script_packet p;

	if (script_next(net->script, net->size, &offset, &p))
		REQUIRE(usrsctp_cmt_sim_at(net->sim, usrsctp_cmt_sim_now_us(net->sim) + p.wait_us, attack,
		                           net) == 0);
	else {
		net->attack_over = true;
		usrsctp_cmt_sim_stop(net->sim);
	}
}

static void inject(struct network *net, const struct script_packet *p)
{
	static struct attackers_packet made;

	attackers_make(&net->attackers, p, &made);
	if (made.len <= COMMON_HEADER_BYTES)
		return;
	net->attackers.speaking = true;
	REQUIRE(usrsctp_cmt_sim_inject(net->sim, (int)p->path, made.from_host, made.bytes, made.len) == 0);
	net->attackers.speaking = false;
}

static void client_acts(struct flow *flow, const struct script_packet *p)
{
	if (flow->so != NULL && application_acts(flow->so, flow->association, false, p->act, p->variant))
		flow->so = NULL;
}

static void server_acts(struct network *net, uint16_t port, const struct script_packet *p)
{
	sctp_assoc_t association;
	unsigned i = net->n_accepted;

	if ((net->settings & NETWORK_MANY) != 0) {
		association = application_association(net->listener, port);
		if (association != 0)
			(void)application_acts(net->listener, association, true, p->act, p->variant);
		return;
	}
	while (i > 0 && net->accepted[i - 1].port != port)
		i--;
	if (i == 0 || net->accepted[i - 1].so == NULL)
		return;
	net->victim_unread |= p->act == SCRIPT_SHUT_READING;
	if (application_acts(net->accepted[i - 1].so, 0, false, p->act, p->variant))
		net->accepted[i - 1].so = NULL;
}

/* Associations that must live and deliver are not ended by the applications either. */
static bool may_act(const struct network *net, int host, const struct script_packet *p)
{
	switch (p->act) {
	case SCRIPT_RESET_STREAMS:
	case SCRIPT_ADD_STREAMS: return true;
	case SCRIPT_SHUT_READING: return !is_spared(net) || host == 1;
	case SCRIPT_WRITE:
	case SCRIPT_CLOSE:
	case SCRIPT_SHUT_WRITING:
	case SCRIPT_RESET_TSNS: /* which loses what is under way (RFC 6525, section 5.2.4) */
	case SCRIPT_ACTS: break;
	}
	return !is_spared(net);
}

/* The application that `who` talks to. */
static void act(struct network *net, const struct script_packet *p)
{
	const struct attacker_role role = attackers_role(&net->attackers, p->who);
	const int host = 1 - role.from_host;

	if (role.client_port == NETWORK_BYSTANDER_PORT || !may_act(net, host, p))
		return;
	net->acted = true;
	if (host == 1)
		server_acts(net, role.client_port, p);
	else
		client_acts(&net->victim, p);
}

static void attack(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct network *net = arg;
	struct script_packet p;

	(void)sim;
	REQUIRE(script_next(net->script, net->size, &net->offset, &p));
	if (p.acts)
		act(net, &p);
	else
		inject(net, &p);
	schedule(net);
}

/* --- what must hold --- */

/* The client's messages, and the peer said so. */
static bool all_acknowledged(const struct flow *flow)
{
	struct sctp_status status = {.sstat_assoc_id = flow->association};
	socklen_t bytes = sizeof(status);

	return usrsctp_getsockopt(flow->so, IPPROTO_SCTP, SCTP_STATUS, &status, &bytes) == 0 &&
	       status.sstat_unackdata == 0;
}

static bool is_done(const struct flow *flow)
{
	return flow->ended || (flow->received >= flow->sent && flow->answers_received >= flow->answers_sent &&
	                       all_acknowledged(flow));
}

static void wait_for(struct network *net, const struct flow *flow)
{
	uint64_t until_us = usrsctp_cmt_sim_now_us(net->sim) + PATIENCE_US, now_us;

	while (!is_done(flow) && (now_us = usrsctp_cmt_sim_now_us(net->sim)) < until_us)
		usrsctp_cmt_sim_run(net->sim, now_us + STEP_US);
}

static void send_all(struct flow *flow, unsigned messages)
{
	uint32_t before = flow->sent;

	send_messages(flow, messages);
	REQUIRE(flow->sent == before + messages * MESSAGE_BYTES);
}

static void expect_delivery(struct network *net, struct flow *flow, unsigned messages)
{
	send_all(flow, messages);
	wait_for(net, flow);
	REQUIRE(is_done(flow));
	REQUIRE(!flow->ended);
	REQUIRE(!flow->wrong);
	REQUIRE(flow->received == flow->sent);
	REQUIRE(flow->answers_received == flow->answers_sent);
}

/* Of data that nobody reads their sender is told. */
static void expect_end(struct network *net, const struct flow *flow)
{
	wait_for(net, flow);
	REQUIRE(flow->ended);
}

static void expect_new_association(struct network *net)
{
	/* The server may have more associations than it accepts, but not for this one. One path: fewer
	 * packets. */
	open_client(net, &net->behind, PORT_BEHIND, 0, 0);
	expect_delivery(net, &net->behind, 1);
}

static void open_network(struct network *net)
{
	const struct usrsctp_cmt_sim_link fast = {.rate_bps = 10000000, .delay_us = 5000, .mtu_bytes = 9000};
	const struct usrsctp_cmt_sim_link slow = {.rate_bps = 5000000, .delay_us = 15000, .mtu_bytes = 9000};
	const struct usrsctp_cmt_sim_config config = {
	    .size = sizeof(config),
	    .seed = network_seed,
	    .family = (net->settings & NETWORK_IPV6) != 0 ? AF_INET6 : AF_INET};

	net->sim = usrsctp_cmt_sim_new(&config);
	REQUIRE(net->sim != NULL);
	REQUIRE(usrsctp_cmt_sim_add_path(net->sim, &fast, &fast) == 0);
	REQUIRE(usrsctp_cmt_sim_add_path(net->sim, &slow, &slow) == 1);
	usrsctp_cmt_sim_tap(net->sim, watch, net);
	open_server(net);
}

static void open_flow(struct network *net, struct flow *flow, uint16_t port, uint8_t settings)
{
	open_client(net, flow, port, settings, ALL_PATHS);
	usrsctp_cmt_sim_run(net->sim, usrsctp_cmt_sim_now_us(net->sim) + CONFIRMED_US);
	expect_delivery(net, flow, MESSAGES_BEFORE);
}

static void close_network(struct network *net)
{
	struct flow *flows[3] = {&net->bystander, &net->victim, &net->behind};

	usrsctp_cmt_sim_tap(net->sim, NULL, NULL);
	for (unsigned i = 0; i < 3; i++) {
		if (flows[i]->so != NULL) {
			usrsctp_set_upcall(flows[i]->so, NULL, NULL);
			usrsctp_close(flows[i]->so);
		}
	}
	for (unsigned i = 0; i < net->n_accepted; i++) {
		if (net->accepted[i].so != NULL) {
			usrsctp_set_upcall(net->accepted[i].so, NULL, NULL);
			usrsctp_close(net->accepted[i].so);
		}
	}
	usrsctp_set_upcall(net->listener, NULL, NULL);
	usrsctp_close(net->listener);
	/* Nothing is left behind that holds the stack. */
	REQUIRE(usrsctp_cmt_sim_free(net->sim) == 0);
}

/* All that is the same for every script of these settings. */
static void prepare(struct network *net, enum network_attack attack_kind, uint8_t settings)
{
	*net = (struct network){.attack = attack_kind, .settings = settings};
	attackers_init(&net->attackers, attack_kind);
	open_network(net);
	open_flow(net, &net->bystander, NETWORK_BYSTANDER_PORT, 0);
	/* Only the attacked association is in the middle of something: what others send costs every input. */
	usrsctp_cmt_sim_run(net->sim, usrsctp_cmt_sim_now_us(net->sim) + SETTLE_US);
	if (attack_kind != NETWORK_LISTENER)
		open_flow(net, &net->victim, NETWORK_VICTIM_PORT, settings);
	send_messages(&net->bystander, 1);
	if (net->victim.so != NULL)
		send_messages(&net->victim, MESSAGES_UNDER);
	if (net->victim.so != NULL && attack_kind == NETWORK_INSIDE && (settings & NETWORK_CLOSE) != 0)
		usrsctp_shutdown(net->victim.so, SHUT_WR);
}

static uint64_t run(struct network *net, const uint8_t *script, size_t size)
{
	uint64_t packets;

	net->script = script;
	net->size = size;
	net->offset = SCRIPT_SETTINGS_BYTES;
	schedule(net);
	while (!net->attack_over)
		usrsctp_cmt_sim_run(net->sim, usrsctp_cmt_sim_now_us(net->sim) + PATIENCE_US);
	if (is_spared(net) && net->acted) /* nobody writes to a stream that is just being reset */
		usrsctp_cmt_sim_run(net->sim, usrsctp_cmt_sim_now_us(net->sim) + LINGER_US);
	if (is_spared(net) && net->victim_unread)
		send_messages(&net->victim, MESSAGES_BEHIND);
	else if (is_spared(net))
		send_all(&net->victim, MESSAGES_BEHIND);
	expect_delivery(net, &net->bystander, MESSAGES_BEHIND);
	if (is_spared(net) && net->victim_unread)
		expect_end(net, &net->victim);
	else if (is_spared(net))
		expect_delivery(net, &net->victim, 0);
	else
		usrsctp_cmt_sim_run(net->sim, usrsctp_cmt_sim_now_us(net->sim) + LINGER_US);
	expect_new_association(net);
	packets = usrsctp_cmt_sim_trace_hash(net->sim);
	close_network(net);
	return packets;
}

uint64_t network_run(enum network_attack attack_kind, const uint8_t *script, size_t size)
{
	static struct network net;
	uint8_t settings = size > 0 ? script[0] : 0;
	uint64_t packets;
	unsigned id = (unsigned)attack_kind << 8 | settings;

	if (network_plain) {
		prepare(&net, attack_kind, settings);
		return run(&net, script, size);
	}
	if (!snapshot_enter(id)) {
		prepare(&net, attack_kind, settings);
		snapshot_save(id);
	}
	packets = run(&net, script, size);
	REQUIRE(snapshot_blocks() == 0);
	snapshot_leave();
	return packets;
}
