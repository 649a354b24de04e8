/* SPDX-License-Identifier: BSD-3-Clause
 *
 * path_costs.h - tells the stack which paths of an association are metered (--metered). */
#ifndef APP_PATH_COSTS_H
#define APP_PATH_COSTS_H

#include <usrsctp_cmt.h>

#include "net/path_stats.h"
#include "options/metered_options.h"

/* Of each path in `stats`, of `so`, that has another cost than `metered` says. To be called when paths come
 * and change, and from time to time: where a path begins is not always known when it does. Without --metered
 * nothing is told. */
void app_path_costs_set(struct socket *so, const struct app_metered *metered,
                        const struct app_assoc_stats *stats);

#endif
