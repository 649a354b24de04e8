/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/cmt_assocs.h"
#include "association/cmt_asoc.h"
#include "association/cmt_life.h"

bool cmt_is_one_to_one(const struct sctp_inpcb *inp)
{
	return (inp->sctp_flags & (SCTP_PCB_FLAGS_TCPTYPE | SCTP_PCB_FLAGS_IN_TCPPOOL)) != 0;
}

int cmt_with_assoc(struct sctp_inpcb *inp, uint32_t assoc_id, cmt_assoc_fn *fn, void *arg)
{
	struct sctp_tcb *stcb;
	struct cmt_asoc *ca;
	int error;

	if (cmt_is_one_to_one(inp)) {
		SCTP_INP_RLOCK(inp);
		stcb = LIST_FIRST(&inp->sctp_asoc_list);
		if (stcb != NULL)
			SCTP_TCB_LOCK(stcb);
		SCTP_INP_RUNLOCK(inp);
	} else if (assoc_id > SCTP_ALL_ASSOC) {
		stcb = sctp_findassociation_ep_asocid(inp, assoc_id, 1);
	} else {
		stcb = NULL;
	}
	if (stcb == NULL)
		return ENOENT;
	ca = cmt_asoc_get(stcb);
	error = ca != NULL ? fn(ca, arg) : ENOMEM;
	SCTP_TCB_UNLOCK(stcb);
	return error;
}

int cmt_with_all_assocs(struct sctp_inpcb *inp, cmt_assoc_fn *fn, void *arg)
{
	struct sctp_tcb *stcb;
	int error = 0;

	SCTP_INP_RLOCK(inp);
	LIST_FOREACH(stcb, &inp->sctp_asoc_list, sctp_tcblist)
	{
		struct cmt_asoc *ca;

		SCTP_TCB_LOCK(stcb);
		ca = cmt_asoc_get(stcb);
		error = ca != NULL ? fn(ca, arg) : ENOMEM;
		SCTP_TCB_UNLOCK(stcb);
		if (error != 0)
			break;
	}
	SCTP_INP_RUNLOCK(inp);
	return error;
}
