/* SPDX-License-Identifier: BSD-3-Clause */
#include "moves.h"

#include <string.h>

#include "../../sim/support/packet.h"
#include "application.h"
#include "network_parts.h"

enum { STRANGERS = 3, OTHER_PORT = 20000, INIT_ACK_BYTES = 1000, THRICE = 3 };
#define WORKED_US UINT64_C(3000000) /* addresses were told and confirmed */
#define AWAY_US   UINT64_C(5000)    /* changes of interfaces are told to associations every 2 ms */

static bool has_nats(const struct network *net)
{
	return (net->settings & NETWORK_NATS) != 0;
}

static bool server_has_one_address(const struct network *net)
{
	return (net->settings & NETWORK_ONE_ADDRESS) != 0;
}

/* --- paths go and come --- */

/* The victim's and the bystander's, or the server's. */
static void rebind_sockets(struct usrsctp_cmt_sim *sim, int host, int path, bool present, void *arg)
{
	struct network *net = arg;
	struct socket *const clients[] = {net->bystander.so, net->victim.so};

	for (unsigned i = 0; host == 0 && i < 2; i++) {
		if (clients[i] != NULL)
			(void)usrsctp_cmt_sim_rebind(sim, clients[i], host, path, present);
	}
	for (unsigned i = 0; host == 1 && i < net->n_accepted; i++) {
		if (net->accepted[i].so != NULL)
			(void)usrsctp_cmt_sim_rebind(sim, net->accepted[i].so, host, path, present);
	}
	if (host == 1)
		(void)usrsctp_cmt_sim_rebind(sim, net->listener, host, path, present);
}

void moves_open(struct network *net)
{
	const struct usrsctp_cmt_sim_nat nat = {.filtering = USRSCTP_CMT_SIM_NAT_ADDRESS_AND_PORT_DEPENDENT,
	                                        .timeout_us = 30000000};

	for (int path = 0; path < MOVES_PATHS && has_nats(net); path++) {
		REQUIRE(usrsctp_cmt_sim_add_nat(net->sim, 0, &nat) == path);
		REQUIRE(usrsctp_cmt_sim_behind(net->sim, path, path) == 0);
	}
	if (server_has_one_address(net))
		REQUIRE(usrsctp_cmt_sim_share_address(net->sim, 1, 1, 0) == 0);
	usrsctp_cmt_sim_on_address(net->sim, rebind_sockets, net);
}

static bool is_usable(const struct moves *m, int path)
{
	bool gone = false;

	for (int i = 0; i < 2 * MOVES_KINDS; i++)
		gone |= m->gone[i / 2][i % 2][path];
	return !gone;
}

static void turn_link(struct network *net, int path, bool down)
{
	for (int direction = 0; direction < 2; direction++) {
		struct usrsctp_cmt_sim_link link;

		REQUIRE(usrsctp_cmt_sim_get_link(net->sim, path, direction, &link) == 0);
		link.down = down;
		REQUIRE(usrsctp_cmt_sim_set_link(net->sim, path, direction, &link) == 0);
	}
}

/* What there was is gone, what was gone is there again. */
static void turn(struct network *net, enum moves_kind kind, int host, int path)
{
	struct moves *m = &net->moves;
	const bool gone = !m->gone[kind][host][path];

	m->gone[kind][host][path] = gone;
	m->turned_us = usrsctp_cmt_sim_now_us(net->sim);
	if (kind == MOVES_LINK)
		turn_link(net, path, gone);
	else if (kind == MOVES_INTERFACE)
		REQUIRE(usrsctp_cmt_sim_set_address(net->sim, host, path, !gone) == 0);
	else if (!m->gone[MOVES_INTERFACE][host][path])
		rebind_sockets(net->sim, host, path, !gone, net);
	if (is_usable(m, path))
		m->usable_since_us[path] = m->turned_us;
}

static bool may_turn(const struct network *net, int host, int path)
{
	const struct moves *m = &net->moves;

	if ((host == 1 && server_has_one_address(net)) ||
	    usrsctp_cmt_sim_now_us(net->sim) < m->turned_us + AWAY_US)
		return false;
	return !is_usable(m, path) ||
	       (is_usable(m, 1 - path) &&
	        usrsctp_cmt_sim_now_us(net->sim) >= m->usable_since_us[1 - path] + WORKED_US);
}

void moves_make(struct network *net, const struct script_packet *p)
{
	const enum moves_kind kind = (enum moves_kind)(p->variant % MOVES_KINDS);
	const int host = kind == MOVES_LINK ? 0 : (int)(p->who & 1), path = (int)p->path;

	if (kind > MOVES_NAT_MOVES && may_turn(net, host, path))
		turn(net, kind, host, path);
	if (kind > MOVES_NAT_MOVES || !has_nats(net))
		return;
	net->moves.readdressed |= kind == MOVES_NAT_MOVES;
	REQUIRE(usrsctp_cmt_sim_rebind_nat(net->sim, path, kind == MOVES_NAT_MOVES) == 0);
}

void moves_undo(struct network *net)
{
	usrsctp_cmt_sim_run(net->sim, usrsctp_cmt_sim_now_us(net->sim) + AWAY_US);
	for (int i = 0; i < MOVES_KINDS * 2 * MOVES_PATHS; i++) {
		const int kind = i / 2 / MOVES_PATHS, host = i / MOVES_PATHS % 2, path = i % MOVES_PATHS;

		if (net->moves.gone[kind][host][path])
			turn(net, (enum moves_kind)kind, host, path);
	}
}

/* --- strangers --- */

static void name_stranger(struct sockaddr_storage *out, unsigned number)
{
	struct sockaddr_in6 *six = (struct sockaddr_in6 *)out;

	if (out->ss_family == AF_INET6)
		six->sin6_addr.s6_addr[3] = (uint8_t)(0xf0 + number);
	else
		((struct sockaddr_in *)out)->sin_addr.s_addr = htonl(0xc6120000 + number);
}

static bool is_stranger(const struct sockaddr_storage *address)
{
	if (address->ss_family == AF_INET6)
		return ((const struct sockaddr_in6 *)address)->sin6_addr.s6_addr[3] >= 0xf0;
	return ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr) >> 16 == 0xc612;
}

void moves_arrive(struct network *net, const struct script_packet *p, int to, const uint8_t *packet,
                  size_t len)
{
	struct moves *m = &net->moves;
	struct sockaddr_storage from;
	uint16_t port = USRSCTP_CMT_SIM_UDP_PORT;

	if (m->gone[MOVES_INTERFACE][to][server_has_one_address(net) && to == 1 ? 0 : p->path])
		return;
	REQUIRE(usrsctp_cmt_sim_public_address(net->sim, 1 - to, (int)p->path, 0, &from, NULL) == 0);
	if (p->from % 4 < STRANGERS)
		name_stranger(&from, p->from % 4);
	if (p->from % 4 == STRANGERS || p->from / 4 == 1)
		port = (uint16_t)(OTHER_PORT + p->from);
	else if (p->from / 4 == 2)
		port = 0;                                      /* not in UDP */
	((struct sockaddr_in *)&from)->sin_port = htons(port); /* in the same place in IPv6 */
	m->stranger_bytes += len;
	m->stranger_packets++;
	(void)usrsctp_cmt_sim_arrive(net->sim, to, (int)p->path, &from, packet, len); /* unless too short */
}

static void expect_no_stranger(struct socket *so, sctp_assoc_t association)
{
	struct sctp_cmt_path_stats paths[SCTP_CMT_MAX_PATHS] = {
	    {.size = sizeof(paths[0]), .assoc_id = association}};
	socklen_t bytes = sizeof(paths);

	if (so == NULL || usrsctp_getsockopt(so, IPPROTO_SCTP, SCTP_CMT_PATH_STATS, paths, &bytes) != 0)
		return;
	for (size_t i = 0; i < bytes / sizeof(paths[0]); i++)
		REQUIRE(!is_stranger(&paths[i].remote) || paths[i].state == SCTP_CMT_PATH_UNCONFIRMED);
}

void moves_expect_home(struct network *net)
{
	struct usrsctp_cmt_sim_elsewhere back;

	usrsctp_cmt_sim_get_elsewhere(net->sim, &back);
	/* What answers an INIT is bounded by RFC 9260 alone. */
	if (!net->moves.readdressed)
		REQUIRE(back.sent_bytes <=
		        THRICE * net->moves.stranger_bytes + INIT_ACK_BYTES * net->moves.stranger_packets);
	expect_no_stranger(net->victim.so, net->victim.association);
	if ((net->settings & NETWORK_MANY) != 0)
		expect_no_stranger(net->listener, application_association(net->listener, net->victim.port));
	for (unsigned i = 0; i < net->n_accepted; i++)
		expect_no_stranger(net->accepted[i].so, 0);
}
