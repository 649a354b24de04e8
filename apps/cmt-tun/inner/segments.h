/* SPDX-License-Identifier: BSD-3-Clause
 *
 * segments.h - a packet of TCP that stands for several, as kernels hand them about (generic segmentation
 * offload): the headers of the first, the payload of all, and a checksum of the pseudo-header alone. Whoever
 * sends it on cuts it into packets of `segment_bytes` of payload, and fills in their checksums.
 *
 * Pure. Anything may stand in the bytes. */
#ifndef TUN_SEGMENTS_H
#define TUN_SEGMENTS_H

#include "inner/packet.h"

#define INNER_LEAST_SEGMENT_BYTES 48u /* what Linux takes for an MSS at least */
#define INNER_TCP_CHECKSUM_AT     16u /* in the header */

/* Notes in `p` that it stands for several, which it has to by its headers and its length; 0, or -1. */
int inner_set_segments(const uint8_t *bytes, struct inner_packet *p, uint16_t segment_bytes);

/* The largest packet that it stands for; itself, if it is one. */
size_t inner_largest_bytes(const struct inner_packet *p);

#endif
