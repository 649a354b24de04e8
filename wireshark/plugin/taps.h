/* SPDX-License-Identifier: BSD-3-Clause
 *
 * taps.h - the statistics: -z sctp-cmt,stat (tap_stat.c), in Wireshark in the menu Telephony, and -z
 * sctp-cmt,tree (tap_tree.c), in the menu Statistics. Both count from struct cmt_packet, so that they can be
 * opened at any time and filtered. */
#ifndef CMT_WS_TAPS_H
#define CMT_WS_TAPS_H

#include "state.h"

void cmt_taps_register(void);
void cmt_taps_queue(packet_info *pinfo, const struct cmt_packet *p);

/* --- parts --- */
#define CMT_TAP "sctp-cmt"

void cmt_tap_stat_register(void);
void cmt_tap_tree_register(void);

#endif
