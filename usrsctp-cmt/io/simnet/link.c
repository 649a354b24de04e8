/* SPDX-License-Identifier: BSD-3-Clause */
#include "link.h"
#include "cross.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define JITTER_SHAPE 2.5
#define CROSS_FLOW   UINT32_MAX

#define LATER_STREAMS     4096 /* behind all of enum simnet_stream */
#define LATER_STREAMS_FOR 16   /* of one link */

/* --- waiting packets --- */

static void expire_waiting(struct simnet_link *link, uint64_t now_us)
{
	while (link->waiting_n > 0 && link->waiting[link->waiting_first].start_us <= now_us) {
		link->waiting_bytes -= link->waiting[link->waiting_first].bytes;
		link->waiting_first = (link->waiting_first + 1) % link->waiting_capacity;
		link->waiting_n--;
	}
}

static int push_waiting(struct simnet_link *link, uint64_t start_us, uint32_t bytes)
{
	if (link->waiting_n == link->waiting_capacity) {
		size_t capacity = link->waiting_capacity > 0 ? 2 * link->waiting_capacity : 64;
		struct simnet_waiting *ring = calloc(capacity, sizeof(*ring));

		if (ring == NULL) {
			return -ENOMEM;
		}
		for (size_t i = 0; i < link->waiting_n; i++) {
			ring[i] = link->waiting[(link->waiting_first + i) % link->waiting_capacity];
		}
		free(link->waiting);
		link->waiting = ring;
		link->waiting_first = 0;
		link->waiting_capacity = capacity;
	}
	link->waiting[(link->waiting_first + link->waiting_n) % link->waiting_capacity] =
	    (struct simnet_waiting){.start_us = start_us, .bytes = bytes};
	link->waiting_n++;
	link->waiting_bytes += bytes;
	if (link->waiting_n > link->stats.queue_max_pkts) {
		link->stats.queue_max_pkts = (uint32_t)link->waiting_n;
	}
	return 0;
}

size_t simnet_link_waiting_pkts(const struct simnet_link *link)
{
	return link->waiting_n + (link->server == NULL ? 0 : simnet_server_waiting_pkts(link->server));
}

/* --- the transmitter --- */

uint64_t simnet_link_departs_us(struct simnet_link *link, uint64_t start_us, uint64_t end_us)
{
	const struct usrsctp_cmt_sim_grants *grants = &link->config.grants;

	if (grants->interval_us == 0) {
		return end_us;
	}
	return simnet_harq_arrives_us(&link->harq, grants, &link->draws[SIMNET_DRAW_HARQ], start_us,
	                              simnet_grants_next_us(grants, end_us));
}

/* Queue and serialisation of one packet, ours or cross traffic. 0, -ENOBUFS (queue full) or -ENOMEM. */
static int transmit(struct simnet_link *link, uint64_t now_us, uint32_t bytes, struct simnet_verdict *verdict)
{
	const struct usrsctp_cmt_sim_link *config = &link->config;
	struct simnet_position after;
	uint64_t start_us, free_us = now_us;

	expire_waiting(link, now_us);
	if (config->grants.interval_us > 0) {
		free_us = simnet_grants_next_us(&config->grants, now_us);
	}
	if (free_us > link->busy.at_us) {
		link->busy = (struct simnet_position){.at_us = free_us, .work = 0};
	}
	after = simnet_rates_after(config->rates, config->rate_bps, link->busy, bytes);
	/* An opportunity takes no time: until it comes, the packet waits. */
	start_us = simnet_rates_until_us(
	    config->rates, config->rates != NULL && config->rates->opportunities ? after : link->busy);
	verdict->wait_us = start_us - now_us;
	if (verdict->wait_us > 0) {
		if (config->queue_pkts > 0 && link->waiting_n >= config->queue_pkts) {
			return -ENOBUFS;
		}
		if (config->queue_bytes > 0 && link->waiting_bytes + bytes > config->queue_bytes) {
			return -ENOBUFS;
		}
		if (push_waiting(link, start_us, bytes) != 0) {
			return -ENOMEM;
		}
	}
	link->busy = after;
	verdict->depart_us = simnet_rates_until_us(config->rates, after);
	if (config->grants.interval_us > 0) {
		verdict->depart_us = simnet_link_departs_us(link, start_us, verdict->depart_us);
	}
	return 0;
}

/* --- cross traffic --- */

/* Queue and transmitter. */
static int take_cross(struct simnet_link *link)
{
	const struct simnet_offer offer = {
	    .now_us = link->cross_next_us, .wire_bytes = link->config.cross.packet_bytes, .flow = CROSS_FLOW};
	struct simnet_verdict ignored = {.wait_us = 0};

	return link->server != NULL ? simnet_server_enqueue(link, &offer)
	                            : transmit(link, offer.now_us, offer.wire_bytes, &ignored);
}

void simnet_link_advance(struct simnet_link *link, uint64_t now_us)
{
	for (;;) {
		if (link->server != NULL && link->server->next_us <= now_us &&
		    link->server->next_us <= link->cross_next_us) {
			simnet_server_serve(link);
			continue;
		}
		if (link->cross_next_us == SIMNET_NEVER_US || link->cross_next_us > now_us) {
			break;
		}
		link->stats.cross_pkts++;
		if (link->config.down ||
		    !simnet_policer_passes(&link->policer, &link->config.policer, link->cross_next_us,
		                           link->config.cross.packet_bytes) ||
		    take_cross(link) != 0) {
			link->stats.cross_dropped_pkts++;
		}
		simnet_cross_next(link);
	}
	expire_waiting(link, now_us);
}

/* --- random decisions --- */

static bool happens(struct simnet_link *link, enum simnet_draw draw, double probability)
{
	return probability > 0.0 && simnet_rng_uniform(&link->draws[draw]) < probability;
}

static bool is_lost(struct simnet_link *link)
{
	const struct usrsctp_cmt_sim_link *config = &link->config;
	bool lost = happens(link, SIMNET_DRAW_LOSS, config->loss);

	if (link->ge_is_bad) {
		link->ge_is_bad = !happens(link, SIMNET_DRAW_GILBERT_ELLIOTT, config->ge_good);
	} else {
		link->ge_is_bad = happens(link, SIMNET_DRAW_GILBERT_ELLIOTT, config->ge_bad);
	}
	if (link->ge_is_bad && happens(link, SIMNET_DRAW_GILBERT_ELLIOTT, config->ge_loss_bad)) {
		lost = true;
	}
	return lost;
}

static bool has_bit_error(struct simnet_link *link, uint32_t wire_bytes)
{
	double per_bit = link->config.bit_error;

	/* 1 - (1 - per_bit)^bits, without cancellation for tiny rates. */
	return per_bit > 0.0 &&
	       happens(link, SIMNET_DRAW_BIT_ERROR, -expm1(8.0 * (double)wire_bytes * log1p(-per_bit)));
}

/* Delay and jitter together, not below 0, of what leaves then. */
static uint64_t draw_delay_us(struct simnet_link *link, uint64_t depart_us)
{
	const struct usrsctp_cmt_sim_link *config = &link->config;
	struct simnet_rng *rng = &link->draws[SIMNET_DRAW_JITTER];
	double jitter_us = (double)config->jitter_us;
	uint64_t delay_us = config->delay_us + simnet_delays_at_us(config->delays, depart_us);

	switch (config->jitter) {
	case USRSCTP_CMT_SIM_JITTER_NONE: break;
	case USRSCTP_CMT_SIM_JITTER_NORMAL:
		return simnet_to_us(simnet_rng_normal(rng, (double)delay_us, jitter_us));
	case USRSCTP_CMT_SIM_JITTER_EXPONENTIAL:
		return delay_us + simnet_to_us(simnet_rng_exponential(rng, jitter_us));
	case USRSCTP_CMT_SIM_JITTER_PARETO:
		return delay_us + simnet_to_us(simnet_rng_pareto(rng, jitter_us, JITTER_SHAPE));
	}
	return delay_us;
}

static uint64_t draw_arrival(struct simnet_link *link, uint64_t depart_us)
{
	uint64_t arrive_us = depart_us + draw_delay_us(link, depart_us);

	if (!link->config.jitter_reorders && arrive_us < link->last_arrive_us) {
		arrive_us = link->last_arrive_us;
	}
	if (arrive_us > link->last_arrive_us) {
		link->last_arrive_us = arrive_us;
	}
	return arrive_us;
}

static void draw_arrivals(struct simnet_link *link, const struct simnet_offer *offer,
                          struct simnet_verdict *verdict)
{
	const struct usrsctp_cmt_sim_link *config = &link->config;

	verdict->arrivals = 1;
	verdict->arrive_us[0] = draw_arrival(link, verdict->depart_us);
	if (offer->payload_bytes > 0 && happens(link, SIMNET_DRAW_CORRUPT, config->corrupt)) {
		verdict->corrupt = true;
		verdict->corrupt_bit =
		    simnet_rng_below(&link->draws[SIMNET_DRAW_CORRUPT], 8 * (uint64_t)offer->payload_bytes);
		link->stats.corrupted_pkts++;
	}
	if (happens(link, SIMNET_DRAW_DUPLICATE, config->duplicate)) {
		verdict->arrivals = 2;
		verdict->arrive_us[1] = draw_arrival(link, verdict->depart_us);
		link->stats.duplicated_pkts++;
	}
	/* Held back after last_arrive_us was noted: those behind it may overtake. */
	if (happens(link, SIMNET_DRAW_REORDER, config->reorder)) {
		verdict->arrive_us[0] += config->reorder_us;
		link->stats.reordered_pkts++;
	}
}

/* --- the link --- */

int simnet_link_init(struct simnet_link *link, const struct usrsctp_cmt_sim_link *config, uint64_t seed,
                     uint64_t stream)
{
	*link = (struct simnet_link){.config = *config};
	for (uint64_t draw = 0; draw < SIMNET_FIRST_DRAWS; draw++) {
		simnet_rng_seed(&link->draws[draw], seed, stream * SIMNET_FIRST_DRAWS + draw);
	}
	for (uint64_t draw = SIMNET_FIRST_DRAWS; draw < SIMNET_DRAWS; draw++) {
		simnet_rng_seed(&link->draws[draw], seed, LATER_STREAMS + stream * LATER_STREAMS_FOR + draw);
	}
	simnet_cross_start(link, 0);
	return simnet_server_is_for(config) ? simnet_server_new(link) : 0;
}

void simnet_link_free(struct simnet_link *link)
{
	simnet_server_free(link);
	free(link->waiting);
	link->waiting = NULL;
	link->waiting_first = link->waiting_n = link->waiting_capacity = 0;
}

void simnet_link_configure(struct simnet_link *link, const struct usrsctp_cmt_sim_link *config,
                           uint64_t now_us)
{
	bool cross_goes_on = simnet_cross_is_same(&link->config.cross, &config->cross);

	simnet_link_advance(link, now_us);
	simnet_policer_fill(&link->policer, &link->config.policer, now_us);
	if ((config->rate_bps != link->config.rate_bps || config->rates != link->config.rates) &&
	    link->busy.work > 0) {
		/* The work counts at the old rate: less than a microsecond, once. */
		link->busy = (struct simnet_position){.at_us = link->busy.at_us + 1, .work = 0};
	}
	link->config = *config;
	if (link->server != NULL) {
		simnet_server_configure(link);
	}
	if (!cross_goes_on) {
		simnet_cross_start(link, now_us);
	}
}

static uint32_t passing_bytes(const struct usrsctp_cmt_sim_link *config)
{
	uint32_t mtu_bytes = simnet_link_mtu_bytes(config);

	return config->black_hole_bytes > 0 && config->black_hole_bytes < mtu_bytes ? config->black_hole_bytes
	                                                                            : mtu_bytes;
}

/* The largest IP packet in which it arrives here. */
static uint32_t whole_bytes(const struct simnet_offer *offer)
{
	return offer->piece_bytes > 0 && offer->piece_bytes < offer->wire_bytes ? offer->piece_bytes
	                                                                        : offer->wire_bytes;
}

void simnet_link_far_end(struct simnet_link *link, const struct simnet_offer *offer,
                         struct simnet_verdict *verdict)
{
	link->stats.marked_pkts += verdict->marked;
	if (has_bit_error(link, offer->wire_bytes)) {
		verdict->fate = SIMNET_BIT_ERROR;
		link->stats.dropped_bit_error_pkts++;
		return;
	}
	link->stats.queue_wait_us_sum += verdict->wait_us;
	draw_arrivals(link, offer, verdict);
}

int simnet_link_send(struct simnet_link *link, const struct simnet_offer *offer,
                     struct simnet_verdict *verdict)
{
	struct usrsctp_cmt_sim_link_stats *stats = &link->stats;
	int rc;

	*verdict = (struct simnet_verdict){.fate = SIMNET_PASSES};
	simnet_link_advance(link, offer->now_us);
	stats->sent_pkts++;
	stats->sent_bytes += offer->wire_bytes;
	if (link->config.down) {
		verdict->fate = SIMNET_LINK_DOWN;
		stats->dropped_down_pkts++;
		return 0;
	}
	if (whole_bytes(offer) > passing_bytes(&link->config)) {
		verdict->fate = SIMNET_TOO_BIG;
		stats->dropped_mtu_pkts++;
		return 0;
	}
	if (is_lost(link)) {
		verdict->fate = SIMNET_LOST;
		stats->dropped_loss_pkts++;
		return 0;
	}
	if (!simnet_policer_passes(&link->policer, &link->config.policer, offer->now_us, offer->wire_bytes)) {
		verdict->fate = SIMNET_POLICED;
		stats->dropped_policer_pkts++;
		return 0;
	}
	if (link->server != NULL) {
		verdict->fate = SIMNET_WAITS;
		return simnet_server_enqueue(link, offer);
	}
	rc = transmit(link, offer->now_us, offer->wire_bytes, verdict);
	if (rc != 0) {
		verdict->fate = SIMNET_QUEUE_FULL;
		verdict->wait_us = 0;
		stats->dropped_queue_pkts++;
		return rc == -ENOMEM ? -ENOMEM : 0;
	}
	simnet_link_far_end(link, offer, verdict);
	return 0;
}

void simnet_link_delivered(struct simnet_link *link, uint32_t wire_bytes)
{
	link->stats.delivered_pkts++;
	link->stats.delivered_bytes += wire_bytes;
}
