/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Built where there is no ISA-L. */
#include "repair_code.h"

bool repair_code_available(void)
{
	return false;
}

int repair_code_make(unsigned k, unsigned m, size_t bytes, uint8_t *const *data, uint8_t *const *repair)
{
	(void)k;
	(void)m;
	(void)bytes;
	(void)data;
	(void)repair;
	return -1;
}

int repair_code_restore(const struct repair_code_loss *loss)
{
	(void)loss;
	return -1;
}
