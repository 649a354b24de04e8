/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Upstream's output begins and ends: what all rooms do then, in this order. */
#include "association/cmt_asoc.h"
#include "association/cmt_life.h"
#include "cmt_hooks.h"
#include "losses/cmt_retransmit.h"
#include "losses/cmt_spurious.h"
#include "paths/cmt_announce.h"
#include "paths/cmt_control.h"
#include "paths/cmt_failover.h"
#include "paths/cmt_join.h"
#include "paths/cmt_keep_alive.h"
#include "paths/cmt_paths.h"
#include "paths/cmt_pmtud.h"
#include "send/cmt_copy_send.h"
#include "send/cmt_partial.h"
#include "send/cmt_view.h"

void cmt_on_output_begin(struct sctp_tcb *stcb, int un_sent, cmt_send_packet_fn *send)
{
	struct cmt_asoc *ca = stcb->asoc.cmt;

	cmt_announce_on_output(stcb);
	if (ca != NULL) {
		cmt_asoc_engage(ca);
		cmt_keep_alive_on_output(ca);
	}
	ca = cmt_asoc_scheduled(stcb);
	if (ca == NULL)
		return;
	ca->send_packet = send;
	cmt_asoc_reconsider(ca);
	cmt_join_open(ca);
	cmt_failover_lead(ca);
	cmt_retransmit_begin(ca);
	cmt_pmtud_on_output_begin(ca);
	cmt_cc_attach(ca);
	cmt_view_advance(ca);
	cmt_partial_watch(ca);
	if (un_sent <= 0) {
		/* No data ask for it. */
		if (cmt_failover_has_news(ca))
			cmt_failover_watch(ca);
		cmt_on_output_end(stcb);
	}
}

void cmt_on_output_end(struct sctp_tcb *stcb)
{
	struct cmt_asoc *ca = cmt_asoc_scheduled(stcb);

	if (ca == NULL)
		return;
	cmt_asoc_sync_paths(ca);
	if (ca->sched->copy != NULL)
		cmt_copy_output(ca);
	cmt_spurious_on_output_end(ca);
	cmt_pmtud_on_output_end(ca);
}
