/* SPDX-License-Identifier: BSD-3-Clause */
#include "rivals/rival.h"

#include <math.h>

#define PARETO_SHAPE 1.5
#define LEAST_BYTES  20e3
#define MOST_BYTES   2e6
#define MEAN_BYTES   56e3

/* In (0, 1]. */
static double draw(struct lab_rival *r)
{
	return ((double)(usrsctp_cmt_sim_random(r->sim) >> 11) + 1) / 9007199254740992.0;
}

static void begin_flow(struct usrsctp_cmt_sim *sim, void *arg);

static void plan_next(struct lab_rival *r)
{
	const double mean_us = MEAN_BYTES * 8e6 / (double)r->flows_bps;
	const uint64_t after_us = (uint64_t)(-log(draw(r)) * mean_us);

	(void)usrsctp_cmt_sim_at(r->sim, usrsctp_cmt_sim_now_us(r->sim) + after_us, begin_flow, r);
}

static void begin_flow(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct lab_rival *r = arg;
	double bytes;

	(void)sim;
	if (!r->running) {
		return;
	}
	bytes = fmin(LEAST_BYTES * pow(draw(r), -1 / PARETO_SHAPE), MOST_BYTES);
	for (unsigned i = 0; i < LAB_RIVAL_FLOWS; i++) {
		if (!r->flows[i].running) {
			lab_flow_start(&r->flows[i], (uint64_t)ceil(bytes / LAB_FLOW_PAYLOAD_BYTES));
			break;
		}
	}
	plan_next(r);
}

void lab_rival_start(struct lab_rival *r)
{
	for (unsigned i = 0; i < LAB_RIVAL_FLOWS; i++) {
		r->flows[i] = (struct lab_flow){.sim = r->sim,
		                                .path = r->path,
		                                .from_host = r->from_host,
		                                .number = (uint16_t)(r->number * LAB_RIVAL_FLOWS + i),
		                                .law = r->law,
		                                .arrived = r->arrived,
		                                .arg = r->arg};
	}
	r->running = true;
	if (r->flows_bps > 0) {
		plan_next(r);
	} else {
		lab_flow_start(&r->flows[0], LAB_FLOW_ENDLESS);
	}
}

bool lab_rival_packet(struct lab_rival *r, const struct usrsctp_cmt_sim_packet *p)
{
	const unsigned ports[2] = {(unsigned)p->packet[0] << 8 | p->packet[1],
	                           (unsigned)p->packet[2] << 8 | p->packet[3]};
	const unsigned port = ports[0] < ports[1] ? ports[0] : ports[1];
	const unsigned first = LAB_FLOW_PORT + 2u * LAB_RIVAL_FLOWS * r->number;

	return r->running && port >= first && port < first + 2 * LAB_RIVAL_FLOWS &&
	       lab_flow_packet(&r->flows[(port - first) / 2], p);
}

void lab_rival_stop(struct lab_rival *r)
{
	r->running = false;
	for (unsigned i = 0; i < LAB_RIVAL_FLOWS; i++) {
		lab_flow_stop(&r->flows[i]);
	}
}

void lab_rival_free(struct lab_rival *r)
{
	for (unsigned i = 0; i < LAB_RIVAL_FLOWS; i++) {
		lab_flow_free(&r->flows[i]);
	}
}
