/* SPDX-License-Identifier: BSD-3-Clause */
#include "event.h"

#include <errno.h>
#include <ifaddrs.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Behind net/if.h, the flags of which it then leaves out. */
#include <linux/if.h>

#define PORT_TRIES      64
#define GROUP_IPV6_RULE (1u << (RTNLGRP_IPV6_RULE - 1))

/* --- what this host has --- */

static bool is_ip(const struct ifaddrs *i)
{
	return i->ifa_addr != NULL &&
	       (i->ifa_addr->sa_family == AF_INET || i->ifa_addr->sa_family == AF_INET6);
}

/* The interface that has `address`, or, for the loopback interface, its subnet; NULL when none does. */
static const struct ifaddrs *interface_of(const struct ifaddrs *list, const struct sockaddr *address)
{
	for (const struct ifaddrs *i = list; i != NULL; i = i->ifa_next) {
		if (is_ip(i) && evio_address_equal(i->ifa_addr, address)) {
			return i;
		}
	}
	for (const struct ifaddrs *i = list; i != NULL; i = i->ifa_next) {
		union evio_address all_ones;

		if (!is_ip(i) || (i->ifa_flags & IFF_LOOPBACK) == 0 || i->ifa_netmask == NULL ||
		    i->ifa_addr->sa_family != address->sa_family) {
			continue;
		}
		memset(&all_ones, 0xff, sizeof(all_ones));
		all_ones.any.sa_family = address->sa_family;
		if (evio_common_prefix_bits(i->ifa_addr, address) >=
		    evio_common_prefix_bits(i->ifa_netmask, &all_ones.any)) {
			return i;
		}
	}
	return NULL;
}

static uint32_t device_mtu(const char *name)
{
	struct ifreq request = {.ifr_mtu = 0};
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int found;

	if (fd < 0) {
		return EVIO_FALLBACK_MTU;
	}
	snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", name);
	found = ioctl(fd, SIOCGIFMTU, &request);
	close(fd);
	return found == 0 && request.ifr_mtu > 0 ? (uint32_t)request.ifr_mtu : EVIO_FALLBACK_MTU;
}

int evio_device_of(struct usrsctp_cmt_event *ev, const struct sockaddr *address)
{
	const struct evio_local *local = evio_local_by_address(ev, address);
	const struct ifaddrs *interface;
	struct ifaddrs *list;
	int device = 0;

	if (local != NULL) {
		return local->device;
	}
	if (getifaddrs(&list) != 0) {
		return 0;
	}
	interface = interface_of(list, address);
	if (interface != NULL) {
		device = (int)if_nametoindex(interface->ifa_name);
	}
	freeifaddrs(list);
	return device;
}

/* --- our list --- */

struct evio_local *evio_local_by_address(struct usrsctp_cmt_event *ev, const struct sockaddr *address)
{
	for (size_t i = 0; i < ev->n_locals; i++) {
		if (evio_address_equal(&ev->locals[i].address.any, address)) {
			return &ev->locals[i];
		}
	}
	return NULL;
}

static void describe_device(struct evio_local *local, const struct ifaddrs *interface)
{
	uint32_t max = local->ev->config.mtu_max_bytes;

	local->device = (int)if_nametoindex(interface->ifa_name);
	local->mtu_bytes = device_mtu(interface->ifa_name);
	if (local->mtu_bytes > max) {
		local->mtu_bytes = max;
	}
	/* At once; IFF_RUNNING follows when the kernel finds time for it. */
	local->carrier = (interface->ifa_flags & IFF_LOWER_UP) != 0;
}

static void describe_device_anew(struct evio_local *local, const struct ifaddrs *interface)
{
	const bool had_carrier = local->carrier;

	describe_device(local, interface);
	if (local->present && had_carrier && !local->carrier) {
		(void)usrsctp_cmt_packets_address_down(local->ev->packets, &local->address.any);
	} else if (!had_carrier && local->carrier) {
		local->ev->probe_all = true;
	}
}

/* Makes an address of this host usable. 0, or -1 with errno. */
static int bring_up(struct usrsctp_cmt_event *ev, const struct ifaddrs *interface,
                    const struct sockaddr *address)
{
	struct evio_local *local = evio_local_by_address(ev, address);
	union evio_address shown;

	if (local == NULL) {
		if (ev->n_locals == EVIO_ADDRESSES_MAX) {
			errno = ENOSPC;
			return -1;
		}
		local = &ev->locals[ev->n_locals];
		*local = (struct evio_local){.ev = ev, .fd = -1};
		evio_address_copy(&local->address, address, 0);
	}
	if (evio_socket_open(local, &ev->udp_port) != 0) {
		return -1;
	}
	evio_address_copy(&shown, &local->address.any,
	                  ev->config.transport == USRSCTP_CMT_EVENT_UDP ? ev->udp_port : 0);
	if (usrsctp_cmt_packets_add_address(ev->packets, &shown.any) != 0) {
		evio_socket_close(local);
		return -1;
	}
	if (local == &ev->locals[ev->n_locals]) {
		ev->n_locals++;
	}
	describe_device(local, interface);
	local->present = true;
	return 0;
}

static void take_down(struct evio_local *local)
{
	local->present = false;
	(void)usrsctp_cmt_packets_remove_address(local->ev->packets, &local->address.any);
	evio_socket_close(local);
}

int evio_pack_addresses(const struct usrsctp_cmt_event *ev, uint16_t sctp_port,
                        uint8_t out[EVIO_ADDRESSES_MAX * sizeof(struct sockaddr_in6)])
{
	int n = 0;

	for (size_t i = 0; i < ev->n_locals; i++) {
		union evio_address address;

		if (!ev->locals[i].present) {
			continue;
		}
		evio_address_copy(&address, &ev->locals[i].address.any, sctp_port);
		memcpy(out, &address, evio_address_len(&address.any));
		out += evio_address_len(&address.any);
		n++;
	}
	return n;
}

size_t usrsctp_cmt_event_addresses(const struct usrsctp_cmt_event *ev, struct sockaddr_storage *out,
                                   size_t max)
{
	size_t n = 0;

	for (size_t i = 0; i < ev->n_locals; i++) {
		if (!ev->locals[i].present) {
			continue;
		}
		if (n < max) {
			memset(&out[n], 0, sizeof(out[n]));
			memcpy(&out[n], &ev->locals[i].address, sizeof(ev->locals[i].address));
		}
		n++;
	}
	return n;
}

/* --- at the start --- */

static int say(char *error, size_t error_bytes, int code, const char *format, const char *a, const char *b)
{
	if (error != NULL) {
		snprintf(error, error_bytes, format, a, b);
	}
	errno = code;
	return -1;
}

static void list_addresses(const struct ifaddrs *list, char *text, size_t text_bytes)
{
	size_t at = 0;

	text[0] = '\0';
	for (const struct ifaddrs *i = list; i != NULL && at < text_bytes; i = i->ifa_next) {
		char one[EVIO_ADDRESS_TEXT_SIZE];

		if (is_ip(i) && !evio_address_is_link_local(i->ifa_addr)) {
			at += (size_t)snprintf(text + at, text_bytes - at, "%s%s", at > 0 ? ", " : "",
			                       evio_address_text(i->ifa_addr, one));
		}
	}
}

static int explain(struct usrsctp_cmt_event *ev, const struct sockaddr *address, int code, char *error,
                   size_t error_bytes)
{
	char text[EVIO_ADDRESS_TEXT_SIZE], port[16];

	evio_address_text(address, text);
	snprintf(port, sizeof(port), "%u", ev->config.udp_port);
	switch (code) {
	case EADDRINUSE:
		return say(error, error_bytes, code, "cannot bind %s: UDP port %s is in use there", text,
		           port);
	case EPERM:
	case EACCES:
		return say(error, error_bytes, EPERM, "cannot open a raw socket on %s: %s", text,
		           ev->config.transport == USRSCTP_CMT_EVENT_RAW
		               ? "SCTP directly in IP needs root or CAP_NET_RAW; use UDP encapsulation"
		               : strerror(code));
	default: return say(error, error_bytes, code, "cannot bind %s: %s", text, strerror(code));
	}
}

/* Of all addresses: link-local ones leave room for others. */
static bool is_of_use(const struct usrsctp_cmt_event *ev, const struct ifaddrs *i)
{
	if ((i->ifa_flags & IFF_UP) == 0 ||
	    (ev->config.except_interface != NULL && strcmp(ev->config.except_interface, i->ifa_name) == 0)) {
		return false;
	}
	return !evio_address_is_link_local(i->ifa_addr) ||
	       (ev->link_local && i->ifa_addr->sa_family == AF_INET6 &&
	        ev->n_locals < EVIO_ADDRESSES_MAX / 2);
}

static int bring_up_all(struct usrsctp_cmt_event *ev, const struct ifaddrs *list, char *error,
                        size_t error_bytes)
{
	for (size_t i = 0; i < ev->n_wanted; i++) {
		const struct ifaddrs *interface = interface_of(list, &ev->wanted[i].any);
		char text[EVIO_ADDRESS_TEXT_SIZE], have[512];

		if (interface == NULL) {
			list_addresses(list, have, sizeof(have));
			return say(error, error_bytes, EADDRNOTAVAIL,
			           "cannot bind %s: address not on this host (have %s)",
			           evio_address_text(&ev->wanted[i].any, text), have);
		}
		if (bring_up(ev, interface, &ev->wanted[i].any) != 0) {
			return explain(ev, &ev->wanted[i].any, errno, error, error_bytes);
		}
	}
	for (const struct ifaddrs *i = ev->n_wanted == 0 ? list : NULL; i != NULL; i = i->ifa_next) {
		if (!is_ip(i) || !is_of_use(ev, i)) {
			continue;
		}
		/* An IPv6 address may still be in duplicate detection: netlink tells when it is not. */
		if (bring_up(ev, i, i->ifa_addr) != 0 && errno != EADDRNOTAVAIL && errno != ENOSPC) {
			return explain(ev, i->ifa_addr, errno, error, error_bytes);
		}
	}
	if (ev->n_locals == 0) {
		return say(error, error_bytes, EADDRNOTAVAIL, "no interface of this host %s%s",
		           "is up and has an address", "");
	}
	return 0;
}

/* A port that was chosen on one address may be taken on the next: then another one is tried. */
static int bring_up_on_one_port(struct usrsctp_cmt_event *ev, const struct ifaddrs *list, char *error,
                                size_t error_bytes)
{
	for (int tries = 1;; tries++) {
		int result;

		ev->udp_port = ev->config.udp_port;
		result = bring_up_all(ev, list, error, error_bytes);
		if (result == 0 || errno != EADDRINUSE || ev->config.udp_port != 0 || tries == PORT_TRIES) {
			return result;
		}
		for (size_t i = 0; i < ev->n_locals; i++) {
			take_down(&ev->locals[i]);
		}
		ev->n_locals = 0;
	}
}

/* --- changes --- */

static bool is_wanted(const struct usrsctp_cmt_event *ev, const struct ifaddrs *i)
{
	if (ev->n_wanted == 0) {
		return is_of_use(ev, i);
	}
	for (size_t k = 0; k < ev->n_wanted; k++) {
		if (evio_address_equal(&ev->wanted[k].any, i->ifa_addr)) {
			return true;
		}
	}
	return false;
}

static void rebind(struct usrsctp_cmt_event *ev, const struct evio_local *local, bool add)
{
	ev->stats.address_changes++;
	ev->probe_all = true;
	evio_listeners_rebind(ev, local, add);
	evio_conns_rebind(ev, local, add);
}

/* Looks at the whole list again: simpler than single messages, which may also get lost. An interface that is
 * down or has no carrier keeps its addresses: its paths fail at once, and are asked when it is back. */
static void follow(struct usrsctp_cmt_event *ev)
{
	struct ifaddrs *list;

	if (getifaddrs(&list) != 0) {
		return;
	}
	for (size_t i = 0; i < ev->n_locals; i++) {
		struct evio_local *local = &ev->locals[i];
		const struct ifaddrs *interface = interface_of(list, &local->address.any);

		if (interface != NULL) {
			describe_device_anew(local, interface);
		} else if (local->present) {
			rebind(ev, local, false);
			take_down(local);
		}
	}
	for (const struct ifaddrs *i = list; i != NULL; i = i->ifa_next) {
		const struct evio_local *known = is_ip(i) ? evio_local_by_address(ev, i->ifa_addr) : NULL;

		if (is_ip(i) && (known == NULL || !known->present) && is_wanted(ev, i) &&
		    bring_up(ev, i, i->ifa_addr) == 0) {
			rebind(ev, evio_local_by_address(ev, i->ifa_addr), true);
		}
	}
	freeifaddrs(list);
}

void evio_use_link_local(struct usrsctp_cmt_event *ev)
{
	if (ev->n_wanted == 0 && !ev->link_local) {
		ev->link_local = true;
		follow(ev);
		ev->n_routes = 0;
	}
}

static void on_netlink(evutil_socket_t fd, short what, void *arg)
{
	struct usrsctp_cmt_event *ev = arg;
	char messages[16384];

	(void)what;
	while (recv(fd, messages, sizeof(messages), MSG_DONTWAIT) > 0) {
	}
	evio_enter(ev);
	ev->n_routes = 0;
	follow(ev);
	ev->n_routes = 0; /* what was asked in between may have met an address half way */
	evio_conns_refresh(ev);
	evio_leave(ev);
}

static int watch(struct usrsctp_cmt_event *ev)
{
	struct sockaddr_nl groups = {.nl_family = AF_NETLINK,
	                             .nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR |
	                                          RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE | RTMGRP_IPV4_RULE |
	                                          GROUP_IPV6_RULE};

	ev->netlink_fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
	if (ev->netlink_fd < 0 || bind(ev->netlink_fd, (struct sockaddr *)&groups, sizeof(groups)) != 0) {
		return -1;
	}
	ev->netlink = event_new(ev->base, ev->netlink_fd, EV_READ | EV_PERSIST, on_netlink, ev);
	return ev->netlink != NULL ? event_add(ev->netlink, NULL) : -1;
}

int evio_addresses_open(struct usrsctp_cmt_event *ev, char *error, size_t error_bytes)
{
	struct ifaddrs *list;
	int result;

	/* First, so that nothing changes unseen in between. */
	if (watch(ev) != 0 || getifaddrs(&list) != 0) {
		return say(error, error_bytes, errno, "cannot ask for the addresses of this host: %s%s",
		           strerror(errno), "");
	}
	result = bring_up_on_one_port(ev, list, error, error_bytes);
	freeifaddrs(list);
	return result;
}

void evio_addresses_close(struct usrsctp_cmt_event *ev)
{
	for (size_t i = 0; i < ev->n_locals; i++) {
		evio_socket_close(&ev->locals[i]);
	}
	if (ev->netlink != NULL) {
		event_free(ev->netlink);
	}
	if (ev->netlink_fd >= 0) {
		close(ev->netlink_fd);
	}
}
