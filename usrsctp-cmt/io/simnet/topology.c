/* SPDX-License-Identifier: BSD-3-Clause */
#include "simnet.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#define PPM 1000000

/* --- addresses --- */

static void make_address(int family, int path, int host, struct sockaddr_storage *out)
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

static bool same_address(const struct sockaddr_storage *a, const struct sockaddr *b)
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
			if (same_address(&sim->paths[path].addresses[host], address)) {
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
			if (same_address(&sim->paths[path].addresses[host], src) &&
			    same_address(&sim->paths[path].addresses[1 - host], dst)) {
				*out = (struct simnet_place){.path = path, .host = host};
				return true;
			}
		}
	}
	return false;
}

static bool is_host(int host)
{
	return host == 0 || host == 1;
}

static bool is_path(const struct usrsctp_cmt_sim *sim, int path)
{
	return path >= 0 && path < sim->n_paths;
}

static int fail(int error)
{
	errno = error;
	return -1;
}

int usrsctp_cmt_sim_address(const struct usrsctp_cmt_sim *sim, int host, int path, uint16_t port,
                            struct sockaddr_storage *out)
{
	if (!is_host(host) || !is_path(sim, path)) {
		return fail(EINVAL);
	}
	*out = sim->paths[path].addresses[host];
	if (out->ss_family == AF_INET6) {
		((struct sockaddr_in6 *)out)->sin6_port = htons(port);
	} else {
		((struct sockaddr_in *)out)->sin_port = htons(port);
	}
	return 0;
}

/* --- what the stack asks --- */

static uint32_t interface_index(int path, int host)
{
	return 1u + 2u * (uint32_t)path + (uint32_t)host;
}

uint32_t simnet_if_index(void *ctx, const struct sockaddr *dst)
{
	const struct usrsctp_cmt_sim *sim = ctx;
	struct simnet_place to, own;

	return simnet_find_place(sim, dst, &to) &&
	               simnet_find_place(
	                   sim, (const struct sockaddr *)&sim->paths[to.path].addresses[1 - to.host], &own)
	           ? interface_index(own.path, own.host)
	           : 0;
}

bool simnet_reaches(void *ctx, const struct sockaddr *src, const struct sockaddr *dst)
{
	struct simnet_place from;

	return simnet_find_way(ctx, src, dst, &from);
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

	return (dst != NULL && simnet_find_way(sim, src, dst, &from)) || simnet_find_place(sim, src, &from)
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

/* --- paths --- */

struct interface_name {
	char text[16];
};

static struct interface_name name_interface(int path, int host)
{
	struct interface_name name;

	snprintf(name.text, sizeof(name.text), "sim%d.%d", path, host);
	return name;
}

static int add_interface(const struct usrsctp_cmt_sim *sim, int path, int host)
{
	return cmt_seam_add_address(interface_index(path, host), name_interface(path, host).text,
	                            (const struct sockaddr *)&sim->paths[path].addresses[host]);
}

static void remove_interface(const struct usrsctp_cmt_sim *sim, int path, int host)
{
	cmt_seam_remove_address(interface_index(path, host), name_interface(path, host).text,
	                        (const struct sockaddr *)&sim->paths[path].addresses[host]);
}

int usrsctp_cmt_sim_add_path(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_link *forward,
                             const struct usrsctp_cmt_sim_link *backward)
{
	const struct usrsctp_cmt_sim_link *configs[2] = {forward, backward};
	int number = sim->n_paths;
	struct simnet_path *path = &sim->paths[number];

	if (forward == NULL || backward == NULL || simnet_link_check(forward) != 0 ||
	    simnet_link_check(backward) != 0) {
		return fail(EINVAL);
	}
	if (number == USRSCTP_CMT_SIM_MAX_PATHS) {
		return fail(ENOSPC);
	}
	for (int host = 0; host < 2; host++) {
		make_address(sim->config.family, number, host, &path->addresses[host]);
		if (add_interface(sim, number, host) != 0) {
			return fail(ENOMEM);
		}
	}
	for (int direction = 0; direction < 2; direction++) {
		simnet_link_init(&path->links[direction], configs[direction], sim->config.seed,
		                 (uint64_t)(2 * number + direction));
	}
	sim->n_paths++;
	return number;
}

static bool is_shared(const struct usrsctp_cmt_sim *sim, int path, int host)
{
	struct simnet_place first;

	return simnet_find_place(sim, (const struct sockaddr *)&sim->paths[path].addresses[host], &first) &&
	       first.path != path;
}

int usrsctp_cmt_sim_share_address(struct usrsctp_cmt_sim *sim, int path, int host, int other)
{
	struct sockaddr_storage *own;
	struct simnet_place taken;

	if (!is_path(sim, path) || !is_path(sim, other) || !is_host(host) || path == other ||
	    is_shared(sim, path, host) ||
	    simnet_find_way(sim, (const struct sockaddr *)&sim->paths[other].addresses[host],
	                    (const struct sockaddr *)&sim->paths[path].addresses[1 - host], &taken)) {
		return fail(EINVAL);
	}
	own = &sim->paths[path].addresses[host];
	remove_interface(sim, path, host);
	*own = sim->paths[other].addresses[host];
	return 0;
}

int usrsctp_cmt_sim_add_shared_link(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_link *forward,
                                    const struct usrsctp_cmt_sim_link *backward)
{
	const struct usrsctp_cmt_sim_link *configs[2] = {forward, backward};
	int number = USRSCTP_CMT_SIM_MAX_PATHS + sim->n_shared;

	if (forward == NULL || backward == NULL || simnet_link_check(forward) != 0 ||
	    simnet_link_check(backward) != 0) {
		return fail(EINVAL);
	}
	if (sim->n_shared == USRSCTP_CMT_SIM_MAX_SHARED_LINKS) {
		return fail(ENOSPC);
	}
	for (int direction = 0; direction < 2; direction++) {
		simnet_link_init(&sim->shared[sim->n_shared].links[direction], configs[direction],
		                 sim->config.seed, (uint64_t)(2 * number + direction));
	}
	sim->n_shared++;
	return number;
}

int usrsctp_cmt_sim_via(struct usrsctp_cmt_sim *sim, int path, int shared_link)
{
	int i = shared_link - USRSCTP_CMT_SIM_MAX_PATHS;

	if (!is_path(sim, path) || (shared_link != -1 && (i < 0 || i >= sim->n_shared))) {
		return fail(EINVAL);
	}
	sim->paths[path].via = shared_link == -1 ? NULL : &sim->shared[i];
	return 0;
}

/* One direction of a path's own link, or of a shared one; NULL when there is no such number. */
static struct simnet_link *find_link(struct usrsctp_cmt_sim *sim, int number, int direction)
{
	int shared = number - USRSCTP_CMT_SIM_MAX_PATHS;

	if (!is_host(direction)) {
		return NULL;
	}
	if (is_path(sim, number)) {
		return &sim->paths[number].links[direction];
	}
	return shared >= 0 && shared < sim->n_shared ? &sim->shared[shared].links[direction] : NULL;
}

static const struct simnet_link *find_link_const(const struct usrsctp_cmt_sim *sim, int number, int direction)
{
	/* find_link() only reads. */
	return find_link((struct usrsctp_cmt_sim *)(uintptr_t)sim, number, direction);
}

int usrsctp_cmt_sim_set_link(struct usrsctp_cmt_sim *sim, int path, int direction,
                             const struct usrsctp_cmt_sim_link *link)
{
	struct simnet_link *found = find_link(sim, path, direction);

	if (found == NULL || link == NULL || simnet_link_check(link) != 0) {
		return fail(EINVAL);
	}
	simnet_link_configure(found, link, sim->now_us);
	return 0;
}

int usrsctp_cmt_sim_get_link(const struct usrsctp_cmt_sim *sim, int path, int direction,
                             struct usrsctp_cmt_sim_link *link)
{
	const struct simnet_link *found = find_link_const(sim, path, direction);

	if (found == NULL || link == NULL) {
		return fail(EINVAL);
	}
	*link = found->config;
	return 0;
}

int usrsctp_cmt_sim_link_stats(const struct usrsctp_cmt_sim *sim, int path, int direction,
                               struct usrsctp_cmt_sim_link_stats *out)
{
	const struct simnet_link *found = find_link_const(sim, path, direction);

	if (found == NULL || out == NULL) {
		return fail(EINVAL);
	}
	*out = found->stats;
	return 0;
}

/* --- sockets --- */

struct address_list {
	int n;
	size_t each_bytes;
	uint8_t packed[USRSCTP_CMT_SIM_MAX_PATHS * sizeof(struct sockaddr_in6)];
};

/* Addresses of a host one behind the other, as the multihoming calls of the stack want them. 0 or -1. */
static int list_addresses(const struct usrsctp_cmt_sim *sim, int host, int only_path, uint16_t port,
                          struct address_list *out)
{
	int first = only_path == -1 ? 0 : only_path;
	int last = only_path == -1 ? sim->n_paths - 1 : only_path;

	if (!is_host(host) || !is_path(sim, first) || !is_path(sim, last)) {
		return fail(EINVAL);
	}
	out->n = 0;
	out->each_bytes =
	    sim->config.family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
	for (int path = first; path <= last; path++) {
		struct sockaddr_storage address;

		if (only_path == -1 && is_shared(sim, path, host)) {
			continue;
		}
		usrsctp_cmt_sim_address(sim, host, path, port, &address);
		memcpy(out->packed + (size_t)out->n * out->each_bytes, &address, out->each_bytes);
		out->n++;
	}
	return 0;
}

/* The port that the stack chose; 0 when it does not tell. */
static uint16_t local_port(struct socket *so)
{
	struct sockaddr *addresses = NULL;
	uint16_t port = 0;

	if (usrsctp_getladdrs(so, 0, &addresses) > 0) {
		port = addresses->sa_family == AF_INET6
		           ? ntohs(((const struct sockaddr_in6 *)(const void *)addresses)->sin6_port)
		           : ntohs(((const struct sockaddr_in *)(const void *)addresses)->sin_port);
		usrsctp_freeladdrs(addresses);
	}
	return port;
}

int usrsctp_cmt_sim_bind(struct usrsctp_cmt_sim *sim, struct socket *so, int host, uint16_t port,
                         int only_path)
{
	struct address_list list;

	if (list_addresses(sim, host, only_path, port, &list) != 0) {
		return -1;
	}
	/* The first address settles the port; with port 0 the others have to follow it. */
	if (usrsctp_bindx(so, (struct sockaddr *)(void *)list.packed, 1, SCTP_BINDX_ADD_ADDR) != 0) {
		return -1;
	}
	if (port == 0) {
		port = local_port(so);
		if (list_addresses(sim, host, only_path, port, &list) != 0) {
			return -1;
		}
	}
	sim->host_of_port[port] = (uint8_t)host;
	if (list.n == 1) {
		return 0;
	}
	return usrsctp_bindx(so, (struct sockaddr *)(void *)(list.packed + list.each_bytes), list.n - 1,
	                     SCTP_BINDX_ADD_ADDR);
}

int usrsctp_cmt_sim_connect(struct usrsctp_cmt_sim *sim, struct socket *so, int peer_host, uint16_t port,
                            int only_path)
{
	struct address_list list;

	if (port == 0) {
		return fail(EINVAL);
	}
	if (list_addresses(sim, peer_host, only_path, port, &list) != 0) {
		return -1;
	}
	if (usrsctp_connectx(so, (const struct sockaddr *)(const void *)list.packed, list.n, NULL) != 0 &&
	    errno != EINPROGRESS) {
		return -1;
	}
	return 0;
}
