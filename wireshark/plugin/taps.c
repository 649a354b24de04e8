/* SPDX-License-Identifier: BSD-3-Clause */
#include "taps.h"

static int tap = -1;

void cmt_taps_register(void)
{
	tap = register_tap(CMT_TAP);
	cmt_tap_stat_register();
	cmt_tap_tree_register();
}

void cmt_taps_queue(packet_info *pinfo, const struct cmt_packet *p)
{
	if (have_tap_listener(tap)) {
		tap_queue_packet(tap, pinfo, p);
	}
}
