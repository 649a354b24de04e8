/* SPDX-License-Identifier: BSD-3-Clause
 *
 * reorder.h - packets of UDP, QUIC and the like, that came over paths of different delay, are put in order
 * again as far as that takes no longer than a bound.
 *
 * Each place (tun_message.h) counts on its own. A packet waits for those before it until it has waited for
 * `hold_us`, then it and all before it are delivered; what comes later than that is delivered as it comes. No
 * clock: the caller passes the time. */
#ifndef TUN_REORDER_H
#define TUN_REORDER_H

#include <stddef.h>
#include <stdint.h>

#include "tun_message.h"

/* That wait; further ones are delivered at once. */
#define TUN_REORDER_MOST_PKTS  8192u
#define TUN_REORDER_MOST_BYTES (8u << 20)

struct tun_reorder;

/* `deliver` gets packets in their order. NULL without memory. */
typedef void tun_reorder_deliver(const uint8_t *bytes, size_t len, void *arg);
struct tun_reorder *tun_reorder_new(uint64_t hold_us, tun_reorder_deliver *deliver, void *arg);
void tun_reorder_free(struct tun_reorder *r);

/* A packet came: delivers it, and those that waited for it, or copies it. */
void tun_reorder_take(struct tun_reorder *r, struct tun_loose at, const uint8_t *bytes, size_t len,
                      uint64_t now_us);

/* Delivers what has waited long enough. */
void tun_reorder_release(struct tun_reorder *r, uint64_t now_us);

/* Packets that wait. */
size_t tun_reorder_waiting(const struct tun_reorder *r);

#endif
