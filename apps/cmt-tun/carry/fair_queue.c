/* SPDX-License-Identifier: BSD-3-Clause */
#include "carry/fair_queue.h"

#include <stdlib.h>
#include <string.h>

#include "qdisc.h"

#define MOST_BYTES (8u << 20)
#define MOST_PKTS  16384u /* small ones cost more than their bytes */
/* The flow's own delay alone: enough that it does not run dry when TCP halves its window. What SCTP needs to
 * send ahead has to be there all the time. */
#define TARGET_US 20000u

struct entry {
	struct simnet_queued queued;
	struct tun_waiting waiting;
	uint8_t bytes[];
};

struct tun_fair_queue {
	struct simnet_rng rng;
	struct simnet_qdisc qdisc;
	struct entry *next; /* dequeued, and not done */
	struct tun_fair_queue_stats stats;
};

struct tun_fair_queue *tun_fair_queue_new(uint64_t seed)
{
	struct tun_fair_queue *const q = calloc(1, sizeof(*q));

	if (q == NULL) {
		return NULL;
	}
	simnet_rng_seed(&q->rng, seed, 0);
	q->qdisc = (struct simnet_qdisc){.rng = &q->rng,
	                                 .limit_bytes = MOST_BYTES,
	                                 .limit_pkts = MOST_PKTS,
	                                 .target_us = TARGET_US,
	                                 .ecn = true};
	if (simnet_qdisc_init(&q->qdisc, USRSCTP_CMT_SIM_AQM_FQ_CODEL) != 0) {
		free(q);
		return NULL;
	}
	return q;
}

static void drop(struct tun_fair_queue *q)
{
	struct simnet_queued *queued;

	while ((queued = simnet_fifo_pop(&q->qdisc.dropped)) != NULL) {
		q->stats.dropped_pkts++;
		free(queued->flight);
	}
}

void tun_fair_queue_free(struct tun_fair_queue *q)
{
	if (q == NULL) {
		return;
	}
	simnet_qdisc_free(&q->qdisc);
	drop(q);
	free(q->next);
	free(q);
}

void tun_fair_queue_put(struct tun_fair_queue *q, const uint8_t *bytes, const struct inner_packet *p,
                        uint64_t now_us)
{
	struct entry *const e = malloc(sizeof(*e) + p->bytes);

	if (e == NULL) {
		q->stats.dropped_pkts++;
		return;
	}
	memcpy(e->bytes, bytes, p->bytes);
	e->waiting = (struct tun_waiting){.flow = inner_flow(bytes, p), .packet = *p, .bytes = e->bytes};
	e->waiting.packet.source = e->bytes + (p->source - bytes);
	e->waiting.packet.destination = e->bytes + (p->destination - bytes);
	e->queued = (struct simnet_queued){.flight = e,
	                                   .since_us = now_us,
	                                   .bytes = (uint32_t)p->bytes,
	                                   .flow = e->waiting.flow,
	                                   .ect = p->ecn == 1 || p->ecn == 2};
	simnet_qdisc_enqueue(&q->qdisc, &e->queued, now_us);
	drop(q);
}

const struct tun_waiting *tun_fair_queue_next(struct tun_fair_queue *q, uint64_t now_us)
{
	if (q->next == NULL) {
		const struct simnet_queued *const queued = simnet_qdisc_dequeue(&q->qdisc, now_us);

		drop(q);
		if (queued == NULL) {
			return NULL;
		}
		q->next = queued->flight;
		if (queued->marked) {
			q->stats.marked_pkts++;
			inner_mark_ce(q->next->bytes, &q->next->waiting.packet);
		}
	}
	return &q->next->waiting;
}

void tun_fair_queue_done(struct tun_fair_queue *q)
{
	free(q->next);
	q->next = NULL;
}

struct tun_fair_queue_stats tun_fair_queue_stats(const struct tun_fair_queue *q)
{
	struct tun_fair_queue_stats stats = q->stats;

	stats.pkts = q->qdisc.pkts + (q->next != NULL);
	stats.bytes = q->qdisc.bytes + (q->next != NULL ? q->next->waiting.packet.bytes : 0);
	return stats;
}
