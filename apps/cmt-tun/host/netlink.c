/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/netlink.h"

#include <errno.h>
#include <linux/fib_rules.h>
#include <linux/if.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>

#include <libmnl/libmnl.h>

#define REQUEST_BYTES 1024u
#define ANSWER_BYTES  32768u
#define LISTED_BYTES  (256u << 10) /* of what is to be deleted */

struct tun_netlink {
	struct mnl_socket *socket;
	unsigned sequence;
	char answer[ANSWER_BYTES];
};

struct tun_netlink *tun_netlink_open(void)
{
	struct tun_netlink *const n = calloc(1, sizeof(*n));

	if (n == NULL) {
		return NULL;
	}
	n->socket = mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC);
	if (n->socket == NULL || mnl_socket_bind(n->socket, 0, MNL_SOCKET_AUTOPID) != 0) {
		tun_netlink_close(n);
		return NULL;
	}
	return n;
}

void tun_netlink_close(struct tun_netlink *n)
{
	if (n != NULL && n->socket != NULL) {
		(void)mnl_socket_close(n->socket);
	}
	free(n);
}

/* Sends a request and gives its answers to `fn`. */
static int talk(struct tun_netlink *n, struct nlmsghdr *request, mnl_cb_t fn, void *arg)
{
	request->nlmsg_seq = ++n->sequence;
	if (mnl_socket_sendto(n->socket, request, request->nlmsg_len) < 0) {
		return -errno;
	}
	for (;;) {
		const ssize_t len = mnl_socket_recvfrom(n->socket, n->answer, sizeof(n->answer));
		int more;

		if (len < 0) {
			return -errno;
		}
		more = mnl_cb_run(n->answer, (size_t)len, n->sequence, mnl_socket_get_portid(n->socket), fn,
		                  arg);
		if (more <= 0) {
			return more == 0 ? 0 : -errno;
		}
	}
}

static int change(struct tun_netlink *n, struct nlmsghdr *request, bool add)
{
	int rc;

	request->nlmsg_flags |= NLM_F_REQUEST | NLM_F_ACK;
	rc = talk(n, request, NULL, NULL);
	if (add ? rc == -EEXIST : rc == -ESRCH || rc == -ENOENT || rc == -EADDRNOTAVAIL || rc == -ENODEV) {
		return 0;
	}
	return rc;
}

static struct nlmsghdr *begin(char *bytes, uint16_t type, uint16_t flags)
{
	struct nlmsghdr *const h = mnl_nlmsg_put_header(bytes);

	h->nlmsg_type = type;
	h->nlmsg_flags = flags;
	return h;
}

int tun_netlink_link(struct tun_netlink *n, unsigned index, uint32_t mtu_bytes)
{
	char bytes[REQUEST_BYTES] = {0};
	struct nlmsghdr *const h = begin(bytes, RTM_NEWLINK, 0);
	struct ifinfomsg *const link = mnl_nlmsg_put_extra_header(h, sizeof(*link));

	link->ifi_index = (int)index;
	link->ifi_flags = link->ifi_change = IFF_UP;
	mnl_attr_put_u32(h, IFLA_MTU, mtu_bytes);
	return change(n, h, true);
}

int tun_netlink_address(struct tun_netlink *n, bool add, unsigned index, const struct tun_prefix *address)
{
	char bytes[REQUEST_BYTES] = {0};
	struct nlmsghdr *const h =
	    begin(bytes, add ? RTM_NEWADDR : RTM_DELADDR, add ? NLM_F_CREATE | NLM_F_REPLACE : 0);
	struct ifaddrmsg *const a = mnl_nlmsg_put_extra_header(h, sizeof(*a));

	a->ifa_family = (unsigned char)address->family;
	a->ifa_prefixlen = (unsigned char)address->bits;
	/* Nobody else can have the address: it can be used at once. */
	a->ifa_flags = address->family == AF_INET6 ? IFA_F_NODAD : 0;
	a->ifa_index = index;
	mnl_attr_put(h, IFA_LOCAL, tun_address_bytes(address->family), address->address);
	mnl_attr_put(h, IFA_ADDRESS, tun_address_bytes(address->family), address->address);
	return change(n, h, add);
}

int tun_netlink_route(struct tun_netlink *n, bool add, const struct tun_route *route)
{
	char bytes[REQUEST_BYTES] = {0};
	struct nlmsghdr *const h =
	    begin(bytes, add ? RTM_NEWROUTE : RTM_DELROUTE, add ? NLM_F_CREATE | NLM_F_REPLACE : 0);
	struct rtmsg *const r = mnl_nlmsg_put_extra_header(h, sizeof(*r));

	r->rtm_family = (unsigned char)route->to->family;
	r->rtm_dst_len = (unsigned char)route->to->bits;
	r->rtm_protocol = TUN_ROUTE_PROTOCOL;
	r->rtm_type = route->index != 0 ? RTN_UNICAST : RTN_UNREACHABLE;
	r->rtm_scope = route->index != 0 && route->to->family == AF_INET ? RT_SCOPE_LINK : RT_SCOPE_UNIVERSE;
	if (route->to->bits > 0) {
		mnl_attr_put(h, RTA_DST, tun_address_bytes(route->to->family), route->to->address);
	}
	mnl_attr_put_u32(h, RTA_TABLE, route->table);
	mnl_attr_put_u32(h, RTA_PRIORITY, route->metric);
	if (route->index != 0) {
		mnl_attr_put_u32(h, RTA_OIF, route->index);
	}
	return change(n, h, add);
}

int tun_netlink_add_rule(struct tun_netlink *n, const struct tun_rule *rule)
{
	char bytes[REQUEST_BYTES] = {0};
	struct nlmsghdr *const h = begin(bytes, RTM_NEWRULE, NLM_F_CREATE | NLM_F_EXCL);
	struct fib_rule_hdr *const r = mnl_nlmsg_put_extra_header(h, sizeof(*r));

	r->family = (uint8_t)rule->family;
	r->action = rule->table != 0 ? FR_ACT_TO_TBL : rule->go_to != 0 ? FR_ACT_GOTO : FR_ACT_NOP;
	if (rule->to != NULL) {
		r->dst_len = (uint8_t)rule->to->bits;
		mnl_attr_put(h, FRA_DST, tun_address_bytes(rule->family), rule->to->address);
	}
	mnl_attr_put_u32(h, FRA_PRIORITY, rule->priority);
	mnl_attr_put_u8(h, FRA_PROTOCOL, TUN_ROUTE_PROTOCOL);
	if (rule->table != 0) {
		mnl_attr_put_u32(h, FRA_TABLE, rule->table);
	}
	if (rule->not_default) {
		mnl_attr_put_u32(h, FRA_SUPPRESS_PREFIXLEN, 0);
	}
	if (rule->go_to != 0) {
		mnl_attr_put_u32(h, FRA_GOTO, rule->go_to);
	}
	return change(n, h, true);
}

/* --- deleting what is listed --- */

/* Requests, one behind the other. */
struct list {
	uint32_t first, last;
	uint16_t type; /* RTM_DELRULE, RTM_DELROUTE */
	size_t len;
	char bytes[LISTED_BYTES];
};

struct wanted {
	uint16_t type; /* of the attribute */
	uint32_t value;
};

static int take_value(const struct nlattr *attr, void *arg)
{
	struct wanted *const w = arg;
	const size_t bytes = mnl_attr_get_payload_len(attr);

	if (mnl_attr_get_type(attr) == w->type && bytes >= 1) {
		w->value = bytes >= 4 ? mnl_attr_get_u32(attr) : mnl_attr_get_u8(attr);
	}
	return MNL_CB_OK;
}

/* Of an attribute behind a header of `extra` bytes. */
static uint32_t value_of(const struct nlmsghdr *h, unsigned extra, uint16_t attribute, uint32_t fallback)
{
	struct wanted w = {.type = attribute, .value = fallback};

	(void)mnl_attr_parse(h, extra, take_value, &w);
	return w.value;
}

static bool is_ours(const struct list *l, const struct nlmsghdr *h)
{
	uint32_t number;

	if (l->type == RTM_DELRULE) {
		if (value_of(h, sizeof(struct fib_rule_hdr), FRA_PROTOCOL, 0) != TUN_ROUTE_PROTOCOL) {
			return false;
		}
		number = value_of(h, sizeof(struct fib_rule_hdr), FRA_PRIORITY, 0);
	} else {
		const struct rtmsg *const r = mnl_nlmsg_get_payload(h);

		if (r->rtm_protocol != TUN_ROUTE_PROTOCOL) {
			return false;
		}
		number = value_of(h, sizeof(*r), RTA_TABLE, r->rtm_table);
	}
	return number >= l->first && number <= l->last;
}

static int list_one(const struct nlmsghdr *h, void *arg)
{
	struct list *const l = arg;
	struct nlmsghdr *copy;

	if (is_ours(l, h) && l->len + NLMSG_ALIGN(h->nlmsg_len) <= sizeof(l->bytes)) {
		memcpy(l->bytes + l->len, h, h->nlmsg_len);
		copy = (struct nlmsghdr *)(void *)(l->bytes + l->len);
		copy->nlmsg_type = l->type;
		copy->nlmsg_flags = 0;
		l->len += NLMSG_ALIGN(h->nlmsg_len);
	}
	return MNL_CB_OK;
}

static int delete_of_family(struct tun_netlink *n, struct list *l, uint16_t ask, int family, unsigned *count)
{
	char bytes[REQUEST_BYTES] = {0};
	struct nlmsghdr *const h = begin(bytes, ask, NLM_F_REQUEST | NLM_F_DUMP);
	struct rtmsg *const r = mnl_nlmsg_put_extra_header(h, sizeof(*r)); /* as long as that of a rule */
	int rc;

	r->rtm_family = (unsigned char)family;
	l->len = 0;
	rc = talk(n, h, list_one, l);
	for (size_t at = 0; rc == 0 && at < l->len;) {
		struct nlmsghdr *const one = (struct nlmsghdr *)(void *)(l->bytes + at);

		at += NLMSG_ALIGN(one->nlmsg_len);
		rc = change(n, one, false);
		*count += rc == 0;
	}
	return rc;
}

static int delete_all(struct tun_netlink *n, uint16_t ask, uint16_t type, uint32_t first, uint32_t last,
                      unsigned *count)
{
	struct list *const l = calloc(1, sizeof(*l));
	int rc, rc6;

	if (l == NULL) {
		return -ENOMEM;
	}
	l->first = first;
	l->last = last;
	l->type = type;
	rc = delete_of_family(n, l, ask, AF_INET, count);
	rc6 = delete_of_family(n, l, ask, AF_INET6, count);
	free(l);
	/* A kernel without IPv6 has none of it. */
	return rc != 0 ? rc : rc6 == -EAFNOSUPPORT || rc6 == -EOPNOTSUPP ? 0 : rc6;
}

int tun_netlink_delete_rules(struct tun_netlink *n, uint32_t first, uint32_t last, unsigned *count)
{
	return delete_all(n, RTM_GETRULE, RTM_DELRULE, first, last, count);
}

int tun_netlink_delete_routes(struct tun_netlink *n, uint32_t first, uint32_t last, unsigned *count)
{
	return delete_all(n, RTM_GETROUTE, RTM_DELROUTE, first, last, count);
}
