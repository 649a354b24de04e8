/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_tuple.h - a path is a four-tuple: local address and UDP port, remote address and UDP port
 * (docs/paths.md).
 *
 * Upstream's struct sctp_nets is an address of the peer. Where one of them is reached in several ways, the
 * first has the address itself and the others have aliases: addresses from which no packet comes and to which
 * none goes (IPv4 240.0.0.0/4, RFC 1112; IPv6 100::/64, RFC 6666). They exist between seams/packet_io.c and
 * upstream only, which is where cmt_enter() and cmt_tuple_out() (cmt_hooks.h) put the real ones in place.
 * The association's lock is held. */
#ifndef CMT_TUPLE_H
#define CMT_TUPLE_H

#include "association/cmt_asoc.h"

/* A path to `remote` from `local` and, unless 0, to this UDP port (network order): not confirmed, nothing is
 * sent. An alias where `remote` is the address of a path already. NULL: no memory, or the families differ. */
struct sctp_nets *cmt_tuple_open(struct cmt_asoc *ca, const struct sockaddr *local,
                                 const struct sockaddr *remote, uint16_t udp_port);

/* The path of exactly this four-tuple; NULL. */
struct sctp_nets *cmt_tuple_find(const struct sctp_tcb *stcb, const struct sockaddr *local,
                                 const struct sockaddr *remote, uint16_t udp_port);

/* A packet came from the peer's address to this local one, from which the path leaves: from now on it is that
 * four-tuple, as long as it lives. Upstream would take another source when the interface is down or the route
 * another one, and two paths would be one. Whether it is so only now. */
bool cmt_tuple_pin(struct sctp_nets *net, const struct sockaddr *local);

/* Paths from this local address leave from where upstream chooses, until a packet comes there. Those with an
 * alias are left alone: there is another path to their peer's address. */
void cmt_tuple_unpin(struct sctp_tcb *stcb, const struct sockaddr *local);

/* Whether it leaves from this local address: the one of its four-tuple, else upstream's choice. */
bool cmt_tuple_is_from(const struct sctp_nets *net, const struct sockaddr *local);

/* It has been asked for its answer and gave it. */
static inline bool cmt_tuple_is_confirmed(const struct sctp_nets *net)
{
	return (net->dest_state & SCTP_ADDR_UNCONFIRMED) == 0;
}

/* Whether any path is, beside `but` (NULL: of all): where none is, data wait (RFC 9260, section 5.4). */
bool cmt_tuple_any_is_confirmed(const struct sctp_tcb *stcb, const struct sctp_nets *but);

/* The peer seems to be there: no path as long as it has not answered. */
static inline bool cmt_tuple_is_candidate(const struct sctp_nets *net)
{
	return net->cmt_tuple.opened_by_peer && !cmt_tuple_is_confirmed(net);
}

/* `net` goes on at the four-tuple of `there`, which is to be removed. */
void cmt_tuple_move(struct sctp_nets *net, const struct sctp_nets *there);

/* Whether no packet can come from there. */
bool cmt_tuple_is_alias(const struct sockaddr *address);

/* Writes the address by which upstream knows the path over the peer's. */
void cmt_tuple_name(const struct sctp_nets *net, struct sockaddr *remote);

/* Now, as `heard_ms` and `opened_ms` count: modulo 2^32, never 0. */
uint32_t cmt_tuple_now_ms(void);

/* The local address of its four-tuple; false: it has none. */
bool cmt_tuple_local(const struct sctp_nets *net, union sctp_sockstore *out);

/* The address of the peer behind it, with the port of `net`'s. */
void cmt_tuple_remote(const struct sctp_nets *net, union sctp_sockstore *out);

#endif
