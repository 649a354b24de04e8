/* SPDX-License-Identifier: BSD-3-Clause
 *
 * simnet.h - what the files behind usrsctp_cmt_sim.h share: the simulation's state.
 *
 * simnet.c    life cycle, virtual time, the run loop
 * wire.c      packets: from the stack to the links, from the links to the stack, and their observers
 * flights.c   packets under way, through the links
 * topology.c  paths and links
 * addresses.c addresses of the hosts, and what the stack asks about them
 * nats.c      NATs in front of hosts
 * sockets.c   sockets of the hosts */
#ifndef SIMNET_SIMNET_H
#define SIMNET_SIMNET_H

#include <usrsctp_cmt_packets.h>
#include <usrsctp_cmt_sim.h>

#include <errno.h>

#include "event_queue.h"
#include "link.h"
#include "nat.h"
#include "pcap.h"
#include "rng.h"

/* What the stack's clock shows at virtual time 0. Upstream takes second 0 for "never". */
#define SIMNET_EPOCH_US UINT64_C(1000000000)

#define SIMNET_NO_HOST 0xff

#define SIMNET_ECN_BITS 0x03 /* all of them: "congestion experienced" */

/* Random streams; a link's is 2 * number + direction. */
enum simnet_stream { SIMNET_STREAM_STACK = 1000, SIMNET_STREAM_APPLICATION };

enum simnet_event_kind {
	SIMNET_EVENT_ARRIVAL, /* payload: struct simnet_flight */
	SIMNET_EVENT_CALL,    /* payload: struct simnet_call */
	SIMNET_EVENT_LINK     /* payload: struct simnet_link, the simulation's */
};

struct simnet_path {
	struct simnet_link links[2]; /* by direction: 0 leads from host 0 to host 1 */
	struct sockaddr_storage addresses[2];
	struct simnet_shared *via; /* NULL = none */
	int nat[2];                /* 1 + the NAT in front of a host's end; 0 = none */
	bool absent[2]; /* the host does not have this address now; told by the first path that ends there */
};

/* A NAT in front of one of the hosts. */
struct simnet_nat_box {
	struct simnet_nat nat;
	int host;
	uint8_t generation; /* of its public address */
};

struct simnet_shared {
	struct simnet_link links[2];
};

/* A packet under way. */
struct simnet_flight {
	struct sockaddr_storage src, dst;
	uint64_t serial;
	int path, direction;
	struct simnet_shared *within; /* on its way through this link; NULL = through its path's own */
	bool dont_fragment;
	uint32_t piece_bytes; /* it leaves in IP packets of at most that size; 0 = as one */
	uint8_t tos;
	uint16_t udp_src, udp_dst; /* 0 = SCTP directly in IP */
	size_t len;
	uint8_t bytes[];
};

struct usrsctp_cmt_sim {
	struct usrsctp_cmt_packets *packets; /* of the stack */
	struct usrsctp_cmt_sim_config config;
	struct simnet_path paths[USRSCTP_CMT_SIM_MAX_PATHS];
	int n_paths;
	struct simnet_shared shared[USRSCTP_CMT_SIM_MAX_SHARED_LINKS];
	int n_shared;
	struct simnet_nat_box nats[USRSCTP_CMT_SIM_MAX_NATS];
	int n_nats;
	bool some_absent;   /* an address was taken away once */
	bool has_elsewhere; /* elsewhere.c: what goes to unknown addresses is lost there */
	struct usrsctp_cmt_sim_elsewhere elsewhere;
	usrsctp_cmt_sim_address_fn *on_address;
	void *on_address_arg;
	struct simnet_event_queue events;
	struct simnet_rng stack_rng, application_rng;
	uint64_t now_us;
	uint64_t timers_us; /* the stack's timers have run up to here; whole milliseconds */
	uint64_t quiet_since_us;
	bool running, stopped;
	uint64_t serial, trace_hash;
	struct simnet_pcap *pcap;
	usrsctp_cmt_sim_tap_fn *tap;
	void *tap_arg;
	uint8_t host_of_port[65536]; /* as registered by usrsctp_cmt_sim_bind(), or SIMNET_NO_HOST */
};

/* --- arguments of the public functions --- */

static inline bool simnet_is_host(int host)
{
	return host == 0 || host == 1;
}

static inline bool simnet_is_path(const struct usrsctp_cmt_sim *sim, int path)
{
	return path >= 0 && path < sim->n_paths;
}

/* -1, with this errno. */
static inline int simnet_fail(int error)
{
	errno = error;
	return -1;
}

/* --- sizes of headers --- */

static inline size_t simnet_ip_header_bytes(const struct usrsctp_cmt_sim *sim)
{
	return sim->config.family == AF_INET6 ? SIMNET_IPV6_HEADER_BYTES : SIMNET_IPV4_HEADER_BYTES;
}

static inline size_t simnet_udp_header_bytes(const struct simnet_flight *flight)
{
	return flight->udp_dst != 0 ? SIMNET_UDP_HEADER_BYTES : 0;
}

/* --- wire.c --- */

int simnet_wire_output(void *ctx, const struct usrsctp_cmt_packet *packet);

/* Gives an arrival at the end of a link to the next link or to the stack, which ends the flight. */
void simnet_wire_arrive(struct usrsctp_cmt_sim *sim, struct simnet_flight *flight);

/* Tells the observer. */
void simnet_wire_tell(struct usrsctp_cmt_sim *sim, const struct simnet_flight *flight,
                      enum usrsctp_cmt_sim_event event);

/* The same on every host: words are little endian. */
uint64_t simnet_hash_bytes(uint64_t hash, const uint8_t *bytes, size_t len);

/* --- flights.c --- */

/* Hands the flight to the link that it is within. Takes it over. 0 or -ENOMEM. */
int simnet_flight_enter(struct usrsctp_cmt_sim *sim, struct simnet_flight *flight);
void simnet_flight_drop(struct usrsctp_cmt_sim *sim, struct simnet_flight *flight);
struct simnet_link *simnet_flight_link(struct usrsctp_cmt_sim *sim, const struct simnet_flight *flight);

/* Size of its IP packets together. */
uint32_t simnet_flight_wire_bytes(const struct usrsctp_cmt_sim *sim, const struct simnet_flight *flight);

/* The time has come to look at a link. */
void simnet_flights_look(struct usrsctp_cmt_sim *sim, struct simnet_link *link);

/* --- elsewhere.c --- */

/* Whether it goes to an address or a UDP port that neither a host nor a NAT has, and there is such a thing. */
bool simnet_is_lost_elsewhere(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_packet *packet,
                              uint16_t udp_port);

/* --- addresses.c --- */

struct simnet_place {
	int path, host;
};

bool simnet_same_address(const struct sockaddr_storage *a, const struct sockaddr *b);
/* In host order. */
void simnet_set_port(struct sockaddr_storage *address, uint16_t port);
uint16_t simnet_port(const struct sockaddr *address);
void simnet_make_address(int family, int path, int host, struct sockaddr_storage *out);

/* The path that joins two addresses, and the host of the first; false when there is none. */
bool simnet_find_way(const struct usrsctp_cmt_sim *sim, const struct sockaddr *src,
                     const struct sockaddr *dst, struct simnet_place *out);

/* Where an address lives, of several paths the first; false for addresses of no path. */
bool simnet_find_place(const struct usrsctp_cmt_sim *sim, const struct sockaddr *address,
                       struct simnet_place *out);

/* Whether a host has this address now. */
bool simnet_is_present(const struct usrsctp_cmt_sim *sim, const struct sockaddr *address);
bool simnet_end_is_absent(const struct usrsctp_cmt_sim *sim, int path, int host);

/* Makes the address of a path's end known to the stack, 0 or -1, and unknown. */
int simnet_add_interface(const struct usrsctp_cmt_sim *sim, int path, int host);
void simnet_remove_interface(const struct usrsctp_cmt_sim *sim, int path, int host);

bool simnet_route(void *ctx, const struct sockaddr *dst, struct sockaddr_storage *local);
bool simnet_reaches(void *ctx, const struct sockaddr *src, const struct sockaddr *dst);
uint32_t simnet_mtu(void *ctx, const struct sockaddr *src, const struct sockaddr *dst);
uint64_t simnet_stamp_us(void *ctx, uint16_t local_port, uint64_t now_us);

/* --- nats.c --- */

/* The path from `src` to the public address `dst` of a NAT, and the host of `src`; false when `dst` is none,
 * or no path leads there. */
bool simnet_nat_way(const struct usrsctp_cmt_sim *sim, const struct sockaddr *src, const struct sockaddr *dst,
                    uint16_t udp_port, struct simnet_place *out);

/* The first path behind the NAT with this public address, and the NAT's host. */
bool simnet_nat_place(const struct usrsctp_cmt_sim *sim, const struct sockaddr *address,
                      struct simnet_place *out);

/* The NAT in front of the sending host, and that in front of the receiving one, if there are such: writes
 * into the flight what they write into a packet. False: it gets no further. */
bool simnet_nat_leave(struct usrsctp_cmt_sim *sim, struct simnet_flight *flight);
bool simnet_nat_enter(struct usrsctp_cmt_sim *sim, struct simnet_flight *flight);

#endif
