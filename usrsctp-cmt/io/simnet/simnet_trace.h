/* SPDX-License-Identifier: BSD-3-Clause
 *
 * simnet_trace.h - what the core predicted and what came true, for the lab and for tests.
 *
 * Not part of the public interface: struct cmt_seam_trace follows the core. Single threaded, like the
 * simulation. */
#ifndef CMT_SIMNET_TRACE_H
#define CMT_SIMNET_TRACE_H

#include <usrsctp_cmt_sim.h>

#include "cmt_seams.h"

/* Calls `fn` for every trace event of both hosts; NULL takes it away. `fn` runs with locks of the stack held:
 * it must not call into usrsctp, and may call usrsctp_cmt_sim_now_us(). Not
 * exported: for programs that are linked with the static library. */
__attribute__((visibility("hidden"))) void
usrsctp_cmt_sim_observe(struct usrsctp_cmt_sim *sim,
                        void (*fn)(const struct cmt_seam_trace *trace, void *arg), void *arg);

#endif
