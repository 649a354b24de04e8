/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nat.h - a NAT for UDP in front of a simulated host: which public port a packet leaves from, and which of
 * those that come back get in (RFC 4787).
 *
 * Pure but for its random stream: no clock, no allocation; the caller passes `now_us`, never decreasing, and
 * moves the packets itself. Not thread safe. Its table is bounded: a NAT that is full drops what would need
 * one more mapping, and of the peers that a mapping was used for it remembers the last ones. */
#ifndef SIMNET_NAT_H
#define SIMNET_NAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rng.h"
#include "usrsctp_cmt_sim.h"

#define SIMNET_NAT_MAPPINGS 64u
#define SIMNET_NAT_PEERS    16u
#define SIMNET_NAT_PORT_MIN 1024u

/* IPv4 in the first four bytes, the others 0. */
struct simnet_endpoint {
	uint8_t address[16];
	uint16_t port;
};

struct simnet_mapping {
	bool used;
	bool forwarded;                /* by configuration: nothing ends it, and it filters nothing */
	struct simnet_endpoint inside; /* whose it is */
	struct simnet_endpoint to;     /* whom it is for, as far as the kind of mapping asks; else 0 */
	uint16_t port;                 /* public */
	int path;                      /* that it was last used on, by the inside */
	uint64_t used_us;
	struct simnet_endpoint peers[SIMNET_NAT_PEERS]; /* that the inside has written to */
	unsigned n_peers, next_peer;
};

struct simnet_nat {
	struct usrsctp_cmt_sim_nat config;
	struct usrsctp_cmt_sim_nat_stats stats;
	struct simnet_rng ports;
	struct simnet_mapping mappings[SIMNET_NAT_MAPPINGS];
};

enum simnet_nat_fate {
	SIMNET_NAT_PASSES,
	SIMNET_NAT_NOT_UDP,
	SIMNET_NAT_FULL,
	SIMNET_NAT_UNMAPPED,
	SIMNET_NAT_FILTERED
};

/* 0, or -EINVAL: a kind that does not exist, a time above 2^40 us. */
int simnet_nat_check(const struct usrsctp_cmt_sim_nat *config);

/* Requires a config that passed the check. `stream` is unique among the NATs of a seed. */
void simnet_nat_init(struct simnet_nat *nat, const struct usrsctp_cmt_sim_nat *config, uint64_t seed,
                     uint64_t stream);

/* What comes to `port` goes to `inside`, from now on, whoever sends it. 0; -ENOSPC: the table is full;
 * -EEXIST: the port is taken. */
int simnet_nat_forward(struct simnet_nat *nat, uint16_t port, const struct simnet_endpoint *inside, int path);

/* A packet leaves, from `inside`, on `path`: `*public_port` is what the world sees. */
enum simnet_nat_fate simnet_nat_out(struct simnet_nat *nat, uint64_t now_us, int path,
                                    const struct simnet_endpoint *inside, const struct simnet_endpoint *to,
                                    uint16_t *public_port);

/* A packet arrives for a public port: `*inside` is where it goes. */
enum simnet_nat_fate simnet_nat_in(struct simnet_nat *nat, uint64_t now_us,
                                   const struct simnet_endpoint *from, uint16_t public_port,
                                   struct simnet_endpoint *inside);

/* For packets that are none of a mapping's business: counts why they get no further. */
void simnet_nat_count(struct simnet_nat *nat, enum simnet_nat_fate fate);

/* Who has a public port now; NULL = nobody. */
const struct simnet_mapping *simnet_nat_of_port(const struct simnet_nat *nat, uint64_t now_us,
                                                uint16_t public_port);

/* Forgets all mappings but those that are forwarded. */
void simnet_nat_forget(struct simnet_nat *nat);

#endif
