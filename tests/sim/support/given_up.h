/* SPDX-License-Identifier: BSD-3-Clause
 *
 * given_up.h - long messages of which thousands of fragments are given up (I-DATA, RFC 7496: no
 * retransmission) while both paths lose 8 % for half a minute, then reliable ones on another stream, all of
 * which must arrive.
 */
#ifndef SIM_GIVEN_UP_H
#define SIM_GIVEN_UP_H

#include <stdint.h>

/* Runs it, and asserts that. */
void given_up_run(const char *scheduler, uint64_t seed);
/* The same with ten seeds. */
void given_up_run_seeds(const char *scheduler);

#endif
