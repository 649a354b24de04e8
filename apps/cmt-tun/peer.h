/* SPDX-License-Identifier: BSD-3-Clause
 *
 * peer.h - the other end of a tunnel, over one association: control messages, signs of life, packets. What
 * client and server have in common.
 *
 * On the program's loop. Callbacks come from there, and may free the peer. */
#ifndef TUN_PEER_H
#define TUN_PEER_H

#include <jansson.h>

#include "carry/carrier.h"
#include "tun_message.h"

struct tun_peer;

struct tun_peer_events {
	/* The connection is up. */
	void (*on_up)(struct tun_peer *peer, void *arg);
	/* HELLO or WELCOME came. */
	void (*on_message)(struct tun_peer *peer, const struct tun_message *message, void *arg);
	/* It is over; `why` is a sentence. The caller frees the peer. */
	void (*on_end)(struct tun_peer *peer, const char *why, void *arg);
	/* As tun_carrier_config. */
	bool (*accepts)(const struct inner_packet *p, void *arg);
	/* `joined`: it stands for several packets (inner/segments.h); else NULL. */
	void (*deliver)(const uint8_t *bytes, size_t len, const struct inner_packet *joined, void *arg);
	void *arg;
};

struct tun_peer_config {
	struct event_base *base;
	struct usrsctp_cmt_conn *conn; /* the peer's from here on; it may not be up yet */
	bool is_up;                    /* it is: on_up() does not come */
	const struct tun_carry_settings *settings;
	struct tun_peer_events events;
};

/* NULL without memory; then `conn` is still the caller's. */
struct tun_peer *tun_peer_new(const struct tun_peer_config *config);

/* `why`: is said to the other side, which then knows that it was no fault; NULL: the connection is no more.
 */
void tun_peer_free(struct tun_peer *peer, const char *why);

/* Without a word, and what is queued is dropped. */
void tun_peer_abort(struct tun_peer *peer);

/* Sends ERROR with the sentence; on_end() follows from the loop. */
void tun_peer_refuse(struct tun_peer *peer, const char *why);

void tun_peer_say(struct tun_peer *peer, const struct tun_message *message);

/* Packets may come and go from here on. 0, or -1 without memory. */
int tun_peer_open(struct tun_peer *peer);
bool tun_peer_is_open(const struct tun_peer *peer);

/* As tun_carrier_send(), tun_carrier_push(); before tun_peer_open() packets are dropped. */
void tun_peer_send(struct tun_peer *peer, uint8_t *bytes, const struct inner_packet *p, uint64_t now_us);
void tun_peer_push(struct tun_peer *peer, uint64_t now_us);

/* Largest inner packet that this side sends; 0 = not open. */
uint32_t tun_peer_mtu_bytes(const struct tun_peer *peer);

/* Of a connection that never came about: the errno, if that says it all; else 0. */
int tun_peer_error(const struct tun_peer *peer);

struct usrsctp_cmt_conn *tun_peer_conn(const struct tun_peer *peer);
/* For monitor_figures(): `peer` is a struct tun_peer. */
json_t *tun_peer_figures(void *peer);

struct tun_carrier_stats tun_peer_stats(const struct tun_peer *peer);

#endif
