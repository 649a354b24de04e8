/* SPDX-License-Identifier: BSD-3-Clause
 *
 * NATs in the network: which paths are behind which, the way to their public addresses, and what they write
 * into packets that pass. */
#include "simnet.h"

#include <errno.h>
#include <netinet/in.h>
#include <string.h>

#define STREAM_OF_NATS 2000u

enum { FIRST_NUMBER = 101 };

/* --- addresses --- */

static void public_address(const struct usrsctp_cmt_sim *sim, int nat, struct sockaddr_storage *out)
{
	const uint8_t number = (uint8_t)(FIRST_NUMBER + nat), generation = sim->nats[nat].generation;

	memset(out, 0, sizeof(*out));
	out->ss_family = (sa_family_t)sim->config.family;
	if (out->ss_family == AF_INET6) {
		uint8_t *bytes = ((struct sockaddr_in6 *)out)->sin6_addr.s6_addr;

		bytes[0] = 0xfd;
		bytes[3] = number;
		bytes[13] = generation;
		bytes[15] = 1;
	} else {
		((struct sockaddr_in *)out)->sin_addr.s_addr =
		    htonl(UINT32_C(0x0a000001) | (uint32_t)number << 16 | (uint32_t)generation << 8);
	}
}

/* The NAT that has, or had, this public address; -1 = none. */
static int find_nat(const struct usrsctp_cmt_sim *sim, const struct sockaddr *address)
{
	unsigned number;

	if (sim->n_nats == 0 || (address->sa_family != AF_INET && address->sa_family != AF_INET6)) {
		return -1;
	}
	if (address->sa_family == AF_INET6) {
		number = ((const struct sockaddr_in6 *)(const void *)address)->sin6_addr.s6_addr[3];
	} else {
		number =
		    ntohl(((const struct sockaddr_in *)(const void *)address)->sin_addr.s_addr) >> 16 & 0xff;
	}
	return number >= FIRST_NUMBER && number < FIRST_NUMBER + (unsigned)sim->n_nats
	           ? (int)number - FIRST_NUMBER
	           : -1;
}

static struct simnet_endpoint endpoint_of(const struct sockaddr_storage *address, uint16_t port)
{
	struct simnet_endpoint e = {.port = port};

	if (address->ss_family == AF_INET6) {
		memcpy(e.address, &((const struct sockaddr_in6 *)address)->sin6_addr, 16);
	} else {
		memcpy(e.address, &((const struct sockaddr_in *)address)->sin_addr, 4);
	}
	return e;
}

static void set_address(struct sockaddr_storage *address, const struct simnet_endpoint *e)
{
	if (address->ss_family == AF_INET6) {
		memcpy(&((struct sockaddr_in6 *)address)->sin6_addr, e->address, 16);
	} else {
		memcpy(&((struct sockaddr_in *)address)->sin_addr, e->address, 4);
	}
}

/* --- the way there --- */

/* The path from `src` to whom the port belongs; where it belongs to nobody, the first from `src` to the NAT,
 * which then says so. */
bool simnet_nat_way(const struct usrsctp_cmt_sim *sim, const struct sockaddr *src, const struct sockaddr *dst,
                    uint16_t udp_port, struct simnet_place *out)
{
	const int nat = find_nat(sim, dst);
	const struct simnet_mapping *mapping;
	struct sockaddr_storage inside;

	if (nat < 0) {
		return false;
	}
	mapping = simnet_nat_of_port(&sim->nats[nat].nat, sim->now_us, udp_port);
	if (mapping != NULL) {
		memset(&inside, 0, sizeof(inside));
		inside.ss_family = dst->sa_family;
		set_address(&inside, &mapping->inside);
		if (simnet_find_way(sim, src, (const struct sockaddr *)&inside, out)) {
			return true;
		}
	}
	for (int path = 0; path < sim->n_paths; path++) {
		const int far = sim->nats[nat].host;

		if (sim->paths[path].nat[far] == nat + 1 &&
		    simnet_same_address(&sim->paths[path].addresses[1 - far], src)) {
			*out = (struct simnet_place){.path = path, .host = 1 - far};
			return true;
		}
	}
	return false;
}

bool simnet_nat_place(const struct usrsctp_cmt_sim *sim, const struct sockaddr *address,
                      struct simnet_place *out)
{
	const int nat = find_nat(sim, address);

	for (int path = 0; nat >= 0 && path < sim->n_paths; path++) {
		if (sim->paths[path].nat[sim->nats[nat].host] == nat + 1) {
			*out = (struct simnet_place){.path = path, .host = sim->nats[nat].host};
			return true;
		}
	}
	return false;
}

/* --- packets --- */

bool simnet_nat_leave(struct usrsctp_cmt_sim *sim, struct simnet_flight *flight)
{
	const int number = sim->paths[flight->path].nat[flight->direction] - 1;
	struct simnet_endpoint inside, to;
	struct simnet_nat *nat;
	uint16_t port;

	if (number < 0) {
		return true;
	}
	nat = &sim->nats[number].nat;
	if (flight->udp_dst == 0) {
		simnet_nat_count(nat, SIMNET_NAT_NOT_UDP);
		return false;
	}
	inside = endpoint_of(&flight->src, flight->udp_src);
	to = endpoint_of(&flight->dst, flight->udp_dst);
	if (simnet_nat_out(nat, sim->now_us, flight->path, &inside, &to, &port) != SIMNET_NAT_PASSES) {
		return false;
	}
	public_address(sim, number, &flight->src);
	flight->udp_src = port;
	return true;
}

bool simnet_nat_enter(struct usrsctp_cmt_sim *sim, struct simnet_flight *flight)
{
	const int number = sim->paths[flight->path].nat[1 - flight->direction] - 1;
	struct simnet_endpoint inside, from;
	struct sockaddr_storage here;
	struct simnet_nat *nat;

	if (number < 0) {
		return true;
	}
	nat = &sim->nats[number].nat;
	public_address(sim, number, &here);
	if (!simnet_same_address(&here, (const struct sockaddr *)&flight->dst)) {
		simnet_nat_count(nat, SIMNET_NAT_UNMAPPED);
		return false;
	}
	if (flight->udp_dst == 0) {
		simnet_nat_count(nat, SIMNET_NAT_NOT_UDP);
		return false;
	}
	from = endpoint_of(&flight->src, flight->udp_src);
	if (simnet_nat_in(nat, sim->now_us, &from, flight->udp_dst, &inside) != SIMNET_NAT_PASSES) {
		return false;
	}
	set_address(&flight->dst, &inside);
	flight->udp_dst = inside.port;
	return true;
}

/* --- public --- */

static bool is_nat(const struct usrsctp_cmt_sim *sim, int nat)
{
	return nat >= 0 && nat < sim->n_nats;
}

int usrsctp_cmt_sim_add_nat(struct usrsctp_cmt_sim *sim, int host, const struct usrsctp_cmt_sim_nat *nat)
{
	if (host < 0 || host > 1 || nat == NULL || simnet_nat_check(nat) != 0) {
		return simnet_fail(EINVAL);
	}
	if (sim->n_nats == USRSCTP_CMT_SIM_MAX_NATS) {
		return simnet_fail(ENOSPC);
	}
	sim->nats[sim->n_nats].host = host;
	simnet_nat_init(&sim->nats[sim->n_nats].nat, nat, sim->config.seed,
	                STREAM_OF_NATS + (uint64_t)sim->n_nats);
	return sim->n_nats++;
}

int usrsctp_cmt_sim_behind(struct usrsctp_cmt_sim *sim, int path, int nat)
{
	int host;

	if (path < 0 || path >= sim->n_paths || !is_nat(sim, nat)) {
		return simnet_fail(EINVAL);
	}
	host = sim->nats[nat].host;
	for (int p = 0; p < sim->n_paths; p++) {
		if (simnet_same_address(&sim->paths[p].addresses[host],
		                        (const struct sockaddr *)&sim->paths[path].addresses[host])) {
			sim->paths[p].nat[host] = nat + 1;
		}
	}
	return 0;
}

int usrsctp_cmt_sim_forward(struct usrsctp_cmt_sim *sim, int nat, uint16_t public_port, int path)
{
	struct simnet_endpoint inside;
	int host, rc;

	if (!is_nat(sim, nat) || public_port == 0 || path < 0 || path >= sim->n_paths) {
		return simnet_fail(EINVAL);
	}
	host = sim->nats[nat].host;
	if (sim->paths[path].nat[host] != nat + 1) {
		return simnet_fail(EINVAL);
	}
	inside = endpoint_of(&sim->paths[path].addresses[host], USRSCTP_CMT_SIM_UDP_PORT);
	rc = simnet_nat_forward(&sim->nats[nat].nat, public_port, &inside, path);
	return rc == 0 ? 0 : simnet_fail(-rc);
}

int usrsctp_cmt_sim_rebind_nat(struct usrsctp_cmt_sim *sim, int nat, bool new_address)
{
	if (!is_nat(sim, nat)) {
		return simnet_fail(EINVAL);
	}
	simnet_nat_forget(&sim->nats[nat].nat);
	if (new_address) {
		sim->nats[nat].generation++;
	}
	return 0;
}

int usrsctp_cmt_sim_nat_stats(const struct usrsctp_cmt_sim *sim, int nat,
                              struct usrsctp_cmt_sim_nat_stats *out)
{
	if (!is_nat(sim, nat) || out == NULL) {
		return simnet_fail(EINVAL);
	}
	*out = sim->nats[nat].nat.stats;
	return 0;
}

/* The port that leads to this end; 0 = none is forwarded. */
static uint16_t forwarded_port(const struct simnet_nat *nat, const struct sockaddr_storage *address)
{
	const struct simnet_endpoint inside = endpoint_of(address, USRSCTP_CMT_SIM_UDP_PORT);

	for (unsigned i = 0; i < SIMNET_NAT_MAPPINGS; i++) {
		const struct simnet_mapping *m = &nat->mappings[i];

		if (m->forwarded && m->inside.port == inside.port &&
		    memcmp(m->inside.address, inside.address, sizeof(inside.address)) == 0) {
			return m->port;
		}
	}
	return 0;
}

int usrsctp_cmt_sim_public_address(const struct usrsctp_cmt_sim *sim, int host, int path, uint16_t port,
                                   struct sockaddr_storage *out, uint16_t *udp_port)
{
	struct sockaddr_storage own;
	int nat;

	if (usrsctp_cmt_sim_address(sim, host, path, port, &own) != 0) {
		return -1;
	}
	nat = sim->paths[path].nat[host] - 1;
	*out = own;
	if (nat >= 0) {
		public_address(sim, nat, out);
		simnet_set_port(out, port);
	}
	if (udp_port != NULL) {
		*udp_port = nat >= 0 ? forwarded_port(&sim->nats[nat].nat, &own) : USRSCTP_CMT_SIM_UDP_PORT;
	}
	return 0;
}
