/* SPDX-License-Identifier: BSD-3-Clause
 *
 * live_message.h - the messages of cmt-live (docs/live-protocol.md): coding and decoding.
 *
 * Pure. Nothing from the peer is trusted: what is decoded is within the limits below, anything else is
 * refused. */
#ifndef LIVE_MESSAGE_H
#define LIVE_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "repair_message.h"

#define LIVE_PORT    5003
#define LIVE_VERSION 1
#define LIVE_PPID    0x434d544cu /* "CMTL" */

#define LIVE_COMMON_BYTES       4u /* that every message begins with */
#define LIVE_DATA_HEADER_BYTES  16u
#define LIVE_MAX_DATAGRAM_BYTES 65507u /* of UDP over IPv4 */
#define LIVE_MAX_MESSAGE_BYTES  (LIVE_DATA_HEADER_BYTES + LIVE_MAX_DATAGRAM_BYTES)
#define LIVE_MAX_CONTROL_BYTES  260u
#define LIVE_MAX_TEXT_BYTES     256u
#define LIVE_MAX_REPAIR_BYTES   (LIVE_COMMON_BYTES + REPAIR_FIELDS_BYTES + REPAIR_MAX_SYMBOL_BYTES)
#define LIVE_MIN_LATENCY_MS     1u
#define LIVE_MAX_LATENCY_MS     60000u
#define LIVE_MAX_TIME_US        REPAIR_MAX_TIME_US

enum live_type {
	LIVE_DATA = 1, /* sender, unordered: one datagram */
	LIVE_HELLO,    /* sender, first */
	LIVE_WELCOME,  /* receiver, answers HELLO: data may come */
	LIVE_STATUS,   /* both, unordered, about twice a second: counters, and a sign of life */
	LIVE_END,      /* sender: that was all */
	LIVE_REFUSE,   /* both: why the association ends now */
	LIVE_REPAIR    /* sender, unordered, only to a receiver that takes it: repairs DATA */
};

/* Since its start; what the other side does not count is 0. */
struct live_status {
	uint64_t sent, expired; /* sender: handed to SCTP; too old before that */
	uint64_t delivered, lost, late,
	    twice;         /* receiver: delivered; never came in time; came too late, or again
	                    */
	uint64_t restored; /* receiver, with repair: of those delivered, by repair alone */
};

struct live_message {
	enum live_type type;
	uint32_t seq;        /* DATA: its number; HELLO: of the next datagram; END: after the last one */
	uint64_t time_us;    /* DATA: the sender's clock when it was read, at most LIVE_MAX_TIME_US */
	uint64_t stream;     /* HELLO: random, the same as long as numbers and clock go on */
	uint32_t latency_ms; /* HELLO: wanted; WELCOME: in force */
	bool repair;         /* HELLO: REPAIR can come; WELCOME: and may; STATUS: has `restored` */
	struct live_status status;
	struct repair_message of_repair; /* REPAIR: points into the message */
	const uint8_t *payload;          /* DATA: points into the message */
	size_t payload_bytes;
	char text[LIVE_MAX_TEXT_BYTES + 1]; /* REFUSE; not made printable */
};

/* 0, or -1 when it is not a message of this version; `out` is undefined then. */
int live_message_decode(const uint8_t *bytes, size_t len, struct live_message *out);

/* Any but DATA and REPAIR. Returns the bytes written to `out`, at most LIVE_MAX_CONTROL_BYTES. */
size_t live_message_encode(const struct live_message *message, uint8_t out[LIVE_MAX_CONTROL_BYTES]);

/* What stands before a datagram. */
void live_data_header(uint32_t seq, uint64_t time_us, uint8_t out[LIVE_DATA_HEADER_BYTES]);

/* REPAIR, of what repair_message_encode() and the symbol make, at most LIVE_MAX_REPAIR_BYTES less
 * LIVE_COMMON_BYTES. Returns the bytes written to `out`. */
size_t live_repair_encode(const uint8_t *bytes, size_t len, uint8_t out[LIVE_MAX_REPAIR_BYTES]);

#endif
