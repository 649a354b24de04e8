/* SPDX-License-Identifier: BSD-3-Clause
 *
 * carrier.h - inner packets over one association, both ways: fair queue, order, sizes.
 *
 * What is ordered goes on a stream of its flow, reliably: a loss or a slow path holds up no other flow. What
 * is loose goes unordered, for a limited time, and is put in order at the other end within a bound
 * (reorder.h). On the program's loop. */
#ifndef TUN_CARRIER_H
#define TUN_CARRIER_H

#include <event2/event.h>
#include <usrsctp_cmt_event.h>

#include "carry/fair_queue.h"

enum tun_mode {
	TUN_MODE_AUTO,      /* TCP is ordered, all else loose */
	TUN_MODE_ORDERED,   /* all is */
	TUN_MODE_UNORDERED, /* all is loose */
	TUN_MODES
};

struct tun_carry_settings {
	enum tun_mode mode;
	uint64_t reorder_us;  /* how long a loose packet waits for those before it */
	uint32_t lifetime_ms; /* of a loose packet */
	uint32_t mtu_bytes;   /* largest inner packet; 0 = what fits into one packet of SCTP */
};

struct tun_carrier_stats {
	uint64_t sent_pkts, sent_bytes;         /* handed to SCTP */
	uint64_t received_pkts, received_bytes; /* handed to the device */
	uint64_t malformed_pkts, foreign_pkts;  /* of the peer: no IP packets, not of its addresses */
	uint64_t too_big_pkts;                  /* of the host: answered by ICMP, or dropped */
	uint64_t clamped_pkts;
	uint64_t late_timers; /* that could not be started for want of memory */
	struct tun_fair_queue_stats queue;
};

struct tun_carrier_config {
	struct event_base *base;
	struct usrsctp_cmt_conn *conn; /* up */
	const struct tun_carry_settings *settings;
	uint64_t seed;
	/* Whether the peer may send this packet. */
	bool (*accepts)(const struct inner_packet *p, void *arg);
	/* To the device. `joined`: it stands for several packets (inner/segments.h); else NULL. */
	void (*deliver)(const uint8_t *bytes, size_t len, const struct inner_packet *joined, void *arg);
	void *arg;
};

struct tun_carrier;

/* NULL without memory. */
struct tun_carrier *tun_carrier_new(const struct tun_carrier_config *config);
void tun_carrier_free(struct tun_carrier *c);

/* A packet of the host. It leaves with tun_carrier_push(), which comes behind the last of several. */
void tun_carrier_send(struct tun_carrier *c, uint8_t *bytes, const struct inner_packet *p, uint64_t now_us);
void tun_carrier_push(struct tun_carrier *c, uint64_t now_us);

/* A message of the peer. 0, or -1 when `ppid` is none of packets. */
int tun_carrier_receive(struct tun_carrier *c, uint32_t ppid, uint8_t *bytes, size_t len, uint64_t now_us);

/* Again and again: looks whether packets of another size fit. Returns the largest inner packet that is sent.
 */
uint32_t tun_carrier_look_at_size(struct tun_carrier *c);

struct tun_carrier_stats tun_carrier_stats(const struct tun_carrier *c);

#endif
