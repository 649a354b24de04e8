/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ts_cut.h - where a byte stream is cut into datagrams: MPEG transport streams between packets, seven at a
 * time, as is usual over UDP (ISO/IEC 13818-1); anything else as it was read. Pure. */
#ifndef LIVE_TS_CUT_H
#define LIVE_TS_CUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TS_PACKET_BYTES 188u
#define TS_CUT_BYTES    (7 * TS_PACKET_BYTES)

/* Bytes of the next datagram at the front of `bytes`; 0 = wait for more. `all`: nothing follows soon, so that
 * less than seven packets may go; never a part of one. */
size_t ts_cut(const uint8_t *bytes, size_t len, bool all);

#endif
