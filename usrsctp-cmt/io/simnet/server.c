/* SPDX-License-Identifier: BSD-3-Clause */
#include "server.h"

#include <errno.h>
#include <stdlib.h>

#include "link.h"

bool simnet_server_is_for(const struct usrsctp_cmt_sim_link *config)
{
	return config->aqm != USRSCTP_CMT_SIM_AQM_NONE || config->wifi.burst_pkts > 0;
}

void simnet_server_configure(struct simnet_link *link)
{
	struct simnet_qdisc *q = &link->server->qdisc;

	q->limit_pkts = link->config.queue_pkts;
	q->limit_bytes = link->config.queue_bytes;
	q->rate_bps = link->config.rate_bps;
	q->ecn = link->config.ecn;
}

int simnet_server_new(struct simnet_link *link)
{
	link->server = calloc(1, sizeof(*link->server));
	if (link->server == NULL) {
		return -ENOMEM;
	}
	link->server->next_us = link->server->event_us = SIMNET_NEVER_US;
	link->server->qdisc.rng = &link->draws[SIMNET_DRAW_AQM];
	simnet_server_configure(link);
	return simnet_qdisc_init(&link->server->qdisc, link->config.aqm);
}

size_t simnet_server_waiting_pkts(const struct simnet_server *server)
{
	return server->qdisc.pkts + (server->held != NULL);
}

/* --- what has been decided --- */

/* What simnet_queued is the beginning of, here. */
struct entry {
	struct simnet_queued queued;
	struct simnet_verdict verdict;
};

static void decide(struct simnet_link *link, struct simnet_queued *packet,
                   const struct simnet_verdict *verdict)
{
	if (packet->flight == NULL) {
		free(packet);
		return;
	}
	link->server->ours--;
	((struct entry *)(void *)packet)->verdict = *verdict;
	simnet_fifo_push(&link->server->decided, packet);
}

void *simnet_link_decided(struct simnet_link *link, struct simnet_verdict *verdict)
{
	struct simnet_queued *packet = link->server == NULL ? NULL : simnet_fifo_pop(&link->server->decided);
	void *flight;

	if (packet == NULL) {
		return NULL;
	}
	*verdict = ((struct entry *)(void *)packet)->verdict;
	flight = packet->flight;
	free(packet);
	return flight;
}

static void decide_dropped(struct simnet_link *link)
{
	struct simnet_queued *packet;

	while ((packet = simnet_fifo_pop(&link->server->qdisc.dropped)) != NULL) {
		struct simnet_verdict verdict = {.fate = packet->overflow ? SIMNET_QUEUE_FULL
		                                                          : SIMNET_AQM_DROPPED};

		if (packet->flight == NULL) {
			link->stats.cross_dropped_pkts++;
		} else if (packet->overflow) {
			link->stats.dropped_queue_pkts++;
		} else {
			link->stats.dropped_aqm_pkts++;
		}
		decide(link, packet, &verdict);
	}
}

void simnet_server_free(struct simnet_link *link)
{
	struct simnet_server *server = link->server;
	struct simnet_verdict none;
	void *flight;

	if (server == NULL) {
		return;
	}
	if (server->held != NULL) {
		simnet_qdisc_drop(&server->qdisc, server->held, true);
	}
	simnet_qdisc_free(&server->qdisc);
	decide_dropped(link);
	while ((flight = simnet_link_decided(link, &none)) != NULL) {
		free(flight);
	}
	free(server);
	link->server = NULL;
}

/* --- the transmitter --- */

/* When it can take the next packet, of those that wait at now_us. */
static uint64_t free_at_us(const struct simnet_link *link, uint64_t now_us)
{
	const struct usrsctp_cmt_sim_link *config = &link->config;
	struct simnet_position at = link->busy;
	uint64_t us, interval_us = config->grants.interval_us;

	if (now_us > at.at_us) {
		at = (struct simnet_position){.at_us = now_us, .work = 0};
	}
	if (config->rates != NULL && config->rates->opportunities) {
		us = simnet_rates_after(config->rates, config->rate_bps, at, 1).at_us;
	} else {
		us = simnet_rates_until_us(config->rates, at);
	}
	if (interval_us == 0) {
		return us;
	}
	/* What is left of an interval was granted at its beginning. */
	us -= us % interval_us;
	us = us < link->server->granted_us ? link->server->granted_us : us;
	return us < now_us ? simnet_grants_next_us(&config->grants, now_us) : us;
}

static struct simnet_queued *next_packet(struct simnet_link *link, uint64_t now_us)
{
	struct simnet_queued *packet = link->server->held;

	if (packet == NULL) {
		packet = simnet_qdisc_dequeue(&link->server->qdisc, now_us);
		decide_dropped(link);
	}
	link->server->held = NULL;
	return packet;
}

/* The packet has left the queue, and leaves the link then. */
static void leave(struct simnet_link *link, struct simnet_queued *packet, uint64_t now_us, uint64_t depart_us)
{
	struct simnet_verdict verdict = {
	    .wait_us = now_us - packet->since_us, .depart_us = depart_us, .marked = packet->marked};
	const struct simnet_offer offer = {.wire_bytes = packet->bytes,
	                                   .payload_bytes = packet->payload_bytes};

	if (packet->flight != NULL) {
		simnet_link_far_end(link, &offer, &verdict);
	}
	decide(link, packet, &verdict);
}

static void transmit(struct simnet_link *link, struct simnet_queued *packet, uint64_t now_us)
{
	/* A fraction of a microsecond is kept for a packet that was there in it. */
	uint64_t start_us, from_us = link->config.grants.interval_us > 0 ? now_us : packet->since_us;

	if (from_us > link->busy.at_us) {
		link->busy = (struct simnet_position){.at_us = now_us, .work = 0};
	}
	start_us = simnet_rates_until_us(link->config.rates, link->busy);
	link->busy = simnet_rates_after(link->config.rates, link->config.rate_bps, link->busy, packet->bytes);
	leave(link, packet, now_us,
	      simnet_link_departs_us(link, start_us, simnet_rates_until_us(link->config.rates, link->busy)));
}

/* Fills the interval that begins now. */
static void grant(struct simnet_link *link, uint64_t now_us)
{
	struct simnet_queued *packet;

	link->server->granted_us = now_us + link->config.grants.interval_us;
	do {
		packet = next_packet(link, now_us);
		if (packet != NULL) {
			transmit(link, packet, now_us);
		}
	} while (packet != NULL && link->busy.at_us < link->server->granted_us);
}

/* One access to the medium. */
static void burst(struct simnet_link *link, uint64_t now_us)
{
	const struct usrsctp_cmt_sim_wifi *wifi = &link->config.wifi;
	struct simnet_position begin = {.at_us = now_us + wifi->overhead_us}, end = begin, after;
	struct simnet_fifo taken = {.pkts = 0};
	struct simnet_queued *packet;

	while (taken.pkts < wifi->burst_pkts && (packet = next_packet(link, now_us)) != NULL) {
		after = simnet_rates_after(link->config.rates, link->config.rate_bps, end, packet->bytes);
		if (taken.pkts > 0 && after.at_us + (after.work > 0) > begin.at_us + wifi->burst_us) {
			link->server->held = packet;
			break;
		}
		simnet_fifo_push(&taken, packet);
		end = after;
	}
	if (taken.pkts == 0) {
		return;
	}
	link->stats.bursts++;
	link->busy = (struct simnet_position){.at_us = simnet_rates_until_us(link->config.rates, end)};
	while ((packet = simnet_fifo_pop(&taken)) != NULL) {
		leave(link, packet, now_us, link->busy.at_us);
	}
}

void simnet_server_serve(struct simnet_link *link)
{
	struct simnet_server *server = link->server;
	uint64_t now_us = server->next_us;
	struct simnet_queued *packet;

	if (link->config.wifi.burst_pkts > 0) {
		burst(link, now_us);
	} else if (link->config.grants.interval_us > 0) {
		grant(link, now_us);
	} else if ((packet = next_packet(link, now_us)) != NULL) {
		transmit(link, packet, now_us);
	}
	server->next_us = simnet_server_waiting_pkts(server) > 0 ? free_at_us(link, now_us) : SIMNET_NEVER_US;
}

int simnet_server_enqueue(struct simnet_link *link, const struct simnet_offer *offer)
{
	struct simnet_server *server = link->server;
	struct entry *entry = calloc(1, sizeof(*entry));

	if (entry == NULL) {
		return -ENOMEM;
	}
	entry->queued = (struct simnet_queued){.flight = offer->flight,
	                                       .bytes = offer->wire_bytes,
	                                       .payload_bytes = offer->payload_bytes,
	                                       .flow = offer->flow,
	                                       .ect = offer->ect};
	server->ours += offer->flight != NULL;
	simnet_qdisc_enqueue(&server->qdisc, &entry->queued, offer->now_us);
	decide_dropped(link);
	if (server->next_us == SIMNET_NEVER_US && simnet_server_waiting_pkts(server) > 0) {
		server->next_us = free_at_us(link, offer->now_us);
	}
	if (server->next_us <= offer->now_us) {
		simnet_server_serve(link);
	}
	if (server->qdisc.pkts > link->stats.queue_max_pkts) {
		link->stats.queue_max_pkts = (uint32_t)server->qdisc.pkts;
	}
	return 0;
}

uint64_t simnet_link_wakes_us(const struct simnet_link *link)
{
	return link->server == NULL || link->server->ours == 0 ? SIMNET_NEVER_US : link->server->next_us;
}
