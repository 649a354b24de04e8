/* SPDX-License-Identifier: BSD-3-Clause
 *
 * live_seq.h - numbers of datagrams, 32 bits that wrap around (RFC 1982).
 *
 * Two numbers of one stream are never 2^31 or more apart: at 10000 datagrams a second that is 59 hours of
 * silence. Pure. */
#ifndef LIVE_SEQ_H
#define LIVE_SEQ_H

#include <stdbool.h>
#include <stdint.h>

/* How far `a` is behind `b` in counting order: negative when it comes before. */
static inline int32_t live_seq_distance(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b);
}

static inline bool live_seq_before(uint32_t a, uint32_t b)
{
	return live_seq_distance(a, b) < 0;
}

#endif
