/* SPDX-License-Identifier: BSD-3-Clause
 *
 * protected.h - packets that are one DTLS chunk, and what is in them.
 *
 * To be called on the first pass, in the order of the capture: the 16 bits of a sequence number that a record
 * has are completed by those that came before, and, where the capture begins later or lacks many, by trying.
 * A record opens with the right number only. */
#ifndef CMT_WS_PROTECTED_H
#define CMT_WS_PROTECTED_H

#include "chunks.h"
#include "keylog.h"

enum cmt_opening {
	CMT_OPENED,
	CMT_NO_KEY,     /* the key log file has none for this tag and epoch */
	CMT_NOT_OPENED, /* there are keys, but none opens it: of another association, or forged */
	CMT_CUT,        /* the capture does not have all of the record */
	CMT_REFUSED,    /* a receiver drops it: beside other chunks, or with another header of the record */
};

struct cmt_protected {
	enum cmt_opening opening;
	const struct cmt_suite *suite; /* if opened, as all that follows */
	uint64_t epoch, number;
	uint8_t *plain; /* the SCTP packet that was protected: header, with a right checksum, and chunks */
	uint32_t plain_bytes;
};

/* NULL for a packet without DTLS chunk. `packet` has at least SCTP_HEADER_BYTES. The result belongs to the
 * capture file. */
struct cmt_protected *cmt_protected_read(const uint8_t *packet, uint32_t len);

#endif
