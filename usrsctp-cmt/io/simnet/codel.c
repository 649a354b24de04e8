/* SPDX-License-Identifier: BSD-3-Clause */
#include "codel.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define MAX_PACKET_BYTES 1500 /* less than that is no standing queue */
#define RECENT_INTERVALS 16

/* "interval / sqrt(count)": as the square root of the number of drops a loss rate grows that halves the rates
 * of TCP one after the other. */
static uint64_t control_law(const struct simnet_codel *codel, uint64_t from_us)
{
	return from_us + (uint64_t)llround((double)codel->interval_us / sqrt((double)codel->count));
}

/* Takes one packet out; *late: the queue has stood above the target for an interval. */
static struct simnet_queued *take(struct simnet_codel *codel, struct simnet_qdisc *q,
                                  struct simnet_fifo *fifo, uint64_t now_us, bool *late)
{
	struct simnet_queued *packet = simnet_qdisc_pop(q, fifo);

	*late = false;
	if (packet == NULL || now_us - packet->since_us < codel->target_us ||
	    fifo->bytes <= MAX_PACKET_BYTES) {
		codel->above_since_us = 0;
	} else if (codel->above_since_us == 0) {
		codel->above_since_us = now_us + codel->interval_us;
	} else {
		*late = now_us >= codel->above_since_us;
	}
	return packet;
}

/* Marks the packet, or drops it and takes the next one. */
static struct simnet_queued *strike(struct simnet_codel *codel, struct simnet_qdisc *q,
                                    struct simnet_fifo *fifo, struct simnet_queued *packet, uint64_t now_us,
                                    bool *late)
{
	if (simnet_qdisc_mark(q, packet)) {
		return packet;
	}
	simnet_qdisc_drop(q, packet, false);
	return take(codel, q, fifo, now_us, late);
}

static void begin_dropping(struct simnet_codel *codel, uint64_t now_us)
{
	uint64_t since = codel->count - codel->last_count;

	codel->dropping = true;
	/* Where it was not long ago the rate of drops was right, or nearly. */
	codel->count =
	    since > 1 && now_us < codel->next_us + RECENT_INTERVALS * codel->interval_us ? since : 1;
	codel->last_count = codel->count;
	codel->next_us = control_law(codel, now_us);
}

struct simnet_queued *simnet_codel_dequeue(struct simnet_codel *codel, struct simnet_qdisc *q,
                                           struct simnet_fifo *fifo, uint64_t now_us)
{
	bool late;
	struct simnet_queued *packet = take(codel, q, fifo, now_us, &late);

	if (packet == NULL || !late) {
		codel->dropping = false;
		return packet;
	}
	if (!codel->dropping) {
		packet = strike(codel, q, fifo, packet, now_us, &late);
		begin_dropping(codel, now_us);
		return packet;
	}
	while (codel->dropping && packet != NULL && now_us >= codel->next_us) {
		const bool marks = q->ecn && packet->ect;

		codel->count++;
		packet = strike(codel, q, fifo, packet, now_us, &late);
		codel->dropping = late;
		codel->next_us = late ? control_law(codel, codel->next_us) : codel->next_us;
		if (marks) {
			break;
		}
	}
	return packet;
}

/* --- one queue for all --- */

struct codel_queue {
	struct simnet_codel codel;
	struct simnet_fifo fifo;
};

static int init(struct simnet_qdisc *q)
{
	struct codel_queue *c = calloc(1, sizeof(*c));

	if (c == NULL) {
		return -ENOMEM;
	}
	c->codel.target_us = SIMNET_CODEL_TARGET_US;
	c->codel.interval_us = SIMNET_CODEL_INTERVAL_US;
	q->state = c;
	return 0;
}

static void enqueue(struct simnet_qdisc *q, struct simnet_queued *packet, uint64_t now_us)
{
	struct codel_queue *c = q->state;

	(void)now_us;
	if (simnet_qdisc_is_full(q, packet)) {
		simnet_qdisc_drop(q, packet, true);
	} else {
		simnet_qdisc_push(q, &c->fifo, packet);
	}
}

static struct simnet_queued *dequeue(struct simnet_qdisc *q, uint64_t now_us)
{
	struct codel_queue *c = q->state;

	return simnet_codel_dequeue(&c->codel, q, &c->fifo, now_us);
}

static void free_queue(struct simnet_qdisc *q)
{
	struct codel_queue *c = q->state;

	simnet_qdisc_drop_all(q, &c->fifo);
	free(c);
}

const struct simnet_qdisc_ops simnet_codel_ops = {
    .init = init, .enqueue = enqueue, .dequeue = dequeue, .free = free_queue};
