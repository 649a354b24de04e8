/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PIE (RFC 8033, sections 4 and 5): drops at the tail with a probability that a controller steers by the
 * queueing delay, measured by time stamps, and by how that changes. It is recomputed on a grid of time, when
 * the queue is next looked at: between looks nothing happens in it. */
#include "qdisc.h"

#include <errno.h>
#include <stdlib.h>

#define TARGET_US      15000
#define UPDATE_US      15000
#define BURST_US       150000
#define ALPHA          0.125 /* per second */
#define BETA           1.25
#define MEAN_PKT_BYTES 1500
#define MOST_STEP      0.02
#define MARK_MOST      0.1 /* above it ECN-capable packets are dropped, too */
#define LONG_DELAY_US  250000
#define DECAY          0.98
#define SURELY_NOT     0.85 /* drops are spread: not before probabilities add up to this */
#define SURELY         8.5  /* and by this at the latest */
#define UNIMPORTANT    0.2

struct pie {
	struct simnet_fifo fifo;
	double probability, accumulated;
	uint64_t delay_us, old_delay_us;
	uint64_t burst_us;  /* for so long nothing is dropped */
	uint64_t update_us; /* next */
};

static int init(struct simnet_qdisc *q)
{
	struct pie *p = calloc(1, sizeof(*p));

	if (p == NULL) {
		return -ENOMEM;
	}
	p->burst_us = BURST_US;
	p->update_us = UPDATE_US;
	q->state = p;
	return 0;
}

/* Small probabilities are changed in small steps, as the response of a sender goes with their root. */
static double scale(double probability)
{
	static const struct {
		double below, by;
	} steps[] = {{1e-6, 1.0 / 2048}, {1e-5, 1.0 / 512}, {1e-4, 1.0 / 128},
	             {1e-3, 1.0 / 32},   {1e-2, 1.0 / 8},   {1e-1, 1.0 / 2}};

	for (unsigned i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		if (probability < steps[i].below) {
			return steps[i].by;
		}
	}
	return 1;
}

static void update(struct pie *p)
{
	double step = ALPHA * ((double)p->delay_us - TARGET_US) / 1e6 +
	              BETA * ((double)p->delay_us - (double)p->old_delay_us) / 1e6;

	step *= scale(p->probability);
	if (p->probability >= 0.1 && step > MOST_STEP) {
		step = MOST_STEP;
	}
	if (p->delay_us > LONG_DELAY_US) {
		step += MOST_STEP;
	}
	p->probability += step;
	if (p->delay_us == 0 && p->old_delay_us == 0) {
		p->probability *= DECAY;
	}
	p->probability = p->probability < 0 ? 0 : p->probability > 1 ? 1 : p->probability;
	p->old_delay_us = p->delay_us;
	p->burst_us = p->burst_us > UPDATE_US ? p->burst_us - UPDATE_US : 0;
	if (p->probability <= 0 && p->delay_us < TARGET_US / 2 && p->old_delay_us < TARGET_US / 2) {
		p->burst_us = BURST_US;
	}
}

static void catch_up(struct pie *p, uint64_t now_us)
{
	while (p->update_us <= now_us) {
		update(p);
		p->update_us += UPDATE_US;
		if (p->probability <= 0 && p->delay_us == 0 && p->fifo.pkts == 0 && p->update_us <= now_us) {
			/* It stays so. */
			p->update_us += (now_us - p->update_us) / UPDATE_US * UPDATE_US;
		}
	}
}

static bool drops_early(struct pie *p, struct simnet_qdisc *q, const struct simnet_queued *packet)
{
	double probability = p->probability * packet->bytes / MEAN_PKT_BYTES;

	if (p->burst_us > 0 || (p->old_delay_us < TARGET_US / 2 && p->probability < UNIMPORTANT) ||
	    q->bytes <= 2 * MEAN_PKT_BYTES) {
		return false;
	}
	p->accumulated = p->probability <= 0 ? 0 : p->accumulated + probability;
	if (p->accumulated < SURELY_NOT ||
	    (p->accumulated < SURELY && simnet_rng_uniform(q->rng) >= probability)) {
		return false;
	}
	p->accumulated = 0;
	return true;
}

static void enqueue(struct simnet_qdisc *q, struct simnet_queued *packet, uint64_t now_us)
{
	struct pie *p = q->state;

	catch_up(p, now_us);
	if (simnet_qdisc_is_full(q, packet)) {
		p->accumulated = 0;
		simnet_qdisc_drop(q, packet, true);
	} else if (drops_early(p, q, packet) &&
	           (p->probability > MARK_MOST || !simnet_qdisc_mark(q, packet))) {
		simnet_qdisc_drop(q, packet, false);
	} else {
		simnet_qdisc_push(q, &p->fifo, packet);
	}
}

static struct simnet_queued *dequeue(struct simnet_qdisc *q, uint64_t now_us)
{
	struct pie *p = q->state;
	struct simnet_queued *packet;

	catch_up(p, now_us);
	packet = simnet_qdisc_pop(q, &p->fifo);
	p->delay_us = packet == NULL || p->fifo.pkts == 0 ? 0 : now_us - packet->since_us;
	return packet;
}

static void free_queue(struct simnet_qdisc *q)
{
	struct pie *p = q->state;

	simnet_qdisc_drop_all(q, &p->fifo);
	free(p);
}

const struct simnet_qdisc_ops simnet_pie_ops = {
    .init = init, .enqueue = enqueue, .dequeue = dequeue, .free = free_queue};
