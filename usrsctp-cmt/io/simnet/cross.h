/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cross.h - when packets of somebody else come to a link: a part of link.c. */
#ifndef SIMNET_CROSS_H
#define SIMNET_CROSS_H

#include "link.h"

/* A drawn time; what is beyond SIMNET_TIME_MAX_US must not be converted. */
uint64_t simnet_to_us(double us);

bool simnet_cross_is_same(const struct usrsctp_cmt_sim_cross *a, const struct usrsctp_cmt_sim_cross *b);

/* Sets link->cross_next_us: of what the link's configuration describes, from now_us on; of the one after. */
void simnet_cross_start(struct simnet_link *link, uint64_t now_us);
void simnet_cross_next(struct simnet_link *link);

#endif
