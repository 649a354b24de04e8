/* SPDX-License-Identifier: BSD-3-Clause
 *
 * report.h - what went through a tunnel, for --stats json. */
#ifndef TUN_REPORT_H
#define TUN_REPORT_H

#include <jansson.h>

#include "carry/carrier.h"

/* Adds what one connection did to the sum. What waits is left out. */
void tun_report_add(struct tun_carrier_stats *sum, const struct tun_carrier_stats *one);

/* What one connection did and what waits, as an object. */
json_t *tun_report_figures(const struct tun_carrier_stats *stats);

/* Prints {"role", "tunnels", sums ..} as one line on standard output. */
struct tun_report {
	const char *role;
	uint64_t tunnels;        /* that there were */
	uint64_t malformed_pkts; /* of the host */
	struct tun_carrier_stats sum;
};
void tun_report_print(const struct tun_report *report);

#endif
