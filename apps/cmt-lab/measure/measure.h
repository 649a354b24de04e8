/* SPDX-License-Identifier: BSD-3-Clause
 *
 * measure.h - everything that one run measures, fed by the endpoints, the network's tap and the core's trace.
 *
 * Single threaded. Times are the simulation's. Host 0 sends, host 1 receives. */
#ifndef LAB_MEASURE_H
#define LAB_MEASURE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <usrsctp_cmt_sim.h>

#include "base/samples.h"
#include "measure/lag.h"
#include "measure/opener.h"
#include "measure/outages.h"
#include "measure/packet_log.h"
#include "measure/pause.h"
#include "measure/player.h"
#include "measure/prediction.h"
#include "measure/timed_level.h"
#include "measure/tsn_tracker.h"
#include "measure/windows.h"
#include "scenario/ceiling.h"
#include "setup/lab_run.h"

#define LAB_SENDER_PORT   5000
#define LAB_RECEIVER_PORT 5001

/* Packets in flight whose departure is remembered. */
#define LAB_FLYING_PKTS LAB_OPENED_PKTS

/* Of the measured association's packets alone. */
struct lab_measure_path {
	uint64_t sent_pkts, sent_bytes; /* offered to the forward link, IP headers included */
	uint64_t dropped_pkts[2];       /* forward, backward */
	uint64_t retransmits;
	uint64_t arrivals, delay_us_sum; /* of packets with DATA */
	uint64_t arrived_bytes;          /* payload that no other packet had brought */
	struct lab_outages outages;
	uint64_t settled_wait_us, settled_pkts; /* what the queues had seen when the start was over */
};

struct lab_measure {
	struct usrsctp_cmt_sim *sim;
	uint64_t msg_bytes, total_bytes;
	bool damaged_packets; /* the scenario corrupts packets: look at checksums */
	bool timestamps;      /* packets carry our extension's time stamps */
	bool encrypted;       /* what they carry is known from `opener` alone */
	struct lab_opener opener;
	uint64_t protected_pkts, clear_pkts; /* sent, in both directions; counted where encrypted */

	uint64_t first_send_us, first_read_us, last_read_us; /* 0 = not yet */
	uint64_t read_bytes, max_gap_us;
	uint64_t sending_us;    /* of the scenario's duration; 0 = until all is sent */
	uint64_t in_time_bytes; /* read before it was over */
	int n_paths;
	struct lab_player player;           /* at the scenario's rate, or that which the links could carry */
	struct lab_windows windows, slices; /* of what was read: seconds, and parts of them (recovery.h) */
	uint64_t
	    warm_up_us; /* what happens until so long after the first message is left out of some numbers */
	bool settled;   /* it has passed */
	uint64_t *handed_us; /* per message */
	size_t n_handed, room_handed, n_messages_read;
	struct lab_samples latency_us;

	struct lab_timed_level buffer;         /* at the receiver: arrived, not read */
	struct lab_timed_level settled_buffer; /* the same after the warm-up; from_us 0 = not yet */
	struct lab_tsn_tracker tsns;
	struct lab_prediction prediction;
	struct lab_measure_path paths[USRSCTP_CMT_SIM_MAX_PATHS];
	struct {
		uint64_t serial, sent_us;
	} * flying;

	uint64_t sent_bytes;    /* payload, each chunk once */
	struct lab_lag lag;     /* of what was sent after the warm-up */
	struct lab_pause pause; /* the same */
	/* Packets that are none of this association's; NULL = nobody wants them. */
	void (*others)(const struct usrsctp_cmt_sim_packet *p, void *arg);
	void *others_arg;
	struct lab_packet_log packets;
	const int *via; /* of the paths, as in the scenario */
	FILE *trace;    /* NULL = none */
	uint64_t traced_at_us;
	bool traced; /* what held then is written */
};

/* Where measuring writes to; NULL = it does not. */
struct lab_measure_files {
	FILE *trace, *packets; /* measure.c, packet_log.h */
	FILE *keys;            /* opener.h; of an encrypted run */
};

/* Installs the tap, the trace and, of an encrypted run, the opener. The caller closes the files. `run`
 * outlives the measurement. */
void lab_measure_start(struct lab_measure *m, struct usrsctp_cmt_sim *sim, const struct lab_run *run,
                       const struct lab_measure_files *files);

/* The application handed message number n_handed to the stack; `due_us` is when it wanted to. */
void lab_measure_handed(struct lab_measure *m, uint64_t due_us, uint64_t len_bytes);

/* It read `len_bytes` in order. */
void lab_measure_read(struct lab_measure *m, uint64_t len_bytes);

/* Waiting time in the queues of a path, forward, the shared one included, and the packets that passed them:
 * from the start, or, `settled`, after the warm-up. Everybody's packets count. */
struct lab_measure_queue {
	uint64_t wait_us, pkts;
};
struct lab_measure_queue lab_measure_queue(const struct lab_measure *m, int path, bool settled);

/* Accounts for the time up to now and takes the observers away. */
void lab_measure_stop(struct lab_measure *m);
void lab_measure_free(struct lab_measure *m);

/* Time of the transfer: first message handed to last byte read; 0 when nothing was read. */
uint64_t lab_measure_duration_us(const struct lab_measure *m);

/* Whether `at_us` is in the time in which the sender has something to send, or before it. */
bool lab_measure_is_in_time(const struct lab_measure *m, uint64_t at_us);

/* What goodput is of: the time of the transfer, but no more than the scenario's duration. After that only
 * what is queued drains, over fewer and fewer paths. */
struct lab_span lab_measure_span(const struct lab_measure *m);

/* Of what was read in the span; 0 when nothing was read. */
double lab_measure_goodput_bps(const struct lab_measure *m);

#endif
