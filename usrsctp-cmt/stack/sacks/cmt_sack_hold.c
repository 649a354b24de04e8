/* SPDX-License-Identifier: BSD-3-Clause
 *
 * As a receiver: holds SACKs back while their share of what arrives is used up, while other packets that
 * arrived together are still to be looked at, and while packets come fast (core/recovery/cmt_sack_share.h).
 * Only from peers that stamp their packets, and need no SACK for each: they find losses by time and by
 * number. What a peer asks for at once (RFC 7053) goes at once. */
#include "sacks/cmt_sack_hold.h"
#include "association/cmt_asoc.h"
#include "association/cmt_wake.h"
#include "cmt_hooks.h"
#include "paths/cmt_pmtud.h"
#include "recovery/cmt_sack_share.h"
#include "seams/cmt_seams.h"

#include <netinet/sctp_output.h>

static bool share_is_used(const struct cmt_asoc *ca, uint32_t pkts)
{
	return cmt_sack_share_is_used(ca->own_sack.bytes, (uint64_t)pkts * cmt_pmtud_interface_bytes(ca));
}

bool cmt_sack_hold(struct sctp_tcb *stcb, int gap)
{
	struct cmt_asoc *ca = stcb->asoc.cmt;
	const uint32_t pkts = stcb->asoc.data_pkts_seen;
	uint64_t now_us;

	if (ca == NULL || !cmt_asoc_is_stamped(ca))
		return false;
	now_us = cmt_seam_now_us();
	cmt_sack_pace_add(&ca->own_sack.arrivals, now_us);
	if (stcb->asoc.send_sack ||
	    !(cmt_sack_waits_for_more(&ca->own_sack.arrivals, cmt_seam_more_follow(), pkts) ||
	      (gap && share_is_used(ca, pkts))))
		return false;
	cmt_wake_at(ca, CMT_WAKE_SACK, now_us + CMT_SACK_WAIT_US, now_us);
	ca->own_sack.held = ca->wake != NULL && !ca->closing; /* without a timer nothing would release it */
	return ca->own_sack.held;
}

bool cmt_sack_release(struct cmt_asoc *ca)
{
	if (!ca->own_sack.held)
		return false;
	sctp_send_sack(ca->stcb, SCTP_SO_NOT_LOCKED);
	return true;
}
