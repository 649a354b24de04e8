/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mss_clamp.h - TCP that begins through the tunnel is told of its packet size: the maximum segment size of a
 * SYN is lowered, so that nothing depends on ICMP. Pure. */
#ifndef TUN_MSS_CLAMP_H
#define TUN_MSS_CLAMP_H

#include "inner/packet.h"

/* Lowers the MSS option of a SYN, and its checksum with it, to what fits into IP packets of `mtu_bytes`. One
 * without the option is left alone: its peer takes 536 bytes (RFC 9293, section 3.7.1). True when it was
 * changed. */
bool inner_clamp_mss(uint8_t *bytes, const struct inner_packet *p, uint32_t mtu_bytes);

#endif
