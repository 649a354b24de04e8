/* SPDX-License-Identifier: BSD-3-Clause */
#include "paths/cmt_asconf_way.h"
#include "cmt_hooks.h"

#include <netinet/sctp_os.h>
#include <netinet/sctp_var.h>
#include <netinet/sctp_pcb.h>
#include <netinet/sctp_header.h>
#include <netinet/sctputil.h>

/* Address and association in the parameter of an ASCONF that says whose it is (RFC 5061, section 4.1.1): the
 * wildcard, or one that the association knows. */
static bool names_known(struct sctp_tcb *stcb, const uint8_t *chunk, size_t len)
{
	const uint8_t *parameter = chunk + sizeof(struct sctp_asconf_chunk);
	const size_t left =
	    len < sizeof(struct sctp_asconf_chunk) ? 0 : len - sizeof(struct sctp_asconf_chunk);
	struct sctp_paramhdr head;
	union sctp_sockstore at;

	memset(&at, 0, sizeof(at));
	if (left < sizeof(head))
		return false;
	memcpy(&head, parameter, sizeof(head));
	if (ntohs(head.param_type) == SCTP_IPV4_ADDRESS && left >= sizeof(struct sctp_ipv4addr_param)) {
		at.sin.sin_family = AF_INET;
		memcpy(&at.sin.sin_addr, parameter + sizeof(head), sizeof(at.sin.sin_addr));
		return at.sin.sin_addr.s_addr == INADDR_ANY || sctp_findnet(stcb, &at.sa) != NULL;
	}
	if (ntohs(head.param_type) != SCTP_IPV6_ADDRESS || left < sizeof(struct sctp_ipv6addr_param))
		return false;
	at.sin6.sin6_family = AF_INET6;
	memcpy(&at.sin6.sin6_addr, parameter + sizeof(head), sizeof(at.sin6.sin6_addr));
	return IN6_IS_ADDR_UNSPECIFIED(&at.sin6.sin6_addr) || sctp_findnet(stcb, &at.sa) != NULL;
}

/* Upstream looks for the association by an endpoint of the address, and sees no connected ones. */
static bool has_endpoint(struct sctp_tcb *stcb, const struct sockaddr *local)
{
	union sctp_sockstore at;
	struct sctp_inpcb *inp;

	memset(&at, 0, sizeof(at));
	memcpy(&at, local,
	       local->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in));
	at.sin.sin_port = stcb->sctp_ep->sctp_lport; /* in the same place in IPv6 */
	inp = sctp_pcb_findep(&at.sa, 0, 1, stcb->asoc.vrf_id);
	if (inp == NULL)
		return false;
	SCTP_INP_DECR_REF(inp);
	return true;
}

bool cmt_asconf_finds_way(struct sctp_tcb *stcb, const uint8_t *chunk, size_t len,
                          const struct sockaddr *local)
{
	return names_known(stcb, chunk, len) && has_endpoint(stcb, local);
}
