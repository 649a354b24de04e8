/* SPDX-License-Identifier: BSD-3-Clause
 *
 * checksum.h - the Internet checksum (RFC 1071), made and updated (RFC 1624); 16 bits in network order. Pure.
 */
#ifndef TUN_CHECKSUM_H
#define TUN_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

static inline uint16_t inner_get16(const uint8_t *at)
{
	return (uint16_t)(at[0] << 8 | at[1]);
}

static inline void inner_put16(uint8_t *at, uint16_t value)
{
	at[0] = (uint8_t)(value >> 8);
	at[1] = (uint8_t)value;
}

/* Adds `len` bytes to a sum that begins with 0. Only the last part may have an odd length. */
static inline uint32_t inner_sum(uint32_t sum, const uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i + 1 < len; i += 2) {
		sum += inner_get16(bytes + i);
	}
	return len % 2 != 0 ? sum + (uint32_t)(bytes[len - 1] << 8) : sum;
}

/* The checksum of a sum. */
static inline uint16_t inner_checksum(uint32_t sum)
{
	while (sum >> 16 != 0) {
		sum = (sum & 0xffff) + (sum >> 16);
	}
	return (uint16_t)~sum;
}

/* Fills in a checksum at `at` behind `start` that is the sum of a pseudo-header alone so far. None but UDP's
 * is changed by writing 0 as 0xffff, which says the same (RFC 768). */
static inline void inner_complete_checksum(uint8_t *bytes, size_t len, size_t start, size_t at)
{
	const uint16_t checksum = inner_checksum(inner_sum(0, bytes + start, len - start));

	inner_put16(bytes + start + at, checksum != 0 ? checksum : 0xffff);
}

/* The checksum when a word that it covers changes (RFC 1624, equation 3). */
static inline uint16_t inner_checksum_change(uint16_t checksum, uint16_t before, uint16_t after)
{
	return inner_checksum((uint32_t)(uint16_t)~checksum + (uint16_t)~before + after);
}

#endif
