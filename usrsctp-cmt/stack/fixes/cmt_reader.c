/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whether an association still has somebody who reads: its socket may be gone while the last data are on
 * their way, or closed for reading. What is acknowledged and will not be read any more ends the association,
 * so that the peer knows. */
#include <netinet/sctp_os.h>
#include <netinet/sctp_var.h>
#include <netinet/sctp_pcb.h>
#include <netinet/sctputil.h>

#include "cmt_hooks.h"

bool cmt_has_reader(const struct sctp_tcb *stcb)
{
	return stcb->sctp_socket != NULL && (stcb->asoc.state & SCTP_STATE_CLOSED_SOCKET) == 0 &&
	       (stcb->sctp_ep->sctp_flags & (SCTP_PCB_FLAGS_SOCKET_GONE | SCTP_PCB_FLAGS_SOCKET_ALLGONE |
	                                     SCTP_PCB_FLAGS_SOCKET_CANT_READ)) == 0;
}

/* The endpoint's read queue is locked. */
static bool holds_data(const struct sctp_inpcb *inp)
{
	const struct sctp_queued_to_read *unread;

	TAILQ_FOREACH(unread, &inp->read_queue, next)
	{
		if ((unread->spec_flags & M_NOTIFICATION) == 0 && unread->length > 0)
			return true;
	}
	return false;
}

static bool holds_parts(const struct sctp_association *asoc)
{
	return asoc->size_on_reasm_queue > 0 || asoc->size_on_all_streams > 0 || asoc->control_pdapi != NULL;
}

int cmt_stop_reading(struct socket *so)
{
	struct sctp_inpcb *inp = (struct sctp_inpcb *)so->so_pcb;
	struct sctp_tcb *stcb;
	bool unread;

	if (inp == NULL)
		return EINVAL;
	SCTP_INP_WLOCK(inp);
	if ((inp->sctp_flags & (SCTP_PCB_FLAGS_TCPTYPE | SCTP_PCB_FLAGS_IN_TCPPOOL)) == 0) {
		SCTP_INP_WUNLOCK(inp);
		return EOPNOTSUPP;
	}
	SCTP_INP_READ_LOCK(inp);
	inp->sctp_flags |= SCTP_PCB_FLAGS_SOCKET_CANT_READ;
	unread = holds_data(inp);
	SCTP_INP_READ_UNLOCK(inp);
	SOCKBUF_LOCK(&so->so_rcv);
	/* What is queued stays until the socket is closed: somebody may just be reading it. */
	so->so_rcv.sb_cc = 0;
	so->so_rcv.sb_mbcnt = 0;
	socantrcvmore_locked(so);
	stcb = LIST_FIRST(&inp->sctp_asoc_list);
	if (stcb != NULL)
		SCTP_TCB_LOCK(stcb);
	SCTP_INP_WUNLOCK(inp);
	if (stcb == NULL)
		return 0;
	if ((stcb->asoc.state & SCTP_STATE_ABOUT_TO_BE_FREED) != 0 ||
	    (!unread && !holds_parts(&stcb->asoc))) {
		SCTP_TCB_UNLOCK(stcb);
		return 0;
	}
	sctp_abort_an_association(inp, stcb, sctp_generate_cause(SCTP_CAUSE_USER_INITIATED_ABT, ""),
	                          SCTP_SO_LOCKED);
	return ECONNABORTED;
}
