/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rival.h - a competitor with a window law: one transfer without end, or short ones that come and go.
 *
 * Short transfers begin at random, as a Poisson process; their lengths are Pareto's (shape 1.5, 20 kB at
 * least, 2 MB at most, 56 kB on average). One that would be the 33rd at a time does not begin. Single
 * threaded. */
#ifndef LAB_RIVAL_H
#define LAB_RIVAL_H

#include "rivals/flow.h"

#define LAB_RIVAL_FLOWS 32u

struct lab_rival {
	struct usrsctp_cmt_sim *sim;
	int path, from_host;
	uint16_t number; /* among the rivals of a run */
	const struct lab_law *law;
	uint64_t flows_bps; /* that short transfers offer; 0 = one without end */
	void (*arrived)(void *arg, uint64_t payload_bytes);
	void *arg;
	bool running;
	struct lab_flow flows[LAB_RIVAL_FLOWS];
};

/* The fields above `running` are set, the rest is zero. */
void lab_rival_start(struct lab_rival *r);

/* What the tap saw of a packet that is no association's: false = it is not this rival's. */
bool lab_rival_packet(struct lab_rival *r, const struct usrsctp_cmt_sim_packet *p);

/* Nothing more is sent. */
void lab_rival_stop(struct lab_rival *r);
void lab_rival_free(struct lab_rival *r);

#endif
