/* SPDX-License-Identifier: BSD-3-Clause
 *
 * SCTP-AUTH (RFC 4895) for our chunks: who lists them in CHUNKS gets them behind AUTH only, and does not look
 * at others. */
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

enum { PARAMETER_CHUNKS = 0x8003, INJECT_EVERY = 10 };

struct outcome {
	bool listed[2][2];              /* by host: CMT-TIMESTAMP, CMT-ECHO in CHUNKS */
	uint32_t ours, unauthenticated; /* packets with our chunks; those without AUTH in front of them */
	uint32_t injected;
	uint64_t samples, rejected, malformed[2], done_us;
	bool delivered;
};

struct watch {
	bool wanted;
	struct outcome *o;
	bool injecting;
	uint32_t tags[2];
	bool answered;
};

static void note_init(struct outcome *o, int host, const struct chunk *init)
{
	struct chunk list;

	if (!packet_find_parameter(init, PARAMETER_CHUNKS, &list))
		return;
	o->listed[host][0] = memchr(list.bytes + 4, CHUNK_TIMESTAMP, list.len - 4) != NULL;
	o->listed[host][1] = memchr(list.bytes + 4, CHUNK_ECHO, list.len - 4) != NULL;
}

/* Both of our chunks, wrong in a way that would be counted. */
static void inject_unauthenticated(struct usrsctp_cmt_sim *sim, struct watch *w, int path)
{
	const uint8_t body[8] = {0};

	w->injecting = true;
	for (int host = 0; host < 2; host++) {
		struct packet_draft d;

		packet_begin(&d, host == 0 ? PAIR_SERVER_PORT : PAIR_CLIENT_PORT,
		             host == 0 ? PAIR_CLIENT_PORT : PAIR_SERVER_PORT, w->tags[host]);
		packet_add(&d, host == 0 ? CHUNK_ECHO : CHUNK_TIMESTAMP, 4 + sizeof(body), body,
		           sizeof(body));
		packet_finish(&d);
		REQUIRE(usrsctp_cmt_sim_inject(sim, path, 1 - host, d.bytes, d.len) == 0);
		w->o->injected++;
	}
	w->injecting = false;
}

static void watch(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *packet, void *arg)
{
	bool authenticated = false, ours = false;
	struct watch *w = arg;
	size_t offset = 0;
	struct chunk c;

	if (packet->event != USRSCTP_CMT_SIM_SENT || w->injecting)
		return;
	while (packet_next_chunk(packet->packet, packet->packet_bytes, &offset, &c)) {
		if (chunk_tells_init(&c, &w->answered)) {
			note_init(w->o, packet->direction, &c);
			w->tags[packet->direction] = packet_get32(c.bytes + 4);
		}
		authenticated |= c.type == CHUNK_AUTH;
		if (c.type == CHUNK_TIMESTAMP || c.type == CHUNK_ECHO) {
			ours = true;
			w->o->unauthenticated += !authenticated;
		}
	}
	if (ours && ++w->o->ours % INJECT_EVERY == 0)
		inject_unauthenticated(sim, w, packet->path);
}

static void demand_auth(struct socket *so, int host, void *arg)
{
	const uint8_t types[2] = {CHUNK_TIMESTAMP, CHUNK_ECHO};

	(void)host;
	for (unsigned i = 0; i < 2 && ((struct watch *)arg)->wanted; i++) {
		struct sctp_authchunk chunk = {.sauth_chunk = types[i]};

		REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_AUTH_CHUNK, &chunk, sizeof(chunk)) == 0);
	}
}

static void transfer(const void *job, void *outcome)
{
	const struct usrsctp_cmt_sim_link fast = {.rate_bps = 4000000, .delay_us = 10000, .queue_pkts = 100};
	const struct usrsctp_cmt_sim_link slow = {.rate_bps = 2000000, .delay_us = 40000, .queue_pkts = 100};
	struct sctp_cmt_path_stats paths[USRSCTP_CMT_SIM_MAX_PATHS];
	struct watch w = {.wanted = *(const bool *)job, .o = outcome};
	struct pair_options options = {.seed = 17,
	                               .n_paths = 2,
	                               .forward = {fast, slow},
	                               .backward = {fast, slow},
	                               .bytes = 300000,
	                               .scheduler = "arrival",
	                               .configure = demand_auth,
	                               .tap = watch,
	                               .arg = &w};
	struct pair p;

	pair_open(&p, &options);
	pair_run(&p, UINT64_C(600000000));
	w.o->delivered = p.complete && p.intact;
	w.o->done_us = p.done_us;
	w.o->malformed[0] = pair_stats(p.client).malformed_chunks;
	w.o->malformed[1] = pair_stats(p.server).malformed_chunks;
	for (int i = 0, n = pair_path_stats(p.client, paths); i < n; i++) {
		w.o->samples += paths[i].samples;
		w.o->rejected += paths[i].samples_rejected;
	}
	pair_close(&p);
}

static struct outcome run(bool wanted)
{
	struct outcome o;

	isolate_run(transfer, &wanted, &o, sizeof(o));
	printf("AUTH %d: %u packets with our chunks, %u of them bare, %u injected, malformed %llu + %llu\n",
	       wanted, o.ours, o.unauthenticated, o.injected, (unsigned long long)o.malformed[0],
	       (unsigned long long)o.malformed[1]);
	assert_true(o.delivered);
	assert_in_range(o.ours, 200, 2000);
	assert_in_range(o.injected, 20, 400);
	assert_true(o.samples > 100);
	assert_in_range(o.rejected, 0, o.samples / 50); /* SACKs of two ways may overtake each other */
	return o;
}

static void without_auth_bare_chunks_are_read(void **state)
{
	struct outcome o = run(false);

	(void)state;
	assert_true(o.unauthenticated >= o.ours);
	for (unsigned host = 0; host < 2; host++) {
		assert_false(o.listed[host][0] || o.listed[host][1]);
		assert_true(o.malformed[host] > 10);
	}
}

static void with_auth_bare_chunks_are_dropped_silently(void **state)
{
	struct outcome o = run(true);

	(void)state;
	assert_int_equal(o.unauthenticated, 0);
	for (unsigned host = 0; host < 2; host++) {
		assert_true(o.listed[host][0] && o.listed[host][1]);
		assert_int_equal(o.malformed[host], 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(without_auth_bare_chunks_are_read),
	    cmocka_unit_test(with_auth_bare_chunks_are_dropped_silently),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
