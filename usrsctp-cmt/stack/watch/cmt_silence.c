/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What an association owes, and the timer that has to run for each (RFC 9260, section 6.3.2, R1, and what
 * stands beside each entry of the table). HEARTBEATs carry nothing that waits, so their timers count only for
 * control chunks that wait in the queue. */
#include "watch/cmt_silence.h"
#include "association/cmt_asoc.h"
#include "association/cmt_wake.h"
#include "paths/cmt_tuple.h"
#include "seams/cmt_seams.h"
#include "util/cmt_time.h"

#include <inttypes.h>
#include <netinet/sctp_callout.h>

static bool runs(const struct sctp_timer *timer)
{
	return SCTP_OS_TIMER_PENDING(&timer->timer);
}

/* An address has one timer for T1, T2 and T3-rtx. */
static bool any_runs(const struct sctp_tcb *stcb, int type)
{
	const struct sctp_nets *net;

	TAILQ_FOREACH(net, &stcb->asoc.nets, sctp_next)
	{
		if (runs(&net->rxt_timer) && net->rxt_timer.type == type)
			return true;
	}
	return false;
}

static bool any_heartbeat_runs(const struct sctp_tcb *stcb)
{
	const struct sctp_nets *net;

	TAILQ_FOREACH(net, &stcb->asoc.nets, sctp_next)
	{
		if (runs(&net->hb_timer))
			return true;
	}
	return false;
}

static bool wakes(const struct sctp_tcb *stcb, enum cmt_wake_kind kind)
{
	return stcb->asoc.cmt != NULL && cmt_wakes_at_us(stcb->asoc.cmt, kind) != CMT_NEVER_US;
}

/* --- data: sections 6.1 and 6.3.2; RFC 3758, section 3.5, C4 and A5 --- */

/* What the application has not finished (SCTP_EXPLICIT_EOR, a send call that is still at it) does not wait.
 */
static bool may_be_cut(const struct sctp_tcb *stcb, const struct sctp_stream_queue_pending *message)
{
	bool in_pieces = sctp_is_feature_on(stcb->sctp_ep, SCTP_PCB_FLAGS_EXPLICIT_EOR);

	return message->length > 0 && message->discard_rest == 0 &&
	       (message->msg_is_complete != 0 || in_pieces);
}

static bool any_message_waits(const struct sctp_tcb *stcb)
{
	const struct sctp_association *asoc = &stcb->asoc;
	const struct sctp_stream_queue_pending *message;

	for (unsigned i = 0; i < asoc->streamoutcnt && asoc->stream_queue_cnt > 0; i++) {
		TAILQ_FOREACH(message, &asoc->strmout[i].outqueue, next)
		{
			if (may_be_cut(stcb, message))
				return true;
		}
	}
	return false;
}

static bool data_flow(const struct sctp_tcb *stcb)
{
	const int state = SCTP_GET_STATE(stcb);

	return state == SCTP_STATE_OPEN || state == SCTP_STATE_SHUTDOWN_RECEIVED;
}

static bool data_wait(const struct sctp_tcb *stcb)
{
	return data_flow(stcb) && (!TAILQ_EMPTY(&stcb->asoc.sent_queue) ||
	                           !TAILQ_EMPTY(&stcb->asoc.send_queue) || any_message_waits(stcb));
}

/* Until an address is confirmed, by HEARTBEAT, none takes data. */
static bool data_will_go(const struct sctp_tcb *stcb)
{
	return any_runs(stcb, SCTP_TIMER_TYPE_SEND) || wakes(stcb, CMT_WAKE_OUTPUT) ||
	       wakes(stcb, CMT_WAKE_RECOVERY) ||
	       (!cmt_tuple_any_is_confirmed(stcb, NULL) && any_heartbeat_runs(stcb));
}

/* --- what is out to an address: section 6.3.2, R1 --- */

static bool is_out_without_t3(const struct sctp_tcb *stcb)
{
	const struct sctp_nets *net;

	TAILQ_FOREACH(net, &stcb->asoc.nets, sctp_next)
	{
		if (net->flight_size > 0 && !runs(&net->rxt_timer))
			return true;
	}
	return false;
}

static bool never(const struct sctp_tcb *stcb)
{
	(void)stcb;
	return false;
}

/* --- requests --- */

static bool init_waits(const struct sctp_tcb *stcb)
{
	return SCTP_GET_STATE(stcb) == SCTP_STATE_COOKIE_WAIT;
}

static bool init_will_go(const struct sctp_tcb *stcb)
{
	return any_runs(stcb, SCTP_TIMER_TYPE_INIT);
}

static bool cookie_waits(const struct sctp_tcb *stcb)
{
	return SCTP_GET_STATE(stcb) == SCTP_STATE_COOKIE_ECHOED;
}

static bool cookie_will_go(const struct sctp_tcb *stcb)
{
	return any_runs(stcb, SCTP_TIMER_TYPE_COOKIE);
}

static bool shutdown_waits(const struct sctp_tcb *stcb)
{
	return SCTP_GET_STATE(stcb) == SCTP_STATE_SHUTDOWN_SENT;
}

static bool shutdown_will_go(const struct sctp_tcb *stcb)
{
	return any_runs(stcb, SCTP_TIMER_TYPE_SHUTDOWN);
}

static bool shutdown_ack_waits(const struct sctp_tcb *stcb)
{
	return SCTP_GET_STATE(stcb) == SCTP_STATE_SHUTDOWN_ACK_SENT;
}

static bool shutdown_ack_will_go(const struct sctp_tcb *stcb)
{
	return any_runs(stcb, SCTP_TIMER_TYPE_SHUTDOWNACK);
}

/* All data are acknowledged: sections 9.2 */
static bool end_waits(const struct sctp_tcb *stcb)
{
	bool asked = (stcb->asoc.state & (SCTP_STATE_SHUTDOWN_PENDING | SCTP_STATE_CLOSED_SOCKET)) != 0 ||
	             SCTP_GET_STATE(stcb) == SCTP_STATE_SHUTDOWN_RECEIVED;

	return asked && data_flow(stcb) && stcb->asoc.stream_queue_cnt == 0 &&
	       TAILQ_EMPTY(&stcb->asoc.sent_queue) && TAILQ_EMPTY(&stcb->asoc.send_queue);
}

static bool asconf_waits(const struct sctp_tcb *stcb)
{
	return data_flow(stcb) && !TAILQ_EMPTY(&stcb->asoc.asconf_send_queue);
}

static bool asconf_will_go(const struct sctp_tcb *stcb)
{
	return runs(&stcb->asoc.asconf_timer);
}

static bool reconfig_waits(const struct sctp_tcb *stcb)
{
	return data_flow(stcb) && stcb->asoc.stream_reset_outstanding != 0 && stcb->asoc.str_reset != NULL;
}

static bool reconfig_will_go(const struct sctp_tcb *stcb)
{
	return runs(&stcb->asoc.strreset_timer);
}

/* --- answers --- */

static bool sack_waits(const struct sctp_tcb *stcb)
{
	return data_flow(stcb) && stcb->asoc.data_pkts_seen > 0;
}

static bool sack_will_go(const struct sctp_tcb *stcb)
{
	return runs(&stcb->asoc.dack_timer) || wakes(stcb, CMT_WAKE_SACK);
}

/* An ECN-ECHO stays in the queue until CWR comes, and goes with whatever goes. */
static bool control_waits(const struct sctp_tcb *stcb)
{
	const struct sctp_tmit_chunk *chk;

	TAILQ_FOREACH(chk, &stcb->asoc.control_send_queue, sctp_next)
	{
		if (data_flow(stcb) && chk->sent == SCTP_DATAGRAM_UNSENT &&
		    chk->rec.chunk_id.id != SCTP_ECN_ECHO)
			return true;
	}
	return false;
}

static bool control_will_go(const struct sctp_tcb *stcb)
{
	return data_will_go(stcb) || any_heartbeat_runs(stcb);
}

/* --- all of it --- */

static const struct duty {
	const char *what;
	bool (*waits)(const struct sctp_tcb *stcb);
	bool (*will_go)(const struct sctp_tcb *stcb);
} duties[] = {
    {"data out to an address without T3-rtx", is_out_without_t3, never},
    {"data that are not acknowledged", data_wait, data_will_go},
    {"INIT without T1-init", init_waits, init_will_go},
    {"COOKIE-ECHO without T1-cookie", cookie_waits, cookie_will_go},
    {"SHUTDOWN that was not begun", end_waits, never},
    {"SHUTDOWN without T2", shutdown_waits, shutdown_will_go},
    {"SHUTDOWN-ACK without T2", shutdown_ack_waits, shutdown_ack_will_go},
    {"ASCONF without timer", asconf_waits, asconf_will_go},
    {"RE-CONFIG without timer", reconfig_waits, reconfig_will_go},
    {"SACK without timer", sack_waits, sack_will_go},
    {"control chunk that was not sent", control_waits, control_will_go},
};

static const struct duty *find_neglected(const struct sctp_tcb *stcb)
{
	for (size_t i = 0; i < sizeof(duties) / sizeof(duties[0]); i++) {
		if (duties[i].waits(stcb) && !duties[i].will_go(stcb))
			return &duties[i];
	}
	return NULL;
}

static void tell_wake(const struct sctp_tcb *stcb, enum cmt_wake_kind kind, const char *name, FILE *out)
{
	if (wakes(stcb, kind))
		fprintf(out, " %s in %" PRId64 " us", name,
		        (int64_t)(cmt_wakes_at_us(stcb->asoc.cmt, kind) - cmt_seam_now_us()));
}

static void tell_timers(const struct sctp_tcb *stcb, FILE *out)
{
	const struct sctp_nets *net;
	unsigned path = 0;

	fprintf(out, "; timers:");
	tell_wake(stcb, CMT_WAKE_OUTPUT, "output", out);
	tell_wake(stcb, CMT_WAKE_RECOVERY, "recovery", out);
	tell_wake(stcb, CMT_WAKE_HEARTBEAT, "heartbeat", out);
	tell_wake(stcb, CMT_WAKE_SACK, "held SACK", out);
	fprintf(out, "%s%s%s", runs(&stcb->asoc.dack_timer) ? " SACK" : "",
	        runs(&stcb->asoc.asconf_timer) ? " ASCONF" : "",
	        runs(&stcb->asoc.strreset_timer) ? " RE-CONFIG" : "");
	TAILQ_FOREACH(net, &stcb->asoc.nets, sctp_next)
	{
		fprintf(out, "; path %u: state 0x%x, flight %u of cwnd %u, retransmission timer ", path++,
		        net->dest_state, net->flight_size, net->cwnd);
		if (runs(&net->rxt_timer))
			fprintf(out, "of type %d", net->rxt_timer.type);
		else
			fprintf(out, "off");
		fprintf(out, ", HEARTBEAT timer %s", runs(&net->hb_timer) ? "on" : "off");
	}
}

static void tell(const struct sctp_tcb *stcb, const struct duty *duty, FILE *out)
{
	const struct sctp_association *asoc = &stcb->asoc;
	const struct cmt_asoc *ca = asoc->cmt;

	fprintf(out, "association of port %u with port %u stands still: %s; state 0x%x, scheduler %s, ",
	        ntohs(stcb->sctp_ep->sctp_lport), ntohs(stcb->rport), duty->what, (unsigned)asoc->state,
	        ca != NULL && ca->sched != NULL ? ca->sched->name : "none");
	fprintf(out,
	        "%u chunks out of which %u are in flight and %u to be sent again, %u unsent, %u messages in "
	        "streams, ",
	        asoc->sent_queue_cnt, asoc->total_flight_count, asoc->sent_queue_retran_cnt,
	        asoc->send_queue_cnt, asoc->stream_queue_cnt);
	fprintf(out,
	        "%u control chunks, cumulative TSN ack %" PRIu32 ", advanced by %" PRIu32
	        ", peer's window %u",
	        asoc->ctrl_queue_cnt, asoc->last_acked_seq,
	        asoc->advanced_peer_ack_point - asoc->last_acked_seq, asoc->peers_rwnd);
	tell_timers(stcb, out);
	fprintf(out, "\n");
}

bool cmt_tell_silence(FILE *out)
{
	const struct sctp_inpcb *inp;
	const struct sctp_tcb *stcb;

	if (SCTP_BASE_VAR(sctp_pcb_initialized) == 0)
		return false;
	LIST_FOREACH(inp, &SCTP_BASE_INFO(listhead), sctp_list)
	{
		LIST_FOREACH(stcb, &inp->sctp_asoc_list, sctp_tcblist)
		{
			const struct duty *duty = (stcb->asoc.state & SCTP_STATE_ABOUT_TO_BE_FREED) == 0
			                              ? find_neglected(stcb)
			                              : NULL;

			if (duty != NULL) {
				tell(stcb, duty, out);
				return true;
			}
		}
	}
	return false;
}
