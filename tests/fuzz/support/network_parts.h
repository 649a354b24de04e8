/* SPDX-License-Identifier: BSD-3-Clause
 *
 * network_parts.h - what the files behind network.h share, in the order in which they call each other:
 *
 * flows.c    clients and the server: their sockets, what they send and read
 * moves.c    NATs that forget, addresses that go and come (NETWORK_PATHS)
 * assault.c  the script is played: packets and acts when their time has come
 * network.c  what is there before, and what must hold after it */
#ifndef FUZZ_NETWORK_PARTS_H
#define FUZZ_NETWORK_PARTS_H

#include <usrsctp_cmt_sim.h>

#include "attacker.h"
#include "fuzz.h"
#include "moves.h"
#include "network.h"

enum { NETWORK_ALL_PATHS = -1, NETWORK_SOCKETS_MAX = 24, NETWORK_MESSAGE_BYTES = 700 };

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
	struct served accepted[NETWORK_SOCKETS_MAX];
	unsigned n_accepted, answers;
	struct flow bystander, victim, behind;
	struct attackers attackers;
	bool deaf[ATTACKER_PATHS];
	struct moves moves;
	bool knew_keys;                         /* an attacker of a protected association */
	bool attack_over, acted, victim_unread; /* the server reads nothing more of the victim's */
};

/* Associations that must live and deliver, whatever the attackers do; of protected ones that is known in the
 * end. */
static inline bool network_spares_victim(const struct network *net)
{
	return net->attack != NETWORK_LISTENER && net->attack != NETWORK_INSIDE &&
	       (net->attack != NETWORK_PROTECTED || (net->attack_over && !net->knew_keys && !net->acted));
}

/* --- flows.c --- */

void flows_open_server(struct network *net);
/* A client, to the server's addresses on all paths or on one. */
void flows_open_client(struct network *net, struct flow *flow, uint16_t port, uint8_t settings, int path);
/* Messages that the server knows and answers; fewer when there is no room. */
void flows_send(struct flow *flow, unsigned messages);

/* --- assault.c --- */

/* Listens to what is sent from now on. */
void assault_watch(struct network *net);
/* Plays the script to its end. */
void assault_run(struct network *net, const uint8_t *script, size_t size);

#endif
