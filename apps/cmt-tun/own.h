/* SPDX-License-Identifier: BSD-3-Clause
 *
 * own.h - what a client's device has of a tunnel: its addresses, as the server has handed them out, and the
 * size of its packets. */
#ifndef TUN_OWN_H
#define TUN_OWN_H

#include "host/device.h"
#include "host/netlink.h"
#include "inner/packet.h"
#include "tun_message.h"

struct tun_own {
	struct tun_netlink *netlink;
	const struct tun_device *device;
	struct tun_prefix addresses[2]; /* IPv4, IPv6; bits 0: none */
	uint32_t mtu_bytes;             /* 0 = the device is down */
};

/* Puts the device up, with packets of that size. 0, or -1 with the reason. */
int tun_own_set_mtu(struct tun_own *own, uint32_t mtu_bytes, struct app_error *error);

/* Gives the device the addresses of WELCOME, in place of earlier ones. 0, or -1 with the reason. */
int tun_own_take(struct tun_own *own, const struct tun_message *welcome, struct app_error *error);

/* Whether `address` of a packet, its source or destination, is one of ours. */
bool tun_own_is(const struct tun_own *own, const struct inner_packet *p, const uint8_t *address);

#endif
