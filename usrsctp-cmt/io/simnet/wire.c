/* SPDX-License-Identifier: BSD-3-Clause */
#include "simnet.h"
#include "alias.h"

#include <endian.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HASH_FACTOR UINT64_C(0x9e3779b97f4a7c15)

static size_t header_bytes(const struct usrsctp_cmt_sim *sim, const struct simnet_flight *flight)
{
	return simnet_ip_header_bytes(sim) + simnet_udp_header_bytes(flight);
}

static size_t room_bytes(const struct usrsctp_cmt_sim *sim)
{
	return UINT16_MAX - simnet_ip_header_bytes(sim) - SIMNET_UDP_HEADER_BYTES;
}

/* --- observers --- */

static uint64_t hash_word(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * HASH_FACTOR;
	return hash ^ hash >> 32;
}

uint64_t simnet_hash_bytes(uint64_t hash, const uint8_t *bytes, size_t len)
{
	uint64_t word = 0;

	for (; len >= sizeof(word); bytes += sizeof(word), len -= sizeof(word)) {
		memcpy(&word, bytes, sizeof(word));
		hash = hash_word(hash, le64toh(word));
	}
	word = 0;
	memcpy(&word, bytes, len);
	return hash_word(hash, le64toh(word));
}

static void hash_packet(struct usrsctp_cmt_sim *sim, const struct simnet_flight *flight)
{
	uint64_t hash = hash_word(sim->trace_hash, sim->now_us);

	hash = hash_word(hash, (uint64_t)flight->path << 1 | (uint64_t)flight->direction);
	hash = hash_word(hash, flight->len);
	sim->trace_hash = simnet_hash_bytes(hash, flight->bytes, flight->len);
}

void simnet_wire_tell(struct usrsctp_cmt_sim *sim, const struct simnet_flight *flight,
                      enum usrsctp_cmt_sim_event event)
{
	struct usrsctp_cmt_sim_packet packet = {.event = event,
	                                        .at_us = sim->now_us,
	                                        .serial = flight->serial,
	                                        .path = flight->path,
	                                        .direction = flight->direction,
	                                        .packet = flight->bytes,
	                                        .packet_bytes = flight->len,
	                                        .ecn = flight->tos & SIMNET_ECN_BITS,
	                                        .wire_bytes = flight->len + header_bytes(sim, flight)};

	if (sim->tap != NULL) {
		sim->tap(sim, &packet, sim->tap_arg);
	}
}

static void capture(struct usrsctp_cmt_sim *sim, const struct simnet_flight *flight, uint8_t ttl)
{
	struct simnet_pcap_packet packet = {.at_us = sim->now_us,
	                                    .src = (const struct sockaddr *)&flight->src,
	                                    .dst = (const struct sockaddr *)&flight->dst,
	                                    .bytes = flight->bytes,
	                                    .len = flight->len,
	                                    .id = (uint16_t)flight->serial,
	                                    .udp_src = flight->udp_src,
	                                    .udp_dst = flight->udp_dst,
	                                    .tos = flight->tos,
	                                    .ttl = ttl,
	                                    .dont_fragment = flight->dont_fragment};

	if (sim->pcap != NULL) {
		simnet_pcap_write(sim->pcap, &packet);
	}
}

/* --- from a host to the link --- */

/* Takes the flight over. 0 or -ENOMEM. */
static int send_flight(struct usrsctp_cmt_sim *sim, struct simnet_flight *flight)
{
	flight->serial = ++sim->serial;
	sim->quiet_since_us = sim->now_us;
	hash_packet(sim, flight);
	capture(sim, flight, SIMNET_TTL_SENT);
	simnet_wire_tell(sim, flight, USRSCTP_CMT_SIM_SENT);
	if (!simnet_nat_leave(sim, flight)) {
		simnet_flight_drop(sim, flight);
		return 0;
	}
	return simnet_flight_enter(sim, flight);
}

static void copy_address(struct sockaddr_storage *to, const struct sockaddr *from)
{
	memset(to, 0, sizeof(*to));
	memcpy(to, from,
	       from->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in));
}

/* What only the stack knows means nothing to a peer: a packet that shows it is our own fault. */
static void expect_no_alias(const struct usrsctp_cmt_sim *sim, const struct simnet_flight *flight)
{
	const char *shown = simnet_is_alias((const struct sockaddr *)&flight->src) ||
	                            simnet_is_alias((const struct sockaddr *)&flight->dst)
	                        ? "the IP header"
	                        : simnet_shows_alias(flight->bytes, flight->len);

	if (shown != NULL) {
		fprintf(stderr, "an alias leaves the host in %s, at %.6f s of virtual time\n", shown,
		        (double)sim->now_us / 1e6);
		abort();
	}
}

int simnet_wire_output(void *ctx, const struct usrsctp_cmt_packet *packet)
{
	struct usrsctp_cmt_sim *sim = ctx;
	const uint16_t udp_port = simnet_port(packet->remote);
	struct simnet_place from, to;
	struct simnet_flight *flight;
	bool astray = !simnet_find_way(sim, packet->local, packet->remote, &from) &&
	              !simnet_nat_way(sim, packet->local, packet->remote, udp_port, &from);

	if (simnet_is_lost_elsewhere(sim, packet, udp_port)) {
		return 0;
	}
	/* As routers do, the destination decides the way, whatever the source says. */
	to = from;
	if (astray &&
	    (!simnet_find_place(sim, packet->local, &from) ||
	     !(simnet_find_place(sim, packet->remote, &to) || simnet_nat_place(sim, packet->remote, &to)) ||
	     from.host == to.host)) {
		return EHOSTUNREACH;
	}
	if (sim->some_absent && !simnet_is_present(sim, packet->local)) {
		return EADDRNOTAVAIL;
	}
	if (astray && simnet_end_is_absent(sim, to.path, from.host)) {
		/* That interface is down: by the one that has the source. */
		to.path = from.path;
	}
	if (packet->len > room_bytes(sim)) {
		return EMSGSIZE;
	}
	flight = malloc(sizeof(*flight) + packet->len);
	if (flight == NULL) {
		return ENOBUFS;
	}
	*flight = (struct simnet_flight){.path = to.path,
	                                 .direction = from.host,
	                                 .dont_fragment = packet->dont_fragment,
	                                 .piece_bytes = packet->fragment_bytes,
	                                 .tos = packet->tos,
	                                 .udp_src = udp_port != 0 ? USRSCTP_CMT_SIM_UDP_PORT : 0,
	                                 .udp_dst = udp_port,
	                                 .len = packet->len};
	copy_address(&flight->src, packet->local);
	copy_address(&flight->dst, packet->remote);
	usrsctp_cmt_packet_copy(packet, flight->bytes);
	expect_no_alias(sim, flight);
	if (astray) {
		sim->paths[to.path].links[from.host].stats.misrouted_pkts++;
	}
	return send_flight(sim, flight) == 0 ? 0 : ENOBUFS;
}

int usrsctp_cmt_sim_inject(struct usrsctp_cmt_sim *sim, int path, int from_host, const void *packet,
                           size_t packet_bytes)
{
	struct simnet_flight *flight;
	uint16_t udp_port;

	if (path < 0 || path >= sim->n_paths || from_host < 0 || from_host > 1 || packet == NULL ||
	    packet_bytes == 0 || packet_bytes > room_bytes(sim)) {
		errno = EINVAL;
		return -1;
	}
	flight = malloc(sizeof(*flight) + packet_bytes);
	if (flight == NULL) {
		errno = ENOMEM;
		return -1;
	}
	*flight = (struct simnet_flight){
	    .path = path, .direction = from_host, .dont_fragment = true, .len = packet_bytes};
	flight->src = sim->paths[path].addresses[from_host];
	usrsctp_cmt_sim_public_address(sim, 1 - from_host, path, 0, &flight->dst, &udp_port);
	if (sim->paths[path].nat[0] != 0 || sim->paths[path].nat[1] != 0) {
		flight->udp_src = USRSCTP_CMT_SIM_UDP_PORT;
		flight->udp_dst = udp_port;
	}
	memcpy(flight->bytes, packet, packet_bytes);
	if (send_flight(sim, flight) != 0) {
		errno = ENOMEM;
		return -1;
	}
	return 0;
}

int usrsctp_cmt_sim_too_big(struct usrsctp_cmt_sim *sim, int path, int host, const void *packet,
                            size_t packet_bytes, uint32_t mtu_bytes)
{
	struct sockaddr_storage dst;

	if (path < 0 || path >= sim->n_paths || host < 0 || host > 1 || packet == NULL ||
	    packet_bytes < USRSCTP_CMT_QUOTE_BYTES) {
		errno = EINVAL;
		return -1;
	}
	usrsctp_cmt_sim_public_address(sim, 1 - host, path, 0, &dst, NULL);
	return usrsctp_cmt_packets_too_big(
	    sim->packets,
	    &(struct usrsctp_cmt_too_big){.size = sizeof(struct usrsctp_cmt_too_big),
	                                  .local = (struct sockaddr *)&sim->paths[path].addresses[host],
	                                  .remote = (struct sockaddr *)&dst,
	                                  .bytes = packet,
	                                  .len = packet_bytes,
	                                  .mtu_bytes = mtu_bytes});
}

/* --- from the link to a host --- */

void simnet_wire_arrive(struct usrsctp_cmt_sim *sim, struct simnet_flight *flight)
{
	struct simnet_shared *via = sim->paths[flight->path].via;

	sim->quiet_since_us = sim->now_us;
	simnet_link_delivered(simnet_flight_link(sim, flight), simnet_flight_wire_bytes(sim, flight));
	if (flight->within == NULL && via != NULL) {
		flight->within = via;
		/* No memory: lost, as a network without room loses packets. */
		(void)simnet_flight_enter(sim, flight);
		return;
	}
	if (!simnet_nat_enter(sim, flight)) {
		simnet_flight_drop(sim, flight);
		return;
	}
	if (sim->some_absent && !simnet_is_present(sim, (const struct sockaddr *)&flight->dst)) {
		sim->paths[flight->path].links[flight->direction].stats.absent_pkts++;
		simnet_flight_drop(sim, flight);
		return;
	}
	capture(sim, flight, SIMNET_TTL_RECEIVED);
	simnet_wire_tell(sim, flight, USRSCTP_CMT_SIM_DELIVERED);
	simnet_set_port(&flight->src, flight->udp_src);
	usrsctp_cmt_packets_input(
	    sim->packets, &(struct usrsctp_cmt_arrival){.size = sizeof(struct usrsctp_cmt_arrival),
	                                                .local = (const struct sockaddr *)&flight->dst,
	                                                .remote = (const struct sockaddr *)&flight->src,
	                                                .bytes = flight->bytes,
	                                                .len = flight->len,
	                                                .ecn = flight->tos & SIMNET_ECN_BITS});
	free(flight);
}

/* --- public: observers --- */

void usrsctp_cmt_sim_tap(struct usrsctp_cmt_sim *sim, usrsctp_cmt_sim_tap_fn *fn, void *arg)
{
	sim->tap = fn;
	sim->tap_arg = arg;
}

int usrsctp_cmt_sim_pcap(struct usrsctp_cmt_sim *sim, const char *file)
{
	struct simnet_pcap *pcap = simnet_pcap_open(file);

	if (pcap == NULL) {
		return -1;
	}
	simnet_pcap_close(sim->pcap);
	sim->pcap = pcap;
	return 0;
}

uint64_t usrsctp_cmt_sim_trace_hash(const struct usrsctp_cmt_sim *sim)
{
	return sim->trace_hash;
}
