/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Packets between the stack's mbufs and the seams, and local addresses. Uses upstream's types; shared by the
 * fork and by the test variants of upstream. Runs with the association locked (output) or without a lock
 * (input). */
#include <netinet/sctp_os.h>
#include <netinet/sctp_pcb.h>
#include <netinet/sctp_var.h>
#include <netinet/sctputil.h>
#include <netinet/sctp_header.h>
#include <netinet/sctp_input.h>
#include <netinet/sctp_bsd_addr.h>
#include <netinet/udp.h>

#include "cmt_seams.h"
#ifdef SCTP_CMT
#include "cmt_hooks.h"
#endif

enum { PACKET_MAX_BYTES = 65535 };

/* The stack handles one received packet at a time where a back end gives it packets. 0 = none. */
static uint64_t arrival_us;

uint64_t cmt_seam_arrival_us(void)
{
	return arrival_us != 0 ? arrival_us : cmt_seam_now_us();
}

/* What `content` of a packet points to. */
struct content {
	struct mbuf *chain;
	size_t offset; /* of the SCTP packet in it */
};

void cmt_seam_copy(const struct cmt_seam_packet *packet, void *to)
{
	const struct content *content = packet->content;

	m_copydata(content->chain, (int)content->offset, (int)packet->len, to);
}

/* What the packet is to be cut into on its way out. */
static void set_fragments(struct cmt_seam_packet *out, const void *stcb, const void *route, size_t ip_bytes)
{
#ifdef SCTP_CMT
	out->fragment_bytes = cmt_fragment_bytes(stcb, route, ip_bytes);
	if (out->fragment_bytes != 0)
		out->dont_fragment = false;
#else
	(void)stcb, (void)route, (void)ip_bytes, (void)out;
#endif
}

/* From the addresses that the stack reckons with to those on the wire. */
static bool name_real_addresses(const void *stcb, struct sockaddr *src, struct sockaddr *dst)
{
#ifdef SCTP_CMT
	return cmt_tuple_out(stcb, src, dst);
#else
	(void)stcb, (void)src, (void)dst;
	return true;
#endif
}

#ifndef SCTP_CMT
enum cmt_entry { CMT_DROP, CMT_TAKE, CMT_TAKE_AND_SETTLE };

static enum cmt_entry cmt_enter(struct sockaddr_storage *from, struct sockaddr_storage *to,
                                const struct cmt_seam_arrival *arrival)
{
	(void)from, (void)to, (void)arrival;
	return CMT_TAKE;
}

static void cmt_settle(const struct cmt_seam_arrival *arrival)
{
	(void)arrival;
}

static void cmt_on_address_lost(const struct sockaddr *address)
{
	(void)address;
}
#endif

/* Hands the SCTP packet behind the IP header, and the UDP header if `protocol` says so, to the back end;
 * frees the chain. */
static int output_behind_headers(struct mbuf *packet, size_t header_len, uint8_t protocol,
                                 struct cmt_seam_packet *out)
{
	struct content content = {.chain = packet, .offset = header_len};
	struct udphdr udp;
	size_t total = 0;
	int error = EMSGSIZE;

	if (protocol == IPPROTO_UDP) {
		m_copydata(packet, (int)header_len, (int)sizeof(udp), (caddr_t)&udp);
		out->udp_port = ntohs(udp.uh_dport);
		content.offset += sizeof(udp);
	}
	for (const struct mbuf *m = packet; m != NULL; m = SCTP_BUF_NEXT(m))
		total += (size_t)SCTP_BUF_LEN(m);
	if (total > content.offset && total - content.offset <= PACKET_MAX_BYTES) {
		out->len = total - content.offset;
		out->content = &content;
		error = cmt_seam_output(out);
	}
	sctp_m_freem(packet);
	return error;
}

void cmt_seam_ip_output(int *result, struct mbuf *packet, sctp_route_t *ro, void *stcb, uint32_t vrf_id)
{
	struct sockaddr_in src = {.sin_family = AF_INET}, dst = {.sin_family = AF_INET};
	struct cmt_seam_packet out = {.src = (struct sockaddr *)&src, .dst = (struct sockaddr *)&dst};
	struct ip header;

	if (!cmt_seam_has_output()) {
		sctp_userspace_ip_output(result, packet, ro, stcb, vrf_id);
		return;
	}
	m_copydata(packet, 0, (int)sizeof(header), (caddr_t)&header);
	src.sin_addr = header.ip_src;
	dst.sin_addr = header.ip_dst;
	if (!name_real_addresses(stcb, (struct sockaddr *)&src, (struct sockaddr *)&dst)) {
		sctp_m_freem(packet);
		*result = EHOSTUNREACH;
		return;
	}
	out.tos = header.ip_tos;
	out.dont_fragment = (header.ip_off & htons(IP_DF)) != 0;
	set_fragments(&out, stcb, ro, header.ip_len);
	*result = output_behind_headers(packet, sizeof(struct ip), header.ip_p, &out);
}

void cmt_seam_ip6_output(int *result, struct mbuf *packet, struct route_in6 *ro, void *stcb, uint32_t vrf_id)
{
	struct sockaddr_in6 src = {.sin6_family = AF_INET6}, dst = {.sin6_family = AF_INET6};
	struct cmt_seam_packet out = {.src = (struct sockaddr *)&src, .dst = (struct sockaddr *)&dst};
	struct ip6_hdr header;

	if (!cmt_seam_has_output()) {
		sctp_userspace_ip6_output(result, packet, ro, stcb, vrf_id);
		return;
	}
	m_copydata(packet, 0, (int)sizeof(header), (caddr_t)&header);
	src.sin6_addr = header.ip6_src;
	dst.sin6_addr = header.ip6_dst;
	if (!name_real_addresses(stcb, (struct sockaddr *)&src, (struct sockaddr *)&dst)) {
		sctp_m_freem(packet);
		*result = EHOSTUNREACH;
		return;
	}
	out.tos = (uint8_t)(ntohl(header.ip6_flow) >> 20);
	out.dont_fragment = true;
	set_fragments(&out, stcb, ro, sizeof(header) + ntohs(header.ip6_plen));
	*result = output_behind_headers(packet, sizeof(struct ip6_hdr), header.ip6_nxt, &out);
}

static void copy_address(struct sockaddr_storage *to, const struct sockaddr *from, uint16_t port)
{
	memset(to, 0, sizeof(*to));
	if (from->sa_family == AF_INET6) {
		memcpy(to, from, sizeof(struct sockaddr_in6));
		((struct sockaddr_in6 *)to)->sin6_port = port;
	} else {
		memcpy(to, from, sizeof(struct sockaddr_in));
		((struct sockaddr_in *)to)->sin_port = port;
	}
}

void cmt_seam_input(const struct cmt_seam_arrival *arrival)
{
	const int headers = (int)(sizeof(struct sctphdr) + sizeof(struct sctp_chunkhdr));
	const int len = (int)arrival->len;
	struct sockaddr_storage from, to;
	enum cmt_entry entry;
	struct sctphdr *sh;
	uint16_t ports[2];
	struct mbuf *m;
	int remaining = len;

	if (arrival->len < (size_t)headers || arrival->len > PACKET_MAX_BYTES)
		return;
	memcpy(ports, arrival->bytes, sizeof(ports));
	copy_address(&from, arrival->src, ports[0]);
	copy_address(&to, arrival->dst, ports[1]);
	SCTP_STAT_INCR(sctps_recvpackets);
	SCTP_STAT_INCR_COUNTER64(sctps_inpackets);
	entry = cmt_enter(&from, &to, arrival);
	if (entry == CMT_DROP)
		return;
	m = sctp_get_mbuf_for_msg((unsigned int)len, 1, M_NOWAIT, 0, MT_DATA);
	if (m == NULL)
		return;
	for (struct mbuf *part = m; part != NULL; part = SCTP_BUF_NEXT(part)) {
		SCTP_BUF_LEN(part) = min((int)M_SIZE(part), remaining);
		m->m_pkthdr.len += SCTP_BUF_LEN(part);
		remaining -= SCTP_BUF_LEN(part);
	}
	m_copyback(m, 0, len, (caddr_t)(uintptr_t)arrival->bytes);
	if (SCTP_BUF_LEN(m) < headers && (m = m_pullup(m, headers)) == NULL) {
		SCTP_STAT_INCR(sctps_hdrops);
		return;
	}
	sh = mtod(m, struct sctphdr *);
	arrival_us = arrival->at_us;
	sctp_common_input_processing(&m, 0, (int)sizeof(struct sctphdr), len, (struct sockaddr *)&from,
	                             (struct sockaddr *)&to, sh, (struct sctp_chunkhdr *)(sh + 1), 1,
	                             arrival->ecn, SCTP_DEFAULT_VRFID, htons(arrival->udp_port));
	arrival_us = 0;
	if (m != NULL)
		sctp_m_freem(m);
	if (entry == CMT_TAKE_AND_SETTLE)
		cmt_settle(arrival);
}

struct sctp_tcb *cmt_seam_lock_association(struct sockaddr_storage *from, struct sockaddr_storage *to,
                                           struct sctp_nets **net)
{
	struct sctp_inpcb *inp = NULL;
	struct sctp_tcb *stcb = sctp_findassociation_addr_sa((struct sockaddr *)from, (struct sockaddr *)to,
	                                                     &inp, net, 1, SCTP_DEFAULT_VRFID);

	/* Whoever finds none leaves a reference to the endpoint. */
	if (stcb == NULL && inp != NULL) {
		SCTP_INP_WLOCK(inp);
		SCTP_INP_DECR_REF(inp);
		SCTP_INP_WUNLOCK(inp);
	}
	return stcb;
}

void cmt_seam_too_big(const struct cmt_seam_too_big *report)
{
	struct sockaddr_storage src, dst;
	struct sctp_nets *net = NULL;
	struct sctp_tcb *stcb;
	uint16_t ports[2];
	uint32_t tag;

	if (report->len < CMT_SEAM_QUOTE_BYTES)
		return;
	memcpy(ports, report->bytes, sizeof(ports));
	memcpy(&tag, (const uint8_t *)report->bytes + sizeof(ports), sizeof(tag));
	copy_address(&src, report->src, ports[0]);
	copy_address(&dst, report->dst, ports[1]);
	stcb = cmt_seam_lock_association(&dst, &src, &net);
	if (stcb == NULL)
		return;
#ifdef SCTP_CMT
	if (ntohl(tag) == stcb->asoc.peer_vtag && net != NULL)
		cmt_on_too_big(stcb, net, report->mtu_bytes);
#endif
	SCTP_TCB_UNLOCK(stcb);
}

static uint32_t address_changes;

uint32_t cmt_seam_address_changes(void)
{
	return address_changes;
}

int cmt_seam_add_address(uint32_t if_index, const char *if_name, const struct sockaddr *address)
{
	struct sctp_ifa *ifa = sctp_add_addr_to_vrf(SCTP_DEFAULT_VRFID, NULL, if_index, 0, if_name, NULL,
	                                            (struct sockaddr *)(uintptr_t)address, 0, 0);

	if (ifa == NULL) {
		errno = ENOMEM;
		return -1;
	}
	ifa->localifa_flags &= ~(uint32_t)SCTP_ADDR_DEFER_USE;
	address_changes++;
	return 0;
}

void cmt_seam_remove_address(uint32_t if_index, const char *if_name, const struct sockaddr *address)
{
	address_changes++;
	cmt_on_address_lost(address);
	sctp_del_addr_from_vrf(SCTP_DEFAULT_VRFID, (struct sockaddr *)(uintptr_t)address, if_index, if_name);
}
