/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A packet leaves: its chunks become the record of one DTLS chunk. */
#include "protection/cmt_last_word.h"
#include "protection/cmt_protection.h"
#include "seams/cmt_seams.h"
#include "wire/cmt_chunk_types.h"

#include <netinet/sctp_header.h>
#include <netinet/sctp_output.h>

enum { RECORD_AT = (int)sizeof(struct sctphdr) + (int)CMT_DTLS_HEAD_BYTES };

/* Back ends have one thread. */
static uint8_t packet[sizeof(struct sctphdr) + CMT_RECORD_CONTENT_MAX + CMT_DTLS_OVERHEAD_BYTES];

/* Whose record is being looked into. Upstream may hold any lock, and cannot be asked who gets an answer: a
 * list of those that somebody in the clear provokes would be a way to have them protected. */
static const struct sctp_tcb *answered;

bool cmt_is_sealed(const struct sctp_tcb *stcb)
{
	return stcb != NULL && stcb->asoc.cmt_protection != NULL && stcb->asoc.cmt_protection->send != NULL;
}

size_t cmt_seal(const struct sctp_tcb *stcb, struct mbuf *chain, size_t offset, size_t len,
                const void **bytes)
{
	struct cmt_protection *p = stcb->asoc.cmt_protection;
	const size_t content_bytes = len - sizeof(struct sctphdr);
	const uint8_t *content = packet + RECORD_AT + CMT_RECORD_HEADER_BYTES;
	bool is_last;
	struct sctp_chunkhdr head = {.chunk_type = CHUNK_DTLS};
	struct sctphdr sh;
	size_t chunk_bytes, total;
	int record_bytes;

	if (content_bytes > CMT_RECORD_CONTENT_MAX)
		return 0;
	m_copydata(chain, (int)offset, (int)sizeof(sh), (caddr_t)&sh);
	m_copydata(chain, (int)(offset + sizeof(sh)), (int)content_bytes,
	           (caddr_t)packet + RECORD_AT + CMT_RECORD_HEADER_BYTES);
	is_last = content[0] == CHUNK_SHUTDOWN_COMPLETE;
	record_bytes = cmt_record_seal(p->send, packet + RECORD_AT, (uint32_t)content_bytes,
	                               (uint32_t)sizeof(packet) - RECORD_AT);
	if (record_bytes < 0)
		return 0;
	p->counts.sealed++;
	chunk_bytes = CMT_DTLS_HEAD_BYTES + (size_t)record_bytes;
	head.chunk_length = htons((uint16_t)chunk_bytes);
	memcpy(packet, &sh, sizeof(sh));
	memcpy(packet + sizeof(sh), &head, sizeof(head));
	packet[sizeof(sh) + sizeof(head)] = 0;
	total = sizeof(sh) + SCTP_SIZE32(chunk_bytes);
	memset(packet + sizeof(sh) + chunk_bytes, 0, total - sizeof(sh) - chunk_bytes);
	sh.checksum = cmt_seam_checksum(packet, total);
	memcpy(packet, &sh, sizeof(sh));
	if (is_last)
		cmt_last_word_keep(stcb->asoc.my_vtag, packet, total);
	*bytes = packet;
	return total;
}

void cmt_seal_answers(const struct sctp_tcb *stcb)
{
	answered = stcb;
}

void cmt_seal_forget(const struct sctp_tcb *stcb)
{
	if (answered == stcb)
		answered = NULL;
}

const struct sctp_tcb *cmt_seal_of_answer(const struct mbuf *chain, size_t offset)
{
	struct sctphdr sh;

	if (!cmt_is_sealed(answered))
		return NULL;
	m_copydata(chain, (int)offset, (int)sizeof(sh), (caddr_t)&sh);
	return ntohl(sh.v_tag) == answered->asoc.peer_vtag && sh.dest_port == answered->rport ? answered
	                                                                                      : NULL;
}
