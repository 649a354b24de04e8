/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Packets under way: into a link, and out of it when the link says so. */
#include "simnet.h"

#include <endian.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

static struct simnet_flight *copy_flight(const struct simnet_flight *flight)
{
	struct simnet_flight *copy = malloc(sizeof(*copy) + flight->len);

	if (copy != NULL) {
		memcpy(copy, flight, sizeof(*copy) + flight->len);
	}
	return copy;
}

/* Takes the flight over. 0 or -ENOMEM. */
static int schedule_arrival(struct usrsctp_cmt_sim *sim, struct simnet_flight *flight, uint64_t at_us)
{
	if (flight == NULL ||
	    simnet_event_queue_push(&sim->events, at_us, SIMNET_EVENT_ARRIVAL, flight) != 0) {
		free(flight);
		return -ENOMEM;
	}
	return 0;
}

struct simnet_link *simnet_flight_link(struct usrsctp_cmt_sim *sim, const struct simnet_flight *flight)
{
	struct simnet_link *links =
	    flight->within != NULL ? flight->within->links : sim->paths[flight->path].links;

	return &links[flight->direction];
}

static void count_in_path(struct usrsctp_cmt_sim *sim, const struct simnet_flight *flight,
                          const struct simnet_verdict *verdict)
{
	struct usrsctp_cmt_sim_link_stats *stats = &sim->paths[flight->path].links[flight->direction].stats;

	if (flight->within == NULL) {
		return;
	}
	if (verdict->arrivals == 0) {
		stats->shared_dropped_pkts++;
	} else {
		stats->shared_wait_us_sum += verdict->wait_us;
		stats->shared_marked_pkts += verdict->marked;
	}
}

uint32_t simnet_flight_wire_bytes(const struct usrsctp_cmt_sim *sim, const struct simnet_flight *flight)
{
	size_t header = simnet_ip_header_bytes(sim), len = flight->len + simnet_udp_header_bytes(flight),
	       pieces = 1;

	if (flight->piece_bytes > header)
		pieces = (len + flight->piece_bytes - header - 1) / (flight->piece_bytes - header);
	return (uint32_t)(len + pieces * header);
}

void simnet_flight_drop(struct usrsctp_cmt_sim *sim, struct simnet_flight *flight)
{
	simnet_wire_tell(sim, flight, USRSCTP_CMT_SIM_DROPPED);
	free(flight);
}

/* What a link has decided becomes of the flight. Takes it over. 0 or -ENOMEM. */
static int follow(struct usrsctp_cmt_sim *sim, struct simnet_flight *flight,
                  const struct simnet_verdict *verdict)
{
	count_in_path(sim, flight, verdict);
	if (verdict->arrivals == 0) {
		simnet_flight_drop(sim, flight);
		return 0;
	}
	if (verdict->marked) {
		flight->tos |= SIMNET_ECN_BITS;
	}
	if (verdict->corrupt) {
		flight->bytes[verdict->corrupt_bit / 8] ^= (uint8_t)(1u << (verdict->corrupt_bit % 8));
	}
	if (verdict->arrivals == 2 &&
	    schedule_arrival(sim, copy_flight(flight), verdict->arrive_us[1]) != 0) {
		free(flight);
		return -ENOMEM;
	}
	return schedule_arrival(sim, flight, verdict->arrive_us[0]);
}

/* Follows what the link has decided, and comes back when it decides more. */
static void settle(struct usrsctp_cmt_sim *sim, struct simnet_link *link)
{
	struct simnet_verdict verdict;
	struct simnet_flight *flight;
	uint64_t wakes_us;

	while ((flight = simnet_link_decided(link, &verdict)) != NULL) {
		/* No memory: lost. */
		(void)follow(sim, flight, &verdict);
	}
	wakes_us = simnet_link_wakes_us(link);
	if (wakes_us != SIMNET_NEVER_US && wakes_us != link->server->event_us &&
	    simnet_event_queue_push(&sim->events, wakes_us, SIMNET_EVENT_LINK, link) == 0) {
		link->server->event_us = wakes_us;
	}
}

void simnet_flights_look(struct usrsctp_cmt_sim *sim, struct simnet_link *link)
{
	if (link->server->event_us != sim->now_us) {
		/* It was looked at in time, and another event stands for the next one. */
		return;
	}
	link->server->event_us = SIMNET_NEVER_US;
	simnet_link_advance(link, sim->now_us);
	settle(sim, link);
}

/* By addresses and ports, as routers do. */
static uint32_t flow_of(const struct simnet_flight *flight)
{
	uint16_t ports[2] = {htobe16(flight->udp_src), htobe16(flight->udp_dst)};
	const size_t family = sizeof(flight->src.ss_family), address = sizeof(struct sockaddr_in6) - family;
	uint64_t hash;

	if (flight->udp_dst == 0 && flight->len >= sizeof(ports)) {
		memcpy(ports, flight->bytes, sizeof(ports));
	}
	hash = simnet_hash_bytes(0, (const uint8_t *)&flight->src + family, address);
	hash = simnet_hash_bytes(hash, (const uint8_t *)&flight->dst + family, address);
	return (uint32_t)simnet_hash_bytes(hash, (const uint8_t *)ports, sizeof(ports));
}

int simnet_flight_enter(struct usrsctp_cmt_sim *sim, struct simnet_flight *flight)
{
	struct simnet_offer offer = {.now_us = sim->now_us,
	                             .wire_bytes = simnet_flight_wire_bytes(sim, flight),
	                             .payload_bytes = (uint32_t)flight->len,
	                             .piece_bytes = flight->piece_bytes};
	struct simnet_link *link = simnet_flight_link(sim, flight);
	struct simnet_verdict verdict;

	if (link->server != NULL) {
		offer.flight = flight;
		offer.flow = flow_of(flight);
		offer.ect = (flight->tos & SIMNET_ECN_BITS) != 0;
	}
	if (simnet_link_send(link, &offer, &verdict) != 0) {
		free(flight);
		return -ENOMEM;
	}
	if (verdict.fate != SIMNET_WAITS) {
		return follow(sim, flight, &verdict);
	}
	settle(sim, link);
	return 0;
}
