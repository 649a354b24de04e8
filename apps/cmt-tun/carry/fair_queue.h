/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fair_queue.h - inner packets that wait for the association: a queue for each flow, each under CoDel, served
 * in turn (FQ-CoDel, RFC 8290; the simulator's discipline). ECN-capable packets are marked rather than
 * dropped.
 *
 * No clock: the caller passes `now_us`, never decreasing. */
#ifndef TUN_FAIR_QUEUE_H
#define TUN_FAIR_QUEUE_H

#include "inner/packet.h"

/* Bytes and what the headers say of them; the addresses of `packet` point into `bytes`. */
struct tun_waiting {
	uint32_t flow;
	struct inner_packet packet;
	uint8_t *bytes;
};

struct tun_fair_queue;

struct tun_fair_queue_stats {
	uint64_t dropped_pkts; /* by CoDel, or for want of room */
	uint64_t marked_pkts;
	size_t pkts, bytes; /* that wait */
};

/* `seed` salts the hash of flows. NULL without memory. */
struct tun_fair_queue *tun_fair_queue_new(uint64_t seed);
void tun_fair_queue_free(struct tun_fair_queue *q);

/* Copies the packet. Without memory it is dropped. */
void tun_fair_queue_put(struct tun_fair_queue *q, const uint8_t *bytes, const struct inner_packet *p,
                        uint64_t now_us);

/* The next packet, NULL when none waits. It is the queue's, and valid until tun_fair_queue_done(); until then
 * the same one is returned. */
const struct tun_waiting *tun_fair_queue_next(struct tun_fair_queue *q, uint64_t now_us);
void tun_fair_queue_done(struct tun_fair_queue *q);

struct tun_fair_queue_stats tun_fair_queue_stats(const struct tun_fair_queue *q);

#endif
