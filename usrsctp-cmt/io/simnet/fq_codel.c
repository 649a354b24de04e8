/* SPDX-License-Identifier: BSD-3-Clause
 *
 * FQ-CoDel (RFC 8290): queues for flows by their hash, served by deficit round robin, new ones first, each
 * under CoDel. CAKE as far as it differs for a few flows of one customer: a set-associative hash, so that
 * flows do not meet while there is room in their set, and a quantum and a target that fit a slow link. Its
 * shaper is the link's rate; BLUE, host isolation and tins are left out. */
#include "codel.h"

#include <errno.h>
#include <stdlib.h>

#include "util/cmt_random.h"

#define QUEUES         1024
#define WAYS           8 /* of CAKE */
#define QUANTUM_BYTES  1514
#define LIMIT_PKTS     10240
#define MOST_AT_ONCE   64 /* packets dropped for lack of room */
#define QUANTUM_LEAST  300
#define QUANTA_PER_S   4096
#define BITS_OF_MTU_US UINT64_C(18168000000) /* 1.5 packets of 1514 bytes, times 10^6 */

enum list { NONE, NEW, OLD };

struct flow_queue {
	struct flow_queue *next; /* on its list */
	struct simnet_fifo fifo;
	struct simnet_codel codel;
	int64_t deficit_bytes;
	uint32_t flow; /* whose it was last */
	enum list on;
};

struct flow_list {
	struct flow_queue *first, *last;
};

struct fq_codel {
	bool cake;
	uint64_t salt;
	struct flow_list lists[OLD + 1];
	struct flow_queue queues[QUEUES];
};

static int init_as(struct simnet_qdisc *q, bool cake)
{
	struct fq_codel *f = calloc(1, sizeof(*f));

	if (f == NULL) {
		return -ENOMEM;
	}
	f->cake = cake;
	f->salt = simnet_rng_next(q->rng);
	q->state = f;
	return 0;
}

static int init(struct simnet_qdisc *q)
{
	return init_as(q, false);
}

static int init_cake(struct simnet_qdisc *q)
{
	return init_as(q, true);
}

/* --- lists --- */

static void append(struct fq_codel *f, struct flow_queue *queue, enum list on)
{
	struct flow_list *list = &f->lists[on];

	queue->next = NULL;
	queue->on = on;
	if (list->first == NULL) {
		list->first = queue;
	} else {
		list->last->next = queue;
	}
	list->last = queue;
}

static void take_first(struct fq_codel *f, enum list on)
{
	struct flow_queue *queue = f->lists[on].first;

	f->lists[on].first = queue->next;
	queue->on = NONE;
}

/* --- flows --- */

static int64_t quantum_bytes(const struct fq_codel *f, const struct simnet_qdisc *q)
{
	uint64_t bytes = q->rate_bps / 8 / QUANTA_PER_S;

	if (!f->cake || q->rate_bps == 0 || bytes > QUANTUM_BYTES) {
		return QUANTUM_BYTES;
	}
	return bytes < QUANTUM_LEAST ? QUANTUM_LEAST : (int64_t)bytes;
}

/* Where a packet takes long, a queue of one must not be too much. */
static void set_target(const struct fq_codel *f, const struct simnet_qdisc *q, struct simnet_codel *codel)
{
	uint64_t tx_time_us = f->cake && q->rate_bps > 0 ? BITS_OF_MTU_US / q->rate_bps : 0;
	uint64_t least_us = q->target_us > SIMNET_CODEL_TARGET_US ? q->target_us : SIMNET_CODEL_TARGET_US;

	codel->target_us = tx_time_us > least_us ? tx_time_us : least_us;
	codel->interval_us = SIMNET_CODEL_INTERVAL_US + codel->target_us - SIMNET_CODEL_TARGET_US;
	if (codel->interval_us < 8 * codel->target_us) {
		codel->interval_us = 8 * codel->target_us;
	}
}

static struct flow_queue *queue_of(struct fq_codel *f, uint32_t flow)
{
	uint64_t salted = f->salt ^ flow, hash = cmt_random_take(&salted);
	struct flow_queue *set, *idle = NULL;

	if (!f->cake) {
		return &f->queues[hash % QUEUES];
	}
	set = &f->queues[hash % (QUEUES / WAYS) * WAYS];
	for (unsigned way = 0; way < WAYS; way++) {
		if (set[way].on != NONE && set[way].flow == flow) {
			return &set[way];
		}
		if (idle == NULL && set[way].on == NONE) {
			idle = &set[way];
		}
	}
	return idle != NULL ? idle : &set[hash / QUEUES % WAYS];
}

static bool has_too_much(const struct simnet_qdisc *q)
{
	uint64_t most = q->limit_pkts > 0 ? q->limit_pkts : q->limit_bytes > 0 ? UINT64_MAX : LIMIT_PKTS;

	return q->pkts > 1 && (q->pkts > most || (q->limit_bytes > 0 && q->bytes > q->limit_bytes));
}

/* From the head of the queue with most bytes, half of its packets: it is slow to find. */
static void make_room(struct simnet_qdisc *q)
{
	struct fq_codel *f = q->state;
	struct flow_queue *fattest = &f->queues[0];
	size_t n;

	for (unsigned i = 1; i < QUEUES; i++) {
		fattest = f->queues[i].fifo.bytes > fattest->fifo.bytes ? &f->queues[i] : fattest;
	}
	n = fattest->fifo.pkts / 2;
	n = n < 1 ? 1 : n > MOST_AT_ONCE ? MOST_AT_ONCE : n;
	for (; n > 0; n--) {
		simnet_qdisc_drop(q, simnet_qdisc_pop(q, &fattest->fifo), true);
	}
}

static void enqueue(struct simnet_qdisc *q, struct simnet_queued *packet, uint64_t now_us)
{
	struct fq_codel *f = q->state;
	struct flow_queue *queue = queue_of(f, packet->flow);

	(void)now_us;
	simnet_qdisc_push(q, &queue->fifo, packet);
	if (queue->on == NONE) {
		queue->flow = packet->flow;
		queue->deficit_bytes = quantum_bytes(f, q);
		append(f, queue, NEW);
	}
	while (has_too_much(q)) {
		make_room(q);
	}
}

static struct simnet_queued *dequeue(struct simnet_qdisc *q, uint64_t now_us)
{
	struct fq_codel *f = q->state;

	while (f->lists[NEW].first != NULL || f->lists[OLD].first != NULL) {
		enum list on = f->lists[NEW].first != NULL ? NEW : OLD;
		struct flow_queue *queue = f->lists[on].first;
		struct simnet_queued *packet;

		if (queue->deficit_bytes <= 0) {
			queue->deficit_bytes += quantum_bytes(f, q);
			take_first(f, on);
			append(f, queue, OLD);
			continue;
		}
		set_target(f, q, &queue->codel);
		packet = simnet_codel_dequeue(&queue->codel, q, &queue->fifo, now_us);
		if (packet != NULL) {
			queue->deficit_bytes -= packet->bytes;
			return packet;
		}
		take_first(f, on);
		if (on == NEW) {
			/* A flow that was new must not be new again before the others had their turn. */
			append(f, queue, OLD);
		}
	}
	return NULL;
}

static void free_queues(struct simnet_qdisc *q)
{
	struct fq_codel *f = q->state;

	for (unsigned i = 0; i < QUEUES; i++) {
		simnet_qdisc_drop_all(q, &f->queues[i].fifo);
	}
	free(f);
}

const struct simnet_qdisc_ops simnet_fq_codel_ops = {
    .init = init, .enqueue = enqueue, .dequeue = dequeue, .free = free_queues};
const struct simnet_qdisc_ops simnet_cake_ops = {
    .init = init_cake, .enqueue = enqueue, .dequeue = dequeue, .free = free_queues};
