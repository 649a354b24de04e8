/* SPDX-License-Identifier: BSD-3-Clause
 *
 * usrsctp_cmt_sched.h - the scheduler contract, for schedulers of the application's own:
 * usrsctp_cmt_register_scheduler() in usrsctp_cmt.h. docs/schedulers.md explains it.
 *
 * Includes core/cmt_sched.h (the contract), core/sched/cmt_units.h (the unsent chunks) and
 * core/util/cmt_time.h (unknown values), which are installed next to this file. Everything they declare is
 * in the shared and in the static library, so that a scheduler can also be tested without a stack. The
 * contract's structures may change between versions: registration refuses a scheduler that was built against
 * other headers (CMT_SCHED_CONTRACT_BYTES). */
#ifndef USRSCTP_CMT_SCHED_H
#define USRSCTP_CMT_SCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "core/cmt_sched.h"

#ifdef __cplusplus
}
#endif
#endif
