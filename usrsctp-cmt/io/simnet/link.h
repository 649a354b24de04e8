/* SPDX-License-Identifier: BSD-3-Clause
 *
 * link.h - one direction of a simulated path: says what becomes of a packet, and when it arrives.
 *
 * No clock and no events: the caller passes `now_us`, never decreasing, and delivers the packet itself. The
 * only allocation is the list of waiting packets. Not thread safe. Each kind of random decision has its own
 * stream of the seed, so switching duplication on does not change which packets are lost, and nothing done to
 * another link changes anything here.
 *
 * The transmitter is a server with a queue; rates.h says when it becomes free, and so what becomes of a
 * packet is known at once, but where a queue is managed or bursts are sent (server.h): there a packet waits,
 * and the caller looks again when simnet_link_wakes_us() says so. Cross traffic is produced lazily, in order
 * of time, whenever the link is looked at; it needs no events and keeps no simulation alive.
 */
#ifndef SIMNET_LINK_H
#define SIMNET_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grants.h"
#include "policer.h"
#include "rates.h"
#include "rng.h"
#include "server.h"
#include "usrsctp_cmt_sim.h"

#define SIMNET_DEFAULT_MTU_BYTES 1500
#define SIMNET_TIME_MAX_US       (UINT64_C(1) << 40)

enum simnet_fate {
	SIMNET_PASSES,      /* arrives, once or twice */
	SIMNET_LINK_DOWN,   /* dropped: the link is down */
	SIMNET_TOO_BIG,     /* dropped: larger than the MTU, or what the black hole lets through */
	SIMNET_LOST,        /* dropped by random or Gilbert-Elliott loss, before the queue */
	SIMNET_POLICED,     /* dropped: no token for it */
	SIMNET_QUEUE_FULL,  /* dropped for lack of room in the queue */
	SIMNET_AQM_DROPPED, /* dropped by its discipline before it was full */
	SIMNET_WAITS,       /* not known yet: simnet_link_decided() */
	SIMNET_BIT_ERROR    /* dropped at the far end, after it used the link's time */
};

enum simnet_draw {
	SIMNET_DRAW_LOSS,
	SIMNET_DRAW_GILBERT_ELLIOTT,
	SIMNET_DRAW_BIT_ERROR,
	SIMNET_DRAW_DUPLICATE,
	SIMNET_DRAW_REORDER,
	SIMNET_DRAW_CORRUPT,
	SIMNET_DRAW_JITTER,
	SIMNET_DRAW_CROSS,
	SIMNET_FIRST_DRAWS, /* those above share a range of streams; what comes later has another one */
	SIMNET_DRAW_HARQ = SIMNET_FIRST_DRAWS,
	SIMNET_DRAW_AQM,
	SIMNET_DRAWS
};

struct simnet_offer {
	uint64_t now_us;
	uint32_t wire_bytes;    /* IP header included */
	uint32_t payload_bytes; /* behind the IP header */
	uint32_t piece_bytes;   /* largest of the IP packets that it may be cut into; 0 = it may not be */
	/* For links with a server. */
	void *flight;  /* comes back from simnet_link_decided(); from malloc() */
	uint32_t flow; /* equal for packets of one flow */
	bool ect;      /* ECN-capable */
};

struct simnet_verdict {
	enum simnet_fate fate;
	uint64_t wait_us;      /* in the queue */
	uint64_t depart_us;    /* the last bit has left, rounded up; 0 when it never entered the link */
	unsigned arrivals;     /* 0, 1 or 2 */
	uint64_t arrive_us[2]; /* not sorted: a held-back original may come after its duplicate */
	bool marked;           /* "congestion experienced" */
	bool corrupt;          /* flip this bit of the payload: */
	uint64_t corrupt_bit;  /* 0 is the lowest bit of the first byte */
};

struct simnet_waiting {
	uint64_t start_us; /* transmission begins */
	uint32_t bytes;
};

struct simnet_link {
	struct usrsctp_cmt_sim_link config;
	struct usrsctp_cmt_sim_link_stats stats;
	struct simnet_rng draws[SIMNET_DRAWS];
	bool ge_is_bad;
	struct simnet_policer policer;
	struct simnet_harq harq;
	struct simnet_server *server; /* NULL = what becomes of packets is known when they come */
	struct simnet_position busy;  /* what the transmitter has taken on ends there */
	uint64_t last_arrive_us;
	struct simnet_waiting *waiting; /* ring, by start_us */
	size_t waiting_first, waiting_n, waiting_capacity;
	uint64_t waiting_bytes;
	uint64_t cross_next_us; /* SIMNET_NEVER_US: none */
	uint64_t cross_on_until_us;
};

/* 0, or -EINVAL: a probability outside 0 .. 1, a rate above 10^15 bit/s, a time above 2^40 us, rates or
 * delays over time that are none (rates.h), cross traffic without size, interval or (Pareto) on time, a
 * policer without burst, grants less than 100 us apart, or beside Wi-Fi. */
int simnet_link_check(const struct usrsctp_cmt_sim_link *config);

/* Whether a link may be configured so: what takes a server, or none, stays. */
bool simnet_link_may_become(const struct simnet_link *link, const struct usrsctp_cmt_sim_link *config);

/* Requires a config that passed the check. `stream` is unique among the links of a seed. 0 or -ENOMEM. */
int simnet_link_init(struct simnet_link *link, const struct usrsctp_cmt_sim_link *config, uint64_t seed,
                     uint64_t stream);
void simnet_link_free(struct simnet_link *link);

/* Replaces the configuration from now_us on. Packets that wait keep the time they were given; cross traffic
 * goes on undisturbed when its description is the same. */
void simnet_link_configure(struct simnet_link *link, const struct usrsctp_cmt_sim_link *config,
                           uint64_t now_us);

/* Hands a packet to the link and counts it. 0, or -ENOMEM, and then the packet is gone. */
int simnet_link_send(struct simnet_link *link, const struct simnet_offer *offer,
                     struct simnet_verdict *verdict);

/* A packet whose fate is known now, and its verdict; NULL: there is none. */
void *simnet_link_decided(struct simnet_link *link, struct simnet_verdict *verdict);

/* When simnet_link_advance() must be called, and simnet_link_decided() be asked; SIMNET_NEVER_US. */
uint64_t simnet_link_wakes_us(const struct simnet_link *link);

/* Counts an arrival. */
void simnet_link_delivered(struct simnet_link *link, uint32_t wire_bytes);

/* Brings queue, cross traffic and statistics up to now_us. */
void simnet_link_advance(struct simnet_link *link, uint64_t now_us);

/* Waiting packets as of the last look, cross traffic included, the one in transmission not. */
size_t simnet_link_waiting_pkts(const struct simnet_link *link);

/* What the stack knows of: no black hole. */
uint32_t simnet_link_mtu_bytes(const struct usrsctp_cmt_sim_link *config);

/* --- for server.c --- */

/* When what the transmitter sends from start_us to end_us has left, in a block and as often as it takes. */
uint64_t simnet_link_departs_us(struct simnet_link *link, uint64_t start_us, uint64_t end_us);

/* Behind the transmitter: wait_us, depart_us and marked of the verdict are known, the rest is drawn. */
void simnet_link_far_end(struct simnet_link *link, const struct simnet_offer *offer,
                         struct simnet_verdict *verdict);

#endif
