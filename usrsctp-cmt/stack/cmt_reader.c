/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whether an association still has somebody who reads: its socket may be gone while the last data are on
 * their way, or closed for reading. */
#include <netinet/sctp_os.h>
#include <netinet/sctp_var.h>
#include <netinet/sctp_pcb.h>

#include "cmt_hooks.h"

bool cmt_has_reader(const struct sctp_tcb *stcb)
{
	const struct socket *so = stcb->sctp_socket;

	return so != NULL && (so->so_state & SS_CANTRCVMORE) == 0 &&
	       (stcb->asoc.state & SCTP_STATE_CLOSED_SOCKET) == 0 &&
	       (stcb->sctp_ep->sctp_flags & (SCTP_PCB_FLAGS_SOCKET_GONE | SCTP_PCB_FLAGS_SOCKET_ALLGONE)) ==
	           0;
}
