/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Packets between the stack's mbufs and the seams, and local addresses. Uses upstream's types; shared by the fork and by the
 * test variants of upstream. Runs with the association locked (output) or without a lock (input). */
#include <netinet/sctp_os.h>
#include <netinet/sctp_pcb.h>
#include <netinet/sctp_var.h>
#include <netinet/sctputil.h>
#include <netinet/sctp_header.h>
#include <netinet/sctp_input.h>
#include <netinet/sctp_bsd_addr.h>
#include <netinet/udp.h>

#include "cmt_seams.h"

enum { PACKET_MAX_BYTES = 65535 };

/* Hands the SCTP packet behind `header_len` octets of IP and UDP header to the back end; frees the chain. */
static int output_behind_headers(struct mbuf *packet, size_t header_len, const struct sockaddr *src,
                                 const struct sockaddr *dst, uint8_t tos, bool dont_fragment)
{
	uint8_t bytes[PACKET_MAX_BYTES];
	size_t total = 0;
	int error = EMSGSIZE;

	for (const struct mbuf *m = packet; m != NULL; m = SCTP_BUF_NEXT(m))
		total += (size_t)SCTP_BUF_LEN(m);
	if (total > header_len && total - header_len <= sizeof(bytes)) {
		m_copydata(packet, (int)header_len, (int)(total - header_len), (caddr_t)bytes);
		error = cmt_seam_output(&(struct cmt_seam_packet){.src = src,
		                                                  .dst = dst,
		                                                  .bytes = bytes,
		                                                  .len = total - header_len,
		                                                  .tos = tos,
		                                                  .dont_fragment = dont_fragment});
	}
	sctp_m_freem(packet);
	return error;
}

void cmt_seam_ip_output(int *result, struct mbuf *packet, sctp_route_t *ro, void *stcb, uint32_t vrf_id)
{
	struct sockaddr_in src = {.sin_family = AF_INET}, dst = {.sin_family = AF_INET};
	struct ip header;

	if (!cmt_seam_has_output()) {
		sctp_userspace_ip_output(result, packet, ro, stcb, vrf_id);
		return;
	}
	m_copydata(packet, 0, (int)sizeof(header), (caddr_t)&header);
	src.sin_addr = header.ip_src;
	dst.sin_addr = header.ip_dst;
	*result = output_behind_headers(packet,
	                                sizeof(struct ip) +
	                                        (header.ip_p == IPPROTO_UDP ? sizeof(struct udphdr) : 0),
	                                (struct sockaddr *)&src, (struct sockaddr *)&dst, header.ip_tos,
	                                (header.ip_off & htons(IP_DF)) != 0);
}

void cmt_seam_ip6_output(int *result, struct mbuf *packet, struct route_in6 *ro, void *stcb, uint32_t vrf_id)
{
	struct sockaddr_in6 src = {.sin6_family = AF_INET6}, dst = {.sin6_family = AF_INET6};
	struct ip6_hdr header;

	if (!cmt_seam_has_output()) {
		sctp_userspace_ip6_output(result, packet, ro, stcb, vrf_id);
		return;
	}
	m_copydata(packet, 0, (int)sizeof(header), (caddr_t)&header);
	src.sin6_addr = header.ip6_src;
	dst.sin6_addr = header.ip6_dst;
	*result = output_behind_headers(packet,
	                                sizeof(struct ip6_hdr) +
	                                        (header.ip6_nxt == IPPROTO_UDP ? sizeof(struct udphdr) : 0),
	                                (struct sockaddr *)&src, (struct sockaddr *)&dst,
	                                (uint8_t)(ntohl(header.ip6_flow) >> 20), true);
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

void cmt_seam_input(const struct sockaddr *src, const struct sockaddr *dst, const void *bytes, size_t len,
                    uint8_t ecn)
{
	const int headers = (int)(sizeof(struct sctphdr) + sizeof(struct sctp_chunkhdr));
	struct sockaddr_storage from, to;
	struct sctphdr *sh;
	struct mbuf *m;
	int remaining = (int)len;

	if (len < (size_t)headers || len > PACKET_MAX_BYTES)
		return;
	SCTP_STAT_INCR(sctps_recvpackets);
	SCTP_STAT_INCR_COUNTER64(sctps_inpackets);
	m = sctp_get_mbuf_for_msg((unsigned int)len, 1, M_NOWAIT, 0, MT_DATA);
	if (m == NULL)
		return;
	for (struct mbuf *part = m; part != NULL; part = SCTP_BUF_NEXT(part)) {
		SCTP_BUF_LEN(part) = min((int)M_SIZE(part), remaining);
		m->m_pkthdr.len += SCTP_BUF_LEN(part);
		remaining -= SCTP_BUF_LEN(part);
	}
	m_copyback(m, 0, (int)len, (caddr_t)(uintptr_t)bytes);
	if (SCTP_BUF_LEN(m) < headers && (m = m_pullup(m, headers)) == NULL) {
		SCTP_STAT_INCR(sctps_hdrops);
		return;
	}
	sh = mtod(m, struct sctphdr *);
	copy_address(&from, src, sh->src_port);
	copy_address(&to, dst, sh->dest_port);
	sctp_common_input_processing(&m, 0, (int)sizeof(struct sctphdr), (int)len, (struct sockaddr *)&from,
	                             (struct sockaddr *)&to, sh, (struct sctp_chunkhdr *)(sh + 1), 1, ecn,
	                             SCTP_DEFAULT_VRFID, 0);
	if (m != NULL)
		sctp_m_freem(m);
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
	return 0;
}
