/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How often a chunk may be sent (upstream/fixes/transmission-limit.manifest). */
#include <netinet/sctp_os.h>
#include <netinet/sctp_var.h>
#include <netinet/sctp_pcb.h>
#include <netinet/sctp_sysctl.h>

#include "cmt_hooks.h"

uint32_t cmt_max_transmissions(const struct sctp_tcb *stcb)
{
	const struct sctp_association *asoc = &stcb->asoc;
	const uint32_t chosen = SCTP_BASE_SYSCTL(sctp_max_retran_chunk);

	if (chosen != SCTPCTL_MAX_RETRAN_CHUNK_DEFAULT || asoc->cmt_chunk_limit == 0 || asoc->minrto == 0 ||
	    asoc->minrto >= SCTPCTL_RTO_MIN_DEFAULT)
		return chosen;
	return chosen * (SCTPCTL_RTO_MIN_DEFAULT / asoc->minrto) * asoc->numnets;
}
