/* SPDX-License-Identifier: BSD-3-Clause */
#include "association/cmt_by_tag.h"
#include "association/cmt_asoc.h"
#include "seams/cmt_seams.h"

struct sctp_tcb *cmt_lock_by_tag(const struct cmt_seam_arrival *arrival)
{
	struct sctphdr sh;
	struct sctp_tcb *stcb;
	uint32_t tag;

	memcpy(&sh, arrival->bytes, sizeof(sh));
	tag = ntohl(sh.v_tag);
	if (tag == 0)
		return NULL;
	SCTP_INP_INFO_RLOCK();
	LIST_FOREACH(stcb,
	             &SCTP_BASE_INFO(sctp_asochash)[SCTP_PCBHASH_ASOC(tag, SCTP_BASE_INFO(hashasocmark))],
	             sctp_asocs)
	{
		if (stcb->asoc.my_vtag != tag || stcb->asoc.vrf_id != arrival->vrf_id)
			continue;
		SCTP_TCB_LOCK(stcb);
		if (stcb->rport == sh.src_port && stcb->sctp_ep->sctp_lport == sh.dest_port &&
		    (stcb->asoc.state & SCTP_STATE_ABOUT_TO_BE_FREED) == 0)
			break;
		SCTP_TCB_UNLOCK(stcb);
	}
	SCTP_INP_INFO_RUNLOCK();
	return stcb;
}
