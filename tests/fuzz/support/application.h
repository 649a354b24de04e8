/* SPDX-License-Identifier: BSD-3-Clause
 *
 * application.h - what an application does with an association in the middle of a script. */
#ifndef FUZZ_APPLICATION_H
#define FUZZ_APPLICATION_H

#include <usrsctp_cmt_sim.h>

#include "script.h"

uint16_t application_port(const struct sockaddr_storage *address);

/* The association of this socket with that port of the peer's: 0 of a one-to-one socket, and where a
 * one-to-many socket has none. */
sctp_assoc_t application_association(struct socket *so, uint16_t peer_port);

/* Does it, as far as the association can. To be closed, the association of a `shared` socket gets one of its
 * own. Whether `so` was closed. */
bool application_acts(struct socket *so, sctp_assoc_t association, bool shared, enum script_act act,
                      unsigned variant);

#endif
