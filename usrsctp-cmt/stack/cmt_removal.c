/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A local address that is being removed is still one of ours until the peer has agreed (RFC 5061,
 * section 5.3): packets are under way to it (upstream/fixes/removed-address-aborts.manifest). */
#include <netinet/sctp_os.h>
#include <netinet/sctp_var.h>
#include <netinet/sctp_pcb.h>
#include <netinet/sctputil.h>

#include "cmt_hooks.h"

bool cmt_is_being_removed(struct sctp_tcb *stcb, struct sockaddr *address)
{
	const struct sctp_asconf_addr *change;

	TAILQ_FOREACH(change, &stcb->asoc.asconf_queue, next)
	{
		if (change->ap.aph.ph.param_type == SCTP_DEL_IP_ADDRESS && change->ifa != NULL &&
		    sctp_cmpaddr(&change->ifa->address.sa, address))
			return true;
	}
	return false;
}
