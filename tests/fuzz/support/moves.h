/* SPDX-License-Identifier: BSD-3-Clause
 *
 * moves.h - paths that a script takes away and gives back (NETWORK_PATHS), and where strangers write from.
 *
 * One path is always left that works and has worked for a while: an association that has none may end. */
#ifndef FUZZ_MOVES_H
#define FUZZ_MOVES_H

#include <stdbool.h>
#include <stdint.h>

#include "script.h"

struct network;

enum { MOVES_PATHS = 2 };
enum moves_kind {
	MOVES_NAT_FORGETS,
	MOVES_NAT_MOVES,
	MOVES_INTERFACE,
	MOVES_SOCKET,
	MOVES_LINK,
	MOVES_KINDS
};

struct moves {
	bool gone[MOVES_KINDS][2][MOVES_PATHS]; /* by host; an interface, an address of sockets, a link */
	uint64_t usable_since_us[MOVES_PATHS], turned_us;
	bool readdressed; /* a NAT had another public address before */
	uint64_t stranger_bytes, stranger_packets;
};

/* Before the first socket: NATs, and who has which address. */
void moves_open(struct network *net);
/* A NAT forgets; an interface, a socket or a link loses an address or gets it back. */
void moves_make(struct network *net, const struct script_packet *p);
/* What does not come from any of the peer's four-tuples arrives. */
void moves_arrive(struct network *net, const struct script_packet *p, int to, const uint8_t *packet,
                  size_t len);
/* All is there again. */
void moves_undo(struct network *net);
/* Nothing of the victim's goes to strangers, and they got no more than RFC 9000, section 8.1, allows. */
void moves_expect_home(struct network *net);

#endif
