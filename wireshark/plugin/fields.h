/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fields.h - the fields and expert infos. Their names are an interface: scripts use them (docs/wireshark.md).
 */
#ifndef CMT_WS_FIELDS_H
#define CMT_WS_FIELDS_H

#include "compat.h"

#include <epan/expert.h>

enum cmt_field {
	/* As in the packet: CMT-TIMESTAMP, CMT-ECHO, INIT. */
	CMT_HF_SENDER_TIMESTAMP,
	CMT_HF_PATH_PACKET,
	CMT_HF_PATH_ID,
	CMT_HF_RETURN_PATH,
	CMT_HF_TSN_SCALE,
	CMT_HF_RECEIVER_TIMESTAMP,
	CMT_HF_ECHO_PATH_ID,
	CMT_HF_ECHO_PACKETS,
	CMT_HF_ECHO_SENDER_TIMESTAMP,
	CMT_HF_TIME_ELAPSED,
	CMT_HF_ECHO_PATH_PACKET,
	CMT_HF_CAPABLE,
	/* Encryption: the DTLS chunk, the parameter in INIT, the causes in ABORT, key messages. */
	CMT_HF_DTLS_RESTART,
	CMT_HF_DTLS_PADDING,
	CMT_HF_DTLS_HEADER,
	CMT_HF_DTLS_EPOCH_BITS,
	CMT_HF_DTLS_MASKED_NUMBER,
	CMT_HF_DTLS_RECORD_BYTES,
	CMT_HF_DTLS_EPOCH,
	CMT_HF_DTLS_NUMBER,
	CMT_HF_DTLS_SUITE,
	CMT_HF_DTLS_TIE_BREAKER,
	CMT_HF_DTLS_OFFERS_RESTART,
	CMT_HF_DTLS_SERVER,
	CMT_HF_DTLS_CLIENT,
	CMT_HF_DTLS_METHOD,
	CMT_HF_DTLS_CAUSE,
	CMT_HF_DTLS_KEY_EPOCH,
	/* Analysis. */
	CMT_HF_ASSOCIATION,
	CMT_HF_PATH,
	CMT_HF_JOINED,
	CMT_HF_SEALED,
	CMT_HF_TSN,
	CMT_HF_COPY_OF,
	CMT_HF_TRANSIT_TIME,
	CMT_HF_PATH_LOSS,
	CMT_HF_PATH_LATE,
	CMT_HF_ECHO_IN,
	CMT_HF_DATA_FORWARD_DELAY,
	CMT_HF_DATA_ABOVE_MIN,
	CMT_HF_FORWARD_DELAY,
	CMT_HF_ABOVE_MIN,
	CMT_HF_JITTER,
	CMT_HF_ECHO_OF,
	CMT_HF_UNREPORTED,
	CMT_HF_DUPLICATE_TSN,
	CMT_HF_DUPLICATE_OF,
	CMT_HF_OUT_OF_ORDER,
	CMT_HF_REORDER_EXTENT,
	CMT_HF_DISPLACEMENT,
	CMT_HF_SENT_AHEAD,
	CMT_HF_SPURIOUS,
	CMT_HF_SPURIOUS_IN,
	CMT_HF_RECEIVER_BUFFER,
	CMT_HF_COUNT
};

extern int cmt_proto;
extern int cmt_hf[CMT_HF_COUNT];
extern int cmt_ett_analysis, cmt_ett_entry;
extern expert_field cmt_ei_bad_length, cmt_ei_impossible, cmt_ei_stale, cmt_ei_out_of_order, cmt_ei_spurious,
    cmt_ei_path_loss, cmt_ei_unreported, cmt_ei_damaged, cmt_ei_joined, cmt_ei_sealed, cmt_ei_refused;

/* To be called once, with cmt_proto registered. */
void cmt_fields_register(void);

#endif
