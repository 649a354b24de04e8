/* SPDX-License-Identifier: BSD-3-Clause
 *
 * meddle.h - chosen packets of a transfer's client get lost or are held back: the tap of a job. */
#ifndef SIM_MEDDLE_H
#define SIM_MEDDLE_H

#include "transfer.h"

/* The job's `arg`. */
struct meddle {
	uint32_t first, n; /* chunks, counted from the client's first TSN */
	unsigned times;    /* of each, its first transmissions */
	bool lose;
	uint64_t hold_us; /* not lost, but later by this; others overtake it */
};

/* Marks of the outcome: when chunk `first` was sent for the first time, when all chunks had arrived. */
enum { MEDDLE_SENT = 12, MEDDLE_ARRIVED };

void meddle_tap(struct transfer *t, const struct usrsctp_cmt_sim_packet *packet);

#endif
