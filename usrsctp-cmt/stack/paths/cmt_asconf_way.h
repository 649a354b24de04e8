/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_asconf_way.h - an ASCONF from an unknown address: whether upstream finds its association by what it
 * says.
 *
 * The association's lock is held. Back ends have one thread: the lists of endpoints are not locked. */
#ifndef CMT_ASCONF_WAY_H
#define CMT_ASCONF_WAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sctp_tcb;
struct sockaddr;

/* `chunk`: the ASCONF, and what follows, `len` bytes; `local`: where it came in, with a port of UDP or none.
 */
bool cmt_asconf_finds_way(struct sctp_tcb *stcb, const uint8_t *chunk, size_t len,
                          const struct sockaddr *local);

#endif
