/* SPDX-License-Identifier: BSD-3-Clause
 *
 * netlink.h - the kernel's links, addresses, routes and rules, changed by rtnetlink.
 *
 * Blocks for the kernel's answer, which comes at once. Functions return 0, or a negative errno. What is there
 * already, or is gone already, is no error. */
#ifndef TUN_NETLINK_H
#define TUN_NETLINK_H

#include <stdbool.h>
#include <stdint.h>

#include "prefix.h"

#define TUN_ROUTE_PROTOCOL 67 /* marks routes and rules of ours */

struct tun_netlink;

/* NULL with errno. */
struct tun_netlink *tun_netlink_open(void);
void tun_netlink_close(struct tun_netlink *n);

/* Puts the interface up, with packets of `mtu_bytes`. */
int tun_netlink_link(struct tun_netlink *n, unsigned index, uint32_t mtu_bytes);

int tun_netlink_address(struct tun_netlink *n, bool add, unsigned index, const struct tun_prefix *address);

struct tun_route {
	const struct tun_prefix *to;
	uint32_t table;
	unsigned index; /* interface; 0: unreachable */
	uint32_t metric;
};
int tun_netlink_route(struct tun_netlink *n, bool add, const struct tun_route *route);

struct tun_rule {
	int family;
	uint32_t priority;
	const struct tun_prefix *to; /* NULL: all */
	uint32_t table;              /* looked up; 0: none is */
	bool not_default;            /* a default route found there does not count */
	uint32_t go_to;              /* without a table: the rule that comes next; 0: does nothing */
};
int tun_netlink_add_rule(struct tun_netlink *n, const struct tun_rule *rule);

/* Deletes what has TUN_ROUTE_PROTOCOL: rules of priority `first` to `last`, and routes of those tables. Adds
 * how many there were to *count. */
int tun_netlink_delete_rules(struct tun_netlink *n, uint32_t first, uint32_t last, unsigned *count);
int tun_netlink_delete_routes(struct tun_netlink *n, uint32_t first, uint32_t last, unsigned *count);

#endif
