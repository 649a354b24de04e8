/* SPDX-License-Identifier: BSD-3-Clause */
#include "own.h"

#include <string.h>

int tun_own_set_mtu(struct tun_own *own, uint32_t mtu_bytes, struct app_error *error)
{
	int rc;

	if (mtu_bytes == own->mtu_bytes) {
		return 0;
	}
	rc = tun_netlink_link(own->netlink, own->device->index, mtu_bytes);
	if (rc != 0) {
		return app_error_set(error, "cannot set %s up: %s", own->device->name, strerror(-rc));
	}
	own->mtu_bytes = mtu_bytes;
	return 0;
}

static int set_address(struct tun_own *own, size_t i, const char *text, struct app_error *error)
{
	struct tun_prefix address;
	int rc;

	if (tun_prefix_parse(text, false, &address, error) != 0) {
		return -1;
	}
	if (memcmp(&own->addresses[i], &address, sizeof(address)) == 0) {
		return 0;
	}
	if (own->addresses[i].bits != 0) {
		(void)tun_netlink_address(own->netlink, false, own->device->index, &own->addresses[i]);
	}
	rc = tun_netlink_address(own->netlink, true, own->device->index, &address);
	if (rc != 0) {
		return app_error_set(error, "cannot give %s the address %s: %s", own->device->name, text,
		                     strerror(-rc));
	}
	own->addresses[i] = address;
	return 0;
}

int tun_own_take(struct tun_own *own, const struct tun_message *welcome, struct app_error *error)
{
	if ((welcome->has & TUN_M_ADDRESS4) != 0 && set_address(own, 0, welcome->address4, error) != 0) {
		return -1;
	}
	return (welcome->has & TUN_M_ADDRESS6) != 0 ? set_address(own, 1, welcome->address6, error) : 0;
}

bool tun_own_is(const struct tun_own *own, const struct inner_packet *p, const uint8_t *address)
{
	const struct tun_prefix *const mine = &own->addresses[p->version == INNER_IPV4 ? 0 : 1];

	return mine->bits != 0 && memcmp(mine->address, address, p->address_bytes) == 0;
}
