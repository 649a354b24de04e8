/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pause.h - beginning pause time of a running transfer (Yabandeh et al., Definition 1): by how much
 * a player at the links' rate must stay behind the sender so that it never underruns.
 *
 * The paper's sender knows its links and sends at their rates. Ours may leave packets in a queue and sends
 * whole ones: what it has sent by a time is what its links have taken by then, byte by byte, each packet
 * behind those before it. The player wants a byte that much later, and then all of what is delivered with it.
 *
 * Pure but for memory (samples.h). */
#ifndef LAB_PAUSE_H
#define LAB_PAUSE_H

#include <stddef.h>
#include <stdint.h>

#include <usrsctp_cmt_sim.h>

struct lab_pause {
	struct lab_pause_path {
		double rate_bps, free_us; /* of the link; when it has taken all packets so far */
		struct lab_pause_packet {
			double begin_us, end_us;
			uint64_t bytes;
		} * packets;
		size_t n, room, next; /* the first that it has not taken at at_us */
	} paths[USRSCTP_CMT_SIM_MAX_PATHS];
	int n_paths;
	double at_us, taken_bytes; /* so many had the links taken then */
	uint64_t delivered_bytes, most_us;
};

void lab_pause_path(struct lab_pause *p, double rate_bps);

/* A packet on path `path`; `payload_bytes` of it are sent for the first time. */
void lab_pause_sent(struct lab_pause *p, int path, uint64_t wire_bytes, uint64_t payload_bytes,
                    uint64_t now_us);

/* `bytes` in all are delivered in order; what was sent before `from_us` does not count. */
void lab_pause_delivered(struct lab_pause *p, uint64_t bytes, uint64_t now_us, uint64_t from_us);

void lab_pause_free(struct lab_pause *p);

#endif
