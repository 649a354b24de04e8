/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which handshakes measure a round-trip time (upstream/fixes/handshake-rtt.manifest), and where their answers
 * leave from (upstream/fixes/init-ack-source.manifest). */
#include <netinet/sctp_os.h>
#include <netinet/sctp_var.h>
#include <netinet/sctp_pcb.h>
#include <netinet/sctputil.h>

#include "cmt_hooks.h"

int cmt_may_be_first_echo(const struct timeval *sent, uint32_t rto_ms)
{
	struct timeval now, age;

	(void)SCTP_GETTIME_TIMEVAL(&now);
	timersub(&now, sent, &age);
	return age.tv_sec * 1000 + age.tv_usec / 1000 < (time_t)rto_ms;
}

void cmt_answer_from(struct sctp_tcb *stcb, struct sctp_nets *net, struct sockaddr *local)
{
	struct sctp_ifa *ifa = sctp_find_ifa_by_addr(local, stcb->asoc.vrf_id, SCTP_ADDR_NOT_LOCKED);

	if (ifa == NULL || net->ro._s_addr != NULL || local->sa_family == AF_CONN)
		return;
	atomic_add_int(&ifa->refcount, 1);
	net->ro._s_addr = ifa;
	net->src_addr_selected = 1;
}
