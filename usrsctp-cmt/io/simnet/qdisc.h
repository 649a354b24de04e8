/* SPDX-License-Identifier: BSD-3-Clause
 *
 * qdisc.h - queue disciplines: which of the packets in front of a link leaves next, and which never does.
 *
 * No clock: the caller passes `now_us`, never decreasing. Allocates its state once. Packets belong to the
 * caller again when they are dequeued, or found in `dropped`. Not thread safe. What is random comes from the
 * generator that it is given.
 *
 * qdisc.c      what they share; drop tail
 * codel.c      CoDel (RFC 8289)
 * fq_codel.c   FQ-CoDel (RFC 8290), and CAKE as far as it differs for one customer's flows
 * pie.c        PIE (RFC 8033) */
#ifndef SIMNET_QDISC_H
#define SIMNET_QDISC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rng.h"
#include "usrsctp_cmt_sim.h"

/* A packet that waits. */
struct simnet_queued {
	struct simnet_queued *next;
	void *flight; /* the caller's; NULL = cross traffic */
	uint64_t since_us;
	uint32_t bytes, payload_bytes; /* with IP header, behind it */
	uint32_t flow;
	bool ect;      /* ECN-capable: may be marked instead of dropped */
	bool marked;   /* was */
	bool overflow; /* dropped for lack of room */
};

struct simnet_fifo {
	struct simnet_queued *first, *last;
	size_t pkts;
	uint64_t bytes;
};

void simnet_fifo_push(struct simnet_fifo *fifo, struct simnet_queued *packet);
struct simnet_queued *simnet_fifo_pop(struct simnet_fifo *fifo); /* NULL when it is empty */

struct simnet_qdisc {
	const struct simnet_qdisc_ops *ops;
	void *state;
	struct simnet_rng *rng;
	/* The caller may change these. */
	uint64_t limit_pkts, limit_bytes; /* 0 = the discipline's own */
	uint64_t rate_bps;                /* of the link, if it has one; 0 = not known */
	uint64_t target_us;               /* of FQ-CoDel, if it is more than the RFC's */
	bool ecn;                         /* marks where it can, instead of dropping */

	size_t pkts; /* that wait */
	uint64_t bytes;
	struct simnet_fifo dropped; /* until the caller takes them */
};

struct simnet_qdisc_ops {
	/* 0 or -ENOMEM. */
	int (*init)(struct simnet_qdisc *q);
	/* The packet waits or is dropped, or another one is. */
	void (*enqueue)(struct simnet_qdisc *q, struct simnet_queued *packet, uint64_t now_us);
	/* NULL when nothing is left that may leave, and then nothing waits. */
	struct simnet_queued *(*dequeue)(struct simnet_qdisc *q, uint64_t now_us);
	/* Moves all packets to `dropped` and frees the state. */
	void (*free)(struct simnet_qdisc *q);
};

/* With the limits and flags that are set in `q`; the rest is zero. 0 or -ENOMEM. */
int simnet_qdisc_init(struct simnet_qdisc *q, enum usrsctp_cmt_sim_aqm kind);
void simnet_qdisc_free(struct simnet_qdisc *q);

void simnet_qdisc_enqueue(struct simnet_qdisc *q, struct simnet_queued *packet, uint64_t now_us);
struct simnet_queued *simnet_qdisc_dequeue(struct simnet_qdisc *q, uint64_t now_us);

/* --- for disciplines --- */

/* No room for one more. An empty queue takes any packet. */
bool simnet_qdisc_is_full(const struct simnet_qdisc *q, const struct simnet_queued *packet);

/* A packet that waits, or would, does not any more. */
void simnet_qdisc_drop(struct simnet_qdisc *q, struct simnet_queued *packet, bool overflow);

/* Into and out of one of the discipline's own queues. */
void simnet_qdisc_push(struct simnet_qdisc *q, struct simnet_fifo *fifo, struct simnet_queued *packet);
struct simnet_queued *simnet_qdisc_pop(struct simnet_qdisc *q, struct simnet_fifo *fifo);

/* Whether it could be marked and now is. */
bool simnet_qdisc_mark(const struct simnet_qdisc *q, struct simnet_queued *packet);

void simnet_qdisc_drop_all(struct simnet_qdisc *q, struct simnet_fifo *fifo);

extern const struct simnet_qdisc_ops simnet_codel_ops, simnet_fq_codel_ops, simnet_cake_ops, simnet_pie_ops;

#endif
