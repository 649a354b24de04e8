/* SPDX-License-Identifier: BSD-3-Clause
 *
 * While the key management still talks in the clear, somebody on the path who sees all TSNs puts in chunks of every kind, and
 * loses packets. Whatever he does: nothing of his is ever taken for user data, and all that the ends say to each other once
 * they are protected arrives; or the association ends, and who waits for something is told.
 *
 * cost: 5 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "support/isolate.h"
#include "support/keyed.h"

enum { MS = 1000, S = 1000000, HIS = 0xee, MESSAGE_BYTES = 300, USER_PPID = 7, N_USER = 30 };
enum { FIRST_FLIGHT = 3, HANDSHAKE_S = 30, PATIENCE_S = 900 };
#define TYPES_MAX 24

/* The key management: three messages, three answers, one more. Then the keys are there. */
struct job {
	uint64_t seed;
	unsigned only; /* a chunk type, or 256: all */
	bool loses; /* he loses packets, too */
};

struct outcome {
	bool wrong, released[2], failed[2], told[2];
	unsigned user[2]; /* messages that came, in order */
	int enforce_error[2];
	uint64_t injected;
};

static const struct job *job;
static struct outcome *outcome;
static struct keyed keyed;
static unsigned of_keys[2], said[2]; /* by host: heard of the key management; messages sent */
static uint64_t random_state;

static uint32_t draw(uint32_t n)
{
	random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(random_state >> 33) % n;
}

static int say(struct keyed *k, int host, uint32_t ppid, unsigned number)
{
	uint8_t message[MESSAGE_BYTES];

	memset(message, 1 + host, sizeof(message));
	message[0] = (uint8_t)number;
	return keyed_send(k, host, ppid, message, sizeof(message));
}

/* What the socket takes: nothing before this end has a key that the other one can read. */
static void go_on(struct keyed *k)
{
	for (int host = 0; host < 2; host++) {
		while (outcome->released[host] && !k->lost[host] && said[host] < N_USER &&
		       say(k, host, USER_PPID, said[host]) == 0)
			said[host]++;
	}
}

static void release(struct keyed *k, int host)
{
	outcome->enforce_error[host] = keyed_enforce(k, host);
	outcome->released[host] = outcome->enforce_error[host] == 0;
	outcome->failed[host] |= !outcome->released[host];
}

static bool install(struct keyed *k, int host)
{
	return keyed_keys(k, host, SCTP_DTLS_ADD_RECV_KEYS, SCTP_DTLS_FIRST_EPOCH, 1 - host) == 0 &&
	       keyed_keys(k, host, host == 0 ? SCTP_DTLS_SET_SEND_KEYS : SCTP_CMT_DTLS_NEXT_SEND_KEYS,
	                  SCTP_DTLS_FIRST_EPOCH, host) == 0;
}

static void on_key_message(struct keyed *k, int host, const uint8_t *bytes, size_t n)
{
	if (n != MESSAGE_BYTES || bytes[0] != of_keys[host] || bytes[1] != 1 + (1 - host)) {
		outcome->failed[host] = true; /* as the key management says */
		return;
	}
	of_keys[host]++;
	if (host == 1 && of_keys[host] == FIRST_FLIGHT) {
		for (unsigned i = 0; i < FIRST_FLIGHT; i++)
			(void)say(k, 1, SCTP_DTLS_PPID, i);
	} else if (of_keys[host] == (host == 0 ? FIRST_FLIGHT : FIRST_FLIGHT + 1)) {
		if (host == 0)
			(void)say(k, 0, SCTP_DTLS_PPID, FIRST_FLIGHT);
		if (install(k, host))
			release(k, host);
		else
			outcome->failed[host] = true;
	}
}

static void receive(struct keyed *k, int host, uint32_t ppid, const uint8_t *bytes, size_t n)
{
	if (outcome->failed[host])
		return;
	if (ppid == SCTP_DTLS_PPID && !outcome->released[host]) {
		on_key_message(k, host, bytes, n);
		return;
	}
	outcome->wrong |= !outcome->released[host] || ppid != USER_PPID || n != MESSAGE_BYTES || bytes[1] != 1 + (1 - host) ||
	                  bytes[0] != outcome->user[host];
	outcome->user[host]++;
}

/* The key management has failed, or it takes too long: the end of the association. */
static void give_up(struct keyed *k, bool late)
{
	const struct linger at_once = {.l_onoff = 1, .l_linger = 0};

	for (int host = 0; host < 2; host++) {
		outcome->failed[host] |= late && !outcome->released[host];
		if (!outcome->failed[host] || k->so[host] == NULL)
			continue;
		REQUIRE(usrsctp_setsockopt(k->so[host], SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once)) == 0);
		usrsctp_close(k->so[host]);
		k->so[host] = NULL;
	}
}

static const uint8_t types[TYPES_MAX] = {
    CHUNK_DATA,        CHUNK_SACK,       CHUNK_HEARTBEAT, CHUNK_HEARTBEAT_ACK,
    CHUNK_DATA,        CHUNK_SHUTDOWN,   CHUNK_ERROR,     CHUNK_SHUTDOWN_ACK,
    CHUNK_COOKIE_ECHO, CHUNK_COOKIE_ACK, CHUNK_ECNE,      CHUNK_SHUTDOWN_COMPLETE,
    CHUNK_NR_SACK,     CHUNK_IDATA,      CHUNK_ASCONF,    CHUNK_ASCONF_ACK,
    CHUNK_RECONFIG,    CHUNK_FORWARD_TSN, CHUNK_TIMESTAMP, CHUNK_ECHO,
    CHUNK_INIT_ACK,    CHUNK_DATA,       CHUNK_ABORT,     CHUNK_DTLS};

static void put_in(struct keyed *k)
{
	const uint8_t type = job->only < 256 ? (uint8_t)job->only : types[draw(TYPES_MAX)];
	const bool of_receiver = type == CHUNK_SACK || type == CHUNK_NR_SACK || type == CHUNK_SHUTDOWN;
	const int to = (int)draw(2);
	struct packet_draft d;
	uint8_t body[100];

	memset(body, HIS, sizeof(body));
	packet_put32(body, k->tsns[of_receiver ? to : 1 - to] + draw(5) - (of_receiver ? 1 : 0));
	if (type == CHUNK_DATA) {
		packet_put32(body + 4, draw(8)); /* stream 0, and the number there */
		packet_put32(body + 8, draw(4) == 0 ? USER_PPID : SCTP_DTLS_PPID);
	} else if (type == CHUNK_IDATA) {
		packet_put32(body + 4, 0);
		packet_put32(body + 8, draw(8));
		packet_put32(body + 12, SCTP_DTLS_PPID);
	} else {
		packet_put32(body + 4, 100000);
		packet_put32(body + 8, 0);
	}
	packet_begin(&d, to == 0 ? KEYED_SERVER_PORT : KEYED_CLIENT_PORT, to == 0 ? KEYED_CLIENT_PORT : KEYED_SERVER_PORT,
	             k->tags[to]);
	packet_add(&d, type, (uint16_t)(4 + (of_receiver ? 12 : sizeof(body))), body, of_receiver ? 12 : sizeof(body));
	d.bytes[COMMON_HEADER_BYTES + 1] = type == CHUNK_DATA ? (uint8_t)(draw(4) == 0 ? draw(16) : 3 + 4 * draw(2)) : 0;
	keyed_inject(k, to, d.bytes, d.len);
	outcome->injected++;
}

/* He loses what he likes of the key management. */
static size_t lose(struct keyed *k, const struct usrsctp_cmt_sim_packet *p, uint8_t *out)
{
	struct chunk c;

	(void)k;
	(void)out;
	if (!job->loses || !packet_find(p->packet, p->packet_bytes, CHUNK_DATA, &c))
		return 0;
	return draw(6) == 0 ? SIZE_MAX : 0;
}

static void run(const void *what, void *out)
{
	struct keyed_options o = {.offers = {{SCTP_DTLS_CLIENT | SCTP_DTLS_REQUIRED, 1, {SCTP_DTLS_KM_PRESHARED}},
	                                     {SCTP_DTLS_SERVER | SCTP_DTLS_REQUIRED, 1, {SCTP_DTLS_KM_PRESHARED}}},
	                          .receive = receive,
	                          .forge = lose};

	job = what;
	outcome = out;
	o.seed = random_state = job->seed;
	keyed_open(&keyed, &o);
	keyed_run(&keyed, 41 * MS); /* the COOKIE-ACK is under way */
	for (unsigned i = 0; i < FIRST_FLIGHT; i++)
		(void)say(&keyed, 0, SCTP_DTLS_PPID, i);
	for (unsigned i = draw(6) + 1; i > 0; i--) {
		keyed_run(&keyed, draw(20) * MS);
		put_in(&keyed);
	}
	for (unsigned steps = 0; steps < 10 * PATIENCE_S; steps++) {
		bool over = true;

		keyed_run(&keyed, S / 10);
		go_on(&keyed);
		give_up(&keyed, steps > 10 * HANDSHAKE_S);
		for (int host = 0; host < 2; host++)
			over &= keyed.lost[host] || outcome->failed[host] || outcome->user[host] == N_USER;
		if (over)
			break;
	}
	outcome->told[0] = keyed.lost[0];
	outcome->told[1] = keyed.lost[1];
	keyed_close(&keyed);
}

/* Whoever has not got all is told, or has given up. */
static bool ends_well(const struct outcome *o)
{
	for (int host = 0; host < 2; host++) {
		if (o->user[host] != N_USER && !o->told[host] && !o->failed[host])
			return false;
	}
	return !o->wrong;
}

static void try_all(unsigned only, bool loses, uint64_t first, uint64_t n)
{
	unsigned well = 0, refused = 0, told = 0;

	for (uint64_t seed = first; seed < first + n; seed++) {
		const struct job what = {.seed = seed, .only = only, .loses = loses};
		struct outcome o;

		isolate_run(run, &what, &o, sizeof(o));
		if (!ends_well(&o))
			fail_msg("seed %llu, only %u: %s; %u and %u messages, released %d %d, told %d %d, failed %d %d",
			         (unsigned long long)seed, only, o.wrong ? "his, or not in order" : "stands still", o.user[0],
			         o.user[1], o.released[0], o.released[1], o.told[0], o.told[1], o.failed[0], o.failed[1]);
		well += o.user[0] == N_USER && o.user[1] == N_USER;
		refused += o.enforce_error[0] == EPROTO || o.enforce_error[1] == EPROTO;
		told += o.told[0] || o.told[1];
	}
	print_message("seeds %llu to %llu: all arrived in %u, EPROTO in %u, an end was told in %u\n", (unsigned long long)first,
	              (unsigned long long)(first + n - 1), well, refused, told);
	assert_in_range(well + refused + told, 1, 3 * n);
}

enum { N_SEEDS = ISOLATE_WATCHES_MEMORY ? 40 : 300 };

static void chunks_of_every_kind_in_the_clear_become_no_data(void **state)
{
	(void)state;
	try_all(256, false, 1, N_SEEDS);
}

static void the_same_where_packets_get_lost(void **state)
{
	(void)state;
	try_all(256, true, 10001, N_SEEDS);
}

static void false_acknowledgements_hide_no_loss(void **state)
{
	(void)state;
	try_all(CHUNK_SACK, true, 20001, N_SEEDS / 3);
	try_all(CHUNK_NR_SACK, true, 30001, N_SEEDS / 3);
}

static void data_that_come_too_early_are_no_data(void **state)
{
	(void)state;
	try_all(CHUNK_DATA, false, 40001, N_SEEDS / 3);
	try_all(CHUNK_FORWARD_TSN, false, 50001, N_SEEDS / 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(chunks_of_every_kind_in_the_clear_become_no_data),
	    cmocka_unit_test(the_same_where_packets_get_lost),
	    cmocka_unit_test(false_acknowledgements_hide_no_loss),
	    cmocka_unit_test(data_that_come_too_early_are_no_data),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
