/* SPDX-License-Identifier: BSD-3-Clause */
#include "carry/carrier.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "carry/reorder.h"
#include "carry/room.h"
#include "inner/checksum.h"
#include "inner/mss_clamp.h"
#include "inner/segments.h"
#include "inner/too_big.h"
#include "loop/loop_events.h"
#include "loop/wall_clock.h"

#define AGAIN_US 1000u /* while packets wait */

struct tun_carrier {
	struct tun_carrier_config config;
	struct tun_carry_settings settings;
	struct tun_fair_queue *queue;
	struct tun_reorder *reorder;
	struct event *timer;
	uint32_t mtu_bytes;
	uint16_t numbers[TUN_LOOSE_PLACES];
	struct tun_carrier_stats stats;
	uint8_t message[TUN_LOOSE_HEADER_BYTES + INNER_MAX_BYTES];
};

static bool is_loose(const struct tun_carrier *c, const struct inner_packet *p)
{
	switch (c->settings.mode) {
	case TUN_MODE_AUTO: return p->protocol != INNER_TCP;
	case TUN_MODE_ORDERED: return false;
	case TUN_MODE_UNORDERED:
	case TUN_MODES: break;
	}
	return true;
}

uint32_t tun_carrier_look_at_size(struct tun_carrier *c)
{
	struct sctp_status status = {.sstat_assoc_id = 0};
	socklen_t len = sizeof(status);

	if (c->settings.mtu_bytes != 0) {
		c->mtu_bytes = c->settings.mtu_bytes;
	} else if (usrsctp_getsockopt(usrsctp_cmt_conn_socket(c->config.conn), IPPROTO_SCTP, SCTP_STATUS,
	                              &status, &len) == 0) {
		/* Multiples of 4 need no padding. */
		const uint32_t fits = (status.sstat_fragmentation_point - TUN_LOOSE_HEADER_BYTES) / 4 * 4;

		c->mtu_bytes = fits < TUN_MIN_MTU_BYTES || fits > INNER_MAX_BYTES ? TUN_MIN_MTU_BYTES : fits;
	}
	return c->mtu_bytes;
}

/* Soon. Without memory for that the next packet, or the next push, does it. */
static void look_again(struct tun_carrier *c)
{
	if (!event_pending(c->timer, EV_TIMEOUT, NULL) && app_timer_start(c->timer, AGAIN_US) != 0) {
		c->stats.late_timers++;
	}
}

/* --- to the peer --- */

/* 1: taken, 0: no room now, -1: never. */
static int write_packet(struct tun_carrier *c, const struct tun_waiting *w)
{
	struct usrsctp_cmt_message header = {.stream_id = (uint16_t)(1 + w->flow % (TUN_STREAMS - 1)),
	                                     .ppid = TUN_PPID_ORDERED};
	const uint8_t *bytes = w->bytes;
	size_t len = w->packet.bytes, header_bytes = 0;

	if (is_loose(c, &w->packet)) {
		const uint16_t place = (uint16_t)(w->flow % TUN_LOOSE_PLACES);

		header.ppid = TUN_PPID_LOOSE;
		header.flags = USRSCTP_CMT_MESSAGE_UNORDERED;
		header.lifetime_ms = c->settings.lifetime_ms;
		tun_loose_encode((struct tun_loose){.place = place, .number = c->numbers[place]}, c->message);
		header_bytes = TUN_LOOSE_HEADER_BYTES;
	} else if (w->packet.segment_bytes != 0) {
		header.ppid = TUN_PPID_JOINED;
		inner_put16(c->message, w->packet.segment_bytes);
		header_bytes = TUN_JOINED_HEADER_BYTES;
	}
	if (header_bytes != 0) {
		memcpy(c->message + header_bytes, bytes, len);
		bytes = c->message;
		len += header_bytes;
	}
	if (usrsctp_cmt_conn_write(c->config.conn, bytes, len, &header) != 0) {
		return errno == EAGAIN ? 0 : -1;
	}
	if (header.ppid == TUN_PPID_LOOSE) {
		c->numbers[w->flow % TUN_LOOSE_PLACES]++;
	}
	c->stats.sent_pkts++;
	c->stats.sent_bytes += w->packet.bytes;
	return 1;
}

void tun_carrier_push(struct tun_carrier *c, uint64_t now_us)
{
	const struct tun_waiting *w = tun_fair_queue_next(c->queue, now_us);
	struct app_assoc_stats stats;
	size_t room;

	if (w == NULL) {
		return;
	}
	app_assoc_stats_read(usrsctp_cmt_conn_socket(c->config.conn), &stats);
	room = tun_room(&stats);
	while (w != NULL && room > 0) {
		const int written = write_packet(c, w);

		if (written == 0) {
			break;
		}
		room -= w->packet.bytes < room ? w->packet.bytes : room;
		tun_fair_queue_done(c->queue);
		w = tun_fair_queue_next(c->queue, now_us);
	}
	if (w != NULL) {
		look_again(c);
	}
}

void tun_carrier_send(struct tun_carrier *c, uint8_t *bytes, const struct inner_packet *p, uint64_t now_us)
{
	if (inner_largest_bytes(p) > c->mtu_bytes && p->dont_fragment) {
		uint8_t answer[INNER_TOO_BIG_BYTES];
		const size_t len = inner_too_big(bytes, p, c->mtu_bytes, answer);

		c->stats.too_big_pkts++;
		if (len > 0) {
			c->config.deliver(answer, len, NULL, c->config.arg);
		}
		return;
	}
	tun_fair_queue_put(c->queue, bytes, p, now_us);
}

/* --- from the peer --- */

static void deliver(struct tun_carrier *c, const uint8_t *bytes, size_t len,
                    const struct inner_packet *joined)
{
	c->stats.received_pkts++;
	c->stats.received_bytes += len;
	c->config.deliver(bytes, len, joined, c->config.arg);
}

static void deliver_loose(const uint8_t *bytes, size_t len, void *arg)
{
	deliver(arg, bytes, len, NULL);
}

/* Bytes in front of the packet in a message; -1 when `ppid` is none of packets. */
static int header_bytes_of(uint32_t ppid)
{
	switch (ppid) {
	case TUN_PPID_ORDERED: return 0;
	case TUN_PPID_JOINED: return TUN_JOINED_HEADER_BYTES;
	case TUN_PPID_LOOSE: return TUN_LOOSE_HEADER_BYTES;
	default: return -1;
	}
}

/* 0, or -1 when it is malformed. */
static int look_at(uint32_t ppid, const uint8_t *bytes, size_t len, size_t header_bytes,
                   struct tun_loose *loose, struct inner_packet *p)
{
	if (len < header_bytes || (ppid == TUN_PPID_LOOSE && tun_loose_decode(bytes, len, loose) != 0) ||
	    inner_parse(bytes + header_bytes, len - header_bytes, p) != 0) {
		return -1;
	}
	return ppid == TUN_PPID_JOINED ? inner_set_segments(bytes + header_bytes, p, inner_get16(bytes)) : 0;
}

int tun_carrier_receive(struct tun_carrier *c, uint32_t ppid, uint8_t *bytes, size_t len, uint64_t now_us)
{
	const int header_bytes = header_bytes_of(ppid);
	struct tun_loose loose = {.place = 0};
	struct inner_packet p;

	if (ppid == TUN_PPID_PADDING) {
		return 0;
	}
	if (header_bytes < 0) {
		return -1;
	}
	if (look_at(ppid, bytes, len, (size_t)header_bytes, &loose, &p) != 0) {
		c->stats.malformed_pkts++;
		return 0;
	}
	if (!c->config.accepts(&p, c->config.arg)) {
		c->stats.foreign_pkts++;
		return 0;
	}
	bytes += header_bytes;
	len -= (size_t)header_bytes;
	/* What the host answers to a SYN has to fit this way. */
	c->stats.clamped_pkts += inner_clamp_mss(bytes, &p, c->mtu_bytes);
	if (ppid != TUN_PPID_LOOSE) {
		deliver(c, bytes, len, p.segment_bytes != 0 ? &p : NULL);
		return 0;
	}
	tun_reorder_take(c->reorder, loose, bytes, len, now_us);
	if (tun_reorder_waiting(c->reorder) > 0) {
		look_again(c);
	}
	return 0;
}

/* --- life --- */

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
	struct tun_carrier *const c = arg;
	const uint64_t now_us = app_wall_clock_us();

	(void)fd;
	(void)what;
	tun_reorder_release(c->reorder, now_us);
	tun_carrier_push(c, now_us);
	if (tun_reorder_waiting(c->reorder) > 0) {
		look_again(c);
	}
}

struct tun_carrier *tun_carrier_new(const struct tun_carrier_config *config)
{
	struct tun_carrier *const c = calloc(1, sizeof(*c));

	if (c == NULL) {
		return NULL;
	}
	c->config = *config;
	c->settings = *config->settings;
	c->mtu_bytes = TUN_MIN_MTU_BYTES;
	c->queue = tun_fair_queue_new(config->seed);
	c->reorder = tun_reorder_new(c->settings.reorder_us, deliver_loose, c);
	c->timer = evtimer_new(config->base, on_timer, c);
	if (c->queue == NULL || c->reorder == NULL || c->timer == NULL) {
		tun_carrier_free(c);
		return NULL;
	}
	(void)tun_carrier_look_at_size(c);
	return c;
}

void tun_carrier_free(struct tun_carrier *c)
{
	if (c == NULL) {
		return;
	}
	app_event_free(c->timer);
	tun_reorder_free(c->reorder);
	tun_fair_queue_free(c->queue);
	free(c);
}

struct tun_carrier_stats tun_carrier_stats(const struct tun_carrier *c)
{
	struct tun_carrier_stats stats = c->stats;

	stats.queue = tun_fair_queue_stats(c->queue);
	return stats;
}
