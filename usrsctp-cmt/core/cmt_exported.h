/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_exported.h - the linker's names of what a scheduler and its unit tests may call.
 *
 * The shared library exports usrsctp_* and nothing else. Included in front of the declarations, so that
 * cmt_units_at() in any source is usrsctp_cmt_units_at() in every library and program. */
#ifndef CMT_EXPORTED_H
#define CMT_EXPORTED_H

#define cmt_units_bytes_needed usrsctp_cmt_units_bytes_needed
#define cmt_units_init         usrsctp_cmt_units_init
#define cmt_units_add          usrsctp_cmt_units_add
#define cmt_units_remove       usrsctp_cmt_units_remove
#define cmt_units_len          usrsctp_cmt_units_len
#define cmt_units_at           usrsctp_cmt_units_at

#define cmt_sched_builtin          usrsctp_cmt_sched_builtin
#define cmt_sched_check_ops        usrsctp_cmt_sched_check_ops
#define cmt_sched_legal            usrsctp_cmt_sched_legal
#define cmt_sched_copy_legal       usrsctp_cmt_sched_copy_legal
#define cmt_sched_stalls           usrsctp_cmt_sched_stalls
#define cmt_sched_first_arrival    usrsctp_cmt_sched_first_arrival
#define cmt_sched_first_when_ready usrsctp_cmt_sched_first_when_ready
#define cmt_sched_go_behind        usrsctp_cmt_sched_go_behind
#define cmt_sched_window_ahead     usrsctp_cmt_sched_window_ahead

#endif
