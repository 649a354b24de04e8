/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_echo.h - the two chunks on their way in and out (docs/wire-format.md), which are hooks of cmt_hooks.h,
 * and the clock that both are told in.
 *
 * The association's lock is held. */
#ifndef CMT_ECHO_H
#define CMT_ECHO_H

#include "association/cmt_asoc.h"

/* Our stamp clock, modulo 2^32. */
uint32_t cmt_asoc_stamp(const struct cmt_asoc *ca, uint64_t now_us);

#endif
