/* SPDX-License-Identifier: BSD-3-Clause
 *
 * attacker.h - what attackers know, and how their packets are put together: ports and tags in front, relative
 * TSNs, serial numbers and stamps made absolute, cookies and heartbeats given back, the checksum behind.
 * Pure. */
#ifndef FUZZ_ATTACKER_H
#define FUZZ_ATTACKER_H

#include "network.h"
#include "wire/cmt_wire.h"

enum { ATTACKER_TALKS = 8, ATTACKER_COOKIE_MAX = 1500, ATTACKER_HEARTBEAT_MAX = 128, ATTACKER_PATHS = 2 };

/* What one host of an association was heard to say. */
struct attacker_side {
	bool known;              /* it sent an INIT or INIT-ACK */
	bool answered;           /* an INIT-ACK, since the other's INIT */
	uint32_t tag, first_tag; /* that packets to it carry */
	uint32_t initial_tsn, highest_tsn;
	uint32_t last_request, next_request; /* RFC 6525: that it made, that the other would take from it */
	uint8_t cookie[ATTACKER_COOKIE_MAX], heartbeat[ATTACKER_HEARTBEAT_MAX];
	size_t cookie_len, heartbeat_len;
	struct cmt_timestamp stamps[ATTACKER_PATHS];
	uint32_t tr_us;
};

struct attacker_talk {
	uint16_t client_port; /* 0 = unused */
	struct attacker_side sides[2];
};

struct attackers {
	enum network_attack attack;
	bool speaking; /* what is sent now is theirs */
	struct attacker_talk talks[ATTACKER_TALKS];
};

struct attackers_packet {
	int from_host;
	uint8_t bytes[8000];
	size_t len;
};

/* Who speaks, to whom, and how much the one knows. */
struct attacker_role {
	int from_host;
	uint16_t client_port;
	bool blind; /* knows neither tags nor cookies */
};
struct attacker_role attackers_role(const struct attackers *a, unsigned who);

/* Whether this is a port of associations that nobody but attackers has on host 0. */
bool attackers_own(uint16_t client_port);

void attackers_init(struct attackers *a, enum network_attack attack);

/* A packet is sent, by the stack or (`speaking`) by an attacker. */
void attackers_hear(struct attackers *a, int from_host, int path, const uint8_t *packet, size_t len);

/* The chunks of a packet that the stack is about to send, as a script would tell them: with relative numbers
 * and without secrets. Returns their bytes, at most `len`. */
size_t attackers_tell(struct attackers *a, int from_host, int path, const uint8_t *packet, size_t len,
                      uint8_t *chunks);

void attackers_make(struct attackers *a, const struct script_packet *p, struct attackers_packet *out);

#endif
