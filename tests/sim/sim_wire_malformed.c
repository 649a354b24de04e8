/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Our chunks with every kind of wrong length, and a cumulative ack over TSNs that are reserved and not sent
 * yet. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "support/isolate.h"
#include "support/packet.h"
#include "support/pair.h"
#include "support/tsn_log.h"

enum { EVERY_US = 1000, BODY_MAX_BYTES = 64 };

/* Ports and tags as the handshake showed them, and what was sent. */
struct watch {
	uint32_t tags[2]; /* that packets to host 0, 1 carry */
	bool answered;
	struct tsn_log log;
	uint32_t highest_sent, aborts;
};

static void watch(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *packet, void *arg)
{
	struct watch *w = arg;
	size_t offset = 0;
	struct chunk c;

	(void)sim;
	tsn_log_packet(&w->log, packet);
	while (packet->event == USRSCTP_CMT_SIM_SENT &&
	       packet_next_chunk(packet->packet, packet->packet_bytes, &offset, &c)) {
		if (chunk_tells_init(&c, &w->answered))
			w->tags[packet->direction] = packet_get32(c.bytes + 4);
		if (chunk_is_data(&c) && packet->direction == 0 &&
		    (int32_t)(chunk_tsn(&c) - w->log.first_tsn - w->highest_sent) > 0)
			w->highest_sent = chunk_tsn(&c) - w->log.first_tsn;
		w->aborts += c.type == CHUNK_ABORT && packet->direction == 0;
	}
}

static struct pair_options options_for(struct watch *w)
{
	const struct usrsctp_cmt_sim_link fast = {.rate_bps = 4000000, .delay_us = 10000, .queue_pkts = 100};
	const struct usrsctp_cmt_sim_link slow = {.rate_bps = 1000000, .delay_us = 60000, .queue_pkts = 100};

	return (struct pair_options){.seed = 13,
	                             .n_paths = 2,
	                             .forward = {fast, slow},
	                             .backward = {fast, slow},
	                             .bytes = 1000000,
	                             .scheduler = "arrival",
	                             .tap = watch,
	                             .arg = w};
}

/* --- lengths --- */

static const uint16_t lengths[] = {0,  1,  2,  3,  4,  5,  6,  7,      8,      9,      10,
                                   11, 12, 13, 15, 17, 23, 25, 0x7fff, 0xfffc, 0xfffd, 0xffff};
enum { N_LENGTHS = sizeof(lengths) / sizeof(lengths[0]) };

struct lengths_outcome {
	uint64_t malformed[2]; /* by host */
	uint64_t rejected;
	bool delivered;
};

struct sender {
	struct watch watch;
	struct pair pair;
	unsigned next;
};

/* A chunk of each type to each host, with less, as much, and more behind it than its length says. */
static void inject_next_length(struct usrsctp_cmt_sim *sim, void *arg)
{
	const uint8_t types[2] = {CHUNK_TIMESTAMP, CHUNK_ECHO};
	uint8_t body[BODY_MAX_BYTES];
	struct sender *s = arg;
	uint16_t len = lengths[s->next++];

	/* What is left behind a short chunk reads as an unknown one that is too long, to be skipped. */
	memset(body, 0xbf, sizeof(body));

	for (unsigned i = 0; i < 8; i++) {
		int host = i & 1;
		size_t right = len > 4 && len - 4 <= BODY_MAX_BYTES ? len - 4u : 0;
		struct packet_draft d;

		packet_begin(&d, host == 0 ? PAIR_SERVER_PORT : PAIR_CLIENT_PORT,
		             host == 0 ? PAIR_CLIENT_PORT : PAIR_SERVER_PORT, s->watch.tags[host]);
		packet_add(&d, types[i >> 1 & 1], len, body, i < 4 ? right : BODY_MAX_BYTES);
		packet_finish(&d);
		REQUIRE(usrsctp_cmt_sim_inject(sim, (int)(i & 1), 1 - host, d.bytes, d.len) == 0);
	}
	if (s->next < N_LENGTHS)
		REQUIRE(usrsctp_cmt_sim_at(sim, usrsctp_cmt_sim_now_us(sim) + EVERY_US, inject_next_length,
		                           s) == 0);
}

static void send_wrong_lengths(const void *job, void *outcome)
{
	static struct sender s;
	struct pair_options options = options_for(&s.watch);
	struct sctp_cmt_path_stats paths[USRSCTP_CMT_SIM_MAX_PATHS];
	struct lengths_outcome *o = outcome;

	(void)job;
	pair_open(&s.pair, &options);
	REQUIRE(usrsctp_cmt_sim_at(s.pair.sim, 500000, inject_next_length, &s) == 0);
	pair_run(&s.pair, UINT64_C(600000000));
	REQUIRE(s.next == N_LENGTHS);
	o->delivered = s.pair.complete && s.pair.intact && s.watch.aborts == 0;
	o->malformed[0] = pair_stats(s.pair.client).malformed_chunks;
	o->malformed[1] = pair_stats(s.pair.server).malformed_chunks;
	for (int i = 0, n = pair_path_stats(s.pair.client, paths); i < n; i++)
		o->rejected += paths[i].samples_rejected;
	pair_close(&s.pair);
}

static void wrong_lengths_are_ignored_and_counted(void **state)
{
	struct lengths_outcome o;

	(void)state;
	isolate_run(send_wrong_lengths, NULL, &o, sizeof(o));
	printf("malformed: %llu at the client, %llu at the server; %llu samples rejected\n",
	       (unsigned long long)o.malformed[0], (unsigned long long)o.malformed[1],
	       (unsigned long long)o.rejected);
	assert_true(o.delivered);
	/* Lengths below 4 and beyond the packet end upstream's walk through it. Of the others each host hears
	 * every one twice: CMT-TIMESTAMP is too short in 11 of them, CMT-ECHO of wrong length in 13 of 14. */
	for (unsigned host = 0; host < 2; host++)
		assert_int_equal(o.malformed[host], 2 * (11 + 13));
}

/* --- a cumulative ack too far --- */

struct jump {
	struct watch watch;
	struct pair pair;
	bool injected;
};

struct jump_outcome {
	bool injected, ended, complete;
	uint32_t aborts, ahead;
};

/* Acknowledges the lowest TSN that was not sent, once a higher one was. */
static void jump_over_reserved_tsn(struct usrsctp_cmt_sim *sim, void *arg)
{
	const struct usrsctp_cmt_sim_link at_once = {.jitter_reorders = true};
	struct jump *j = arg;
	struct packet_draft d;
	uint8_t sack[12] = {0};
	uint32_t hole = 0;

	while (hole < j->watch.highest_sent && j->watch.log.sent[hole] > 0)
		hole++;
	if (hole >= j->watch.highest_sent) {
		REQUIRE(usrsctp_cmt_sim_at(sim, usrsctp_cmt_sim_now_us(sim) + EVERY_US,
		                           jump_over_reserved_tsn, j) == 0);
		return;
	}
	packet_put32(sack, j->watch.log.first_tsn + hole);
	packet_put32(sack + 4, 131072);
	packet_begin(&d, PAIR_SERVER_PORT, PAIR_CLIENT_PORT, j->watch.tags[PAIR_CLIENT]);
	packet_add(&d, CHUNK_SACK, sizeof(sack) + 4, sack, sizeof(sack));
	packet_finish(&d);
	/* Under way it would meet a hole that was filled meanwhile. */
	REQUIRE(usrsctp_cmt_sim_set_link(sim, 0, 1, &at_once) == 0);
	j->injected = true;
	REQUIRE(usrsctp_cmt_sim_inject(sim, 0, PAIR_SERVER, d.bytes, d.len) == 0);
}

static void acknowledge_too_far(const void *job, void *outcome)
{
	static struct jump j;
	struct pair_options options = options_for(&j.watch);
	struct jump_outcome *o = outcome;

	(void)job;
	pair_open(&j.pair, &options);
	REQUIRE(usrsctp_cmt_sim_at(j.pair.sim, 500000, jump_over_reserved_tsn, &j) == 0);
	pair_run(&j.pair, UINT64_C(600000000));
	*o = (struct jump_outcome){.injected = j.injected,
	                           .ended = j.pair.ended,
	                           .complete = j.pair.complete,
	                           .aborts = j.watch.aborts};
	pair_close(&j.pair);
}

static void a_cumulative_ack_over_a_reserved_tsn_aborts(void **state)
{
	struct jump_outcome o;

	(void)state;
	isolate_run(acknowledge_too_far, NULL, &o, sizeof(o));
	assert_true(o.injected);
	assert_int_equal(o.aborts, 1);
	assert_true(o.ended);
	assert_false(o.complete);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(wrong_lengths_are_ignored_and_counted),
	    cmocka_unit_test(a_cumulative_ack_over_a_reserved_tsn_aborts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
