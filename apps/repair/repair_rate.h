/* SPDX-License-Identifier: BSD-3-Clause
 *
 * repair_rate.h - how many repair symbols a block needs.
 *
 * Pure. The model, docs/adr/0044-coded-repair.md: a datagram is missing when it does not come in time itself,
 * and of the other symbols of its block as many are missing as there are to repair it. */
#ifndef REPAIR_RATE_H
#define REPAIR_RATE_H

/* Of all datagrams, that may be missing. A quarter of what is promised (10^-4): the rates are measured, and
 * not the same all the time. */
#define REPAIR_MISSING 25e-6

/* Shares, 0 to 1: `missed` of datagrams do not come in time, `lost` of repair symbols. */
struct repair_loss {
	double missed, lost;
};

/* For a block of `k` datagrams, 1 to REPAIR_MAX_DATAGRAMS. 0: none is needed; at most half of k, rounded up.
 */
unsigned repair_rate_symbols(unsigned k, const struct repair_loss *loss);

/* The share of datagrams that are missing with `m` of them. */
double repair_rate_missing(unsigned k, unsigned m, const struct repair_loss *loss);

#endif
