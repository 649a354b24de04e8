/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A SACK comes in, before upstream looks at it: whether a newer one overtook it
 * (core/recovery/cmt_sack_order.h), what it may leave out, what the echo behind it says of transmissions, and
 * the duplicate TSNs in it. */
#include "association/cmt_asoc.h"
#include "cmt_hooks.h"
#include "delay/cmt_path_est.h"
#include "delay/cmt_sentlog.h"
#include "losses/cmt_assumed_acked.h"
#include "losses/cmt_copy.h"
#include "losses/cmt_gaps.h"
#include "losses/cmt_spurious.h"
#include "paths/cmt_paths.h"
#include "recovery/cmt_resent.h"
#include "recovery/cmt_sack_order.h"
#include "util/cmt_serial.h"
#include "util/cmt_time.h"
#include "wire/cmt_wire.h"

enum { TSNS_MAX = 65536 /* more than a receiver tracks: not of this association's TSNs */ };

/* What stands behind the SACK in its packet; false: no echo. */
static bool read_echo(struct mbuf *m, int offset, struct cmt_echo *echo)
{
	struct sctp_chunkhdr header;
	uint8_t buffer[CMT_ECHO_MAX_BYTES];
	const uint8_t *bytes = (const uint8_t *)sctp_m_getptr(m, offset, sizeof(header), (uint8_t *)&header);
	unsigned int len;

	if (bytes == NULL)
		return false;
	memcpy(&header, bytes, sizeof(header));
	len = min((unsigned int)ntohs(header.chunk_length), (unsigned int)sizeof(buffer));
	if (header.chunk_type != CHUNK_ECHO || len < sizeof(header))
		return false;
	bytes = (const uint8_t *)sctp_m_getptr(m, offset, (int)len, buffer);
	return bytes != NULL && cmt_echo_decode(bytes, len, echo) == 0;
}

static bool any_copies(const struct cmt_asoc *ca)
{
	for (unsigned i = 0; i < ca->n_slots; i++) {
		if (ca->paths[i].copy.out.count > 0)
			return true;
	}
	return false;
}

/* What the echo behind a SACK says is needed before upstream takes in the SACK: what a timeout marked for
 * nothing is under way again, and acknowledged as that. NULL: no echo. */
static void note_heard(struct cmt_asoc *ca, const struct cmt_echo *echo)
{
	for (unsigned i = 0; i < ca->n_slots; i++)
		ca->paths[i].heard_number = cmt_path_est_heard_number(&ca->paths[i].est);
	for (uint32_t i = 0; echo != NULL && i < echo->n_entries; i++) {
		const struct cmt_echo_entry *entry = &echo->entries[i];
		struct cmt_path *path = cmt_asoc_path_by_wire_id(ca, entry->path_id);
		const struct cmt_sent_record *record =
		    path != NULL ? cmt_sentlog_find(&path->est.log, entry->path_packet_number) : NULL;

		if (record == NULL || record->stamp != entry->ts_us ||
		    !cmt_serial_gt(entry->path_packet_number, path->heard_number))
			continue;
		path->heard_number = entry->path_packet_number;
		cmt_spurious_on_echo(ca, path, path->heard_number);
	}
}

/* The first TSNs of those at `offset`, which were received twice; how many. */
static unsigned read_duplicates(struct mbuf *m, int offset, int n, uint32_t tsns[CMT_REPORTED_MAX])
{
	unsigned n_read = 0;

	while (n_read < CMT_REPORTED_MAX && (int)n_read < n) {
		uint32_t buffer;
		const uint32_t *tsn = (const uint32_t *)(const void *)sctp_m_getptr(
		    m, offset + (int)(n_read * sizeof(buffer)), sizeof(buffer), (uint8_t *)&buffer);

		if (tsn == NULL)
			break;
		memcpy(&buffer, tsn, sizeof(buffer));
		tsns[n_read++] = ntohl(buffer);
	}
	return n_read;
}

/* What is left of the duplicates, at most CMT_REPORTED_MAX since those before are judged, may be
 * retransmissions for nothing. */
static void note_duplicates(struct cmt_asoc *ca, const uint32_t *tsns, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		if (cmt_resent_open(ca->spurious.resent, tsns[i]))
			ca->spurious.reported[ca->spurious.n_reported++] = tsns[i];
	}
}

bool cmt_on_sack(struct sctp_tcb *stcb, struct mbuf *m, uint32_t cum_ack, uint32_t a_rwnd, int n_blocks,
                 int duplicates_offset, int n_duplicates)
{
	struct cmt_asoc *ca = cmt_asoc_scheduled(stcb);
	struct cmt_echo echo = {.n_entries = 0};
	const int blocks_offset = duplicates_offset - n_blocks * (int)sizeof(struct sctp_gap_ack_block);
	uint32_t duplicates[CMT_REPORTED_MAX];
	unsigned n_left;
	bool echoed, outdated;

	if (ca == NULL)
		return false;
	cmt_asoc_sync_paths(ca);
	cmt_spurious_judge(ca, CMT_UNKNOWN_US);
	echoed = cmt_asoc_negotiated(ca) &&
	         read_echo(m, duplicates_offset + n_duplicates * (int)sizeof(uint32_t), &echo);
	outdated = cmt_sack_is_outdated(&ca->sack.order, stcb->asoc.last_acked_seq, cum_ack,
	                                echoed ? &echo.tr_us : NULL);
	if (!outdated) {
		ca->sack.open = true;
		ca->sack.a_rwnd_bytes = a_rwnd;
		cmt_assumed_acked_on_sack(ca, m, cum_ack, n_blocks, blocks_offset);
		cmt_gaps_on_sack(ca, m, cum_ack, n_blocks, blocks_offset);
		if (ca->sack.highest_tsn - stcb->asoc.last_acked_seq > TSNS_MAX)
			ca->sack.highest_tsn = stcb->asoc.last_acked_seq;
	}
	note_heard(ca, echoed ? &echo : NULL);
	n_left = read_duplicates(m, duplicates_offset, n_duplicates, duplicates);
	if (any_copies(ca) && cmt_asoc_negotiated(ca))
		n_left = cmt_copy_on_sack(ca, echoed ? &echo : NULL, duplicates, n_left);
	note_duplicates(ca, duplicates, n_left);
	return outdated;
}
