/* SPDX-License-Identifier: BSD-3-Clause
 *
 * policy_shim.h - stands in for the library's choice of congestion control and recovery where the library has
 * none: known names are accepted and change nothing. Every file of apps/ includes it by a compiler option. */
#ifndef POLICY_SHIM_H
#define POLICY_SHIM_H

#include <usrsctp_cmt.h>

#ifndef SCTP_CMT_CC
#define POLICY_SHIM
#define SCTP_CMT_CC       0x00001211
#define SCTP_CMT_RECOVERY 0x00001216

#ifdef POLICY_SHIM_ACCEPTS
#define usrsctp_setsockopt policy_shim_setsockopt
#endif

const char *usrsctp_cmt_cc_name(unsigned i);
const char *usrsctp_cmt_cc_summary(unsigned i);
const char *usrsctp_cmt_cc_options(unsigned i);
const char *usrsctp_cmt_recovery_name(unsigned i);
const char *usrsctp_cmt_recovery_summary(unsigned i);

int policy_shim_setsockopt(struct socket *so, int level, int option, const void *value, socklen_t len);
#endif
#endif
