/* SPDX-License-Identifier: BSD-3-Clause
 *
 * path_needs.h - tells the stack by when the other side needs what this one sends (SCTP_CMT_NEEDED): what
 * metered paths are kept for. */
#ifndef APP_PATH_NEEDS_H
#define APP_PATH_NEEDS_H

#include <stdbool.h>
#include <stdint.h>

#include <usrsctp_cmt.h>

#include "options/metered_options.h"

/* Of one association; zeroed at its beginning. */
struct app_path_needs {
	uint64_t rate_bps; /* told last */
	uint64_t at_us;    /* then */
};

/* What is handed over next is needed in `in_us`, what follows at `rate_bps`; 0: nothing is known. Tells it
 * where it changes what is known, ten times a second at most; not without --metered. */
void app_path_needs_tell(struct app_path_needs *needs, const struct app_metered *metered, struct socket *so,
                         uint64_t rate_bps, uint64_t in_us, uint64_t now_us);

#endif
