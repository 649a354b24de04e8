/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Addresses of the hosts: which path leads where, what the stack asks about that, and how they come and go.
 */
#include "simnet.h"

#include <errno.h>
#include <netinet/in.h>
#include <string.h>

#define PPM 1000000

void simnet_make_address(int family, int path, int host, struct sockaddr_storage *out)
{
	memset(out, 0, sizeof(*out));
	if (family == AF_INET6) {
		struct sockaddr_in6 *sin6 = (struct sockaddr_in6 *)out;

		sin6->sin6_family = AF_INET6;
		sin6->sin6_addr.s6_addr[0] = 0xfd;
		sin6->sin6_addr.s6_addr[3] = (uint8_t)(path + 1);
		sin6->sin6_addr.s6_addr[15] = (uint8_t)(host + 1);
	} else {
		struct sockaddr_in *sin = (struct sockaddr_in *)out;
		uint32_t low = ((uint32_t)(path + 1) << 16) | (uint32_t)(host + 1);

		sin->sin_family = AF_INET;
		sin->sin_addr.s_addr = htonl(UINT32_C(0x0a000000) | low);
	}
}

void simnet_set_port(struct sockaddr_storage *address, uint16_t port)
{
	if (address->ss_family == AF_INET6) {
		((struct sockaddr_in6 *)address)->sin6_port = htons(port);
	} else {
		((struct sockaddr_in *)address)->sin_port = htons(port);
	}
}

uint16_t simnet_port(const struct sockaddr *address)
{
	return ntohs(address->sa_family == AF_INET6
	                 ? ((const struct sockaddr_in6 *)(const void *)address)->sin6_port
	                 : ((const struct sockaddr_in *)(const void *)address)->sin_port);
}

bool simnet_same_address(const struct sockaddr_storage *a, const struct sockaddr *b)
{
	if (a->ss_family != b->sa_family) {
		return false;
	}
	if (b->sa_family == AF_INET6) {
		return memcmp(&((const struct sockaddr_in6 *)a)->sin6_addr,
		              &((const struct sockaddr_in6 *)(const void *)b)->sin6_addr, 16) == 0;
	}
	return ((const struct sockaddr_in *)a)->sin_addr.s_addr ==
	       ((const struct sockaddr_in *)(const void *)b)->sin_addr.s_addr;
}

bool simnet_find_place(const struct usrsctp_cmt_sim *sim, const struct sockaddr *address,
                       struct simnet_place *out)
{
	for (int path = 0; path < sim->n_paths; path++) {
		for (int host = 0; host < 2; host++) {
			if (simnet_same_address(&sim->paths[path].addresses[host], address)) {
				*out = (struct simnet_place){.path = path, .host = host};
				return true;
			}
		}
	}
	return false;
}

bool simnet_find_way(const struct usrsctp_cmt_sim *sim, const struct sockaddr *src,
                     const struct sockaddr *dst, struct simnet_place *out)
{
	for (int path = 0; path < sim->n_paths; path++) {
		for (int host = 0; host < 2; host++) {
			if (simnet_same_address(&sim->paths[path].addresses[host], src) &&
			    simnet_same_address(&sim->paths[path].addresses[1 - host], dst)) {
				*out = (struct simnet_place){.path = path, .host = host};
				return true;
			}
		}
	}
	return false;
}

int usrsctp_cmt_sim_address(const struct usrsctp_cmt_sim *sim, int host, int path, uint16_t port,
                            struct sockaddr_storage *out)
{
	if (!simnet_is_host(host) || !simnet_is_path(sim, path)) {
		return simnet_fail(EINVAL);
	}
	*out = sim->paths[path].addresses[host];
	if (out->ss_family == AF_INET6) {
		((struct sockaddr_in6 *)out)->sin6_port = htons(port);
	} else {
		((struct sockaddr_in *)out)->sin_port = htons(port);
	}
	return 0;
}

bool simnet_is_present(const struct usrsctp_cmt_sim *sim, const struct sockaddr *address)
{
	struct simnet_place place;

	return simnet_find_place(sim, address, &place) && !sim->paths[place.path].absent[place.host];
}

bool simnet_end_is_absent(const struct usrsctp_cmt_sim *sim, int path, int host)
{
	return sim->some_absent &&
	       !simnet_is_present(sim, (const struct sockaddr *)&sim->paths[path].addresses[host]);
}

/* --- what the stack asks --- */

/* Where the stack may send to: an address of a host, or of a NAT in front of one. */
static bool find_destination(const struct usrsctp_cmt_sim *sim, const struct sockaddr *dst,
                             struct simnet_place *out)
{
	return simnet_find_place(sim, dst, out) || simnet_nat_place(sim, dst, out);
}

static bool ends_there(const struct usrsctp_cmt_sim *sim, int path, const struct simnet_place *to)
{
	const struct simnet_path *p = &sim->paths[path], *q = &sim->paths[to->path];

	return path == to->path || (p->nat[to->host] != 0 && p->nat[to->host] == q->nat[to->host]) ||
	       simnet_same_address(&p->addresses[to->host], (const struct sockaddr *)&q->addresses[to->host]);
}

/* The first path there from an address that is present. */
bool simnet_route(void *ctx, const struct sockaddr *dst, struct sockaddr_storage *local)
{
	const struct usrsctp_cmt_sim *sim = ctx;
	struct simnet_place to, own;

	if (!find_destination(sim, dst, &to)) {
		return false;
	}
	for (int path = to.path; path < sim->n_paths; path++) {
		*local = sim->paths[path].addresses[1 - to.host];
		if (ends_there(sim, path, &to) && simnet_find_place(sim, (struct sockaddr *)local, &own) &&
		    !sim->paths[own.path].absent[own.host]) {
			return true;
		}
	}
	return false;
}

bool simnet_reaches(void *ctx, const struct sockaddr *src, const struct sockaddr *dst)
{
	struct simnet_place from;

	return simnet_is_present(ctx, src) &&
	       (simnet_find_way(ctx, src, dst, &from) || simnet_nat_way(ctx, src, dst, 0, &from));
}

static uint32_t path_mtu_bytes(const struct simnet_path *path, int direction)
{
	uint32_t own = simnet_link_mtu_bytes(&path->links[direction].config), shared;

	if (path->via == NULL) {
		return own;
	}
	shared = simnet_link_mtu_bytes(&path->via->links[direction].config);
	return shared < own ? shared : own;
}

uint32_t simnet_mtu(void *ctx, const struct sockaddr *src, const struct sockaddr *dst)
{
	const struct usrsctp_cmt_sim *sim = ctx;
	struct simnet_place from;

	return (dst != NULL &&
	        (simnet_find_way(sim, src, dst, &from) || simnet_nat_way(sim, src, dst, 0, &from))) ||
	               simnet_find_place(sim, src, &from)
	           ? path_mtu_bytes(&sim->paths[from.path], from.host)
	           : 0;
}

uint64_t simnet_stamp_us(void *ctx, uint16_t local_port, uint64_t now_us)
{
	const struct usrsctp_cmt_sim *sim = ctx;
	uint8_t host = sim->host_of_port[local_port];
	int64_t elapsed_us = (int64_t)(now_us - SIMNET_EPOCH_US);

	if (host == SIMNET_NO_HOST) {
		return now_us;
	}
	return (uint64_t)((int64_t)now_us + sim->config.clock_offset_us[host] +
	                  elapsed_us * sim->config.clock_skew_ppm[host] / PPM);
}

/* --- coming and going --- */

int simnet_add_interface(const struct usrsctp_cmt_sim *sim, int path, int host)
{
	struct sockaddr_storage shown = sim->paths[path].addresses[host];

	simnet_set_port(&shown, USRSCTP_CMT_SIM_UDP_PORT);
	return usrsctp_cmt_packets_add_address(sim->packets, (const struct sockaddr *)&shown);
}

void simnet_remove_interface(const struct usrsctp_cmt_sim *sim, int path, int host)
{
	usrsctp_cmt_packets_remove_address(sim->packets,
	                                   (const struct sockaddr *)&sim->paths[path].addresses[host]);
}

void usrsctp_cmt_sim_on_address(struct usrsctp_cmt_sim *sim, usrsctp_cmt_sim_address_fn *fn, void *arg)
{
	sim->on_address = fn;
	sim->on_address_arg = arg;
}

/* As io/event does with what netlink says: sockets first when it goes, last when it comes. */
int usrsctp_cmt_sim_set_address(struct usrsctp_cmt_sim *sim, int host, int path, bool present)
{
	struct simnet_place place;

	if (!simnet_is_host(host) || !simnet_is_path(sim, path) ||
	    !simnet_find_place(sim, (const struct sockaddr *)&sim->paths[path].addresses[host], &place)) {
		return simnet_fail(EINVAL);
	}
	if (sim->paths[place.path].absent[host] != present) {
		return 0;
	}
	if (present && simnet_add_interface(sim, place.path, host) != 0) {
		return simnet_fail(ENOMEM);
	}
	if (present) {
		sim->paths[place.path].absent[host] = false;
	}
	if (sim->on_address != NULL) {
		sim->on_address(sim, host, place.path, present, sim->on_address_arg);
	}
	if (!present) {
		sim->paths[place.path].absent[host] = sim->some_absent = true;
		simnet_remove_interface(sim, place.path, host);
	}
	return 0;
}
