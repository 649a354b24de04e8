/* SPDX-License-Identifier: BSD-3-Clause */
#include "eavesdropper.h"

#include <string.h>

#include <usrsctp_cmt_dtls.h>

#include "packet.h"

enum {
	TAKEN = 1 << 14,
	EARLY = 32,
	CLIENT_PORT = 5000,
	SERVER_PORT = 5001,
	SEND_HEADER_BYTES = COMMON_HEADER_BYTES + 5
};

struct taken {
	uint64_t serial;
	bool arrived;
	int direction;
	size_t len;
	uint8_t bytes[EAVESDROPPER_MAX_BYTES];
};

static struct taken taken[TAKEN], early[EARLY];
static uint64_t newest;
static unsigned n_early;
static uint32_t tags[2], tsns[2]; /* of packets to a host; first, by sender */
static uint64_t random_state;

void eavesdropper_begin(uint64_t seed)
{
	random_state = seed;
}

uint32_t eavesdropper_draw(uint32_t n)
{
	random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(random_state >> 33) % n;
}

/* --- what he sees --- */

static void keep(struct taken *t, const struct usrsctp_cmt_sim_packet *p)
{
	*t = (struct taken){.serial = p->serial, .direction = p->direction, .len = p->packet_bytes};
	memcpy(t->bytes, p->packet, p->packet_bytes);
}

void eavesdropper_see(const struct usrsctp_cmt_sim_packet *p)
{
	struct taken *slot = &taken[p->serial % TAKEN];
	static bool answered;
	size_t offset = 0;
	struct chunk c;

	if (p->event == USRSCTP_CMT_SIM_DELIVERED && slot->serial == p->serial)
		slot->arrived = true;
	/* Larger ones ask whether they pass. */
	if (p->event != USRSCTP_CMT_SIM_SENT || p->packet_bytes > EAVESDROPPER_MAX_BYTES ||
	    !packet_next_chunk(p->packet, p->packet_bytes, &offset, &c))
		return;
	if (chunk_tells_init(&c, &answered)) {
		tags[1 - p->direction] = packet_get32(c.bytes + 4);
		tsns[p->direction] = packet_get32(c.bytes + 16);
	}
	if (c.type == CHUNK_DTLS) {
		keep(slot, p);
		newest = p->serial;
	} else if (n_early < EARLY)
		keep(&early[n_early++], p);
}

/* One of the last `back` records; an old one, or one that may be under way. NULL: that one is none. */
static const struct taken *choose(uint64_t back, bool arrived)
{
	const struct taken *t =
	    &taken[(newest - eavesdropper_draw((uint32_t)(back < newest ? back : newest))) % TAKEN];

	return t->serial != 0 && (t->arrived || !arrived) ? t : NULL;
}

static bool copy(struct eavesdropper_packet *f, const struct taken *t)
{
	if (t == NULL)
		return false;
	f->to = 1 - t->direction;
	f->len = t->len;
	memcpy(f->bytes, t->bytes, t->len);
	return true;
}

/* --- what he sends, and nobody shall see. False: nothing just now --- */

static const uint8_t types[] = {CHUNK_DATA,
                                CHUNK_SACK,
                                CHUNK_HEARTBEAT,
                                CHUNK_HEARTBEAT_ACK,
                                CHUNK_ABORT,
                                CHUNK_SHUTDOWN,
                                CHUNK_ERROR,
                                CHUNK_SHUTDOWN_ACK,
                                CHUNK_COOKIE_ECHO,
                                CHUNK_COOKIE_ACK,
                                CHUNK_ECNE,
                                CHUNK_SHUTDOWN_COMPLETE,
                                CHUNK_NR_SACK,
                                CHUNK_IDATA,
                                CHUNK_ASCONF,
                                CHUNK_ASCONF_ACK,
                                CHUNK_RECONFIG,
                                CHUNK_FORWARD_TSN,
                                CHUNK_TIMESTAMP,
                                CHUNK_ECHO,
                                CHUNK_INIT_ACK,
                                CHUNK_AUTH,
                                CHUNK_CWR,
                                CHUNK_INIT,
                                CHUNK_PAD,
                                CHUNK_DTLS,
                                0x3f,
                                0xff};

static size_t put_chunk(uint8_t *at, int to, size_t room)
{
	const size_t bytes = eavesdropper_draw(16) == 0 && room > 400 ? 4 + eavesdropper_draw(99) * 4 : 28;

	memset(at, 0, bytes);
	at[0] = types[eavesdropper_draw(sizeof(types))];
	at[1] = (uint8_t)eavesdropper_draw(4);
	packet_put16(at + 2, (uint16_t)bytes);
	/* A TSN of his that would fit; or one of theirs. */
	packet_put32(at + 4, tsns[eavesdropper_draw(8) == 0 ? to : 1 - to] + eavesdropper_draw(4000));
	packet_put16(at + 8, (uint16_t)eavesdropper_draw(12));
	packet_put16(at + 10, (uint16_t)eavesdropper_draw(12));
	packet_put32(at + 12, eavesdropper_draw(2) == 0 ? SCTP_DTLS_PPID : eavesdropper_draw(1000));
	return bytes;
}

static bool in_the_clear(struct eavesdropper_packet *f)
{
	const bool reflected = eavesdropper_draw(16) == 0;

	f->to = (int)eavesdropper_draw(2);
	packet_put16(f->bytes, f->to == 0 ? SERVER_PORT : CLIENT_PORT);
	packet_put16(f->bytes + 2, f->to == 0 ? CLIENT_PORT : SERVER_PORT);
	f->len = COMMON_HEADER_BYTES;
	for (unsigned n = 1 + (eavesdropper_draw(4) == 0 ? eavesdropper_draw(3) : 0); n > 0; n--)
		f->len += put_chunk(f->bytes + f->len, f->to, 600);
	packet_put32(f->bytes + 4,
	             f->bytes[COMMON_HEADER_BYTES] == CHUNK_INIT ? 0 : tags[reflected ? 1 - f->to : f->to]);
	return true;
}

static bool handshake_again(struct eavesdropper_packet *f)
{
	return n_early > 0 && copy(f, &early[eavesdropper_draw(n_early)]);
}

static bool replayed(struct eavesdropper_packet *f)
{
	return copy(f, choose(eavesdropper_draw(4) == 0 ? TAKEN : 100, true));
}

static bool reflected(struct eavesdropper_packet *f)
{
	if (!copy(f, choose(100, false)))
		return false;
	f->to = 1 - f->to;
	packet_put16(f->bytes, f->to == 0 ? SERVER_PORT : CLIENT_PORT);
	packet_put16(f->bytes + 2, f->to == 0 ? CLIENT_PORT : SERVER_PORT);
	packet_put32(f->bytes + 4, tags[f->to]);
	return true;
}

/* Where nothing is authentic, in headers and padding, only of what is there already. */
static bool flipped(struct eavesdropper_packet *f)
{
	const struct taken *t = choose(60, false);
	size_t from, until;

	if (!copy(f, t))
		return false;
	from = t->arrived ? 4 : SEND_HEADER_BYTES;
	until = t->arrived ? f->len
	                   : (size_t)COMMON_HEADER_BYTES + packet_get16(f->bytes + COMMON_HEADER_BYTES + 2);
	f->bytes[from + eavesdropper_draw((uint32_t)(until - from))] ^= (uint8_t)(1 << eavesdropper_draw(8));
	return true;
}

static bool cut(struct eavesdropper_packet *f)
{
	if (!copy(f, choose(60, false)))
		return false;
	f->len =
	    COMMON_HEADER_BYTES + 4 + eavesdropper_draw((uint32_t)(f->len - COMMON_HEADER_BYTES - 8)) / 4 * 4;
	if (eavesdropper_draw(4) != 0)
		packet_put16(f->bytes + COMMON_HEADER_BYTES + 2,
		             (uint16_t)(f->len - COMMON_HEADER_BYTES - eavesdropper_draw(4)));
	return true;
}

static bool bundled(struct eavesdropper_packet *f)
{
	uint8_t chunk[EAVESDROPPER_MAX_BYTES];
	size_t bytes;

	if (!copy(f, choose(60, false)) || f->len > EAVESDROPPER_MAX_BYTES - 500)
		return false;
	bytes = put_chunk(chunk, f->to, 0);
	if (chunk[0] == CHUNK_INIT)
		return false;
	if (eavesdropper_draw(2) == 0) {
		memcpy(f->bytes + f->len, chunk, bytes);
	} else {
		memmove(f->bytes + COMMON_HEADER_BYTES + bytes, f->bytes + COMMON_HEADER_BYTES,
		        f->len - COMMON_HEADER_BYTES);
		memcpy(f->bytes + COMMON_HEADER_BYTES, chunk, bytes);
	}
	f->len += bytes;
	return true;
}

static bool of_other_keys(struct eavesdropper_packet *f)
{
	if (!copy(f, choose(60, false)))
		return false;
	if (eavesdropper_draw(2) == 0)
		f->bytes[COMMON_HEADER_BYTES + 1] |= 1; /* the restart key */
	else
		f->bytes[SEND_HEADER_BYTES] ^= (uint8_t)(1 + eavesdropper_draw(255));
	return true;
}

static bool made_up(struct eavesdropper_packet *f)
{
	const size_t bytes = 6 + eavesdropper_draw(120);

	if (!copy(f, choose(60, false)))
		return false;
	for (size_t i = 0; i < bytes; i++)
		f->bytes[SEND_HEADER_BYTES + i] = (uint8_t)eavesdropper_draw(256);
	f->bytes[SEND_HEADER_BYTES] = (uint8_t)(0x28 | eavesdropper_draw(4));
	packet_put16(f->bytes + COMMON_HEADER_BYTES + 2, (uint16_t)(5 + bytes));
	f->len = (SEND_HEADER_BYTES + bytes + 3) & ~(size_t)3;
	return true;
}

typedef bool kind_fn(struct eavesdropper_packet *f);
static kind_fn *const kinds[] = {in_the_clear, in_the_clear, handshake_again, replayed,      reflected,
                                 flipped,      cut,          bundled,         of_other_keys, made_up};

bool eavesdropper_forge(struct eavesdropper_packet *f)
{
	return kinds[eavesdropper_draw(sizeof(kinds) / sizeof(kinds[0]))](f);
}

bool eavesdropper_copy(struct eavesdropper_packet *f, uint32_t back)
{
	return copy(f, choose(back, false));
}
