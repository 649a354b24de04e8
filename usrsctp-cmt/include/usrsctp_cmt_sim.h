/* SPDX-License-Identifier: BSD-3-Clause
 *
 * usrsctp_cmt_sim.h - a simulated network in virtual time under the real stack.
 *
 * Two hosts, 0 and 1, joined by up to eight paths; path p has one address per host, 10.(p+1).0.(h+1) or
 * fd00:(p+1)::(h+1), unless it ends in that of another path. Both hosts live in this process: open ordinary
 * usrsctp sockets, bind them with usrsctp_cmt_sim_bind(), and call usrsctp_cmt_sim_run(). Time stands still
 * while application code runs and jumps from event to event otherwise. The same seed gives the same packets.
 *
 * One simulation per process, single threaded: usrsctp_cmt_sim_new() takes the place of usrsctp_init().
 * Callbacks may call every function here except usrsctp_cmt_sim_run() and usrsctp_cmt_sim_free(). The tap
 * runs inside the stack with its locks held: it calls nothing of usrsctp.h, and so neither
 * usrsctp_cmt_sim_bind() nor usrsctp_cmt_sim_connect(). Socket upcalls and usrsctp_cmt_sim_at() callbacks do
 * as they like. */
#ifndef USRSCTP_CMT_SIM_H
#define USRSCTP_CMT_SIM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <usrsctp_cmt.h>

#ifdef __cplusplus
extern "C" {
#endif

#define USRSCTP_CMT_SIM_MAX_PATHS        SCTP_CMT_MAX_PATHS
#define USRSCTP_CMT_SIM_MAX_SHARED_LINKS 8
#define USRSCTP_CMT_SIM_MAX_NATS         8
#define USRSCTP_CMT_SIM_UDP_PORT         9899 /* of both hosts, where SCTP is in UDP (RFC 6951) */
#define USRSCTP_CMT_SIM_FOREVER          UINT64_MAX

struct usrsctp_cmt_sim;

enum usrsctp_cmt_sim_jitter {
	USRSCTP_CMT_SIM_JITTER_NONE = 0,
	USRSCTP_CMT_SIM_JITTER_NORMAL, /* around delay_us, standard deviation jitter_us; the sum is cut at 0
	                                */
	USRSCTP_CMT_SIM_JITTER_EXPONENTIAL, /* added to delay_us, mean jitter_us */
	USRSCTP_CMT_SIM_JITTER_PARETO       /* the same, shape 2.5: at least 0.6 jitter_us */
};

enum usrsctp_cmt_sim_cross_kind {
	USRSCTP_CMT_SIM_CROSS_NONE = 0,
	USRSCTP_CMT_SIM_CROSS_CBR,   /* one packet each interval_us */
	USRSCTP_CMT_SIM_CROSS_PARETO /* the same while on; on and off times Pareto distributed, shape 1.5,
	                                means on_us and off_us */
};

/* Packets of somebody else that share a link's queue and rate and vanish at its end. They keep no simulation
 * alive. */
struct usrsctp_cmt_sim_cross {
	enum usrsctp_cmt_sim_cross_kind kind;
	uint32_t packet_bytes; /* IP header included */
	uint64_t interval_us;
	uint64_t on_us, off_us;
	uint64_t from_us, until_us; /* until_us 0 = to the end */
};

/* Something that changes over time, as point n says from its at_us on and until the next one's. Times are
 * those of the simulation. It starts again after period_us, in which all of them are, ascending. The points
 * are the caller's, and outlive the simulation. */
struct usrsctp_cmt_sim_point {
	uint64_t at_us;
	uint64_t value;
};

/* What a link can carry: the values are bit/s, 0 at times, the first one from 0 us on; or, with
 * `opportunities`, bytes that can leave at that instant and not later, as in Mahimahi's traces, and at_us is
 * in 1 .. period_us. */
struct usrsctp_cmt_sim_rates {
	bool opportunities;
	uint64_t period_us;
	size_t n;
	const struct usrsctp_cmt_sim_point *points;
};

/* Microseconds, added to delay_us for what leaves at that time; the first point is at 0 us. */
struct usrsctp_cmt_sim_delays {
	uint64_t period_us;
	size_t n;
	const struct usrsctp_cmt_sim_point *points;
};

/* A token bucket in front of the queue that drops what it has no token for (RFC 2697, one rate, no excess
 * burst). */
struct usrsctp_cmt_sim_policer {
	uint64_t rate_bps; /* 0 = none */
	uint32_t burst_bytes;
};

/* A radio link that a base station schedules, as LTE: what waits when an interval begins leaves at its end,
 * up to what the rate carries in an interval, as one block. A block that fails is sent again, up to
 * USRSCTP_CMT_SIM_HARQ_MOST times, and each time arrives USRSCTP_CMT_SIM_HARQ_US later; blocks behind it
 * wait. */
#define USRSCTP_CMT_SIM_HARQ_US   8000
#define USRSCTP_CMT_SIM_HARQ_MOST 8
struct usrsctp_cmt_sim_grants {
	uint64_t interval_us; /* at least 100; 0 = none */
	double block_failure; /* probability, also of what is sent again */
};

/* What manages the queue. With any but the first a packet waits until the link is free for it, instead of
 * knowing when it will be; `queue_pkts` and `queue_bytes` limit what waits. */
enum usrsctp_cmt_sim_aqm {
	USRSCTP_CMT_SIM_AQM_NONE = 0, /* drop tail */
	USRSCTP_CMT_SIM_AQM_CODEL,    /* RFC 8289 */
	USRSCTP_CMT_SIM_AQM_FQ_CODEL, /* RFC 8290; a flow is an association on a path, cross traffic another
	                               */
	USRSCTP_CMT_SIM_AQM_PIE,      /* RFC 8033 */
	USRSCTP_CMT_SIM_AQM_CAKE      /* FQ-CoDel with the set-associative hash, quantum and target of CAKE */
};

/* A shared medium that aggregates, as Wi-Fi: each access to it costs overhead_us, and then takes up to
 * burst_pkts packets, and as many as last burst_us at the link's rate, but one at least. They arrive
 * together. */
struct usrsctp_cmt_sim_wifi {
	uint32_t burst_pkts; /* 0 = none */
	uint64_t burst_us, overhead_us;
};

/* One direction of one path. All zero: unlimited rate, no delay, no queue limit, no impairment, MTU 1500.
 * Probabilities are 0 .. 1, times at most 2^40 us, rates at most 10^15 bit/s. A packet's size is that of its
 * IP packet. Larger ones than the MTU pass in fragments where the stack allows it, several that are lost as
 * one. Order of effects: down, MTU, loss, policer, queue, serialisation at rate_bps, in grants or bursts,
 * bit error, delay + jitter, corruption, duplication, reordering. */
struct usrsctp_cmt_sim_link {
	uint64_t rate_bps;                         /* 0 = unlimited */
	const struct usrsctp_cmt_sim_rates *rates; /* what counts instead of rate_bps; NULL = nothing */
	uint64_t delay_us;
	const struct usrsctp_cmt_sim_delays *delays; /* NULL = none */
	enum usrsctp_cmt_sim_jitter jitter;
	uint64_t jitter_us;
	bool jitter_reorders;   /* false: no packet overtakes the one before it, save by reorder */
	uint32_t queue_pkts;    /* waiting packets, the one in transmission not counted; 0 = no such limit */
	uint32_t queue_bytes;   /* the same in bytes; 0 = no such limit */
	double loss;            /* independent per packet */
	double ge_bad, ge_good; /* Gilbert-Elliott: probability per packet to enter, to leave the bad state */
	double ge_loss_bad;     /* loss in the bad state */
	double bit_error; /* per bit: the packet is dropped at the far end, as a link layer with a checksum
	                     does */
	double duplicate; /* the packet arrives twice */
	double reorder;   /* the packet is held back by reorder_us and may be overtaken */
	uint64_t reorder_us;
	double corrupt;            /* one random bit behind the IP header is flipped; the packet arrives */
	uint32_t mtu_bytes;        /* 0 = 1500; larger packets are dropped, and the stack knows it */
	uint32_t black_hole_bytes; /* larger packets are dropped, and nobody is told; 0 = none */
	bool down;                 /* every packet is dropped */
	struct usrsctp_cmt_sim_cross cross; /* passes policer, queue and grants */
	struct usrsctp_cmt_sim_policer policer;
	struct usrsctp_cmt_sim_grants grants;
	enum usrsctp_cmt_sim_aqm aqm;     /* as the link was added */
	bool ecn;                         /* the AQM marks ECN-capable packets (RFC 3168) */
	struct usrsctp_cmt_sim_wifi wifi; /* none, or some, as the link was added; none with grants */
};

struct usrsctp_cmt_sim_config {
	size_t size; /* sizeof(struct usrsctp_cmt_sim_config) */
	uint64_t seed;
	int family; /* AF_INET (also when 0) or AF_INET6 */
	/* Of each host's clock, as its timestamps on the wire show it. A host is recognised by the local port
	 * that was last bound with usrsctp_cmt_sim_bind(): give the hosts different ports where this matters.
	 */
	int64_t clock_offset_us[2];
	int32_t clock_skew_ppm[2];                     /* -100000 .. 100000 */
	void (*debug_printf)(const char *format, ...); /* upstream's messages; NULL = silent */
};

/* NULL: EBUSY (one exists), EINVAL (config), ENOMEM. */
struct usrsctp_cmt_sim *usrsctp_cmt_sim_new(const struct usrsctp_cmt_sim_config *config);

/* Frees everything, usrsctp included; close the sockets first. Takes the tap and pending
 * usrsctp_cmt_sim_at() calls away, then lets up to twelve minutes of virtual time pass for associations that
 * are still shutting down. Returns 0, or -1 with EBUSY when the stack holds sockets even then; the simulation
 * stays usable. */
int usrsctp_cmt_sim_free(struct usrsctp_cmt_sim *sim);

/* Adds a path; copies the links. `forward` leads from host 0 to host 1. Returns its number from 0, or -1 with
 * EINVAL, ENOSPC, ENOMEM. Add all paths before the first bind. */
int usrsctp_cmt_sim_add_path(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_link *forward,
                             const struct usrsctp_cmt_sim_link *backward);

/* `path` ends at `host` in the address that the host has on `other`: a host with fewer addresses than paths.
 * Two paths differ in one end at least. Before the first bind. 0, or -1 with EINVAL. */
int usrsctp_cmt_sim_share_address(struct usrsctp_cmt_sim *sim, int path, int host, int other);

/* What a NAT looks at of the other end (RFC 4787): when it chooses a public port, and when a packet comes for
 * one. */
enum usrsctp_cmt_sim_nat_kind {
	USRSCTP_CMT_SIM_NAT_ENDPOINT_INDEPENDENT = 0,  /* nothing */
	USRSCTP_CMT_SIM_NAT_ADDRESS_DEPENDENT,         /* its address */
	USRSCTP_CMT_SIM_NAT_ADDRESS_AND_PORT_DEPENDENT /* both: as a mapping, "symmetric" */
};

/* All zero: "full cone", and mappings that last for ever. */
struct usrsctp_cmt_sim_nat {
	enum usrsctp_cmt_sim_nat_kind mapping, filtering;
	uint64_t timeout_us; /* a mapping that nothing left by for so long is gone; 0 = never */
	bool arrivals_keep;  /* what comes in keeps it, too (RFC 4787, REQ-6) */
};

/* Adds a NAT to the side of `host`. It translates SCTP in UDP and drops everything else. Its public address,
 * of the nth from 0, is 10.(101+n).0.1 or its like, as those of hosts, for IPv6; at each rebinding to another
 * address the number before the last goes up by one. Returns its number from 0, or -1 with EINVAL, ENOSPC. */
int usrsctp_cmt_sim_add_nat(struct usrsctp_cmt_sim *sim, int host, const struct usrsctp_cmt_sim_nat *nat);

/* The address in which `path` ends at the NAT's host is behind it; several may be, and share its public
 * address. Packets to their own get no further than the NAT. Before the first bind. 0, or -1 with EINVAL. */
int usrsctp_cmt_sim_behind(struct usrsctp_cmt_sim *sim, int path, int nat);

/* What comes to the NAT's `public_port` goes to its host's end of `path`, whoever sends it. 0, or -1 with
 * EINVAL, EEXIST, ENOSPC. */
int usrsctp_cmt_sim_forward(struct usrsctp_cmt_sim *sim, int nat, uint16_t public_port, int path);

/* The NAT forgets its mappings, but for forwarded ports: what leaves gets another port from now on, and with
 * `new_address` another public address, too. 0, or -1 with EINVAL. */
int usrsctp_cmt_sim_rebind_nat(struct usrsctp_cmt_sim *sim, int nat, bool new_address);

struct usrsctp_cmt_sim_nat_stats {
	uint64_t out_pkts, in_pkts;     /* translated */
	uint64_t dropped_not_udp_pkts;  /* either way */
	uint64_t dropped_full_pkts;     /* out: no room for one more mapping */
	uint64_t dropped_unmapped_pkts; /* in: nobody has this port, or this address */
	uint64_t dropped_filtered_pkts; /* in: from somebody to whom nothing was sent */
	uint64_t made_mappings, expired_mappings, rebindings;
};
/* What it did so far. 0, or -1 with EINVAL. */
int usrsctp_cmt_sim_nat_stats(const struct usrsctp_cmt_sim *sim, int nat,
                              struct usrsctp_cmt_sim_nat_stats *out);

/* Where the world reaches `host` on `path`: its address, or the NAT's; `udp_port` (may be NULL) is
 * USRSCTP_CMT_SIM_UDP_PORT, or the port that is forwarded to it. usrsctp_cmt_sim_connect() goes there. */
int usrsctp_cmt_sim_public_address(const struct usrsctp_cmt_sim *sim, int host, int path, uint16_t port,
                                   struct sockaddr_storage *out, uint16_t *udp_port);

/* SCTP in UDP for this socket, before it connects to `peer_host` on `path`; with -1 for one that listens, and
 * answers as it is spoken to. 0, or -1 with errno. */
int usrsctp_cmt_sim_encapsulate(struct usrsctp_cmt_sim *sim, struct socket *so, int peer_host, int path);

/* Adds a link for several paths, in both directions. Returns its number, from USRSCTP_CMT_SIM_MAX_PATHS on,
 * which takes the place of a path's in usrsctp_cmt_sim_set_link(), _get_link() and _link_stats(); or -1 with
 * EINVAL, ENOSPC. No packet passes it before usrsctp_cmt_sim_via() says so. */
int usrsctp_cmt_sim_add_shared_link(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_link *forward,
                                    const struct usrsctp_cmt_sim_link *backward);

/* Packets of `path` pass its own link and then, from the moment they arrive at its end, the shared one, both
 * there and back; `shared_link` -1: only their own. What is behind its own link already keeps its way.
 * Packets of all paths wait in the shared link's queue in the order of their arrival there. 0, or -1 with
 * EINVAL. */
int usrsctp_cmt_sim_via(struct usrsctp_cmt_sim *sim, int path, int shared_link);

/* Replaces or reads one direction (0: host 0 to 1) of a path; packets under way keep their fate. 0, or -1
 * with EINVAL. */
int usrsctp_cmt_sim_set_link(struct usrsctp_cmt_sim *sim, int path, int direction,
                             const struct usrsctp_cmt_sim_link *link);
int usrsctp_cmt_sim_get_link(const struct usrsctp_cmt_sim *sim, int path, int direction,
                             struct usrsctp_cmt_sim_link *link);

/* The address of `host` on `path`; several paths may have the same. */
int usrsctp_cmt_sim_address(const struct usrsctp_cmt_sim *sim, int host, int path, uint16_t port,
                            struct sockaddr_storage *out);

/* Binds to the addresses of `host` on all paths (`only_path` -1) or on one, port 0 = any; connects to those
 * of `peer_host`. 0, or -1 with EINVAL or errno of usrsctp_bindx / connectx; EINPROGRESS counts as 0. Sockets
 * must be non-blocking, of the simulation's family, and bound before they connect. */
int usrsctp_cmt_sim_bind(struct usrsctp_cmt_sim *sim, struct socket *so, int host, uint16_t port,
                         int only_path);
int usrsctp_cmt_sim_connect(struct usrsctp_cmt_sim *sim, struct socket *so, int peer_host, uint16_t port,
                            int only_path);

/* A host loses the address in which `path` ends, or has it again: what comes for it meanwhile is dropped, and
 * nothing leaves from it. 0, or -1 with EINVAL, ENOMEM. The stack is told as a back end with interfaces tells
 * it; `fn` is the application's part: it binds its sockets to the address when it has come, and takes it from
 * them before it is gone, with usrsctp_cmt_sim_rebind() or otherwise. */
int usrsctp_cmt_sim_set_address(struct usrsctp_cmt_sim *sim, int host, int path, bool present);
typedef void usrsctp_cmt_sim_address_fn(struct usrsctp_cmt_sim *sim, int host, int path, bool present,
                                        void *arg);
void usrsctp_cmt_sim_on_address(struct usrsctp_cmt_sim *sim, usrsctp_cmt_sim_address_fn *fn, void *arg);

/* Adds to `so`, of `host`, its address on `path`, or takes it away. 0, or -1 with errno of usrsctp_bindx().
 */
int usrsctp_cmt_sim_rebind(struct usrsctp_cmt_sim *sim, struct socket *so, int host, int path, bool add);

/* Virtual time since usrsctp_cmt_sim_new(). */
uint64_t usrsctp_cmt_sim_now_us(const struct usrsctp_cmt_sim *sim);

/* Somebody sets a host's clock: `clock_offset_us` changes by `by_us`. 0, or -1 with EINVAL. */
int usrsctp_cmt_sim_shift_clock(struct usrsctp_cmt_sim *sim, int host, int64_t by_us);

/* Calls fn(sim, arg) at `at_us` (at once if that is past), in order of time, then of registration. 0 or -1
 * with ENOMEM. */
typedef void usrsctp_cmt_sim_fn(struct usrsctp_cmt_sim *sim, void *arg);
int usrsctp_cmt_sim_at(struct usrsctp_cmt_sim *sim, uint64_t at_us, usrsctp_cmt_sim_fn *fn, void *arg);

/* Runs until virtual time `until_us`, until usrsctp_cmt_sim_stop(), or until nothing is left to happen: no
 * packet under way, no usrsctp_cmt_sim_at() call and no timer of the stack. An open endpoint always has a
 * timer, so that USRSCTP_CMT_SIM_FOREVER wants a stop or all sockets closed. Returns the virtual time
 * reached. */
uint64_t usrsctp_cmt_sim_run(struct usrsctp_cmt_sim *sim, uint64_t until_us);
void usrsctp_cmt_sim_stop(struct usrsctp_cmt_sim *sim);

/* Encryption (usrsctp_cmt_dtls.h) with keys that come of the seed, AES-128-GCM. The first before a socket is
 * bound: it insists on the DTLS chunk; host 0 is the client of the key management. The second when both ends
 * are up: keys of epoch 3, or the next one. 0 or -1 with errno, as of usrsctp_setsockopt(). */
int usrsctp_cmt_sim_protect(struct usrsctp_cmt_sim *sim, struct socket *so, int host);
int usrsctp_cmt_sim_install_keys(struct usrsctp_cmt_sim *sim, struct socket *client, struct socket *server);

/* A uniform 64-bit number of the simulation's own generator, for applications that want seeded choices. */
uint64_t usrsctp_cmt_sim_random(struct usrsctp_cmt_sim *sim);

struct usrsctp_cmt_sim_link_stats {
	uint64_t sent_pkts, sent_bytes;           /* handed to the link */
	uint64_t delivered_pkts, delivered_bytes; /* duplicates included */
	uint64_t dropped_queue_pkts, dropped_loss_pkts, dropped_down_pkts, dropped_mtu_pkts,
	    dropped_bit_error_pkts;
	uint64_t duplicated_pkts, corrupted_pkts, reordered_pkts;
	uint64_t queue_wait_us_sum; /* waiting time in the queue of all packets that were not dropped */
	uint32_t queue_max_pkts;
	uint64_t cross_pkts, cross_dropped_pkts;
	uint64_t misrouted_pkts; /* the source address belongs to another path; sent on the destination's */
	/* Of a path: what became of its packets in the link that it shares. */
	uint64_t shared_dropped_pkts, shared_wait_us_sum;
	uint64_t absent_pkts; /* arrived for an address that the host did not have */
	uint64_t dropped_policer_pkts, dropped_aqm_pkts;
	uint64_t marked_pkts;        /* by the AQM: "congestion experienced" */
	uint64_t shared_marked_pkts; /* of a path, in the link that it shares */
	uint64_t bursts;             /* of Wi-Fi */
};
/* As of the last usrsctp_cmt_sim_run() or packet, whichever is later. 0, or -1 with EINVAL. */
int usrsctp_cmt_sim_link_stats(const struct usrsctp_cmt_sim *sim, int path, int direction,
                               struct usrsctp_cmt_sim_link_stats *out);

enum usrsctp_cmt_sim_event { USRSCTP_CMT_SIM_SENT, USRSCTP_CMT_SIM_DELIVERED, USRSCTP_CMT_SIM_DROPPED };

/* What the network did with a packet. `packet` is the SCTP packet without IP header and valid during the call
 * only. */
struct usrsctp_cmt_sim_packet {
	enum usrsctp_cmt_sim_event event;
	uint64_t at_us;
	uint64_t serial; /* of the packet, from 1; a duplicate keeps it */
	int path, direction;
	const uint8_t *packet;
	size_t packet_bytes, wire_bytes;
	uint8_t ecn; /* the two bits of the IP header: 3 = congestion experienced */
};
/* At most one observer; NULL takes it away. It may set links, for instance to lose one chosen packet: for
 * SENT it runs before the link sees the packet. DROPPED is told when a link decides it: right after SENT,
 * when the packet reaches a shared link, or when an AQM does not let it leave; DELIVERED at the end of its
 * way. */
typedef void usrsctp_cmt_sim_tap_fn(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *packet,
                                    void *arg);
void usrsctp_cmt_sim_tap(struct usrsctp_cmt_sim *sim, usrsctp_cmt_sim_tap_fn *fn, void *arg);

/* Injects an SCTP packet (CRC32c included) as if `from_host` had sent it on `path`: it passes the link. 0, or
 * -1 with EINVAL, ENOMEM. */
int usrsctp_cmt_sim_inject(struct usrsctp_cmt_sim *sim, int path, int from_host, const void *packet,
                           size_t packet_bytes);

/* An SCTP packet (CRC32c included) comes in at the address of `host` on `path`, at once, past links and NATs,
 * from any address of the same family. Its port is the UDP port in network order; 0: not in UDP. What goes to
 * addresses and UDP ports that nobody has is lost from then on, and counted. 0, or -1 with EINVAL. */
int usrsctp_cmt_sim_arrive(struct usrsctp_cmt_sim *sim, int host, int path,
                           const struct sockaddr_storage *from, const void *packet, size_t packet_bytes);
struct usrsctp_cmt_sim_elsewhere {
	uint64_t sent_pkts, sent_bytes; /* SCTP packets */
};
void usrsctp_cmt_sim_get_elsewhere(const struct usrsctp_cmt_sim *sim, struct usrsctp_cmt_sim_elsewhere *out);

/* A router on `path` tells `host` that its SCTP packet, of which it quotes the first bytes, at least 8, was
 * larger than the `mtu_bytes` of IP that it can forward (ICMP "fragmentation needed", ICMPv6 "packet too
 * big"); or somebody says so in its name. 0, or -1 with EINVAL. */
int usrsctp_cmt_sim_too_big(struct usrsctp_cmt_sim *sim, int path, int host, const void *packet,
                            size_t packet_bytes, uint32_t mtu_bytes);

/* Writes what both hosts send and receive, as raw IP with virtual time stamps: each packet when it is sent,
 * with time to live 64, and at each arrival, with 63. -1 with errno when the file cannot be created. Closed
 * by usrsctp_cmt_sim_free(). */
int usrsctp_cmt_sim_pcap(struct usrsctp_cmt_sim *sim, const char *file);

/* 64-bit hash (FNV-1a) over time, path, direction and bytes of every packet sent so far. */
uint64_t usrsctp_cmt_sim_trace_hash(const struct usrsctp_cmt_sim *sim);

#ifdef __cplusplus
}
#endif
#endif
