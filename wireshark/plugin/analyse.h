/* SPDX-License-Identifier: BSD-3-Clause
 *
 * analyse.h - what one SCTP packet says about its association, when it is seen for the first time.
 *
 * To be called once for each packet, in the order of the capture. Results are in struct cmt_packet; a few
 * become known only with later packets (echoed_by, spurious_by, displacement). */
#ifndef CMT_WS_ANALYSE_H
#define CMT_WS_ANALYSE_H

#include "state.h"

/* Reads the chunks that are shown, and adds them to p->raws. */
void cmt_analyse_raws(struct cmt_packet *p, const uint8_t *bytes, uint32_t len, bool decrypted);

/* `bytes` are the packet's `len` captured ones, at least SCTP_HEADER_BYTES; or those that it protects. `p`
 * has its raws, protected, frame, offset, checksum, at_us, ttl and ip_id; its verdict is CMT_STATE, which
 * this may change to CMT_FOREIGN. */
void cmt_analyse(struct cmt_packet *p, const uint8_t *bytes, uint32_t len, const struct cmt_ends *ends);

/* --- parts --- */

/* Finds the packet that `p` is a copy of, or keeps `p` to be found. True for a copy. */
bool cmt_analyse_copy(struct cmt_packet *p);

/* The packet's number on its path. Not for copies. */
void cmt_analyse_number(struct cmt_packet *p);

/* A DATA chunk. `tx` is zero; in a copy it is an arrival. */
void cmt_analyse_data(struct cmt_packet *p, struct cmt_tx *tx, const struct sctp_data *data);

void cmt_analyse_sack(struct cmt_packet *p, const struct sctp_sack *sack);
void cmt_analyse_echo(struct cmt_packet *p, const struct cmt_echo *echo);

#endif
