/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What waits to be sent again, counted anew in all queues: upstream's counts leave some out. */
#include <netinet/sctp_os.h>
#include <netinet/sctp_var.h>
#include <netinet/sctp_pcb.h>

#include "cmt_hooks.h"

static uint32_t count(const struct sctpchunk_listhead *queue)
{
	const struct sctp_tmit_chunk *chk;
	uint32_t n = 0;

	TAILQ_FOREACH(chk, queue, sctp_next)
	n += chk->sent == SCTP_DATAGRAM_RESEND;
	return n;
}

uint32_t cmt_resend_count(const struct sctp_association *asoc)
{
	return count(&asoc->sent_queue) + count(&asoc->control_send_queue) + count(&asoc->asconf_send_queue);
}
