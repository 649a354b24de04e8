/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How many TSNs a receiver keeps apart. */
#include "sacks/cmt_tracked.h"
#include "association/cmt_asoc.h"
#include "wire/cmt_wire.h"

/* The least that a chunk takes of the receive buffer. */
enum { CHUNK_MIN_BYTES = MSIZE };

void cmt_tracked_limit_queues(const struct cmt_asoc *ca)
{
	const bool ours = ca->sched != NULL || cmt_asoc_negotiated(ca);
	const uint32_t tsns = cmt_tracked_tsns(max(ca->own_tsn_scale, ca->peer_tsn_scale));

	/* As many as are out at most, and as many again that wait for them to leave, or to be read. */
	ca->stcb->asoc.cmt_chunk_limit = ours ? 2 * tsns : 0;
}

uint32_t cmt_tracked_tell(struct cmt_asoc *ca)
{
	const struct socket *so = ca->stcb->sctp_socket;
	const uint32_t chunks = so != NULL ? SCTP_SB_LIMIT_RCV(so) / CHUNK_MIN_BYTES : 0;

	while (ca->own_tsn_scale < CMT_TSN_SCALE_MAX && cmt_tracked_tsns(ca->own_tsn_scale) < chunks)
		ca->own_tsn_scale++;
	cmt_tracked_limit_queues(ca);
	return ca->own_tsn_scale;
}

void cmt_tracked_on_told(struct cmt_asoc *ca, uint32_t tsn_scale)
{
	ca->peer_tsn_scale = max(ca->peer_tsn_scale, tsn_scale);
	cmt_tracked_limit_queues(ca);
}

uint32_t cmt_receiver_tsns(const struct sctp_tcb *stcb)
{
	return cmt_tracked_tsns(stcb->asoc.cmt != NULL ? stcb->asoc.cmt->own_tsn_scale : 0);
}
