/* SPDX-License-Identifier: BSD-3-Clause */
#include "nat.h"

#include <errno.h>
#include <string.h>

#define TIME_MAX_US (UINT64_C(1) << 40)
#define PORTS       (65536u - SIMNET_NAT_PORT_MIN)

static bool is_kind(enum usrsctp_cmt_sim_nat_kind kind)
{
	switch (kind) {
	case USRSCTP_CMT_SIM_NAT_ENDPOINT_INDEPENDENT:
	case USRSCTP_CMT_SIM_NAT_ADDRESS_DEPENDENT:
	case USRSCTP_CMT_SIM_NAT_ADDRESS_AND_PORT_DEPENDENT: return true;
	}
	return false;
}

int simnet_nat_check(const struct usrsctp_cmt_sim_nat *config)
{
	return is_kind(config->mapping) && is_kind(config->filtering) && config->timeout_us <= TIME_MAX_US
	           ? 0
	           : -EINVAL;
}

void simnet_nat_init(struct simnet_nat *nat, const struct usrsctp_cmt_sim_nat *config, uint64_t seed,
                     uint64_t stream)
{
	*nat = (struct simnet_nat){.config = *config};
	simnet_rng_seed(&nat->ports, seed, stream);
}

/* --- endpoints --- */

static bool same_address(const struct simnet_endpoint *a, const struct simnet_endpoint *b)
{
	return memcmp(a->address, b->address, sizeof(a->address)) == 0;
}

static bool same_endpoint(const struct simnet_endpoint *a, const struct simnet_endpoint *b)
{
	return a->port == b->port && same_address(a, b);
}

/* As much of a peer as a kind looks at. */
static struct simnet_endpoint as_seen(enum usrsctp_cmt_sim_nat_kind kind, const struct simnet_endpoint *peer)
{
	struct simnet_endpoint seen = {.port = 0};

	switch (kind) {
	case USRSCTP_CMT_SIM_NAT_ENDPOINT_INDEPENDENT: break;
	case USRSCTP_CMT_SIM_NAT_ADDRESS_DEPENDENT:
		seen = *peer;
		seen.port = 0;
		break;
	case USRSCTP_CMT_SIM_NAT_ADDRESS_AND_PORT_DEPENDENT: seen = *peer; break;
	}
	return seen;
}

/* --- mappings --- */

static bool is_alive(const struct simnet_nat *nat, const struct simnet_mapping *m, uint64_t now_us)
{
	return m->used &&
	       (m->forwarded || nat->config.timeout_us == 0 || now_us - m->used_us < nat->config.timeout_us);
}

static void expire(struct simnet_nat *nat, uint64_t now_us)
{
	for (unsigned i = 0; i < SIMNET_NAT_MAPPINGS; i++) {
		struct simnet_mapping *m = &nat->mappings[i];

		if (m->used && !is_alive(nat, m, now_us)) {
			m->used = false;
			nat->stats.expired_mappings++;
		}
	}
}

static struct simnet_mapping *find_port(struct simnet_nat *nat, uint16_t port)
{
	for (unsigned i = 0; i < SIMNET_NAT_MAPPINGS; i++) {
		if (nat->mappings[i].used && nat->mappings[i].port == port) {
			return &nat->mappings[i];
		}
	}
	return NULL;
}

const struct simnet_mapping *simnet_nat_of_port(const struct simnet_nat *nat, uint64_t now_us,
                                                uint16_t public_port)
{
	for (unsigned i = 0; i < SIMNET_NAT_MAPPINGS; i++) {
		const struct simnet_mapping *m = &nat->mappings[i];

		if (m->port == public_port && is_alive(nat, m, now_us)) {
			return m;
		}
	}
	return NULL;
}

static struct simnet_mapping *find_inside(struct simnet_nat *nat, const struct simnet_endpoint *inside,
                                          const struct simnet_endpoint *to)
{
	const struct simnet_endpoint wanted = as_seen(nat->config.mapping, to);

	for (unsigned i = 0; i < SIMNET_NAT_MAPPINGS; i++) {
		struct simnet_mapping *m = &nat->mappings[i];

		if (m->used && same_endpoint(&m->inside, inside) &&
		    (m->forwarded || same_endpoint(&m->to, &wanted))) {
			return m;
		}
	}
	return NULL;
}

static struct simnet_mapping *find_free(struct simnet_nat *nat)
{
	for (unsigned i = 0; i < SIMNET_NAT_MAPPINGS; i++) {
		if (!nat->mappings[i].used) {
			return &nat->mappings[i];
		}
	}
	return NULL;
}

static uint16_t choose_port(struct simnet_nat *nat)
{
	uint16_t port;

	do {
		port = (uint16_t)(SIMNET_NAT_PORT_MIN + simnet_rng_below(&nat->ports, PORTS));
	} while (find_port(nat, port) != NULL);
	return port;
}

int simnet_nat_forward(struct simnet_nat *nat, uint16_t port, const struct simnet_endpoint *inside, int path)
{
	struct simnet_mapping *m = find_free(nat);

	if (find_port(nat, port) != NULL) {
		return -EEXIST;
	}
	if (m == NULL) {
		return -ENOSPC;
	}
	*m = (struct simnet_mapping){
	    .used = true, .forwarded = true, .inside = *inside, .port = port, .path = path};
	return 0;
}

void simnet_nat_forget(struct simnet_nat *nat)
{
	for (unsigned i = 0; i < SIMNET_NAT_MAPPINGS; i++) {
		nat->mappings[i].used = nat->mappings[i].used && nat->mappings[i].forwarded;
	}
	nat->stats.rebindings++;
}

/* --- packets --- */

void simnet_nat_count(struct simnet_nat *nat, enum simnet_nat_fate fate)
{
	switch (fate) {
	case SIMNET_NAT_PASSES: break;
	case SIMNET_NAT_NOT_UDP: nat->stats.dropped_not_udp_pkts++; break;
	case SIMNET_NAT_FULL: nat->stats.dropped_full_pkts++; break;
	case SIMNET_NAT_UNMAPPED: nat->stats.dropped_unmapped_pkts++; break;
	case SIMNET_NAT_FILTERED: nat->stats.dropped_filtered_pkts++; break;
	}
}

static bool is_peer(const struct simnet_mapping *m, const struct simnet_endpoint *seen)
{
	for (unsigned i = 0; i < m->n_peers; i++) {
		if (same_endpoint(&m->peers[i], seen)) {
			return true;
		}
	}
	return false;
}

static void note_peer(const struct simnet_nat *nat, struct simnet_mapping *m,
                      const struct simnet_endpoint *to)
{
	const struct simnet_endpoint seen = as_seen(nat->config.filtering, to);

	if (is_peer(m, &seen)) {
		return;
	}
	m->peers[m->next_peer] = seen;
	m->next_peer = (m->next_peer + 1) % SIMNET_NAT_PEERS;
	if (m->n_peers < SIMNET_NAT_PEERS) {
		m->n_peers++;
	}
}

static struct simnet_mapping *make_mapping(struct simnet_nat *nat, const struct simnet_endpoint *inside,
                                           const struct simnet_endpoint *to)
{
	struct simnet_mapping *m = find_free(nat);

	if (m != NULL) {
		/* The port first: the mapping is not yet one that has it. */
		uint16_t port = choose_port(nat);

		*m = (struct simnet_mapping){
		    .used = true, .inside = *inside, .to = as_seen(nat->config.mapping, to), .port = port};
		nat->stats.made_mappings++;
	}
	return m;
}

enum simnet_nat_fate simnet_nat_out(struct simnet_nat *nat, uint64_t now_us, int path,
                                    const struct simnet_endpoint *inside, const struct simnet_endpoint *to,
                                    uint16_t *public_port)
{
	struct simnet_mapping *m;

	expire(nat, now_us);
	m = find_inside(nat, inside, to);
	if (m == NULL) {
		m = make_mapping(nat, inside, to);
	}
	if (m == NULL) {
		simnet_nat_count(nat, SIMNET_NAT_FULL);
		return SIMNET_NAT_FULL;
	}
	m->path = path;
	m->used_us = now_us;
	note_peer(nat, m, to);
	*public_port = m->port;
	nat->stats.out_pkts++;
	return SIMNET_NAT_PASSES;
}

enum simnet_nat_fate simnet_nat_in(struct simnet_nat *nat, uint64_t now_us,
                                   const struct simnet_endpoint *from, uint16_t public_port,
                                   struct simnet_endpoint *inside)
{
	const struct simnet_endpoint seen = as_seen(nat->config.filtering, from);
	enum simnet_nat_fate fate = SIMNET_NAT_PASSES;
	struct simnet_mapping *m;

	expire(nat, now_us);
	m = find_port(nat, public_port);
	if (m == NULL) {
		fate = SIMNET_NAT_UNMAPPED;
	} else if (!m->forwarded && nat->config.filtering != USRSCTP_CMT_SIM_NAT_ENDPOINT_INDEPENDENT &&
	           !is_peer(m, &seen)) {
		fate = SIMNET_NAT_FILTERED;
	}
	simnet_nat_count(nat, fate);
	if (fate != SIMNET_NAT_PASSES) {
		return fate;
	}
	if (nat->config.arrivals_keep) {
		m->used_us = now_us;
	}
	*inside = m->inside;
	nat->stats.in_pkts++;
	return SIMNET_NAT_PASSES;
}
