/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_limits.h - limits that all parts share. Pure. */
#ifndef CMT_LIMITS_H
#define CMT_LIMITS_H

/* Paths of one association. include/usrsctp_cmt.h has the same for applications. */
#define CMT_MAX_PATHS 8

#endif
