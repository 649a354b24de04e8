/* SPDX-License-Identifier: BSD-3-Clause
 *
 * protected.h - what tests ask of associations that the DTLS chunk protects, and keys that change while a transfer runs. */
#ifndef SIM_PROTECTED_H
#define SIM_PROTECTED_H

#include <usrsctp_cmt_dtls.h>

#include "transfer.h"

/* False: the association is gone, or is not protected; `out` is zero then. */
bool protected_stats(struct socket *so, struct sctp_dtls_stats *out);

/* New keys every `interval_us` from now on, as long as both ends are there; the receive keys before the last ones go in
 * the same moment, and must have been drained. One transfer per process. */
void protected_rekey_every(struct transfer *t, uint64_t interval_us);

/* The packet is one DTLS chunk and nothing else. */
bool protected_is_record(const uint8_t *packet, size_t packet_bytes);

#endif
