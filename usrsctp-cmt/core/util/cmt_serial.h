/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_serial.h - serial number arithmetic (RFC 1982) for TSNs, Path Packet Numbers and time stamps.
 *
 * Pure. Two numbers exactly 2^31 apart are unordered in RFC 1982; here the comparison is false both ways. */
#ifndef CMT_SERIAL_H
#define CMT_SERIAL_H

#include <stdbool.h>
#include <stdint.h>

/* a - b as a signed distance, -2^31 .. 2^31 - 1. */
static inline int32_t cmt_serial_diff(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b);
}

static inline bool cmt_serial_gt(uint32_t a, uint32_t b)
{
	return a != b && a - b < UINT32_C(0x80000000);
}

static inline bool cmt_serial_ge(uint32_t a, uint32_t b)
{
	return a - b < UINT32_C(0x80000000);
}

#endif
