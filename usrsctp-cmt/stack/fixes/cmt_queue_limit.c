/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How many chunks an association may have in its queues (upstream/fixes/queue-limit.manifest). */
#include <netinet/sctp_os.h>
#include <netinet/sctp_var.h>
#include <netinet/sctp_pcb.h>
#include <netinet/sctp_constants.h>
#include <netinet/sctp_sysctl.h>

#include "cmt_hooks.h"

/* As many TSNs as are out at most, with those that a receiver tracks beyond its cumulative ack
 * (send/cmt_view.c), and as many again that wait for them to leave, or to be read. */
enum { CHUNKS_MAX = 2 * 4096 };

/* A sender asks without the association's lock. */
uint32_t cmt_max_chunks(struct sctp_tcb *stcb)
{
	const uint32_t chosen = SCTP_BASE_SYSCTL(sctp_max_chunks_on_queue);

	return chosen == SCTP_ASOC_MAX_CHUNKS_ON_QUEUE && stcb->asoc.cmt_long_queues ? CHUNKS_MAX : chosen;
}
