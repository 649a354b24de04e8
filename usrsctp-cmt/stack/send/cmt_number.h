/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_number.h - packets with DATA that leave: numbered and counted. The hooks behind upstream's packets are
 * in cmt_hooks.h.
 *
 * The association's lock is held; a scheduler is in force. */
#ifndef CMT_NUMBER_H
#define CMT_NUMBER_H

#include "association/cmt_asoc.h"

struct cmt_trace_packet;

/* Counts and numbers a packet, about to leave or just gone, and tells whoever listens (watch/cmt_trace.h);
 * its Path Packet Number. */
uint32_t cmt_number_packet(struct cmt_asoc *ca, struct cmt_path *path, const struct cmt_trace_packet *packet);

#endif
