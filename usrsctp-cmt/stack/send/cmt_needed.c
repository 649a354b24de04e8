/* SPDX-License-Identifier: BSD-3-Clause */
#include "send/cmt_needed.h"
#include "association/cmt_asoc.h"
#include "seams/cmt_seams.h"
#include "util/cmt_time.h"

static uint32_t header_bytes(const struct cmt_asoc *ca)
{
	return ca->stcb->asoc.idata_supported ? sizeof(struct sctp_idata_chunk)
	                                      : sizeof(struct sctp_data_chunk);
}

/* Handed over, and not sent: in chunks and before. */
static uint64_t waiting_bytes(const struct cmt_asoc *ca)
{
	const struct sctp_association *asoc = &ca->stcb->asoc;
	const struct sctp_stream_queue_pending *message;
	const struct sctp_tmit_chunk *chk;
	uint64_t bytes = 0;

	TAILQ_FOREACH(chk, &asoc->send_queue, sctp_next)
	bytes += chk->send_size - header_bytes(ca);
	for (uint32_t i = 0; i < asoc->streamoutcnt; i++) {
		TAILQ_FOREACH(message, &asoc->strmout[i].outqueue, next)
		bytes += message->length;
	}
	return bytes;
}

void cmt_needed_set(struct cmt_asoc *ca, uint64_t rate_bps, uint32_t in_us)
{
	ca->needed.bps = rate_bps;
	ca->needed.at_us = cmt_seam_now_us() + in_us;
	ca->needed.position_bytes = ca->needed.taken_bytes + waiting_bytes(ca);
	cmt_asoc_reconsider(ca);
}

void cmt_needed_take(struct cmt_asoc *ca, struct sctp_tmit_chunk *const *chunks, int n)
{
	for (int i = 0; i < n; i++)
		ca->needed.taken_bytes += chunks[i]->send_size - header_bytes(ca);
}

/* Chunks above `from_tsn`, it included, that were taken, by the usual size of those under way. */
static uint64_t taken_from(const struct cmt_asoc *ca, uint32_t from_tsn)
{
	const struct sctp_association *asoc = &ca->stcb->asoc;
	const uint32_t chunks = asoc->sending_seq - from_tsn - (uint32_t)asoc->send_queue_cnt;

	if (asoc->total_flight_count == 0)
		return 0;
	return (uint64_t)chunks * (asoc->total_flight / asoc->total_flight_count - header_bytes(ca));
}

static int64_t needed_us(const struct cmt_asoc *ca, uint32_t tsn)
{
	const int64_t bytes =
	    (int64_t)(ca->needed.taken_bytes - taken_from(ca, tsn) - ca->needed.position_bytes);

	return (int64_t)ca->needed.at_us +
	       (int64_t)((double)bytes * (double)CMT_BPS_PER_BYTE_PER_US / (double)ca->needed.bps);
}

int64_t cmt_needed_unsent_us(const struct cmt_asoc *ca)
{
	const struct sctp_tmit_chunk *first = TAILQ_FIRST(&ca->stcb->asoc.send_queue);

	return needed_us(ca, first != NULL ? first->rec.data.tsn : ca->stcb->asoc.sending_seq);
}

int64_t cmt_needed_unacked_us(const struct cmt_asoc *ca)
{
	return needed_us(ca, ca->stcb->asoc.last_acked_seq + 1);
}
