/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A packet from a four-tuple that has not answered yet, in two: what asks or answers, and the rest, which
 * waits unless the first half is the answer. */
#include "cmt_hooks.h"
#include "seams/cmt_seams.h"
#include "wire/cmt_wire.h"

#include <stddef.h>

#include <netinet/sctp_os.h>
#include <netinet/sctp.h>

/* The common header, `n` bytes of chunks from `at` on, and the checksum of that. Less than a chunk is
 * nothing.
 */
static void input_part(const struct cmt_seam_arrival *arrival, size_t at, size_t n)
{
	const uint8_t *packet = arrival->bytes;
	struct cmt_seam_arrival part = *arrival;
	uint8_t *bytes = n >= sizeof(struct sctp_chunkhdr) ? malloc(sizeof(struct sctphdr) + n) : NULL;
	uint32_t checksum;

	if (bytes == NULL)
		return;
	memcpy(bytes, packet, sizeof(struct sctphdr));
	memcpy(bytes + sizeof(struct sctphdr), packet + sizeof(struct sctphdr) + at, n);
	part.bytes = bytes;
	part.len = sizeof(struct sctphdr) + n;
	checksum = cmt_seam_checksum(bytes, part.len);
	memcpy(bytes + offsetof(struct sctphdr, checksum), &checksum, sizeof(checksum));
	cmt_seam_input(&part);
	free(bytes);
}

void cmt_take_apart(const struct cmt_seam_arrival *arrival)
{
	const size_t len = arrival->len - sizeof(struct sctphdr);
	const size_t probes =
	    cmt_probes_of_chunks((const uint8_t *)arrival->bytes + sizeof(struct sctphdr), len);
	struct sctphdr sh;

	memcpy(&sh, arrival->bytes, sizeof(sh));
	if (!arrival->authentic && sh.checksum != cmt_seam_checksum(arrival->bytes, arrival->len))
		return;
	input_part(arrival, 0, probes);
	input_part(arrival, probes, len - probes);
}
