/* SPDX-License-Identifier: BSD-3-Clause
 *
 * packet_log.h - a line for each packet that arrived at the receiver, whoever sent it: when it left, when it
 * arrived and when that was predicted, how long its way is without queues.
 *
 * Single threaded. Touches nothing but the open file. */
#ifndef LAB_PACKET_LOG_H
#define LAB_PACKET_LOG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <usrsctp_cmt_sim.h>

#define LAB_PACKET_LOG_HEAD "path,ours,bytes,sent_us,way_us,arrived_us,predicted_us\n"

struct lab_logged_packet {
	int path; /* from 0 */
	bool ours;
	uint64_t bytes;           /* IP header included */
	uint64_t sent_us, way_us; /* delays of the links when it was sent, without jitter */
	uint64_t arrived_us;
	int64_t predicted_us; /* -1 = unknown */
};

struct lab_packet_log {
	FILE *file; /* NULL = none is written, and nothing below is used */
	struct lab_flying_packet {
		uint64_t serial, sent_us, way_us;
	} * flying;
	struct lab_logged_packet last;
	bool waits; /* `last` is not written yet: its prediction may come */
};

/* `file` may be NULL; the caller closes it. */
void lab_packet_log_start(struct lab_packet_log *log, FILE *file);

/* What the tap saw of a packet on its way forward. `via`: the shared link of its path; 0 = none. */
void lab_packet_log_event(struct lab_packet_log *log, struct usrsctp_cmt_sim *sim,
                          const struct usrsctp_cmt_sim_packet *p, int via, bool ours);

/* The packet that arrived last had been predicted so many microseconds later than it came. */
void lab_packet_log_prediction(struct lab_packet_log *log, int64_t error_us);

void lab_packet_log_stop(struct lab_packet_log *log);

/* Reads a line behind the head: false = there is no more. */
bool lab_packet_log_read(FILE *in, struct lab_logged_packet *out);

#endif
