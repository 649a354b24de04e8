/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which local address leads to an address of a peer, and how large packets may be there. */
#include "event.h"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <string.h>
#include <unistd.h>

#include "udp.h"

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
	if (ask_kernel(to, &src, &mtu_bytes)) {
		route->local = nearest_local(ev, evio_device_of(ev, &src.any), to);
	}
	route->mtu_bytes = route->local != NULL ? route->local->mtu_bytes : ev->config.mtu_max_bytes;
	if (mtu_bytes < EVIO_MTU_MIN_BYTES && route->local == NULL) {
		mtu_bytes = EVIO_FALLBACK_MTU;
	}
	if (mtu_bytes >= EVIO_MTU_MIN_BYTES && mtu_bytes < route->mtu_bytes) {
		route->mtu_bytes = mtu_bytes;
	}
	route->told_bytes = route->mtu_bytes;
	return route;
}

bool evio_find_route(void *ctx, const struct sockaddr *dst, struct sockaddr_storage *src)
{
	const struct evio_local *local = evio_route(ctx, dst)->local;

	if (local != NULL) {
		memcpy(src, &local->address, sizeof(local->address));
	}
	return local != NULL;
}

struct route_question {
	struct nlmsghdr header;
	struct rtmsg route;
	uint8_t attributes[2 * RTA_SPACE(sizeof(struct in6_addr)) + RTA_SPACE(sizeof(uint32_t))];
};

static void add_attribute(struct route_question *q, unsigned short type, const void *data, size_t bytes)
{
	struct rtattr *a = (struct rtattr *)(void *)((uint8_t *)q + NLMSG_ALIGN(q->header.nlmsg_len));

	a->rta_type = type;
	a->rta_len = (unsigned short)RTA_LENGTH(bytes);
	memcpy(RTA_DATA(a), data, bytes);
	q->header.nlmsg_len = (uint32_t)(NLMSG_ALIGN(q->header.nlmsg_len) + RTA_ALIGN(a->rta_len));
}

/* The type of the kernel's route to `dst`, from `local` through its interface unless NULL; RTN_UNSPEC: none.
 * Only its tables know: a socket that is bound to an interface takes every address for a neighbour there. */
static unsigned char find_route(const struct sockaddr *dst, const struct evio_local *local)
{
	unsigned bytes;
	const uint8_t *to = evio_address_bytes(dst, &bytes);
	struct route_question question = {.header = {.nlmsg_len = NLMSG_LENGTH(sizeof(struct rtmsg)),
	                                             .nlmsg_type = RTM_GETROUTE,
	                                             .nlmsg_flags = NLM_F_REQUEST},
	                                  .route = {.rtm_family = (unsigned char)dst->sa_family,
	                                            .rtm_dst_len = (unsigned char)(8 * bytes),
	                                            .rtm_flags = RTM_F_FIB_MATCH}};
	union {
		struct nlmsghdr header;
		uint8_t bytes[4096];
	} answer;
	unsigned char type = RTN_UNSPEC;
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);

	if (fd < 0) {
		return RTN_UNSPEC;
	}
	add_attribute(&question, RTA_DST, to, bytes);
	if (local != NULL) {
		question.route.rtm_src_len = (unsigned char)(8 * bytes);
		add_attribute(&question, RTA_SRC, evio_address_bytes(&local->address.any, &bytes), bytes);
		add_attribute(&question, RTA_OIF, &local->device, sizeof(local->device));
	}
	if (send(fd, &question, question.header.nlmsg_len, 0) == (ssize_t)question.header.nlmsg_len &&
	    recv(fd, &answer, sizeof(answer), 0) >= (ssize_t)NLMSG_LENGTH(sizeof(struct rtmsg)) &&
	    answer.header.nlmsg_type == RTM_NEWROUTE) {
		type = ((const struct rtmsg *)NLMSG_DATA(&answer.header))->rtm_type;
	}
	close(fd);
	return type;
}

/* What leaves by the socket leaves through the interface of its address, whatever other routes there are. */
static void keep_to_interface(struct evio_local *local)
{
	const int index = (int)htonl((uint32_t)local->device);

	if (local->address.any.sa_family == AF_INET6) {
		udp_set_int(local->fd, IPPROTO_IPV6, IPV6_UNICAST_IF, index);
	} else {
		udp_set_int(local->fd, IPPROTO_IP, IP_UNICAST_IF, index);
	}
	local->kept_to_device = true;
}

bool evio_reaches(void *ctx, const struct sockaddr *src, const struct sockaddr *dst)
{
	struct usrsctp_cmt_event *ev = ctx;
	struct evio_local *local = evio_local_by_address(ev, src);

	if (local == NULL || local->device == 0 || src->sa_family != dst->sa_family ||
	    evio_address_is_link_local(dst)) {
		return false;
	}
	/* Of several addresses of an interface one is enough: they share its link. On this host there is no
	 * other way than the shortest. */
	if (nearest_local(ev, local->device, dst) != local || find_route(dst, NULL) != RTN_UNICAST ||
	    find_route(dst, local) != RTN_UNICAST) {
		return false;
	}
	keep_to_interface(local);
	return true;
}

/* With every packet: the kernel is not asked. An address may be of another interface than its packets leave by,
 * as a service's on the loopback interface. */
uint32_t evio_mtu(void *ctx, const struct sockaddr *src, const struct sockaddr *dst)
{
	const struct evio_local *local = evio_local_by_address(ctx, src);
	const struct evio_route *route = dst != NULL ? known_route(ctx, dst) : NULL;

	if (local == NULL) {
		return 0;
	}
	if (route == NULL || (local->kept_to_device && route->local != local)) {
		return local->mtu_bytes;
	}
	return route->mtu_bytes < local->mtu_bytes ? route->mtu_bytes : local->mtu_bytes;
}
