/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What upstream leaves standing of an association when its peer restarts (RFC 9260, section 5.2.4.1): the new
 * one begins with fresh congestion control, measurements and error counts on every path, and with nothing of
 * the old one outstanding (upstream/fixes/restart.manifest). Ours is forgotten in cmt_on_restart(). */
#include <netinet/sctp_os.h>
#include <netinet/sctp_var.h>
#include <netinet/sctp_pcb.h>
#include <netinet/sctputil.h>

#include "cmt_hooks.h"

static void restart_path(struct sctp_tcb *stcb, struct sctp_nets *net)
{
	sctp_timer_stop(SCTP_TIMER_TYPE_SEND, stcb->sctp_ep, stcb, net, SCTP_FROM_SCTP_INPUT);
	net->flight_size = 0;
	net->partial_bytes_acked = 0;
	net->error_count = 0;
	net->dest_state &= (uint16_t)~SCTP_ADDR_PF;
	net->dest_state |= SCTP_ADDR_REACHABLE;
	net->lastsa = net->lastsv = 0;
	net->rtt = 0;
	net->RTO = 0;
	net->RTO_measured = 0;
	net->rto_needed = 1;
	net->window_probe = 0;
	net->fast_retran_ip = 0;
	net->fast_retran_loss_recovery = 0;
	net->will_exit_fast_recovery = 0;
	net->find_pseudo_cumack = 1;
	net->find_rtx_pseudo_cumack = 1;
	net->new_pseudo_cumack = 0;
	net->pseudo_cumack = net->rtx_pseudo_cumack = 0;
	net->last_cwr_tsn = net->cwr_window_tsn = stcb->asoc.sending_seq - 1;
	net->ecn_ce_pkt_cnt = net->lost_cnt = 0;
	memset(&net->cc_mod, 0, sizeof(net->cc_mod));
	stcb->asoc.cc_functions.sctp_set_initial_cc_param(stcb, net);
}

/* Of a message that the application has begun to read, nothing more will come. */
static void end_partial_messages(struct sctp_tcb *stcb)
{
	struct sctp_queued_to_read *message;

	SCTP_INP_READ_LOCK(stcb->sctp_ep);
	TAILQ_FOREACH(message, &stcb->sctp_ep->read_queue, next)
	{
		if (message->stcb != stcb || message->end_added)
			continue;
		message->pdapi_aborted = 1;
		message->held_length = 0;
		message->end_added = 1;
	}
	stcb->asoc.control_pdapi = NULL;
	SCTP_INP_READ_UNLOCK(stcb->sctp_ep);
}

void cmt_tell_waiting_sender(struct sctp_tcb *stcb)
{
	struct socket *so = stcb->sctp_socket;

	stcb->asoc.cmt_restarts++;
	if (so == NULL)
		return;
	SOCKBUF_LOCK(&so->so_snd);
	if (stcb->block_entry != NULL)
		stcb->block_entry->error = ECONNRESET;
	stcb->block_entry = NULL;
	sowwakeup_locked(so);
}

void cmt_restart(struct sctp_tcb *stcb)
{
	struct sctp_association *asoc = &stcb->asoc;
	struct sctp_nets *net;

	end_partial_messages(stcb);
	TAILQ_FOREACH(net, &asoc->nets, sctp_next)
	restart_path(stcb, net);
	if (asoc->alternate != NULL) {
		/* Never the last reference: the path is in the list. */
		(void)SCTP_DECREMENT_AND_CHECK_REFCOUNT(&asoc->alternate->ref_count);
		asoc->alternate = NULL;
	}
	asoc->last_net_cmt_send_started = NULL;
	asoc->last_data_chunk_from = NULL;

	/* The queues are empty: so are the counts of what stood in them. */
	asoc->total_flight = 0;
	asoc->total_flight_count = 0;
	asoc->sent_queue_retran_cnt = 0;
	asoc->sent_queue_cnt_removeable = 0;
	asoc->pr_sctp_cnt = 0;
	asoc->fwd_tsn_cnt = 0;
	asoc->ctrl_queue_cnt = 0;
	asoc->ecn_echo_cnt_onq = 0;
	asoc->fast_retran_loss_recovery = 0;
	asoc->sat_t3_loss_recovery = 0;
	asoc->saw_sack_with_frags = 0;
	asoc->saw_sack_with_nr_frags = 0;
	asoc->overall_error_count = 0;
	asoc->numduptsns = 0;
	asoc->data_pkts_seen = 0;
	asoc->size_on_reasm_queue = 0;
	asoc->cnt_on_reasm_queue = 0;
	asoc->size_on_all_streams = 0;
	asoc->cnt_on_all_streams = 0;

	/* Requests that the old association had under way. */
	sctp_timer_stop(SCTP_TIMER_TYPE_STRRESET, stcb->sctp_ep, stcb, NULL, SCTP_FROM_SCTP_INPUT);
	sctp_timer_stop(SCTP_TIMER_TYPE_ASCONF, stcb->sctp_ep, stcb, NULL, SCTP_FROM_SCTP_INPUT);
	asoc->str_reset = NULL;
	asoc->stream_reset_outstanding = 0;
	asoc->stream_reset_out_is_outstanding = 0;
	asoc->trigger_reset = 0;
	asoc->stream_locked = 0;
}

void cmt_abort_handshake(struct sctp_tcb **locked, struct sctp_nets **net)
{
	sctp_abort_an_association((*locked)->sctp_ep, *locked, NULL, SCTP_SO_NOT_LOCKED);
	*locked = NULL;
	*net = NULL;
}
