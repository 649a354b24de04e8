/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_sack_hold.h - SACKs that wait for more packets (cmt_sack_hold() of cmt_hooks.h holds them).
 *
 * The association's lock is held. */
#ifndef CMT_SACK_HOLD_H
#define CMT_SACK_HOLD_H

#include "association/cmt_asoc.h"

/* Sends the SACK that waits; false: none does. */
bool cmt_sack_release(struct cmt_asoc *ca);

#endif
