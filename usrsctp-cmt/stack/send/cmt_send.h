/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_send.h - packets with DATA before they leave: stamped, or held back. The hooks that carry the
 * scheduler's choice out are in cmt_hooks.h.
 *
 * The association's lock is held; a scheduler is in force. */
#ifndef CMT_SEND_H
#define CMT_SEND_H

#include "association/cmt_asoc.h"

/* Puts a CMT-TIMESTAMP behind the mbufs from *chain to *end (NULL: there are none); ca->packet.stamped tells
 * whether there was memory. `return_path`: a wire_id of ours, where SACKs are wanted. */
void cmt_stamp_packet(struct cmt_asoc *ca, struct cmt_path *path, uint16_t return_path, struct mbuf **chain,
                      struct mbuf **end);
/* Something waits for the path: when pacing alone stands in the way, asks to be woken then. */
void cmt_wait_for_pacing(struct cmt_asoc *ca, const struct cmt_path_view *p, uint64_t now_us);

#endif
