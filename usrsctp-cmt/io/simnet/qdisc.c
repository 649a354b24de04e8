/* SPDX-License-Identifier: BSD-3-Clause */
#include "qdisc.h"

#include <errno.h>
#include <stdlib.h>

void simnet_fifo_push(struct simnet_fifo *fifo, struct simnet_queued *packet)
{
	packet->next = NULL;
	if (fifo->first == NULL) {
		fifo->first = packet;
	} else {
		fifo->last->next = packet;
	}
	fifo->last = packet;
	fifo->pkts++;
	fifo->bytes += packet->bytes;
}

struct simnet_queued *simnet_fifo_pop(struct simnet_fifo *fifo)
{
	struct simnet_queued *packet = fifo->first;

	if (packet != NULL) {
		fifo->first = packet->next;
		fifo->pkts--;
		fifo->bytes -= packet->bytes;
	}
	return packet;
}

/* --- for disciplines --- */

bool simnet_qdisc_is_full(const struct simnet_qdisc *q, const struct simnet_queued *packet)
{
	return q->pkts > 0 && ((q->limit_pkts > 0 && q->pkts >= q->limit_pkts) ||
	                       (q->limit_bytes > 0 && q->bytes + packet->bytes > q->limit_bytes));
}

void simnet_qdisc_drop(struct simnet_qdisc *q, struct simnet_queued *packet, bool overflow)
{
	packet->overflow = overflow;
	simnet_fifo_push(&q->dropped, packet);
}

void simnet_qdisc_push(struct simnet_qdisc *q, struct simnet_fifo *fifo, struct simnet_queued *packet)
{
	simnet_fifo_push(fifo, packet);
	q->pkts++;
	q->bytes += packet->bytes;
}

struct simnet_queued *simnet_qdisc_pop(struct simnet_qdisc *q, struct simnet_fifo *fifo)
{
	struct simnet_queued *packet = simnet_fifo_pop(fifo);

	if (packet != NULL) {
		q->pkts--;
		q->bytes -= packet->bytes;
	}
	return packet;
}

bool simnet_qdisc_mark(const struct simnet_qdisc *q, struct simnet_queued *packet)
{
	packet->marked = packet->marked || (q->ecn && packet->ect);
	return q->ecn && packet->ect;
}

void simnet_qdisc_drop_all(struct simnet_qdisc *q, struct simnet_fifo *fifo)
{
	struct simnet_queued *packet;

	while ((packet = simnet_qdisc_pop(q, fifo)) != NULL) {
		simnet_qdisc_drop(q, packet, true);
	}
}

/* --- drop tail --- */

static int init_tail(struct simnet_qdisc *q)
{
	q->state = calloc(1, sizeof(struct simnet_fifo));
	return q->state == NULL ? -ENOMEM : 0;
}

static void enqueue_tail(struct simnet_qdisc *q, struct simnet_queued *packet, uint64_t now_us)
{
	(void)now_us;
	if (simnet_qdisc_is_full(q, packet)) {
		simnet_qdisc_drop(q, packet, true);
	} else {
		simnet_qdisc_push(q, q->state, packet);
	}
}

static struct simnet_queued *dequeue_tail(struct simnet_qdisc *q, uint64_t now_us)
{
	(void)now_us;
	return simnet_qdisc_pop(q, q->state);
}

static void free_tail(struct simnet_qdisc *q)
{
	simnet_qdisc_drop_all(q, q->state);
	free(q->state);
}

static const struct simnet_qdisc_ops tail_ops = {
    .init = init_tail, .enqueue = enqueue_tail, .dequeue = dequeue_tail, .free = free_tail};

/* --- all of them --- */

int simnet_qdisc_init(struct simnet_qdisc *q, enum usrsctp_cmt_sim_aqm kind)
{
	switch (kind) {
	case USRSCTP_CMT_SIM_AQM_NONE: q->ops = &tail_ops; break;
	case USRSCTP_CMT_SIM_AQM_CODEL: q->ops = &simnet_codel_ops; break;
	case USRSCTP_CMT_SIM_AQM_FQ_CODEL: q->ops = &simnet_fq_codel_ops; break;
	case USRSCTP_CMT_SIM_AQM_PIE: q->ops = &simnet_pie_ops; break;
	case USRSCTP_CMT_SIM_AQM_CAKE: q->ops = &simnet_cake_ops; break;
	}
	return q->ops->init(q);
}

void simnet_qdisc_free(struct simnet_qdisc *q)
{
	if (q->state != NULL) {
		q->ops->free(q);
		q->state = NULL;
	}
}

void simnet_qdisc_enqueue(struct simnet_qdisc *q, struct simnet_queued *packet, uint64_t now_us)
{
	packet->since_us = now_us;
	q->ops->enqueue(q, packet, now_us);
}

struct simnet_queued *simnet_qdisc_dequeue(struct simnet_qdisc *q, uint64_t now_us)
{
	return q->ops->dequeue(q, now_us);
}
