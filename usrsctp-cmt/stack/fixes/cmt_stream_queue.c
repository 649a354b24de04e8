/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where a message stands among those of its stream that wait to be read in order
 * (upstream/fixes/stream-queue-search.manifest). Their numbers, MIDs or SSNs, ascend. */
#include <netinet/sctp_os.h>
#include <netinet/sctp_var.h>
#include <netinet/sctp_pcb.h>
#include <netinet/sctp_constants.h>

#include "cmt_hooks.h"

/* How far `a` is behind `b`: of SSNs, 16 bits count. */
static uint32_t distance(uint32_t a, uint32_t b, int is_idata)
{
	return is_idata ? a - b : (uint16_t)(a - b);
}

struct sctp_queued_to_read *cmt_message_below(const struct sctp_readhead *queue, uint32_t mid, int is_idata)
{
	struct sctp_queued_to_read *first = TAILQ_FIRST(queue), *at = TAILQ_LAST(queue, sctp_readhead);

	if (first == NULL || (SCTP_MID_GT(is_idata, at->mid, mid) &&
	                      distance(at->mid, mid, is_idata) > distance(mid, first->mid, is_idata)))
		return first;
	while (at != first && SCTP_MID_GE(is_idata, at->mid, mid))
		at = TAILQ_PREV(at, sctp_readhead, next_instrm);
	return at;
}

struct sctp_queued_to_read *cmt_find_message(const struct sctp_readhead *queue, uint32_t mid, int is_idata)
{
	struct sctp_queued_to_read *at = cmt_message_below(queue, mid, is_idata);

	while (at != NULL && SCTP_MID_GT(is_idata, mid, at->mid))
		at = TAILQ_NEXT(at, next_instrm);
	return at != NULL && SCTP_MID_EQ(is_idata, at->mid, mid) ? at : NULL;
}
