/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An attacker on the path of a protected association, who sees every packet and sends whatever he likes from the right
 * addresses: records again, changed, cut and made up, and every chunk in the clear. What he does leaves no trace at all: the
 * ends send the same packets at the same times as without him. Where he can do more, by being faster than a packet itself,
 * or by speaking in the name of routers and of strangers, every byte arrives all the same.
 *
 * SIM_ATTACK_PACKETS in the environment: how many packets he sends, in place of some 10^5.
 *
 * cost: 6 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <malloc.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "support/isolate.h"
#include "support/packet.h"
#include "support/protected.h"

enum { S = 1000000, MS = 1000, N_PATHS = 2, WARM_UP_PKTS = 2000, BURST_PKTS = 50, SPAN_US = 1800 * MS, REKEY_US = 250 * MS };
enum { MAX_BYTES = 1500, TAKEN = 1 << 14, EARLY = 32, CLIENT_PORT = 5000, SERVER_PORT = 5001 };
enum { SEND_HEADER_BYTES = COMMON_HEADER_BYTES + 5 };

/* Marks of the outcome. */
enum { SENT, GROWN, OPENED, SEALED = OPENED + 2, CLEAR = SEALED + 2, FORGED, REPLAYED, UNKNOWN, FAILED_QUERIES, N_PATHS_LEFT };

struct attack {
	uint32_t n_pkts;
	bool meddles; /* what has consequences, too */
};

struct taken {
	uint64_t serial;
	bool arrived;
	int direction;
	size_t len;
	uint8_t bytes[MAX_BYTES];
};

/* A packet of the attacker's, to `to`. */
struct forged {
	int to;
	size_t len;
	uint8_t bytes[MAX_BYTES + 64];
};

static struct taken taken[TAKEN], early[EARLY];
static uint64_t newest;
static unsigned n_early;
static uint32_t tags[2], tsns[2]; /* of packets to a host; first, by sender */
static size_t warm_bytes;
static uint64_t random_state;

static uint32_t draw(uint32_t n)
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

static void look(struct transfer *t, const struct usrsctp_cmt_sim_packet *p)
{
	struct taken *slot = &taken[p->serial % TAKEN];
	static bool answered;
	size_t offset = 0;
	struct chunk c;

	(void)t;
	if (p->event == USRSCTP_CMT_SIM_DELIVERED && slot->serial == p->serial)
		slot->arrived = true;
	/* Larger ones ask whether they pass. */
	if (p->event != USRSCTP_CMT_SIM_SENT || p->packet_bytes > MAX_BYTES ||
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
	const struct taken *t = &taken[(newest - draw((uint32_t)(back < newest ? back : newest))) % TAKEN];

	return t->serial != 0 && (t->arrived || !arrived) ? t : NULL;
}

static bool copy(struct forged *f, const struct taken *t)
{
	if (t == NULL)
		return false;
	f->to = 1 - t->direction;
	f->len = t->len;
	memcpy(f->bytes, t->bytes, t->len);
	return true;
}

/* --- what he sends, and nobody shall see. False: nothing just now --- */

static const uint8_t types[] = {
    CHUNK_DATA,        CHUNK_SACK,        CHUNK_HEARTBEAT, CHUNK_HEARTBEAT_ACK,
    CHUNK_ABORT,       CHUNK_SHUTDOWN,    CHUNK_ERROR,     CHUNK_SHUTDOWN_ACK,
    CHUNK_COOKIE_ECHO, CHUNK_COOKIE_ACK,  CHUNK_ECNE,      CHUNK_SHUTDOWN_COMPLETE,
    CHUNK_NR_SACK,     CHUNK_IDATA,       CHUNK_ASCONF,    CHUNK_ASCONF_ACK,
    CHUNK_RECONFIG,    CHUNK_FORWARD_TSN, CHUNK_TIMESTAMP, CHUNK_ECHO,
    CHUNK_INIT_ACK,    CHUNK_AUTH,        CHUNK_CWR,       CHUNK_INIT,
    CHUNK_PAD,         CHUNK_DTLS,        0x3f,            0xff};

static size_t put_chunk(uint8_t *at, int to, size_t room)
{
	const size_t bytes = draw(16) == 0 && room > 400 ? 4 + draw(99) * 4 : 28;

	memset(at, 0, bytes);
	at[0] = types[draw(sizeof(types))];
	at[1] = (uint8_t)draw(4);
	packet_put16(at + 2, (uint16_t)bytes);
	/* A TSN of his that would fit; or one of theirs. */
	packet_put32(at + 4, tsns[draw(8) == 0 ? to : 1 - to] + draw(4000));
	packet_put16(at + 8, (uint16_t)draw(12));
	packet_put16(at + 10, (uint16_t)draw(12));
	packet_put32(at + 12, draw(2) == 0 ? SCTP_DTLS_PPID : draw(1000));
	return bytes;
}

static bool in_the_clear(struct forged *f)
{
	const bool reflected = draw(16) == 0;

	f->to = (int)draw(2);
	packet_put16(f->bytes, f->to == 0 ? SERVER_PORT : CLIENT_PORT);
	packet_put16(f->bytes + 2, f->to == 0 ? CLIENT_PORT : SERVER_PORT);
	f->len = COMMON_HEADER_BYTES;
	for (unsigned n = 1 + (draw(4) == 0 ? draw(3) : 0); n > 0; n--)
		f->len += put_chunk(f->bytes + f->len, f->to, 600);
	packet_put32(f->bytes + 4, f->bytes[COMMON_HEADER_BYTES] == CHUNK_INIT ? 0 : tags[reflected ? 1 - f->to : f->to]);
	return true;
}

static bool handshake_again(struct forged *f)
{
	return n_early > 0 && copy(f, &early[draw(n_early)]);
}

static bool replayed(struct forged *f)
{
	return copy(f, choose(draw(4) == 0 ? TAKEN : 100, true));
}

static bool reflected(struct forged *f)
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
static bool flipped(struct forged *f)
{
	const struct taken *t = choose(60, false);
	size_t from, until;

	if (!copy(f, t))
		return false;
	from = t->arrived ? 4 : SEND_HEADER_BYTES;
	until = t->arrived ? f->len : (size_t)COMMON_HEADER_BYTES + packet_get16(f->bytes + COMMON_HEADER_BYTES + 2);
	f->bytes[from + draw((uint32_t)(until - from))] ^= (uint8_t)(1 << draw(8));
	return true;
}

static bool cut(struct forged *f)
{
	if (!copy(f, choose(60, false)))
		return false;
	f->len = COMMON_HEADER_BYTES + 4 + draw((uint32_t)(f->len - COMMON_HEADER_BYTES - 8)) / 4 * 4;
	if (draw(4) != 0)
		packet_put16(f->bytes + COMMON_HEADER_BYTES + 2, (uint16_t)(f->len - COMMON_HEADER_BYTES - draw(4)));
	return true;
}

static bool bundled(struct forged *f)
{
	uint8_t chunk[MAX_BYTES];
	size_t bytes;

	if (!copy(f, choose(60, false)) || f->len > MAX_BYTES - 500)
		return false;
	bytes = put_chunk(chunk, f->to, 0);
	if (chunk[0] == CHUNK_INIT)
		return false;
	if (draw(2) == 0) {
		memcpy(f->bytes + f->len, chunk, bytes);
	} else {
		memmove(f->bytes + COMMON_HEADER_BYTES + bytes, f->bytes + COMMON_HEADER_BYTES, f->len - COMMON_HEADER_BYTES);
		memcpy(f->bytes + COMMON_HEADER_BYTES, chunk, bytes);
	}
	f->len += bytes;
	return true;
}

static bool of_other_keys(struct forged *f)
{
	if (!copy(f, choose(60, false)))
		return false;
	if (draw(2) == 0)
		f->bytes[COMMON_HEADER_BYTES + 1] |= 1; /* the restart key */
	else
		f->bytes[SEND_HEADER_BYTES] ^= (uint8_t)(1 + draw(255));
	return true;
}

static bool made_up(struct forged *f)
{
	const size_t bytes = 6 + draw(120);

	if (!copy(f, choose(60, false)))
		return false;
	for (size_t i = 0; i < bytes; i++)
		f->bytes[SEND_HEADER_BYTES + i] = (uint8_t)draw(256);
	f->bytes[SEND_HEADER_BYTES] = (uint8_t)(0x28 | draw(4));
	packet_put16(f->bytes + COMMON_HEADER_BYTES + 2, (uint16_t)(5 + bytes));
	f->len = (SEND_HEADER_BYTES + bytes + 3) & ~(size_t)3;
	return true;
}

typedef bool kind_fn(struct forged *f);
static kind_fn *const kinds[] = {in_the_clear, in_the_clear, handshake_again, replayed, reflected, flipped, cut,
                                 bundled,      of_other_keys, made_up};

/* --- what has consequences --- */

/* Before it comes itself, perhaps from somewhere else. */
static bool faster(struct forged *f)
{
	return copy(f, choose(10, false));
}

static void too_big(struct usrsctp_cmt_sim *sim)
{
	const struct taken *t = choose(100, false);

	if (t != NULL)
		REQUIRE(usrsctp_cmt_sim_too_big(sim, (int)draw(N_PATHS), t->direction, t->bytes, t->len, 68 + draw(1400)) == 0);
}

static void choose_source(struct transfer *t, int to, int path, bool stranger, struct sockaddr_storage *out)
{
	struct sockaddr_in *sin = (struct sockaddr_in *)out;

	REQUIRE(usrsctp_cmt_sim_address(t->sim, 1 - to, path, 0, out) == 0);
	sin->sin_port = 0;
	if (!stranger)
		return;
	sin->sin_addr.s_addr = htonl(0xc6120000 | draw(300));
	sin->sin_port = htons((uint16_t)(USRSCTP_CMT_SIM_UDP_PORT + 1 + draw(50000)));
}

static void watch_memory(struct transfer *t)
{
	uint64_t *marks = t->outcome->marks;
	const size_t bytes = mallinfo2().uordblks;

	if (marks[SENT] == WARM_UP_PKTS)
		warm_bytes = bytes;
	if (marks[SENT] > WARM_UP_PKTS && bytes > warm_bytes + marks[GROWN])
		marks[GROWN] = bytes - warm_bytes;
}

static void send_one(struct transfer *t)
{
	const struct attack *a = t->job->arg;
	const bool meddles = a->meddles && draw(20) == 0;
	static struct forged f;
	struct sockaddr_storage from;
	const int path = (int)draw(N_PATHS);

	if (meddles && draw(50) == 0)
		too_big(t->sim);
	if (!(meddles ? faster : kinds[draw(sizeof(kinds) / sizeof(kinds[0]))])(&f))
		return;
	choose_source(t, f.to, path, a->meddles && draw(3) == 0, &from);
	if (draw(16) != 0)
		packet_put_checksum(f.bytes, f.len);
	REQUIRE(usrsctp_cmt_sim_arrive(t->sim, f.to, path, &from, f.bytes, f.len) == 0);
	t->outcome->marks[SENT]++;
	watch_memory(t);
}

static void burst(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct transfer *t = arg;
	const struct attack *a = t->job->arg;

	(void)sim;
	for (unsigned i = 0; i < BURST_PKTS && t->outcome->marks[SENT] < a->n_pkts; i++)
		send_one(t);
	if (t->outcome->marks[SENT] < a->n_pkts)
		transfer_after(t, (uint64_t)SPAN_US * BURST_PKTS / a->n_pkts, burst);
}

static void on_up(struct transfer *t)
{
	protected_rekey_every(t, REKEY_US);
	transfer_after(t, 60 * MS, burst);
}

static void on_handed(struct transfer *t, int host, uint32_t index)
{
	uint64_t *marks = t->outcome->marks;

	if (host != TRANSFER_CLIENT || index % 100 != 99)
		return;
	marks[CLEAR] = marks[FORGED] = marks[REPLAYED] = marks[UNKNOWN] = 0;
	for (int h = 0; h < 2; h++) {
		struct sctp_dtls_stats s;

		marks[FAILED_QUERIES] += !protected_stats(t->sides[h].so, &s);
		marks[OPENED + h] = s.sds_recv_protected;
		marks[SEALED + h] = s.sds_sent_protected;
		marks[CLEAR] += s.sds_dropped_unprotected;
		marks[FORGED] += s.sds_aead_failures;
		marks[REPLAYED] += s.sds_replayed;
		marks[UNKNOWN] += s.sds_unknown_epoch;
	}
}

static struct transfer_message message(int host, uint32_t index)
{
	(void)host;
	return (struct transfer_message){.bytes = 1 + index * 7919 % 4000, .stream = (uint16_t)(index % 8)};
}

static struct transfer_outcome attacked(uint32_t n_pkts, bool meddles, uint64_t seed)
{
	static const struct usrsctp_cmt_sim_link fast = {.rate_bps = 8000000, .delay_us = 10000, .queue_pkts = 100};
	static const struct usrsctp_cmt_sim_link slow = {.rate_bps = 8000000, .delay_us = 40000, .queue_pkts = 100};
	const struct attack a = {.n_pkts = n_pkts, .meddles = meddles};
	struct transfer_job job = {.scheduler = "auto",
	                           .seed = seed,
	                           .n_paths = N_PATHS,
	                           .links = {fast, slow},
	                           .n_messages = {2000, 500},
	                           .message = message,
	                           .protect = true,
	                           .tap = look,
	                           .on_up = on_up,
	                           .on_handed = on_handed,
	                           .arg = &a};
	struct transfer_outcome o;

	random_state = seed;
	o = transfer_run(&job);
	transfer_assert_arrived(&job, &o);
	assert_int_equal(o.end[TRANSFER_CLIENT], TRANSFER_CLOSED);
	assert_int_not_equal(o.end[TRANSFER_SERVER], TRANSFER_OPEN);
	print_message("%llu packets of an attacker's: dropped %llu in the clear, %llu forged, %llu replayed, %llu of no keys; "
	              "%llu and %llu of %llu and %llu records opened; memory + %llu KiB; transfer in %.3f s\n",
	              (unsigned long long)o.marks[SENT], (unsigned long long)o.marks[CLEAR],
	              (unsigned long long)o.marks[FORGED], (unsigned long long)o.marks[REPLAYED],
	              (unsigned long long)o.marks[UNKNOWN], (unsigned long long)o.marks[OPENED + 1],
	              (unsigned long long)o.marks[OPENED], (unsigned long long)o.marks[SEALED],
	              (unsigned long long)o.marks[SEALED + 1], (unsigned long long)o.marks[GROWN] / 1024,
	              (double)(o.last_us - o.up_us) / S);
	assert_int_equal(o.marks[FAILED_QUERIES], 0);
	assert_int_equal(o.marks[SENT], n_pkts);
	assert_in_range(o.marks[OPENED + 1], 0, o.marks[SEALED]);
	assert_in_range(o.marks[OPENED], 0, o.marks[SEALED + 1]);
	return o;
}

static uint32_t n_packets(void)
{
	const char *wanted = getenv("SIM_ATTACK_PACKETS");

	return wanted != NULL ? (uint32_t)strtoul(wanted, NULL, 10) : ISOLATE_WATCHES_MEMORY ? 50000 : 200000;
}

enum { ENTERED_MAX_BYTES = 512 * 1024 };

static void who_sees_everything_leaves_no_trace(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 2; seed++) {
		struct transfer_outcome undisturbed = attacked(0, false, seed), o = attacked(n_packets(), false, seed);

		assert_in_range(o.marks[CLEAR], n_packets() / 10, n_packets());
		assert_in_range(o.marks[FORGED], n_packets() / 10, n_packets());
		assert_in_range(o.marks[REPLAYED], n_packets() / 50, n_packets());
		assert_in_range(o.marks[UNKNOWN], n_packets() / 50, n_packets());
		assert_in_range(o.marks[GROWN], 0, undisturbed.marks[GROWN] + ENTERED_MAX_BYTES);
		assert_int_equal(o.last_us, undisturbed.last_us);
		assert_true(o.hash == undisturbed.hash);
	}
}

static void who_is_faster_than_the_packets_changes_no_byte(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 3; seed++) {
		struct transfer_outcome undisturbed = attacked(0, false, seed), o = attacked(n_packets(), true, seed);

		assert_in_range(o.marks[GROWN], 0, undisturbed.marks[GROWN] + 2 * ENTERED_MAX_BYTES);
		assert_in_range(o.last_us, 0, 10 * undisturbed.last_us);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(who_sees_everything_leaves_no_trace),
	    cmocka_unit_test(who_is_faster_than_the_packets_changes_no_byte),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
