/* SPDX-License-Identifier: BSD-3-Clause */
#include "network_parts.h"

#include "sealed.h"
#include "snapshot.h"

#include <errno.h>

enum {
	PORT_BEHIND = 5003,
	MESSAGES_BEFORE = 6,
	MESSAGES_UNDER = 3, /* of the victim; one of the bystander's shows as well that it goes on */
	MESSAGES_BEHIND = 1
};
#define CONFIRMED_US UINT64_C(100000)    /* the handshake is over, the paths are confirmed */
#define PATIENCE_US  UINT64_C(120000000) /* T3 may have backed off */
#define STEP_US      UINT64_C(10000)
#define LINGER_US    UINT64_C(4000000) /* what the attack left behind has some timers */
#define SETTLE_US    UINT64_C(4000000) /* the bystander's search for packet sizes is over */

uint64_t network_seed = 1;
bool network_plain;

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

/* A stream that is being reset takes nothing until the peer answers; its RE-CONFIG may have backed off. */
static void send_all(struct network *net, struct flow *flow, unsigned messages)
{
	uint32_t wanted = flow->sent + messages * NETWORK_MESSAGE_BYTES;
	uint64_t until_us = usrsctp_cmt_sim_now_us(net->sim) + PATIENCE_US, now_us;

	for (;;) {
		flows_send(flow, (wanted - flow->sent) / NETWORK_MESSAGE_BYTES);
		now_us = usrsctp_cmt_sim_now_us(net->sim);
		if (flow->sent == wanted || errno != EAGAIN || now_us >= until_us)
			break;
		usrsctp_cmt_sim_run(net->sim, now_us + LINGER_US);
	}
	REQUIRE(flow->sent == wanted);
}

static void expect_delivery(struct network *net, struct flow *flow, unsigned messages)
{
	send_all(net, flow, messages);
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
	flows_open_client(net, &net->behind, PORT_BEHIND, 0, 0);
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
	assault_watch(net);
	if (net->attack == NETWORK_PATHS)
		moves_open(net);
	flows_open_server(net);
}

static void protect(struct network *net, const struct flow *flow)
{
	unsigned i = 0;

	while (i < net->n_accepted && net->accepted[i].port != flow->port)
		i++;
	REQUIRE(i < net->n_accepted);
	sealed_begin();
	REQUIRE(usrsctp_cmt_sim_install_keys(net->sim, flow->so, net->accepted[i].so) == 0);
}

static void open_flow(struct network *net, struct flow *flow, uint16_t port, uint8_t settings)
{
	flows_open_client(net, flow, port, settings, NETWORK_ALL_PATHS);
	usrsctp_cmt_sim_run(net->sim, usrsctp_cmt_sim_now_us(net->sim) + CONFIRMED_US);
	if (net->attack == NETWORK_PROTECTED && flow == &net->victim)
		protect(net, flow);
	expect_delivery(net, flow, MESSAGES_BEFORE);
}

static void close_network(struct network *net)
{
	struct flow *flows[3] = {&net->bystander, &net->victim, &net->behind};

	usrsctp_cmt_sim_tap(net->sim, NULL, NULL);
	usrsctp_cmt_sim_on_address(net->sim, NULL, NULL);
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
	/* Keys are given to sockets of one association. */
	if (attack_kind == NETWORK_PROTECTED)
		settings &= (uint8_t)~NETWORK_MANY;
	*net = (struct network){.attack = attack_kind, .settings = settings};
	attackers_init(&net->attackers, attack_kind);
	open_network(net);
	open_flow(net, &net->bystander, NETWORK_BYSTANDER_PORT, 0);
	/* Only the attacked association is in the middle of something: what others send costs every input. */
	usrsctp_cmt_sim_run(net->sim, usrsctp_cmt_sim_now_us(net->sim) + SETTLE_US);
	if (attack_kind != NETWORK_LISTENER)
		open_flow(net, &net->victim, NETWORK_VICTIM_PORT, settings);
	flows_send(&net->bystander, 1);
	if (net->victim.so != NULL)
		flows_send(&net->victim, MESSAGES_UNDER);
	if (net->victim.so != NULL && attack_kind == NETWORK_INSIDE && (settings & NETWORK_CLOSE) != 0)
		usrsctp_shutdown(net->victim.so, SHUT_WR);
}

static uint64_t run(struct network *net, const uint8_t *script, size_t size)
{
	uint64_t packets;

	assault_run(net, script, size);
	if (net->attack == NETWORK_PATHS)
		moves_undo(net);
	if (network_spares_victim(net) &&
	    (net->acted ||
	     net->attack == NETWORK_PATHS)) /* nobody writes to a stream that is just being reset */
		usrsctp_cmt_sim_run(net->sim, usrsctp_cmt_sim_now_us(net->sim) + LINGER_US);
	if (network_spares_victim(net) && net->victim_unread)
		flows_send(&net->victim, MESSAGES_BEHIND);
	else if (network_spares_victim(net))
		send_all(net, &net->victim, MESSAGES_BEHIND);
	expect_delivery(net, &net->bystander, MESSAGES_BEHIND);
	if (network_spares_victim(net) && net->victim_unread)
		expect_end(net, &net->victim);
	else if (network_spares_victim(net))
		expect_delivery(net, &net->victim, 0);
	else
		usrsctp_cmt_sim_run(net->sim, usrsctp_cmt_sim_now_us(net->sim) + LINGER_US);
	if (net->attack == NETWORK_PATHS)
		moves_expect_home(net);
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
