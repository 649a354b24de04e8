/* SPDX-License-Identifier: BSD-3-Clause
 *
 * routes.h - which packets of this host go into the tunnel.
 *
 * Routes into the tunnel stand in two tables of their own, before which rules stand (ip-rule(8)), from
 * priority `table` on: table      to each of the server's addresses: go on at table+4. They are reached as if
 * there were no tunnel table+1    look up table: routes that were asked for, default ones excepted table+2
 * look up main, but for its default routes: neighbours of this host stay reachable table+3    look up
 * table+1: default routes that were asked for table+4    nothing: what stands here is where the first ones go
 * on No route of the host is touched. The kill switch is an unreachable route of the worst metric beside each
 * route into the tunnel: it stays when the device goes. All have TUN_ROUTE_PROTOCOL, so that leftovers of a
 * process that was killed are found. */
#ifndef TUN_ROUTES_H
#define TUN_ROUTES_H

#include <sys/socket.h>

#include "host/netlink.h"

#define TUN_DEFAULT_TABLE 17229u
#define TUN_MAX_SERVERS   32

struct tun_routes {
	struct tun_netlink *netlink;
	uint32_t table;
	struct tun_prefixes list;
	bool kill_switch;
	struct tun_prefix servers[TUN_MAX_SERVERS]; /* that have a rule */
	size_t n_servers;
	bool has_rules[2]; /* IPv4, IPv6 */
};

/* Rules and, with the kill switch, its routes, of the families that the list has. What is there already
 * stays. 0, or -1 with the reason. */
int tun_routes_prepare(struct tun_routes *r, struct app_error *error);

/* The server is reached by `address` outside of the tunnel. 0, or -1 with the reason. Those beyond
 * TUN_MAX_SERVERS are left out. */
int tun_routes_except(struct tun_routes *r, const struct sockaddr_storage *address, struct app_error *error);

/* Into the tunnel, through the interface `index`, or out of it again. */
int tun_routes_set(struct tun_routes *r, unsigned index, struct app_error *error);
void tun_routes_unset(struct tun_routes *r, unsigned index);

/* Takes all back, also what another process has left under the same `table`. Returns how many routes and
 * rules there were, or a negative errno. */
int tun_routes_clean(struct tun_routes *r);

#endif
