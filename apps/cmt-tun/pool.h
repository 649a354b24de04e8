/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pool.h - the addresses that a server hands out. A client has a number, which is its host part in both
 * families: number 2 of 10.8.0.0/24 and fd00:8::/64 is 10.8.0.2 and fd00:8::2. Number 1 is the server. Pure.
 */
#ifndef TUN_POOL_H
#define TUN_POOL_H

#include "prefix.h"

#define TUN_POOL_SERVER     1u
#define TUN_POOL_FIRST      2u
#define TUN_POOL_MAX_NUMBER 4095u

struct tun_pool {
	bool has[2]; /* IPv4, IPv6 */
	struct tun_prefix prefix[2];
	unsigned last; /* number; 0: no prefix yet */
	bool taken[TUN_POOL_MAX_NUMBER + 1];
};

/* One of each family, of at least two addresses behind the network's. 0, or -1 with the reason. */
int tun_pool_add(struct tun_pool *pool, const char *text, struct app_error *error);

/* `wanted`, if that is free, else the first that is. 0: none is left. */
unsigned tun_pool_take(struct tun_pool *pool, unsigned wanted);
void tun_pool_give_back(struct tun_pool *pool, unsigned number);

/* The address of a number, with the bits of the pool's prefix. False: the pool has none of that family. */
bool tun_pool_address(const struct tun_pool *pool, int family, unsigned number, struct tun_prefix *out);

/* The number of an address; 0: it is none that is handed out. */
unsigned tun_pool_number(const struct tun_pool *pool, int family, const uint8_t *address);

#endif
