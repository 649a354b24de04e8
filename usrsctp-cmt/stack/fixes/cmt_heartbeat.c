/* SPDX-License-Identifier: BSD-3-Clause
 *
 * When the next HEARTBEAT is due (RFC 9260, section 8.3: RTO with a jitter of +-50 %, plus HB.interval),
 * without overflow (upstream/fixes/timer-overflow.manifest). An RTO of 0 is not measured. */
#include <netinet/sctp_os.h>
#include <netinet/sctp_pcb.h>

#include "cmt_hooks.h"
#include "paths/cmt_tuple.h"

uint32_t cmt_heartbeat_ms(uint32_t rto_ms, uint32_t random, uint32_t interval_ms)
{
	uint64_t rto = rto_ms == 0 ? SCTP_RTO_INITIAL : rto_ms;
	uint64_t due = rto - rto / 2 + random % rto + interval_ms;

	return due > UINT32_MAX ? UINT32_MAX : (uint32_t)due;
}

uint32_t cmt_progress(const struct sctp_tcb *stcb)
{
	return stcb->asoc.last_acked_seq + stcb->asoc.cumulative_tsn;
}

/* An address that is not the peer's own gets fewer packets than the peer sends. */
bool cmt_may_ask_again(const struct sctp_tcb *stcb, const struct sctp_nets *net)
{
	return !cmt_tuple_is_confirmed(net) && net->cmt_progress != cmt_progress(stcb);
}
