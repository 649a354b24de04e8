/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shadows upstream's header of the same name: the stack takes the time from the seam. No include guard: upstream's own
 * serves, and the redefinition may be repeated. */
#include_next <netinet/sctp_constants.h>

#include "cmt_seams.h"

#undef SCTP_GETTIME_TIMEVAL
#define SCTP_GETTIME_TIMEVAL(x) cmt_seam_gettimeofday(x)
