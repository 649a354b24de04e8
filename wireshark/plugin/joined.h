/* SPDX-License-Identifier: BSD-3-Clause
 *
 * joined.h - SCTP packets that the capturing host holds as one datagram.
 *
 * Segmentation offload (UDP_SEGMENT, UDP_GRO; udp(7)) joins packets of one size, of which the last may be
 * shorter. Where one ends is not written anywhere: it is where the bytes so far have the checksum in their
 * header.
 *
 * Pure. The bytes come from the network and may be cut by the capture: nothing behind `len` is read. */
#ifndef CMT_WS_JOINED_H
#define CMT_WS_JOINED_H

#include "chunks.h"

/* Whether `packet` has the CRC32c in its header (RFC 9260, appendix A). Requires SCTP_HEADER_BYTES bytes. */
bool sctp_has_checksum(const uint8_t *packet, uint32_t len);

/* Writes it. The same. */
void sctp_set_checksum(uint8_t *packet, uint32_t len);

/* Length of the SCTP packet that `bytes` begin with: up to the end of the chunk at which its CRC32c is right.
 * 0 if there is no such chunk. */
uint32_t sctp_proven_bytes(const uint8_t *bytes, uint32_t len);

#endif
