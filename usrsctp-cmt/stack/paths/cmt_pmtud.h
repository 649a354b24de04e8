/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_pmtud.h - how large the packets of each path may be (core/pmtud/cmt_plpmtu.h, RFC 8899): probes out,
 * their answers in, and what became of packets with data.
 *
 * The association's lock is held. With a scheduler in force; a path is asked once data were sent. */
#ifndef CMT_PMTUD_H
#define CMT_PMTUD_H

#include "association/cmt_asoc.h"

/* Largest SCTP packet that is sent without having asked whether it passes (RFC 8899, section 5.1.2). */
#define CMT_PMTUD_BASE_SCTP_BYTES 1200u

/* Largest packet that an interface here takes. */
uint32_t cmt_pmtud_interface_bytes(const struct cmt_asoc *ca);
/* Output begins: what the interfaces and the application say on sizes. */
void cmt_pmtud_on_output_begin(struct cmt_asoc *ca);
/* Output ends: sends the probes that are due. */
void cmt_pmtud_on_output_end(struct cmt_asoc *ca);
/* True when a probe is to be sent. */
bool cmt_pmtud_on_timer(struct cmt_asoc *ca, uint64_t now_us);
/* A packet without data of that size was put together: larger ones may be of use. */
void cmt_pmtud_on_control(struct cmt_asoc *ca, uint32_t bytes);
/* The newest packet that the peer heard on the path, of so many. */
void cmt_pmtud_on_echo(struct cmt_asoc *ca, struct cmt_path *path, uint32_t number, uint16_t packets);
/* What became of packet `number` of the path, which carried data; all that was out on it timed out. */
void cmt_pmtud_on_arrived(struct cmt_asoc *ca, struct cmt_path *path, uint32_t number);
void cmt_pmtud_on_lost(struct cmt_asoc *ca, struct cmt_path *path, uint32_t number);
void cmt_pmtud_on_timeout(struct cmt_asoc *ca, struct cmt_path *path);

#endif
