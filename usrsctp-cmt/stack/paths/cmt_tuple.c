/* SPDX-License-Identifier: BSD-3-Clause */
#include "paths/cmt_tuple.h"
#include "cmt_hooks.h"
#include "seams/cmt_seams.h"

#include <netinet/sctputil.h>

enum { IPV4_BYTES = 4, IPV6_BYTES = 16, IPV4_ALIAS_BLOCK = 240 };
static const uint8_t ipv6_alias_block[8] = {0x01, 0x00};

static uint8_t *bytes_of(struct sockaddr *address)
{
	if (address->sa_family == AF_INET6)
		return ((struct sockaddr_in6 *)(void *)address)->sin6_addr.s6_addr;
	return (uint8_t *)&((struct sockaddr_in *)(void *)address)->sin_addr;
}

static const uint8_t *const_bytes_of(const struct sockaddr *address)
{
	return bytes_of((struct sockaddr *)(uintptr_t)address);
}

static size_t n_bytes(sa_family_t family)
{
	return family == AF_INET6 ? IPV6_BYTES : IPV4_BYTES;
}

static bool is_ip(const struct sockaddr *address)
{
	return address->sa_family == AF_INET || address->sa_family == AF_INET6;
}

bool cmt_tuple_is_alias(const struct sockaddr *address)
{
	const uint8_t *bytes = const_bytes_of(address);

	if (address->sa_family == AF_INET6)
		return memcmp(bytes, ipv6_alias_block, sizeof(ipv6_alias_block)) == 0;
	return address->sa_family == AF_INET && bytes[0] >= IPV4_ALIAS_BLOCK &&
	       ((const struct sockaddr_in *)(const void *)address)->sin_addr.s_addr != INADDR_BROADCAST;
}

static void make_alias(struct sockaddr *address, uint16_t number)
{
	uint8_t *bytes = bytes_of(address);
	const size_t n = n_bytes(address->sa_family);

	memset(bytes, 0, n);
	if (address->sa_family == AF_INET6)
		memcpy(bytes, ipv6_alias_block, sizeof(ipv6_alias_block));
	else
		bytes[0] = IPV4_ALIAS_BLOCK;
	bytes[n - 2] = (uint8_t)(number >> 8);
	bytes[n - 1] = (uint8_t)number;
}

static bool is_address(const struct sockaddr *address, uint8_t family, const uint8_t *bytes)
{
	return address->sa_family == family && memcmp(const_bytes_of(address), bytes, n_bytes(family)) == 0;
}

uint32_t cmt_tuple_now_ms(void)
{
	const uint32_t ms = (uint32_t)(cmt_seam_now_us() / 1000);

	return ms != 0 ? ms : 1;
}

bool cmt_tuple_any_is_confirmed(const struct sctp_tcb *stcb, const struct sctp_nets *but)
{
	const struct sctp_nets *net;

	TAILQ_FOREACH(net, &stcb->asoc.nets, sctp_next)
	{
		if (net != but && cmt_tuple_is_confirmed(net))
			return true;
	}
	return false;
}

struct sctp_nets *cmt_tuple_find(const struct sctp_tcb *stcb, const struct sockaddr *local,
                                 const struct sockaddr *remote, uint16_t udp_port)
{
	struct sctp_nets *net;

	TAILQ_FOREACH(net, &stcb->asoc.nets, sctp_next)
	{
		if (net->port == udp_port &&
		    is_address(remote, net->cmt_tuple.family, net->cmt_tuple.remote) &&
		    is_address(local, net->cmt_tuple.family, net->cmt_tuple.local))
			return net;
	}
	return NULL;
}

bool cmt_tuple_is_from(const struct sctp_nets *net, const struct sockaddr *local)
{
	const struct sctp_ifa *source = net->ro._s_addr;

	if (net->cmt_tuple.family != 0)
		return is_address(local, net->cmt_tuple.family, net->cmt_tuple.local);
	return source != NULL && source->address.sa.sa_family == local->sa_family && is_ip(local) &&
	       is_address(local, (uint8_t)local->sa_family, const_bytes_of(&source->address.sa));
}

bool cmt_tuple_local(const struct sctp_nets *net, union sctp_sockstore *out)
{
	memset(out, 0, sizeof(*out));
	out->sa.sa_family = net->cmt_tuple.family;
	if (net->cmt_tuple.family == 0)
		return false;
	memcpy(bytes_of(&out->sa), net->cmt_tuple.local, n_bytes(net->cmt_tuple.family));
	return true;
}

void cmt_tuple_remote(const struct sctp_nets *net, union sctp_sockstore *out)
{
	*out = net->ro._l_addr;
	if (net->cmt_tuple.alias)
		memcpy(bytes_of(&out->sa), net->cmt_tuple.remote, n_bytes(net->cmt_tuple.family));
}

/* Upstream keeps a chosen source until the address goes. */
static void choose_source(struct sctp_nets *net, const struct sockaddr *local, uint32_t vrf_id)
{
	struct sctp_ifa *ifa =
	    sctp_find_ifa_by_addr((struct sockaddr *)(uintptr_t)local, vrf_id, SCTP_ADDR_NOT_LOCKED);

	if (ifa == NULL)
		return;
	atomic_add_int(&ifa->refcount, 1);
	net->ro._s_addr = ifa;
	net->src_addr_selected = 1;
}

struct sctp_nets *cmt_tuple_open(struct cmt_asoc *ca, const struct sockaddr *local,
                                 const struct sockaddr *remote, uint16_t udp_port)
{
	struct sctp_tcb *stcb = ca->stcb;
	struct sctp_nets *net = NULL;
	union sctp_sockstore address;
	bool alias;

	if (!is_ip(remote) || local->sa_family != remote->sa_family)
		return NULL;
	memset(&address, 0, sizeof(address));
	memcpy(&address, remote,
	       remote->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in));
	alias = sctp_findnet(stcb, &address.sa) != NULL;
	if (alias)
		make_alias(&address.sa, ++ca->last_alias);
	if (sctp_add_remote_addr(stcb, &address.sa, &net, udp_port, SCTP_DONOT_SETSCOPE,
	                         SCTP_ADDR_DYNAMIC_ADDED) != 0 ||
	    net == NULL)
		return NULL;
	net->cmt_tuple = (struct cmt_tuple){
	    .family = (uint8_t)remote->sa_family, .alias = alias, .opened_ms = cmt_tuple_now_ms()};
	memcpy(net->cmt_tuple.local, const_bytes_of(local), n_bytes(local->sa_family));
	memcpy(net->cmt_tuple.remote, const_bytes_of(remote), n_bytes(remote->sa_family));
	choose_source(net, local, stcb->asoc.vrf_id);
	return net;
}

bool cmt_tuple_pin(struct sctp_nets *net, const struct sockaddr *local)
{
	const struct sockaddr *const remote = &net->ro._l_addr.sa;

	if (net->cmt_tuple.family != 0 || !is_ip(remote) || !cmt_tuple_is_from(net, local))
		return false;
	net->cmt_tuple.family = (uint8_t)remote->sa_family;
	memcpy(net->cmt_tuple.local, const_bytes_of(local), n_bytes(local->sa_family));
	memcpy(net->cmt_tuple.remote, const_bytes_of(remote), n_bytes(remote->sa_family));
	return true;
}

void cmt_tuple_unpin(struct sctp_tcb *stcb, const struct sockaddr *local)
{
	struct sctp_nets *net;

	TAILQ_FOREACH(net, &stcb->asoc.nets, sctp_next)
	{
		if (!net->cmt_tuple.alias && net->cmt_tuple.family != 0 && cmt_tuple_is_from(net, local))
			net->cmt_tuple.family = 0;
	}
}

void cmt_tuple_move(struct sctp_nets *net, const struct sctp_nets *there)
{
	net->ro._l_addr = there->ro._l_addr;
	net->cmt_tuple = there->cmt_tuple;
	net->port = there->port;
}

/* The four-tuple that upstream knows by this address. */
static const struct cmt_tuple *find_known_as(const struct sctp_tcb *stcb, const struct sockaddr *address)
{
	const struct sctp_nets *net;

	TAILQ_FOREACH(net, &stcb->asoc.nets, sctp_next)
	{
		if (net->cmt_tuple.family != 0 &&
		    is_address(address, net->cmt_tuple.family, const_bytes_of(&net->ro._l_addr.sa)))
			return &net->cmt_tuple;
	}
	return NULL;
}

bool cmt_tuple_out(const struct sctp_tcb *stcb, struct sockaddr *src, struct sockaddr *dst)
{
	const struct cmt_tuple *t = stcb != NULL ? find_known_as(stcb, dst) : NULL;

	if (t == NULL)
		return !cmt_tuple_is_alias(dst);
	memcpy(bytes_of(dst), t->remote, n_bytes(t->family));
	memcpy(bytes_of(src), t->local, n_bytes(t->family));
	return true;
}

void cmt_tuple_tell(const struct sctp_tcb *stcb, struct sockaddr *address)
{
	const struct cmt_tuple *t = find_known_as(stcb, address);

	if (t != NULL)
		memcpy(bytes_of(address), t->remote, n_bytes(t->family));
}

void cmt_tuple_name(const struct sctp_nets *net, struct sockaddr *remote)
{
	if (net->cmt_tuple.alias)
		memcpy(bytes_of(remote), const_bytes_of(&net->ro._l_addr.sa), n_bytes(net->cmt_tuple.family));
}

/* The number of the alias travels where upstream's information has two bytes of padding. */
void cmt_tuple_hide(struct sctp_nets *net, struct sctp_heartbeat_chunk *hb)
{
	struct sctp_heartbeat_info_param *info = &hb->heartbeat.hb_info;
	const size_t n = n_bytes(net->cmt_tuple.family);

	net->cmt_tuple.told = true;
	if (!net->cmt_tuple.alias)
		return;
	memcpy(info->padding, info->address + n - sizeof(info->padding), sizeof(info->padding));
	memcpy(info->address, net->cmt_tuple.remote, n);
}

void cmt_tuple_show(const struct sctp_tcb *stcb, struct sctp_heartbeat_chunk *hb)
{
	struct sctp_heartbeat_info_param *info = &hb->heartbeat.hb_info;
	const struct sctp_nets *net;

	TAILQ_FOREACH(net, &stcb->asoc.nets, sctp_next)
	{
		const uint8_t *address = const_bytes_of(&net->ro._l_addr.sa);
		const size_t n = n_bytes(net->cmt_tuple.family);

		if (!net->cmt_tuple.alias || info->addr_family != net->cmt_tuple.family ||
		    memcmp(info->address, net->cmt_tuple.remote, n) != 0 ||
		    memcmp(info->padding, address + n - sizeof(info->padding), sizeof(info->padding)) != 0)
			continue;
		memcpy(info->address, address, n);
		return;
	}
}
