/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How an association ends: when SHUTDOWN is due, how long data may take before it, and why there was an
 * ABORT. */
#include <netinet/sctp_os.h>
#include <netinet/sctp_var.h>
#include <netinet/sctp_pcb.h>
#include <netinet/sctputil.h>
#include <netinet/sctp_output.h>

#include "cmt_hooks.h"

static bool has_data(const struct sctp_association *asoc)
{
	return !TAILQ_EMPTY(&asoc->send_queue) || !TAILQ_EMPTY(&asoc->sent_queue) ||
	       asoc->stream_queue_cnt > 0;
}

/* A restart may have taken the path away that its COOKIE-ECHO came on. */
static struct sctp_nets *path_of_shutdown(const struct sctp_association *asoc)
{
	return asoc->alternate != NULL ? asoc->alternate : asoc->primary_destination;
}

void cmt_shut_down_when_done(struct sctp_tcb *stcb)
{
	struct sctp_nets *net = path_of_shutdown(&stcb->asoc);

	if (SCTP_GET_STATE(stcb) != SCTP_STATE_OPEN ||
	    (stcb->asoc.state & SCTP_STATE_SHUTDOWN_PENDING) == 0 || has_data(&stcb->asoc))
		return;
	SCTP_STAT_DECR_GAUGE32(sctps_currestab);
	SCTP_SET_STATE(stcb, SCTP_STATE_SHUTDOWN_SENT);
	sctp_stop_timers_for_shutdown(stcb);
	sctp_send_shutdown(stcb, net);
	sctp_timer_start(SCTP_TIMER_TYPE_SHUTDOWN, stcb->sctp_ep, stcb, net);
	sctp_timer_start(SCTP_TIMER_TYPE_SHUTDOWNGUARD, stcb->sctp_ep, stcb, NULL);
}

bool cmt_closing_moves(struct sctp_tcb *stcb)
{
	struct sctp_association *asoc = &stcb->asoc;
	bool moved = asoc->last_acked_seq != asoc->cmt_guard_acked;

	asoc->cmt_guard_acked = asoc->last_acked_seq;
	return moved && has_data(asoc);
}

uint16_t cmt_cause_code(const struct mbuf *causes)
{
	struct sctp_error_cause cause;

	if (causes == NULL || (size_t)SCTP_BUF_LEN(causes) < sizeof(cause))
		return 0;
	memcpy(&cause, causes->m_data, sizeof(cause));
	return ntohs(cause.code);
}
