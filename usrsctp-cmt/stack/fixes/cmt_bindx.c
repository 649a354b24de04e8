/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who may be bound to an address: accepted sockets share theirs with the one that listens. */
#include <netinet/sctp_os.h>
#include <netinet/sctp_var.h>
#include <netinet/sctp_pcb.h>
#include <netinet/sctp_output.h>
#include <netinet/sctputil.h>

#include "cmt_hooks.h"

static bool has_address(struct sctp_inpcb *inp, struct sockaddr *address, uint32_t vrf_id)
{
	struct sctp_ifa *ifa = sctp_find_ifa_by_addr(address, vrf_id, SCTP_ADDR_NOT_LOCKED);
	bool has;

	SCTP_INP_RLOCK(inp);
	has = ifa != NULL && sctp_is_addr_in_ep(inp, ifa) != 0;
	SCTP_INP_RUNLOCK(inp);
	return has;
}

struct sctp_inpcb *cmt_find_holder(struct sctp_inpcb *inp, struct sockaddr *address, uint32_t vrf_id)
{
	if ((inp->sctp_flags & SCTP_PCB_FLAGS_IN_TCPPOOL) == 0)
		return sctp_pcb_findep(address, 0, 0, vrf_id);
	if (!has_address(inp, address, vrf_id))
		return NULL;
	SCTP_INP_INCR_REF(inp);
	return inp;
}
