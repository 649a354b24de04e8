/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_chunk.h - one chunk that was sent: whether and since when it is out, into flight and out of it.
 *
 * The association's lock is held. Upstream's counts of flight, window and retransmissions follow. */
#ifndef CMT_CHUNK_H
#define CMT_CHUNK_H

#include "association/cmt_asoc.h"

/* Whether the chunk is under way, as far as we know. */
static inline bool cmt_is_out(const struct sctp_tmit_chunk *chk)
{
	return chk->sent != SCTP_DATAGRAM_UNSENT && chk->sent < SCTP_DATAGRAM_RESEND;
}

/* When the chunk was sent last. */
uint64_t cmt_sent_us(const struct sctp_tmit_chunk *chk);
/* A chunk that is out counts in the flight of its address from now on, for which T3 runs (RFC 9260, section
 * 6.3.2, R1). */
void cmt_put_in_flight(struct sctp_tcb *stcb, struct sctp_tmit_chunk *chk);
/* A chunk that is out leaves flight and waits to be sent again. */
void cmt_mark_for_resend(struct sctp_tcb *stcb, struct sctp_tmit_chunk *chk);
/* It is still under way, and counts as that; in the flight of which address is the caller's to say, and so is
 * whether the peer's window is to be told, which a SACK that is being taken in sets at its end. */
void cmt_unmark_for_resend(struct sctp_tcb *stcb, struct sctp_tmit_chunk *chk);
void cmt_take_window(struct sctp_tcb *stcb, const struct sctp_tmit_chunk *chk);
/* Whether its limit of retransmissions allows one more (RFC 7496). */
bool cmt_may_send_again(const struct cmt_asoc *ca, const struct sctp_tmit_chunk *chk);
/* Takes a chunk out of flight to be sent again. False: it was abandoned instead (RFC 3758). */
bool cmt_send_again(struct cmt_asoc *ca, struct sctp_tmit_chunk *chk);

#endif
