/* SPDX-License-Identifier: BSD-3-Clause
 *
 * targets.h - the functions of a target whose input is a script for the network. */
#ifndef FUZZ_TARGETS_H
#define FUZZ_TARGETS_H

#include "fuzz.h"
#include "network.h"

/* Every chunk type that the stack knows, and unknown ones of the four kinds. */
static const uint8_t script_types[] = {0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a,
                                       0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x40, 0x80, 0x81, 0x82, 0x84,
                                       0x9e, 0x9f, 0xc0, 0xc1, 0xc2, 0x3f, 0x7f, 0xbf, 0xff};

#define PACKET_TARGET(attack)                                                                                \
	int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)                                         \
	{                                                                                                    \
		network_run(attack, data, size);                                                             \
		return 0;                                                                                    \
	}                                                                                                    \
	size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)           \
	{                                                                                                    \
		return script_mutate(data, size, max_size, seed, script_types, sizeof(script_types),         \
		                     (attack) == NETWORK_PATHS);                                             \
	}                                                                                                    \
	size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *other,          \
	                                 size_t other_size, uint8_t *out, size_t max_size, unsigned seed)    \
	{                                                                                                    \
		return script_cross(one, one_size, other, other_size, out, max_size, seed);                  \
	}

#endif
