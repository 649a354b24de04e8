/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_announce.h - which of our addresses the peer is told, and when (docs/paths.md). An INIT names none,
 * unless the application bound them by name: behind a NAT they are not the ones that the peer reaches. Until
 * the association is up, only the address to which the INIT-ACK came is used; after that a peer that speaks
 * the extension hears of the others when paths from there begin (cmt_join.h), and any other by ASCONF (RFC
 * 5061). The association's lock is held. */
#ifndef CMT_ANNOUNCE_H
#define CMT_ANNOUNCE_H

#include "association/cmt_asoc.h"

/* Every address to which the endpoint is bound and that is there. */
typedef void cmt_local_fn(struct sctp_tcb *stcb, struct sctp_ifa *ifa, void *arg);
void cmt_each_local(struct sctp_tcb *stcb, cmt_local_fn *fn, void *arg);

/* A packet that begins with a chunk of this type came to this address, and upstream is about to see it. After
 * an INIT-ACK that is the one that the peer knows; with the COOKIE-ACK the others may be used, or the peer is
 * asked to agree to them. */
void cmt_announce_on_handshake(struct sctp_tcb *stcb, uint8_t chunk_type, const struct sockaddr *local);

/* The latter, if the association is up and no such packet came. */
void cmt_announce_on_output(struct sctp_tcb *stcb);

/* What upstream's sctp_asconf.c and sctputil.c call instead of sctp_initiate_iterator() (CMakeLists.txt):
 * when an address comes or goes, associations hear of that by our function. */
int cmt_initiate_iterator(inp_func at_endpoint, asoc_func at_association, inp_func after_endpoint,
                          uint32_t endpoint_flags, uint32_t endpoint_features, uint32_t states, void *list,
                          uint32_t value, end_func at_end, struct sctp_inpcb *inp, uint8_t without_output);

#endif
