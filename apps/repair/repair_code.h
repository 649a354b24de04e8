/* SPDX-License-Identifier: BSD-3-Clause
 *
 * repair_code.h - the erasure code: of k data symbols, repair symbols, any n of which restore any n data
 * symbols that are missing. A systematic Cauchy code over GF(2^8), by ISA-L.
 *
 * Pure, but that it allocates while it runs. Repair symbol i depends on k and i alone, not on how many there
 * are. All symbols of a call have the same length. */
#ifndef REPAIR_CODE_H
#define REPAIR_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REPAIR_CODE_MAX_SYMBOLS                                                                              \
	256u /* data and repair: indices from 0 to k + m - 1 are elements of the field */

/* False: built without ISA-L; the functions below fail. */
bool repair_code_available(void);

/* Writes repair symbols 0 to m - 1 of `data` [k] to `repair` [m]. k, m and `bytes` are at least 1, k + m at
 * most REPAIR_CODE_MAX_SYMBOLS. -1: no memory. */
int repair_code_make(unsigned k, unsigned m, size_t bytes, uint8_t *const *data, uint8_t *const *repair);

struct repair_code_loss {
	unsigned k;
	size_t bytes;
	uint8_t *const *data;    /* [k]; those that are missing are written */
	unsigned n;              /* that are missing: 1 to k */
	const uint8_t *missing;  /* [n]: their indices in `data`, ascending */
	uint8_t *const *repair;  /* [n]: repair symbols, different ones */
	const uint8_t *repair_i; /* [n]: which; k + i is below REPAIR_CODE_MAX_SYMBOLS */
};

/* -1: no memory. */
int repair_code_restore(const struct repair_code_loss *loss);

#endif
