/* SPDX-License-Identifier: BSD-3-Clause
 *
 * prefix.h - IP prefixes on the command line, in messages and in routes: 10.8.0.0/24, fd00:8::/64. Pure. */
#ifndef TUN_PREFIX_H
#define TUN_PREFIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text/message.h"

#define TUN_PREFIX_TEXT_BYTES 64
#define TUN_MAX_PREFIXES      64

struct tun_prefix {
	int family; /* AF_INET, AF_INET6 */
	uint8_t address[16];
	unsigned bits;
};

struct tun_prefixes {
	struct tun_prefix list[TUN_MAX_PREFIXES];
	size_t n;
};

/* ADDRESS/BITS; without /BITS a host. 0, or -1 with a sentence that begins with the text. With `whole` no bit
 * of the address may be set behind `bits`. */
int tun_prefix_parse(const char *text, bool whole, struct tun_prefix *out, struct app_error *error);

/* Adds PREFIX[,PREFIX..], "all" for 0.0.0.0/0 and ::/0. 0, or -1 with the reason. */
int tun_prefixes_add(struct tun_prefixes *all, const char *text, struct app_error *error);

/* 4 or 16. */
size_t tun_address_bytes(int family);

/* Whether a server may give ADDRESS/BITS to a client: an address of one host, none that means something to
 * every host (loopback, link-local, multicast, unspecified), in a network of at least 8 bits of IPv4, 16 of
 * IPv6: what is in it goes to the server. */
bool tun_prefix_is_giveable(const struct tun_prefix *prefix);

bool tun_prefix_contains(const struct tun_prefix *prefix, const uint8_t *address);

/* "10.8.0.0/24". Returns `out`. */
char *tun_prefix_text(const struct tun_prefix *prefix, char out[TUN_PREFIX_TEXT_BYTES]);

#endif
