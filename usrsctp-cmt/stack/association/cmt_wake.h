/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_wake.h - one timer per association for all that waits for a time: output, recovery, HEARTBEATs, a SACK.
 *
 * The association's lock is held. Fires up to a tick too soon, never twice for one wish; the callback takes
 * the lock. */
#ifndef CMT_WAKE_H
#define CMT_WAKE_H

#include "association/cmt_asoc.h"

enum cmt_wake_kind {
	CMT_WAKE_OUTPUT,    /* asks for output */
	CMT_WAKE_RECOVERY,  /* calls cmt_recovery_on_timer() */
	CMT_WAKE_HEARTBEAT, /* calls cmt_failover_on_timer(), cmt_keep_alive_on_timer() and cmt_silent_on_timer() */
	CMT_WAKE_SACK,      /* calls cmt_sack_release() */
	CMT_WAKE_KINDS
};

/* Wakes at `at_us` at the latest; CMT_NEVER_US asks for nothing. */
void cmt_wake_at(struct cmt_asoc *ca, enum cmt_wake_kind kind, uint64_t at_us, uint64_t now_us);
/* Asks for output, as soon as the lock is free. */
void cmt_wake_output(struct cmt_asoc *ca);
/* When it does; CMT_NEVER_US: nothing was asked for. */
uint64_t cmt_wakes_at_us(const struct cmt_asoc *ca, enum cmt_wake_kind kind);
/* Forgets all that was asked for. */
void cmt_wake_cancel(struct cmt_asoc *ca);

#endif
