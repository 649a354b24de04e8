/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sockets of the two hosts: bound to their addresses, connected to those of the other. */
#include "simnet.h"

#include <errno.h>
#include <netinet/in.h>
#include <string.h>

struct address_list {
	int n;
	size_t each_bytes;
	uint8_t packed[USRSCTP_CMT_SIM_MAX_PATHS * sizeof(struct sockaddr_in6)];
};

static bool has(const struct address_list *list, const struct sockaddr_storage *address)
{
	for (int i = 0; i < list->n; i++) {
		if (memcmp(list->packed + (size_t)i * list->each_bytes, address, list->each_bytes) == 0) {
			return true;
		}
	}
	return false;
}

/* Addresses of a host one behind the other, as the multihoming calls of the stack want them: its own that are
 * present, or those under which the world knows it. 0 or -1. */
static int list_addresses(const struct usrsctp_cmt_sim *sim, int host, int only_path, uint16_t port,
                          bool for_the_world, struct address_list *out)
{
	int first = only_path == -1 ? 0 : only_path;
	int last = only_path == -1 ? sim->n_paths - 1 : only_path;

	if (!simnet_is_host(host) || !simnet_is_path(sim, first) || !simnet_is_path(sim, last)) {
		return simnet_fail(EINVAL);
	}
	out->n = 0;
	out->each_bytes =
	    sim->config.family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
	for (int path = first; path <= last; path++) {
		struct sockaddr_storage address;

		if (for_the_world) {
			usrsctp_cmt_sim_public_address(sim, host, path, port, &address, NULL);
		} else {
			usrsctp_cmt_sim_address(sim, host, path, port, &address);
		}
		if (has(out, &address) ||
		    (!for_the_world && !simnet_is_present(sim, (const struct sockaddr *)&address))) {
			continue;
		}
		memcpy(out->packed + (size_t)out->n * out->each_bytes, &address, out->each_bytes);
		out->n++;
	}
	return out->n > 0 ? 0 : simnet_fail(EADDRNOTAVAIL);
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

	if (list_addresses(sim, host, only_path, port, false, &list) != 0) {
		return -1;
	}
	/* The first address settles the port; with port 0 the others have to follow it. */
	if (usrsctp_bindx(so, (struct sockaddr *)(void *)list.packed, 1, SCTP_BINDX_ADD_ADDR) != 0) {
		return -1;
	}
	if (port == 0) {
		port = local_port(so);
		if (list_addresses(sim, host, only_path, port, false, &list) != 0) {
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
		return simnet_fail(EINVAL);
	}
	if (list_addresses(sim, peer_host, only_path, port, true, &list) != 0) {
		return -1;
	}
	if (usrsctp_connectx(so, (const struct sockaddr *)(const void *)list.packed, list.n, NULL) != 0 &&
	    errno != EINPROGRESS) {
		return -1;
	}
	return 0;
}

int usrsctp_cmt_sim_rebind(struct usrsctp_cmt_sim *sim, struct socket *so, int host, int path, bool add)
{
	struct sockaddr_storage address;

	if (usrsctp_cmt_sim_address(sim, host, path, local_port(so), &address) != 0) {
		return -1;
	}
	return usrsctp_bindx(so, (struct sockaddr *)&address, 1,
	                     add ? SCTP_BINDX_ADD_ADDR : SCTP_BINDX_REM_ADDR);
}

int usrsctp_cmt_sim_encapsulate(struct usrsctp_cmt_sim *sim, struct socket *so, int peer_host, int path)
{
	struct sctp_udpencaps encaps = {.sue_port = 0};
	struct sockaddr_storage address;
	uint16_t udp_port = USRSCTP_CMT_SIM_UDP_PORT;

	if (path != -1 && usrsctp_cmt_sim_public_address(sim, peer_host, path, 0, &address, &udp_port) != 0) {
		return -1;
	}
	/* Without a port of its own the stack sends nothing in UDP. */
	usrsctp_sysctl_set_sctp_udp_tunneling_port(USRSCTP_CMT_SIM_UDP_PORT);
	if (path == -1) {
		return 0;
	}
	encaps.sue_address.ss_family = (sa_family_t)sim->config.family;
	encaps.sue_port = htons(udp_port);
	return usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_REMOTE_UDP_ENCAPS_PORT, &encaps, sizeof(encaps));
}
