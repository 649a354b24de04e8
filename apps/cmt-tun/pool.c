/* SPDX-License-Identifier: BSD-3-Clause */
#include "pool.h"

#include <string.h>
#include <sys/socket.h>

#define NUMBER_BITS 12u

static size_t index_of(int family)
{
	return family == AF_INET ? 0 : 1;
}

/* Numbers of a prefix end before the broadcast address. */
static unsigned last_of(const struct tun_prefix *p)
{
	const unsigned host_bits = (unsigned)(8 * tun_address_bytes(p->family)) - p->bits;

	if (host_bits > NUMBER_BITS) {
		return TUN_POOL_MAX_NUMBER;
	}
	return host_bits < 2 ? 0 : (1u << host_bits) - 2;
}

int tun_pool_add(struct tun_pool *pool, const char *text, struct app_error *error)
{
	struct tun_prefix prefix;
	unsigned last;

	if (tun_prefix_parse(text, true, &prefix, error) != 0) {
		return -1;
	}
	last = last_of(&prefix);
	if (!tun_prefix_is_giveable(&prefix)) {
		return app_error_set(error,
		                     "\"%.80s\" is no network that clients can be in; write 10.8.0.0/24 or "
		                     "fd00:8::/64",
		                     text);
	}
	if (last < TUN_POOL_FIRST) {
		return app_error_set(error, "\"%.80s\" has no room for a server and a client", text);
	}
	if (pool->has[index_of(prefix.family)]) {
		return app_error_set(error, "\"%.80s\" is a second pool of its family; one is all there is",
		                     text);
	}
	pool->has[index_of(prefix.family)] = true;
	pool->prefix[index_of(prefix.family)] = prefix;
	if (pool->last == 0 || last < pool->last) {
		pool->last = last;
	}
	return 0;
}

unsigned tun_pool_take(struct tun_pool *pool, unsigned wanted)
{
	if (wanted < TUN_POOL_FIRST || wanted > pool->last || pool->taken[wanted]) {
		wanted = TUN_POOL_FIRST;
		while (wanted <= pool->last && pool->taken[wanted]) {
			wanted++;
		}
	}
	if (wanted > pool->last) {
		return 0;
	}
	pool->taken[wanted] = true;
	return wanted;
}

void tun_pool_give_back(struct tun_pool *pool, unsigned number)
{
	pool->taken[number] = false;
}

bool tun_pool_address(const struct tun_pool *pool, int family, unsigned number, struct tun_prefix *out)
{
	const size_t i = index_of(family), n = tun_address_bytes(family);

	if (!pool->has[i]) {
		return false;
	}
	*out = pool->prefix[i];
	out->address[n - 1] = (uint8_t)(out->address[n - 1] | (number & 0xff));
	out->address[n - 2] = (uint8_t)(out->address[n - 2] | number >> 8);
	return true;
}

unsigned tun_pool_number(const struct tun_pool *pool, int family, const uint8_t *address)
{
	const size_t n = tun_address_bytes(family);
	const struct tun_prefix *const prefix = &pool->prefix[index_of(family)];
	struct tun_prefix expected;
	unsigned number;

	if (!pool->has[index_of(family)] || !tun_prefix_contains(prefix, address)) {
		return 0;
	}
	number = (unsigned)(address[n - 2] ^ prefix->address[n - 2]) << 8 |
	         (unsigned)(address[n - 1] ^ prefix->address[n - 1]);
	if (number < TUN_POOL_SERVER || number > pool->last) {
		return 0;
	}
	/* The bits before the last two bytes. */
	return tun_pool_address(pool, family, number, &expected) && memcmp(expected.address, address, n) == 0
	           ? number
	           : 0;
}
