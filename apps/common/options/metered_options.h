/* SPDX-License-Identifier: BSD-3-Clause
 *
 * metered_options.h - --metered END=COST[,END=COST..]: which paths cost something, and how much beside
 * others.
 *
 * Pure. A path is metered when its local interface, its local or its remote address is one of these; a
 * program that sends gives the result to app_path_costs_set() (options/path_costs.h). */
#ifndef APP_METERED_OPTIONS_H
#define APP_METERED_OPTIONS_H

#include <net/if.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "text/message.h"

#define APP_METERED_MAX      16
#define APP_METERED_MAX_COST 1000000

/* clang-format off */
#define APP_METERED_HELP                                                                                     \
	"  --metered END=COST[,..]  paths that cost something, repeatable: END is an interface, a local or\n" \
	"                          a remote address, COST from 1. What this side sends goes there as late\n" \
	"                          and as little as the other side's deadlines allow; the dearest last\n"
/* clang-format on */

struct app_metered_end {
	char interface[IF_NAMESIZE];     /* "" = an address */
	struct sockaddr_storage address; /* without a port */
	uint32_t cost;
};

struct app_metered {
	struct app_metered_end list[APP_METERED_MAX];
	size_t n;
};

/* Adds what `value` of --`name` says; what names an end that is there already counts instead. 0, or -1 with
 * the reason; then `m` has what came before the wrong one. */
int app_metered_take(struct app_metered *m, const char *name, const char *value, struct app_error *error);

/* The largest cost that is said of a path with these ends; 0 = none. `interface`: "" = not known. */
uint32_t app_metered_cost(const struct app_metered *m, const char *interface,
                          const struct sockaddr_storage *local, const struct sockaddr_storage *remote);

#endif
