/* SPDX-License-Identifier: BSD-3-Clause
 *
 * network.h - the stack in virtual time, attacked by a script.
 *
 * Two hosts, two paths of 5 and 15 ms. A server on host 1 listens; a client on host 0 that nobody attacks
 * with knowledge of its tags, the bystander, is connected to it and sends before, under and after the attack.
 * So does, in some targets, a victim: a client whose tags some attackers know. The script's packets come from
 * the addresses of host 0 (or, to the victim, of host 1).
 *
 * Whatever the attackers do, the bystander's association lives and delivers byte by byte, and so does one
 * that is opened behind the attack. */
#ifndef FUZZ_NETWORK_H
#define FUZZ_NETWORK_H

#include "script.h"

enum { NETWORK_SERVER_PORT = 5001, NETWORK_BYSTANDER_PORT = 5000, NETWORK_VICTIM_PORT = 5002 };

/* Bits of a script's settings. */
enum {
	NETWORK_MANY = 1, /* the server has a one-to-many socket, and so has the victim */
	NETWORK_IPV6 = 2,
	NETWORK_EVENTS = 4, /* applications want every notification */
	NETWORK_IDATA = 8,  /* RFC 8260 */
	NETWORK_AUTH = 16,  /* our chunks and ASCONF authenticated */
	NETWORK_RESET = 32, /* RFC 6525 */
	NETWORK_NR_SACK = 64,
	NETWORK_CLOSE =
	    128, /* the victim, and the server with others than the bystander, end in the middle */
	/* Of NETWORK_PATHS, in their places: */
	NETWORK_NATS = NETWORK_NR_SACK,     /* in front of each address of host 0 */
	NETWORK_ONE_ADDRESS = NETWORK_CLOSE /* of host 1, where both paths end */
};

enum network_attack {
	NETWORK_LISTENER,  /* associations of the attackers' own, and packets that pretend to be the
	                      bystander's */
	NETWORK_BLIND,     /* the victim's association, without its tags */
	NETWORK_INSIDE,    /* the victim's association, with everything that somebody on the path sees */
	NETWORK_CHUNKS,    /* the same, but nothing except our two chunks */
	NETWORK_PROTECTED, /* the same as NETWORK_INSIDE, under the DTLS chunk: attackers 2 to 5 have the keys
	                    */
	NETWORK_PATHS      /* paths come and go, and the victim's tags are known to strangers who see no
	                      answers: from addresses and ports that are none of the peer's */
};

/* Runs the script and checks what is said above; of the victim, unless the attack is from inside, the same as
 * of the bystander, except that an application that does not want to read its data may end it. Returns a hash
 * of all packets and their times. */
uint64_t network_run(enum network_attack attack, const uint8_t *script, size_t size);

/* Of the simulated network, hence of all tags: 1. Seeds come from a network of another one, so that scripts
 * in the name of somebody who knows no tag really know none. */
extern uint64_t network_seed;

/* Set: every script starts with an empty stack, and memory is malloc's, so that AddressSanitizer can tell
 * where a block was allocated. Clear: with a copy of a stack in which the associations are (snapshot.h). */
extern bool network_plain;

/* When not NULL, called for every packet that the stack sends, as a script would tell it. For what makes
 * seeds. */
typedef void network_watch_fn(uint16_t client_port, const struct script_packet *packet);
extern network_watch_fn *network_watch;

#endif
