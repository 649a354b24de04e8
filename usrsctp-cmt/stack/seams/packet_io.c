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
#include <netinet/sctp_crc32.h>
#include <netinet/udp.h>

#include "packets.h"
#ifdef SCTP_CMT
#include "cmt_hooks.h"
#include "paths/cmt_tuple.h"
#endif

enum {
	PACKET_MAX_BYTES = 65535,
	HEADERS_BYTES = (int)(sizeof(struct sctphdr) + sizeof(struct sctp_chunkhdr))
};

/* The stack handles one received packet at a time where a back end gives it packets. 0 = none. */
static uint64_t arrival_us;
static bool more_follow;

uint64_t cmt_seam_arrival_us(void)
{
	return arrival_us != 0 ? arrival_us : cmt_seam_now_us();
}

bool cmt_seam_more_follow(void)
{
	return more_follow;
}

/* What `content` of a packet points to. */
struct content {
	struct mbuf *chain;
	size_t offset;      /* of the SCTP packet in it */
	const void *sealed; /* what leaves in place of that; NULL: it leaves */
};

void usrsctp_cmt_packet_copy(const struct usrsctp_cmt_packet *packet, void *to)
{
	const struct content *content = packet->content;

	if (packet->bytes != NULL || content->sealed != NULL) {
		memcpy(to, packet->bytes != NULL ? packet->bytes : content->sealed, packet->len);
		return;
	}
	m_copydata(content->chain, (int)content->offset, (int)packet->len, to);
}

/* What the packet is to be cut into on its way out, and whether it may be. */
static void set_fragments(struct usrsctp_cmt_packet *out, const void *stcb, const void *route,
                          size_t ip_bytes)
{
#ifdef SCTP_CMT
	out->fragment_bytes = cmt_fragment_bytes(stcb, route, ip_bytes);
	if (out->fragment_bytes != 0)
		out->dont_fragment = false;
	out->is_probe = cmt_is_size_probe(stcb);
#else
	(void)stcb, (void)route, (void)ip_bytes, (void)out;
#endif
}

#ifdef SCTP_CMT
/* Takes the place of upstream's function where packets leave. Those of back ends, which have headers in
 * front, get theirs from seal(): what is protected needs none inside. */
uint32_t cmt_seam_output_cksum(struct mbuf *packet, uint32_t offset)
{
	return cmt_back_ends.n == 0 || offset == 0 ? sctp_calculate_cksum(packet, offset) : 0;
}

static void set_checksum(const struct content *content)
{
	uint32_t checksum = sctp_calculate_cksum(content->chain, (uint32_t)content->offset);

	m_copyback(content->chain, (int)(content->offset + offsetof(struct sctphdr, checksum)),
	           (int)sizeof(checksum), (caddr_t)&checksum);
}
#endif

/* The packet is protected if it is to be: what leaves then, and its length. False: it must not leave. */
static bool seal(const struct sctp_tcb *stcb, struct content *content, struct usrsctp_cmt_packet *out)
{
#ifdef SCTP_CMT
	if (stcb == NULL)
		stcb = cmt_seal_of_answer(content->chain, content->offset);
	if (cmt_is_sealed(stcb))
		out->len = cmt_seal(stcb, content->chain, content->offset, out->len, &content->sealed);
	else
		set_checksum(content);
	return out->len > 0;
#else
	(void)stcb, (void)content, (void)out;
	return true;
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
enum cmt_entry { CMT_DROP, CMT_TAKE, CMT_TAKE_AND_SETTLE, CMT_TAKE_APART };

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

static void cmt_take_apart(const struct cmt_seam_arrival *arrival)
{
	(void)arrival;
}

enum cmt_seal_state { CMT_SEAL_NONE, CMT_SEAL_OPENED, CMT_SEAL_ANSWER, CMT_SEAL_DROP };

static enum cmt_seal_state cmt_unseal(const struct cmt_seam_arrival *arrival, struct sockaddr_storage *from,
                                      struct sockaddr_storage *to, struct cmt_seam_arrival *inner)
{
	(void)arrival, (void)from, (void)to, (void)inner;
	return CMT_SEAL_NONE;
}

static void cmt_seal_answers(const struct sctp_tcb *stcb)
{
	(void)stcb;
}
#endif

/* With others of its path, for usrsctp_cmt_packets_run(). */
static int add_to_batches(struct usrsctp_cmt_packets *packets, const struct usrsctp_cmt_packet *out)
{
	const bool were_ready = cmt_batches_are_ready(packets->batches);
	void *bytes = cmt_batches_add(packets->batches, out);

	if (bytes == NULL)
		return ENOBUFS;
	usrsctp_cmt_packet_copy(out, bytes);
	if (!were_ready && packets->config.sooner != NULL) {
		cmt_packets_call_begin();
		packets->config.sooner(packets->config.arg);
		cmt_packets_call_end();
	}
	return 0;
}

static int give_to_back_end(struct usrsctp_cmt_packets *packets, const struct usrsctp_cmt_packet *out)
{
	int error;

	if (packets == NULL)
		return ENETDOWN;
	if (!cmt_packets_may_pass(packets, out->local, out->remote))
		return EHOSTUNREACH;
	if (packets->batches != NULL)
		return add_to_batches(packets, out);
	if (packets->config.output_now == NULL)
		return ENETUNREACH;
	cmt_packets_call_begin();
	error = packets->config.output_now(packets->config.arg, out);
	cmt_packets_call_end();
	return error;
}

/* Hands the SCTP packet behind the IP header, and the UDP header if `protocol` says so, to the back end;
 * frees the chain. `port`: that of the remote address. */
static int output_behind_headers(const void *stcb, uint32_t vrf_id, struct mbuf *packet, size_t header_len,
                                 uint8_t protocol, struct usrsctp_cmt_packet *out, in_port_t *port)
{
	struct content content = {.chain = packet, .offset = header_len};
	struct udphdr udp;
	size_t total = 0;
	int error = EMSGSIZE;

	if (protocol == IPPROTO_UDP) {
		m_copydata(packet, (int)header_len, (int)sizeof(udp), (caddr_t)&udp);
		*port = udp.uh_dport;
		content.offset += sizeof(udp);
	}
	for (const struct mbuf *m = packet; m != NULL; m = SCTP_BUF_NEXT(m))
		total += (size_t)SCTP_BUF_LEN(m);
	if (total > content.offset && total - content.offset <= PACKET_MAX_BYTES) {
		out->len = total - content.offset;
		out->content = &content;
		error = seal(stcb, &content, out) ? give_to_back_end(cmt_packets_of(vrf_id), out) : EIO;
	}
	sctp_m_freem(packet);
	return error;
}

void cmt_seam_ip_output(int *result, struct mbuf *packet, sctp_route_t *ro, void *stcb, uint32_t vrf_id)
{
	struct sockaddr_in src = {.sin_family = AF_INET}, dst = {.sin_family = AF_INET};
	struct usrsctp_cmt_packet out = {
	    .size = sizeof(out), .local = (struct sockaddr *)&src, .remote = (struct sockaddr *)&dst};
	struct ip header;

	if (cmt_back_ends.n == 0) {
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
	*result =
	    output_behind_headers(stcb, vrf_id, packet, sizeof(struct ip), header.ip_p, &out, &dst.sin_port);
}

void cmt_seam_ip6_output(int *result, struct mbuf *packet, struct route_in6 *ro, void *stcb, uint32_t vrf_id)
{
	struct sockaddr_in6 src = {.sin6_family = AF_INET6}, dst = {.sin6_family = AF_INET6};
	struct usrsctp_cmt_packet out = {
	    .size = sizeof(out), .local = (struct sockaddr *)&src, .remote = (struct sockaddr *)&dst};
	struct ip6_hdr header;

	if (cmt_back_ends.n == 0) {
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
	*result = output_behind_headers(stcb, vrf_id, packet, sizeof(struct ip6_hdr), header.ip6_nxt, &out,
	                                &dst.sin6_port);
}

static in_port_t port_of(const struct sockaddr *address)
{
	const union cmt_address *a = (const union cmt_address *)(const void *)address;

	return address->sa_family == AF_INET6 ? a->in6.sin6_port : a->in.sin_port;
}

void cmt_seam_copy_address(struct sockaddr_storage *to, const struct sockaddr *from, in_port_t port)
{
	union cmt_address address;

	cmt_address_copy(&address, from, port);
	memset(to, 0, sizeof(*to));
	memcpy(to, &address, sizeof(address));
}

static bool are_ends(const struct sockaddr *local, const struct sockaddr *remote)
{
	return local != NULL && remote != NULL && cmt_address_is_ip(local) &&
	       local->sa_family == remote->sa_family;
}

/* Who only answers learns its paths from how associations begin. */
static bool begins_association(const struct cmt_seam_arrival *arrival)
{
	const uint8_t chunk_type = ((const uint8_t *)arrival->bytes)[sizeof(struct sctphdr)];

	return chunk_type == SCTP_INITIATION || chunk_type == SCTP_COOKIE_ECHO;
}

/* What is not, or no more, in a DTLS chunk. `from` becomes the address under which the stack knows that. */
static void input_plain(struct usrsctp_cmt_packets *packets, const struct cmt_seam_arrival *arrival,
                        struct sockaddr_storage *from, struct sockaddr_storage *to)
{
	const int len = (int)arrival->len;
	const enum cmt_entry entry = cmt_enter(from, to, arrival);
	struct sctphdr *sh;
	struct mbuf *m;
	int remaining = len;

	if (entry == CMT_TAKE_APART)
		cmt_take_apart(arrival);
	if (entry == CMT_DROP || entry == CMT_TAKE_APART)
		return;
	if (packets->config.route == NULL && begins_association(arrival))
		cmt_ways_hear(&packets->ways, arrival->local, arrival->remote);
	m = sctp_get_mbuf_for_msg((unsigned int)len, 1, M_NOWAIT, 0, MT_DATA);
	if (m == NULL)
		return;
	for (struct mbuf *part = m; part != NULL; part = SCTP_BUF_NEXT(part)) {
		SCTP_BUF_LEN(part) = min((int)M_SIZE(part), remaining);
		m->m_pkthdr.len += SCTP_BUF_LEN(part);
		remaining -= SCTP_BUF_LEN(part);
	}
	m_copyback(m, 0, len, (caddr_t)(uintptr_t)arrival->bytes);
	if (SCTP_BUF_LEN(m) < HEADERS_BYTES && (m = m_pullup(m, HEADERS_BYTES)) == NULL) {
		SCTP_STAT_INCR(sctps_hdrops);
		return;
	}
	sh = mtod(m, struct sctphdr *);
	arrival_us = arrival->at_us;
	more_follow = arrival->more;
	sctp_common_input_processing(&m, 0, (int)sizeof(struct sctphdr), len, (struct sockaddr *)from,
	                             (struct sockaddr *)to, sh, (struct sctp_chunkhdr *)(sh + 1),
	                             arrival->authentic ? 0 : 1, arrival->ecn, arrival->vrf_id,
	                             arrival->udp_port);
	arrival_us = 0;
	more_follow = false;
	if (m != NULL)
		sctp_m_freem(m);
	if (entry == CMT_TAKE_AND_SETTLE)
		cmt_settle(arrival);
}

/* To where it came from. */
static void answer(struct usrsctp_cmt_packets *packets, const struct cmt_seam_arrival *with)
{
	const struct usrsctp_cmt_packet out = {.size = sizeof(out),
	                                       .local = with->local,
	                                       .remote = with->remote,
	                                       .bytes = with->bytes,
	                                       .len = with->len};

	(void)give_to_back_end(packets, &out);
}

void cmt_seam_input(const struct cmt_seam_arrival *arrival)
{
	struct usrsctp_cmt_packets *packets = cmt_packets_of(arrival->vrf_id);
	enum cmt_seal_state state = CMT_SEAL_NONE;
	struct cmt_seam_arrival inner;
	struct sockaddr_storage from, to;
	in_port_t ports[2];

	memcpy(ports, arrival->bytes, sizeof(ports));
	cmt_seam_copy_address(&from, arrival->remote, ports[0]);
	cmt_seam_copy_address(&to, arrival->local, ports[1]);
	SCTP_STAT_INCR(sctps_recvpackets);
	SCTP_STAT_INCR_COUNTER64(sctps_inpackets);
	if (packets == NULL)
		return;
	if (!arrival->authentic)
		state = cmt_unseal(arrival, &from, &to, &inner);
	switch (state) {
	case CMT_SEAL_NONE: input_plain(packets, arrival, &from, &to); break;
	case CMT_SEAL_OPENED:
		input_plain(packets, &inner, &from, &to);
		cmt_seal_answers(NULL);
		break;
	case CMT_SEAL_ANSWER: answer(packets, &inner); break;
	case CMT_SEAL_DROP: break;
	}
}

struct sctp_tcb *cmt_seam_lock_association(uint32_t vrf_id, struct sockaddr_storage *from,
                                           struct sockaddr_storage *to, struct sctp_nets **net)
{
	struct sctp_inpcb *inp = NULL;
	struct sctp_tcb *stcb = sctp_findassociation_addr_sa((struct sockaddr *)from, (struct sockaddr *)to,
	                                                     &inp, net, 1, vrf_id);

	/* Whoever finds none leaves a reference to the endpoint. */
	if (stcb == NULL && inp != NULL) {
		SCTP_INP_WLOCK(inp);
		SCTP_INP_DECR_REF(inp);
		SCTP_INP_WUNLOCK(inp);
	}
	return stcb;
}

static int check_input(const struct usrsctp_cmt_packets *packets, const struct usrsctp_cmt_arrival *arrival)
{
	if (packets == NULL || arrival == NULL || arrival->size < sizeof(*arrival) ||
	    arrival->bytes == NULL || !are_ends(arrival->local, arrival->remote))
		return EINVAL;
	if (arrival->len < (size_t)HEADERS_BYTES)
		return EBADMSG;
	if (arrival->len > PACKET_MAX_BYTES)
		return EMSGSIZE;
	return cmt_packets_is_busy() ? EDEADLK : 0;
}

int usrsctp_cmt_packets_input(struct usrsctp_cmt_packets *packets, const struct usrsctp_cmt_arrival *arrival)
{
	const int error = check_input(packets, arrival);

	if (error != 0) {
		errno = error;
		return -1;
	}
	if (!cmt_packets_may_pass(packets, arrival->local, arrival->remote))
		return 0;
	cmt_packets_enter();
	cmt_seam_input(&(struct cmt_seam_arrival){.local = arrival->local,
	                                          .remote = arrival->remote,
	                                          .bytes = arrival->bytes,
	                                          .len = arrival->len,
	                                          .at_us = arrival->at_us,
	                                          .vrf_id = packets->vrf_id,
	                                          .udp_port = port_of(arrival->remote),
	                                          .ecn = arrival->ecn,
	                                          .more = arrival->more});
	cmt_packets_leave();
	return 0;
}

/* The path of ours that the packet was on. */
static struct sctp_nets *path_of(struct sctp_tcb *stcb, struct sctp_nets *net,
                                 const struct usrsctp_cmt_too_big *report)
{
#ifdef SCTP_CMT
	struct sctp_nets *exact =
	    cmt_tuple_find(stcb, report->local, report->remote, port_of(report->remote));

	return exact != NULL ? exact : net;
#else
	(void)stcb, (void)report;
	return net;
#endif
}

static void tell_stack(const struct usrsctp_cmt_packets *packets, const struct usrsctp_cmt_too_big *report)
{
	struct sockaddr_storage local, remote;
	struct sctp_nets *net = NULL;
	struct sctp_tcb *stcb;
	in_port_t ports[2];
	uint32_t tag;

	memcpy(ports, report->bytes, sizeof(ports));
	memcpy(&tag, (const uint8_t *)report->bytes + sizeof(ports), sizeof(tag));
	cmt_seam_copy_address(&local, report->local, ports[0]);
	cmt_seam_copy_address(&remote, report->remote, ports[1]);
	stcb = cmt_seam_lock_association(packets->vrf_id, &remote, &local, &net);
	if (stcb == NULL)
		return;
	net = path_of(stcb, net, report);
#ifdef SCTP_CMT
	if (ntohl(tag) == stcb->asoc.peer_vtag && net != NULL)
		cmt_on_too_big(stcb, net, report->mtu_bytes);
#endif
	SCTP_TCB_UNLOCK(stcb);
}

static int check_too_big(const struct usrsctp_cmt_packets *packets, const struct usrsctp_cmt_too_big *report)
{
	if (packets == NULL || report == NULL || report->size < sizeof(*report) || report->bytes == NULL ||
	    !are_ends(report->local, report->remote))
		return EINVAL;
	if (report->len < USRSCTP_CMT_QUOTE_BYTES)
		return EBADMSG;
	return cmt_packets_is_busy() ? EDEADLK : 0;
}

int usrsctp_cmt_packets_too_big(struct usrsctp_cmt_packets *packets, const struct usrsctp_cmt_too_big *report)
{
	const int error = check_too_big(packets, report);

	if (error != 0) {
		errno = error;
		return -1;
	}
	tell_stack(packets, report);
	return 0;
}
