/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scarce.h - memory that runs out when it is told to.
 *
 * Takes the place of malloc(), calloc(), realloc(), free() and the stack's cmt_zone_get() in what is linked
 * into this program (--wrap of the linker): the stack and its simulated network, but not the C library.
 * Single threaded. */
#ifndef FAULTS_SCARCE_H
#define FAULTS_SCARCE_H

#include <stdbool.h>
#include <stdint.h>

/* Allocation number `at`, from 1, counted from now on, fails; with `again` so does every further multiple of
 * it. `at` 0: none does. With `tell` the place is printed on stderr. */
void scarce_begin(uint64_t at, bool again, bool tell);

/* No allocation fails until scarce_go_on(); none is counted. For what a test itself asks for. */
void scarce_pause(void);
void scarce_go_on(void);

/* Allocations since scarce_begin(), those that failed among them, and blocks that were allocated and not
 * freed. */
uint64_t scarce_count(void);
uint64_t scarce_failures(void);
int64_t scarce_blocks(void);

#endif
