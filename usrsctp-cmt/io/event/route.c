/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which local address leads to an address of a peer, and how large packets may be there. */
#include "event.h"

#include <string.h>
#include <unistd.h>

#define DISCARD_PORT 9

/* Which address the kernel would send from, and packets of what size (0 = it does not say), found by
 * connecting a datagram socket: no packet leaves. */
static bool ask_kernel(const struct sockaddr *dst, union evio_address *src, uint32_t *mtu_bytes)
{
	int fd = socket(dst->sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	socklen_t len = sizeof(*src);
	bool six = dst->sa_family == AF_INET6;
	int mtu = 0;
	socklen_t mtu_len = sizeof(mtu);
	union evio_address to;
	bool found;

	if (fd < 0) {
		return false;
	}
	evio_address_copy(&to, dst, DISCARD_PORT);
	found = connect(fd, &to.any, evio_address_len(dst)) == 0 && getsockname(fd, &src->any, &len) == 0;
	if (found) {
		(void)getsockopt(fd, six ? IPPROTO_IPV6 : IPPROTO_IP, six ? IPV6_MTU : IP_MTU, &mtu,
		                 &mtu_len);
	}
	close(fd);
	*mtu_bytes = mtu > 0 ? (uint32_t)mtu : 0;
	return found;
}

/* Among the addresses of a device, the nearest to `dst`: several addresses of one interface so become
 * several paths. IPv6 has link-local ones for each other only. NULL when there is none. */
static const struct evio_local *nearest_local(const struct usrsctp_cmt_event *ev, int device,
                                              const struct sockaddr *dst)
{
	const bool six = dst->sa_family == AF_INET6;
	const struct evio_local *best = NULL;
	unsigned best_bits = 0;

	for (size_t i = 0; i < ev->n_locals; i++) {
		const struct evio_local *local = &ev->locals[i];
		unsigned bits;

		if (!local->present || local->device != device ||
		    local->address.any.sa_family != dst->sa_family ||
		    (six &&
		     evio_address_is_link_local(&local->address.any) != evio_address_is_link_local(dst))) {
			continue;
		}
		bits = evio_common_prefix_bits(&local->address.any, dst);
		if (best == NULL || bits > best_bits) {
			best = local;
			best_bits = bits;
		}
	}
	return best;
}

static struct evio_route *known_route(struct usrsctp_cmt_event *ev, const struct sockaddr *to)
{
	for (unsigned i = 0; i < ev->n_routes; i++) {
		if (evio_address_equal(&ev->routes[i].to.any, to)) {
			return &ev->routes[i];
		}
	}
	return NULL;
}

struct evio_route *evio_route(struct usrsctp_cmt_event *ev, const struct sockaddr *to)
{
	struct evio_route *route = known_route(ev, to);
	union evio_address src;
	uint32_t mtu_bytes = 0;

	if (route != NULL) {
		return route;
	}
	if (ev->n_routes < EVIO_ROUTES) {
		route = &ev->routes[ev->n_routes++];
	} else {
		route = &ev->routes[ev->next_route++ % EVIO_ROUTES];
	}
	evio_address_copy(&route->to, to, 0);
	route->local = NULL;
	route->mtu_bytes = EVIO_FALLBACK_MTU;
	if (ask_kernel(to, &src, &mtu_bytes)) {
		route->local = nearest_local(ev, evio_device_of(ev, &src.any), to);
	}
	if (route->local != NULL) {
		route->mtu_bytes = route->local->mtu_bytes;
		if (mtu_bytes >= EVIO_MTU_MIN_BYTES && mtu_bytes < route->mtu_bytes) {
			route->mtu_bytes = mtu_bytes;
		}
	}
	route->told_bytes = route->mtu_bytes;
	return route;
}

uint32_t evio_if_index(void *ctx, const struct sockaddr *dst)
{
	const struct evio_route *route = evio_route(ctx, dst);

	return route->local != NULL ? route->local->index : 0;
}

/* With every packet: the kernel is not asked. */
uint32_t evio_mtu(void *ctx, const struct sockaddr *src, const struct sockaddr *dst)
{
	const struct evio_local *local = evio_local_by_address(ctx, src);
	const struct evio_route *route = dst != NULL ? known_route(ctx, dst) : NULL;

	if (local == NULL) {
		return 0;
	}
	return route != NULL && route->local == local ? route->mtu_bytes : local->mtu_bytes;
}
