/* SPDX-License-Identifier: BSD-3-Clause
 *
 * flow.h - a transfer over one path with a window law: its sender and its receiver, without a stack.
 *
 * Data packets and acknowledgments pass the simulated links as those of associations do, and wait and are
 * lost as they are. An acknowledgment answers each packet and tells of all that had arrived by then. What
 * three later packets overtook is lost (RFC 9002, section 6.1.1); when nothing is heard for RTO (RFC 6298,
 * 200 ms at least) all is. The stack throws these packets away: their checksum is 0. Single threaded. */
#ifndef LAB_FLOW_H
#define LAB_FLOW_H

#include <usrsctp_cmt_sim.h>

#include "rivals/law.h"

#define LAB_FLOW_PAYLOAD_BYTES 1448u /* of a packet: as TCP with time stamps */
#define LAB_FLOW_ENDLESS       UINT64_MAX
#define LAB_FLOW_PORT          20000u /* of flow 0 on the sender's side */

enum lab_flow_fate { LAB_FLOW_OUT, LAB_FLOW_ACKED, LAB_FLOW_LOST };

struct lab_flow_packet {
	enum lab_flow_fate fate;
	uint64_t sent_us, arrived_us;          /* 0 = not */
	uint64_t delivered_pkts, delivered_us; /* what had been acknowledged when it was sent, and when */
};

struct lab_flow {
	struct usrsctp_cmt_sim *sim;
	int path, from_host;
	uint16_t number;
	const struct lab_law *law;
	struct lab_law_state state;
	bool running;
	uint64_t left_pkts;              /* not sent yet, or lost; LAB_FLOW_ENDLESS */
	struct lab_flow_packet *packets; /* of number n at [n % LAB_FLOW_WINDOW] */
	uint64_t next, first_out; /* numbers: of the next packet, of the first one whose fate is open */
	uint64_t in_flight_pkts;
	uint64_t recovered_from; /* losses of earlier packets have been answered */
	uint64_t delivered_pkts, delivered_us, round_ends_pkts;
	uint64_t srtt_us, rttvar_us, backoff;
	uint64_t deadline_us, next_send_us;
	bool timer_asked, pacer_asked;
	void (*arrived)(void *arg, uint64_t payload_bytes); /* once for each packet's worth of payload */
	void *arg;
};

/* Begins to send `pkts` packets. The fields of the first paragraph, `number`, `law`, `arrived` and `arg` are
 * set; the rest is zero, or of a flow that has ended. */
void lab_flow_start(struct lab_flow *f, uint64_t pkts);

/* What the tap saw of a packet that is no association's: false = it is not this flow's. */
bool lab_flow_packet(struct lab_flow *f, const struct usrsctp_cmt_sim_packet *p);

/* Nothing more is sent. */
void lab_flow_stop(struct lab_flow *f);
void lab_flow_free(struct lab_flow *f);

#endif
