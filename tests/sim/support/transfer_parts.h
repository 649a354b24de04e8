/* SPDX-License-Identifier: BSD-3-Clause
 *
 * transfer_parts.h - what transfer.c, transfer_send.c and transfer_receive.c share. */
#ifndef SIM_TRANSFER_PARTS_H
#define SIM_TRANSFER_PARTS_H

#include "transfer.h"

enum { TRANSFER_CLIENT_PORT = 5000, TRANSFER_SERVER_PORT = 5001 };

/* Hands over what is due and fits; shuts down when the job is done. */
void transfer_send(struct transfer *t, struct transfer_side *side);

/* Reads and checks what is there, then sends. */
void transfer_serve(struct transfer *t, struct transfer_side *side);

/* Takes the statistics of both ends over into the outcome, where the association still is. */
void transfer_sample_statistics(struct transfer *t);

#endif
