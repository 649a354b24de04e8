/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How many chunks an association may have in its queues (upstream/fixes/queue-limit.manifest). */
#include <netinet/sctp_os.h>
#include <netinet/sctp_var.h>
#include <netinet/sctp_pcb.h>
#include <netinet/sctp_constants.h>
#include <netinet/sctp_sysctl.h>

#include "cmt_hooks.h"

/* A sender asks without the association's lock. */
uint32_t cmt_max_chunks(struct sctp_tcb *stcb)
{
	const uint32_t chosen = SCTP_BASE_SYSCTL(sctp_max_chunks_on_queue);
	const uint32_t limit = stcb->asoc.cmt_chunk_limit;

	return chosen == SCTP_ASOC_MAX_CHUNKS_ON_QUEUE && limit != 0 ? limit : chosen;
}
