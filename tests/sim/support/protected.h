/* SPDX-License-Identifier: BSD-3-Clause
 *
 * protected.h - what tests ask of associations that the DTLS chunk protects, and keys that change while a
 * transfer runs. */
#ifndef SIM_PROTECTED_H
#define SIM_PROTECTED_H

#include <usrsctp_cmt_dtls.h>

#include "transfer.h"

/* False: the association is gone, or is not protected; `out` is zero then. */
bool protected_stats(struct socket *so, struct sctp_dtls_stats *out);

/* What either end has refused, added up; all else is the server's. */
bool protected_stats_of_both(const struct transfer *t, struct sctp_dtls_stats *out);

/* For transfer_job.message: 1 to 4000 bytes, on eight streams. */
struct transfer_message protected_message(int host, uint32_t index);

/* New keys every `interval_us` from now on, as long as both ends are there; the receive keys before the last
 * ones go in the same moment, and must have been drained. One transfer per process. */
void protected_rekey_every(struct transfer *t, uint64_t interval_us);

/* The packet is one DTLS chunk and nothing else. */
bool protected_is_record(const uint8_t *packet, size_t packet_bytes);

#endif
