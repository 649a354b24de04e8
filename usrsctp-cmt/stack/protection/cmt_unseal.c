/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A packet comes in: the record of a DTLS chunk is opened before anything looks at what is in it; what comes
 * in the clear is dropped once protection is enforced, and until then nothing but what the handshake of the
 * keys needs is taken.
 *
 * An attacker who can forge everything in the clear must not leave anything behind that lasts: data of his
 * would take the place of the peer's with the same TSN. So data in the clear are of the keys' handshake
 * alone, what else moves TSNs or addresses is dropped, and cmt_keys_enforce() makes sure that nothing is left
 * over. */
#include "association/cmt_by_tag.h"
#include "cmt_hooks.h"
#include "protection/cmt_last_word.h"
#include "protection/cmt_protection.h"
#include "seams/cmt_seams.h"
#include "wire/cmt_chunk_types.h"

#include <netinet/sctp_header.h>

enum { RESTART_FLAG = 1 };

/* Back ends have one thread. The common header goes in front of the record's content. */
static uint8_t packet[sizeof(struct sctphdr) + CMT_RECORD_CONTENT_MAX + CMT_DTLS_OVERHEAD_BYTES];

static uint8_t first_chunk_type(const struct cmt_seam_arrival *arrival)
{
	return ((const uint8_t *)arrival->bytes)[sizeof(struct sctphdr)];
}

/* --- a DTLS chunk --- */

/* The record in a packet that has a DTLS chunk and nothing else; NULL: there is more, or less. */
static const uint8_t *find_record(const struct cmt_seam_arrival *arrival, size_t *record_bytes)
{
	const uint8_t *chunk = (const uint8_t *)arrival->bytes + sizeof(struct sctphdr);
	const size_t room = arrival->len - sizeof(struct sctphdr);
	const size_t chunk_bytes = (size_t)(chunk[2] << 8 | chunk[3]);

	if (chunk_bytes <= CMT_DTLS_HEAD_BYTES || SCTP_SIZE32(chunk_bytes) != room ||
	    chunk_bytes - CMT_DTLS_HEAD_BYTES > CMT_RECORD_CONTENT_MAX + CMT_RECORD_OVERHEAD_BYTES)
		return NULL;
	*record_bytes = chunk_bytes - CMT_DTLS_HEAD_BYTES;
	return chunk + CMT_DTLS_HEAD_BYTES;
}

static enum cmt_seal_state open_record(struct sctp_tcb *stcb, const struct cmt_seam_arrival *arrival,
                                       struct cmt_seam_arrival *inner)
{
	enum { RECORD_AT = (int)sizeof(struct sctphdr) - CMT_RECORD_HEADER_BYTES };
	struct cmt_protection *p = stcb->asoc.cmt_protection;
	const uint8_t flags = ((const uint8_t *)arrival->bytes)[sizeof(struct sctphdr) + 1];
	size_t record_bytes;
	const uint8_t *record = find_record(arrival, &record_bytes);
	struct cmt_record_rx *keys;
	int content_bytes;

	if (record == NULL || !cmt_record_is_one(record[0]))
		return CMT_SEAL_DROP;
	keys = (flags & RESTART_FLAG) == 0 ? cmt_keys_receive(p, cmt_record_epoch_bits(record[0])) : NULL;
	if (keys == NULL) {
		p->counts.unknown_epoch++;
		return CMT_SEAL_DROP;
	}
	memcpy(packet + RECORD_AT, record, record_bytes);
	content_bytes = cmt_record_open(keys, packet + RECORD_AT, (uint32_t)record_bytes);
	if (content_bytes < (int)sizeof(struct sctp_chunkhdr))
		return CMT_SEAL_DROP;
	memcpy(packet, arrival->bytes, sizeof(struct sctphdr));
	cmt_keys_on_opened(stcb, keys);
	if (p->tampered)
		return CMT_SEAL_DROP;
	*inner = *arrival;
	inner->bytes = packet;
	inner->len = sizeof(struct sctphdr) + (size_t)content_bytes;
	inner->authentic = true;
	cmt_seal_answers(stcb);
	return CMT_SEAL_OPENED;
}

/* --- in the clear --- */

static bool is_of_keys(const uint8_t *chunk, size_t len)
{
	/* Where a chunk's payload protocol identifier is; an I-DATA chunk that is no first fragment has none.
	 */
	enum { DATA_PPID_AT = 12, IDATA_PPID_AT = 16, FIRST_FRAGMENT = 2 };
	const size_t at = chunk[0] == CHUNK_DATA ? DATA_PPID_AT : IDATA_PPID_AT;

	if (len < at + sizeof(uint32_t))
		return false;
	if (chunk[0] == CHUNK_IDATA && (chunk[1] & FIRST_FRAGMENT) == 0)
		return true;
	return chunk[at] == 0 && chunk[at + 1] == 0 && (chunk[at + 2] << 8 | chunk[at + 3]) == CMT_KEYS_PPID;
}

static bool may_be_clear(const uint8_t *chunk, size_t len)
{
	switch (chunk[0]) {
	case CHUNK_DATA:
	case CHUNK_IDATA: return is_of_keys(chunk, len);
	case CHUNK_INIT:
	case CHUNK_INIT_ACK:
	case CHUNK_SACK:
	case CHUNK_NR_SACK:
	case CHUNK_HEARTBEAT:
	case CHUNK_HEARTBEAT_ACK:
	case CHUNK_ABORT:
	case CHUNK_SHUTDOWN:
	case CHUNK_SHUTDOWN_ACK:
	case CHUNK_SHUTDOWN_COMPLETE:
	case CHUNK_ERROR:
	case CHUNK_COOKIE_ECHO:
	case CHUNK_COOKIE_ACK:
	case CHUNK_ECNE:
	case CHUNK_CWR:
	case CHUNK_PAD:
	case CHUNK_TIMESTAMP:
	case CHUNK_ECHO: return true;
	default: return false;
	}
}

static bool are_all_of_handshake(const struct cmt_seam_arrival *arrival)
{
	const uint8_t *chunk = (const uint8_t *)arrival->bytes + sizeof(struct sctphdr);
	size_t room = arrival->len - sizeof(struct sctphdr);

	while (room >= sizeof(struct sctp_chunkhdr)) {
		const size_t len = (size_t)(chunk[2] << 8 | chunk[3]);

		if (len < sizeof(struct sctp_chunkhdr) || len > room || !may_be_clear(chunk, len))
			return false;
		if (SCTP_SIZE32(len) >= room)
			return true;
		chunk += SCTP_SIZE32(len);
		room -= SCTP_SIZE32(len);
	}
	return true;
}

/* --- every packet --- */

static enum cmt_seal_state look_into(struct sctp_tcb *stcb, const struct cmt_seam_arrival *arrival,
                                     struct cmt_seam_arrival *inner)
{
	struct cmt_protection *p = stcb->asoc.cmt_protection;

	if (p == NULL)
		return CMT_SEAL_NONE;
	if (p->tampered)
		return CMT_SEAL_DROP;
	if (first_chunk_type(arrival) == CHUNK_DTLS)
		return open_record(stcb, arrival, inner);
	if (!p->enforced && are_all_of_handshake(arrival))
		return CMT_SEAL_NONE;
	p->counts.dropped_clear++;
	return CMT_SEAL_DROP;
}

/* The peer may repeat itself, since our last word was lost. */
static bool is_of_ended(const struct cmt_seam_arrival *arrival, struct cmt_seam_arrival *inner)
{
	*inner = *arrival;
	inner->bytes =
	    first_chunk_type(arrival) == CHUNK_DTLS ? cmt_last_word_find(arrival->bytes, &inner->len) : NULL;
	return inner->bytes != NULL;
}

/* The tag is none of an association's, but upstream would find one by the addresses: for an INIT, or an ABORT
 * that reflects the peer's tag. */
static enum cmt_seal_state by_addresses(const struct cmt_seam_arrival *arrival, struct sockaddr_storage *from,
                                        struct sockaddr_storage *to)
{
	struct sctp_nets *net = NULL;
	struct sctp_tcb *stcb = cmt_seam_lock_association(arrival->vrf_id, from, to, &net);
	enum cmt_seal_state state = CMT_SEAL_NONE;

	if (stcb == NULL)
		return state;
	if (cmt_is_enforced(stcb)) {
		stcb->asoc.cmt_protection->counts.dropped_clear++;
		state = CMT_SEAL_DROP;
	}
	SCTP_TCB_UNLOCK(stcb);
	return state;
}

enum cmt_seal_state cmt_unseal(const struct cmt_seam_arrival *arrival, struct sockaddr_storage *from,
                               struct sockaddr_storage *to, struct cmt_seam_arrival *inner)
{
	enum cmt_seal_state state;
	struct sctp_tcb *stcb;

	if (!cmt_any_protected() && !cmt_last_word_any())
		return CMT_SEAL_NONE;
	stcb = cmt_lock_by_tag(arrival);
	if (stcb == NULL)
		return is_of_ended(arrival, inner) ? CMT_SEAL_ANSWER : by_addresses(arrival, from, to);
	state = look_into(stcb, arrival, inner);
	SCTP_TCB_UNLOCK(stcb);
	return state;
}
