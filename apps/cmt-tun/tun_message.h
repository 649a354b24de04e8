/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tun_message.h - what the two ends of a tunnel say to each other (docs/cmt-tun.md): control messages as JSON
 * objects on stream 0, and the header of inner packets that may overtake each other.
 *
 * Pure but for the allocation of what is coded. Decoding takes anything a peer may send. */
#ifndef TUN_MESSAGE_H
#define TUN_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prefix.h"
#include "text/message.h"

#define TUN_VERSION           1
#define TUN_PORT              5006        /* SCTP, and UDP of servers */
#define TUN_PPID_CONTROL      0x434d5455u /* "CMTU" */
#define TUN_PPID_ORDERED      0x434d5450u /* "CMTP": an IP packet */
#define TUN_PPID_LOOSE        0x434d5451u /* "CMTQ": TUN_LOOSE_HEADER_BYTES, an IP packet */
#define TUN_PPID_JOINED       0x434d544au /* "CMTJ": 16 bits, segment_bytes of inner/segments.h; an IP packet */
#define TUN_PPID_PADDING      0x434d5458u /* "CMTX": means nothing */
#define TUN_STREAMS           256         /* each way; 0 is for control */
#define TUN_CONTROL_MAX_BYTES 4096
#define TUN_TEXT_MAX_BYTES    400
#define TUN_ROUTES_MAX_BYTES  2000
#define TUN_MIN_MTU_BYTES     1280 /* what IPv6 needs (RFC 8200, section 5) */
#define TUN_MAX_MTU_BYTES     65535

enum tun_message_type {
	TUN_HELLO,   /* client: the first message */
	TUN_WELCOME, /* server: its answer; packets may come */
	TUN_KEEP,    /* both, once a second: a sign of life, and the largest inner packet that it sends */
	TUN_BYE,     /* both: it ends, for no fault */
	TUN_ERROR,   /* both: why the connection ends */
	TUN_TYPES
};

enum tun_member {
	TUN_M_VERSION = 1 << 0,
	TUN_M_AGENT = 1 << 1,
	TUN_M_TOKEN = 1 << 2,
	TUN_M_ADDRESS4 = 1 << 3,
	TUN_M_ADDRESS6 = 1 << 4,
	TUN_M_MTU = 1 << 5,
	TUN_M_ROUTES = 1 << 6,
	TUN_M_TEXT = 1 << 7
};

struct tun_message {
	enum tun_message_type type;
	uint32_t has; /* enum tun_member, ored */
	int64_t version;
	int64_t token; /* HELLO: random, of the client's run: who comes back gets what it had */
	int64_t mtu;
	char address4[TUN_PREFIX_TEXT_BYTES]; /* HELLO: what it had; WELCOME: what it has, ADDRESS/BITS */
	char address6[TUN_PREFIX_TEXT_BYTES];
	char routes[TUN_ROUTES_MAX_BYTES]; /* WELCOME: PREFIX[,PREFIX..] that the server offers */
	char agent[TUN_PREFIX_TEXT_BYTES];
	char text[TUN_TEXT_MAX_BYTES + 1];
};

/* 0; or -1 with a sentence and *out in no defined state: no JSON object, an unknown type or member, a member
 * missing, of the wrong kind or out of range; an address or a route that is none; a WELCOME without an
 * address, or with one that is not for servers to give. */
int tun_message_decode(const char *json, size_t len, struct tun_message *out, struct app_error *error);

/* The coded message, to be freed by the caller, and its length; NULL without memory, or when a text is not
 * UTF-8. */
char *tun_message_encode(const struct tun_message *message, size_t *len);

/* Sets `text`, made printable and cut to its limit. */
void tun_message_set_text(struct tun_message *message, const char *text);

/* In front of a packet that may overtake others: the flow's place, and the packet's number there. */
#define TUN_JOINED_HEADER_BYTES 2u
#define TUN_LOOSE_HEADER_BYTES  4u
#define TUN_LOOSE_PLACES        1024u
struct tun_loose {
	uint16_t place; /* below TUN_LOOSE_PLACES */
	uint16_t number;
};
void tun_loose_encode(struct tun_loose loose, uint8_t out[TUN_LOOSE_HEADER_BYTES]);
/* 0, or -1 when it is none. */
int tun_loose_decode(const uint8_t *bytes, size_t len, struct tun_loose *out);

#endif
