/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_fill_gap.h - a gap at a full peer that was never sent (core/sched/cmt_gap.h): cmt_gap_first() of
 * cmt_hooks.h tells whether there is one, this how large the packet is that fills it.
 *
 * Changes nothing. The association's lock is held. */
#ifndef CMT_FILL_GAP_H
#define CMT_FILL_GAP_H

#include "association/cmt_asoc.h"

/* Payload of a packet that fills unsent gaps at the peer, from the lowest outstanding TSN on. */
uint32_t cmt_gap_bytes(const struct cmt_asoc *ca, uint32_t max_bytes);

#endif
