/* SPDX-License-Identifier: BSD-3-Clause
 *
 * addresses.h - lists of addresses as text. */
#ifndef CMT_BLOCKING_ADDRESSES_H
#define CMT_BLOCKING_ADDRESSES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#define BLK_ADDRESSES_MAX 32

struct blk_addresses {
	struct sockaddr_storage list[BLK_ADDRESSES_MAX];
	size_t n;
};

/* "ADDR,ADDR.." with `port` (host order) in each; brackets around IPv6 are allowed. Names are looked up,
 * which may block. 0, or -errno with the reason; `field` is what it calls the list. */
int blk_addresses_parse(struct blk_addresses *out, const char *field, const char *text, uint16_t port);

#endif
