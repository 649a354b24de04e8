/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Somebody who knows addresses and ports but no tag, a peer that lies about one of its paths, an address that
 * nobody confirms, and what stamps tell of a clock (docs/security.md). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "support/impostor.h"
#include "support/isolate.h"
#include "support/packet.h"
#include "support/pair.h"
#include "support/policy.h"
#include "support/raw.h"
#include "wire/cmt_wire.h"

enum lie { HONEST, HEARD_AT_ONCE, HEARD_LATE, SAWTOOTH };

struct job {
	uint64_t seed;
	int n_paths;
	uint32_t bytes;
	enum lie lie;
	uint16_t about;   /* path id */
	bool blind;       /* packets without tags, all the time */
	bool unconfirmed; /* nothing comes back on the second path */
	const char *scheduler;
};

struct outcome {
	bool delivered, extension;
	uint64_t done_us, illegal;
	uint32_t injected, forged, first_stamp, data_on_second, heartbeats_on_second;
};

struct attack {
	const struct job *job;
	struct outcome *o;
	struct pair *pair;
	uint32_t tags[2]; /* of packets to host 0, 1 */
	bool answered;
	uint32_t tsns[2]; /* newest, by sender */
	struct impostor impostor;
};

/* --- without a tag --- */

static const uint8_t types[] = {
    CHUNK_DATA,        CHUNK_SACK,        CHUNK_HEARTBEAT, CHUNK_HEARTBEAT_ACK,
    CHUNK_ABORT,       CHUNK_SHUTDOWN,    CHUNK_ERROR,     CHUNK_SHUTDOWN_ACK,
    CHUNK_COOKIE_ECHO, CHUNK_COOKIE_ACK,  CHUNK_ECNE,      CHUNK_SHUTDOWN_COMPLETE,
    CHUNK_NR_SACK,     CHUNK_IDATA,       CHUNK_ASCONF,    CHUNK_ASCONF_ACK,
    CHUNK_RECONFIG,    CHUNK_FORWARD_TSN, CHUNK_TIMESTAMP, CHUNK_ECHO,
    CHUNK_INIT,        CHUNK_INIT_ACK,    CHUNK_AUTH,      CHUNK_CWR};
enum { N_TYPES = sizeof(types) / sizeof(types[0]), EVERY_US = 2000 };

/* What a chunk of the type begins with, the TSN a good one. */
static void send_blindly(struct usrsctp_cmt_sim *sim, struct attack *a, unsigned n)
{
	const uint8_t type = types[n / 8 % N_TYPES];
	const int to = (int)(n & 1);
	const bool own_tag = (n & 2) != 0, t_bit = (n & 4) != 0;
	uint8_t body[28] = {0};
	struct packet_draft d;

	packet_put32(body, type == CHUNK_SACK || type == CHUNK_SHUTDOWN || type == CHUNK_NR_SACK
	                       ? a->tsns[to]
	                       : a->tsns[1 - to] + 1);
	packet_put32(body + 4, 100000);
	packet_put16(body + 8, 10);
	packet_put16(body + 10, 10);
	/* The bit T asks for the other's tag, which somebody outside does not know either. */
	packet_begin(&d, to == 0 ? PAIR_SERVER_PORT : PAIR_CLIENT_PORT,
	             to == 0 ? PAIR_CLIENT_PORT : PAIR_SERVER_PORT, own_tag ? 0 : a->tags[to] + 1);
	packet_add(&d, type, sizeof(body) + 4, body, sizeof(body));
	d.bytes[COMMON_HEADER_BYTES + 1] = t_bit ? 1 : 0;
	packet_finish(&d);
	a->impostor.injecting = true;
	REQUIRE(usrsctp_cmt_sim_inject(sim, (int)(n / 2 % 2), 1 - to, d.bytes, d.len) == 0);
	a->impostor.injecting = false;
	a->o->injected++;
}

static void attack_blindly(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct attack *a = arg;

	send_blindly(sim, a, a->o->injected);
	if (!a->pair->complete)
		REQUIRE(usrsctp_cmt_sim_at(sim, usrsctp_cmt_sim_now_us(sim) + EVERY_US, attack_blindly, a) ==
		        0);
}

/* --- about one path --- */

/* Te that is possible, but not true: the packet was heard at once after it was sent, or only now, or both in
 * turn. */
static uint32_t false_elapsed_us(const struct attack *a, uint32_t true_us)
{
	const uint32_t out_us = true_us + 9000;

	switch (a->job->lie) {
	case HONEST: break;
	case HEARD_AT_ONCE: return out_us;
	case HEARD_LATE: return 0;
	case SAWTOOTH: return a->impostor.forged % 64 < 32 ? 0 : out_us;
	}
	return true_us;
}

static size_t forge(const struct usrsctp_cmt_sim_packet *packet, uint8_t *out, size_t size, void *arg)
{
	const struct attack *a = arg;
	size_t echo_len;
	uint8_t *at = impostor_copy_echo(packet, out, size, &echo_len);

	if (at == NULL)
		return 0;
	for (size_t i = CMT_ECHO_FIXED_BYTES; i + CMT_ECHO_ENTRY_BYTES <= echo_len;
	     i += CMT_ECHO_ENTRY_BYTES) {
		if (packet_get16(at + i) == a->job->about)
			packet_put32(at + i + 8, false_elapsed_us(a, packet_get32(at + i + 8)));
	}
	return packet->packet_bytes;
}

/* --- all of it --- */

static void note(struct attack *a, const struct usrsctp_cmt_sim_packet *packet)
{
	struct cmt_timestamp ts;
	size_t offset = 0;
	struct chunk c;

	while (packet_next_chunk(packet->packet, packet->packet_bytes, &offset, &c)) {
		if (chunk_tells_init(&c, &a->answered)) {
			a->tags[packet->direction] = packet_get32(c.bytes + 4);
			a->tsns[packet->direction] = packet_get32(c.bytes + 16) - 1;
		}
		if (chunk_is_data(&c) && (int32_t)(chunk_tsn(&c) - a->tsns[packet->direction]) > 0)
			a->tsns[packet->direction] = chunk_tsn(&c);
		if (c.type == CHUNK_TIMESTAMP && packet->direction == 0 && a->o->first_stamp == 0 &&
		    cmt_timestamp_decode(c.bytes, c.len, &ts) == 0)
			a->o->first_stamp = ts.ts_us;
		if (packet->path == 1 && packet->direction == 0) {
			a->o->data_on_second += chunk_is_data(&c);
			a->o->heartbeats_on_second += c.type == CHUNK_HEARTBEAT;
		}
	}
}

static void watch(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *packet, void *arg)
{
	struct attack *a = arg;

	if (packet->event != USRSCTP_CMT_SIM_SENT || a->impostor.injecting)
		return;
	note(a, packet);
	if (a->job->lie != HONEST)
		impostor_meet(&a->impostor, sim, packet);
}

static void transfer(const void *job, void *outcome)
{
	const struct usrsctp_cmt_sim_link fast = {.rate_bps = 4000000, .delay_us = 10000, .queue_pkts = 100};
	const struct usrsctp_cmt_sim_link slow = {.rate_bps = 2000000, .delay_us = 40000, .queue_pkts = 100};
	static struct pair p;
	struct attack a = {.job = job, .o = outcome, .pair = &p, .impostor = {.forge = forge, .arg = &a}};
	struct pair_options options = {.seed = a.job->seed,
	                               .n_paths = a.job->n_paths,
	                               .forward = {fast, slow},
	                               .backward = {fast, slow},
	                               .bytes = a.job->bytes,
	                               .scheduler = a.job->scheduler,
	                               .rcvbuf_bytes = 500000,
	                               .tap = watch,
	                               .arg = &a};

	options.backward[1].down = a.job->unconfirmed;
	pair_open(&p, &options);
	if (a.job->blind)
		REQUIRE(usrsctp_cmt_sim_at(p.sim, 200000, attack_blindly, &a) == 0);
	pair_run(&p, UINT64_C(600000000));
	a.o->forged = a.impostor.forged;
	a.o->delivered = p.complete && p.intact && !p.ended;
	a.o->done_us = p.done_us;
	a.o->illegal = p.ended ? 0 : pair_stats(p.client).illegal_decisions;
	a.o->extension = !p.ended && pair_stats(p.client).extension != 0;
	pair_close(&p);
}

static struct outcome run(struct job job)
{
	struct outcome o;

	if (job.seed == 0)
		job.seed = 31;
	isolate_run(transfer, &job, &o, sizeof(o));
	printf("%s, lie %d about %u, blind %d: %llu us, %u injected, %u forged\n", job.scheduler,
	       (int)job.lie, job.about, job.blind, (unsigned long long)o.done_us, o.injected, o.forged);
	assert_true(o.delivered);
	assert_int_equal(o.illegal, 0);
	return o;
}

static void without_a_tag_nothing_is_believed(void **state)
{
	struct job job = {.n_paths = 2, .bytes = 1500000, .scheduler = "arrival"};
	struct outcome quiet = run(job), o;

	(void)state;
	job.blind = true;
	o = run(job);
	/* Every type in all eight ways at least three times. */
	assert_true(o.injected > 3 * 8 * N_TYPES);
	assert_true(o.extension);
	assert_true(o.done_us * 10 <= quiet.done_us * 11);
}

static void lies_about_one_path_cost_no_more_than_that_path(void **state)
{
	static const char *const schedulers[] = {"arrival", "lcm", "rr"};
	const enum lie lies[] = {HEARD_AT_ONCE, HEARD_LATE, SAWTOOTH};

	(void)state;
	for (unsigned s = 0; s < 3; s++) {
		struct outcome best =
		    run((struct job){.n_paths = 1, .bytes = 2000000, .scheduler = schedulers[s]});

		for (unsigned i = 0; i < 3; i++) {
			for (uint16_t about = 1; about <= 2; about++) {
				struct outcome o = run((struct job){.n_paths = 2,
				                                    .bytes = 2000000,
				                                    .scheduler = schedulers[s],
				                                    .lie = lies[i],
				                                    .about = about});

				assert_true(o.forged > 100);
				assert_true(o.done_us * 9 <= best.done_us * 10);
			}
		}
	}
}

static void an_address_that_nobody_confirmed_gets_no_data(void **state)
{
	struct outcome o =
	    run((struct job){.n_paths = 2, .bytes = 1000000, .scheduler = "arrival", .unconfirmed = true});

	(void)state;
	assert_int_equal(o.data_on_second, 0);
	assert_in_range(o.heartbeats_on_second, 1, 20);
}

/* Each begins at the same time of the same clock. */
static void stamps_of_associations_have_nothing_in_common(void **state)
{
	enum { ASSOCIATIONS = 8 };
	uint32_t stamps[ASSOCIATIONS];

	(void)state;
	for (unsigned i = 0; i < ASSOCIATIONS; i++) {
		stamps[i] = run((struct job){.seed = i + 1, .n_paths = 1, .bytes = 5000, .scheduler = "rr"})
		                .first_stamp;
		for (unsigned k = 0; k < i; k++) {
			uint32_t apart = stamps[i] - stamps[k];

			/* More than a second, either way: 28 pairs of random numbers are. */
			assert_in_range(apart, 1000000, UINT32_MAX - 1000000);
		}
	}
}

struct naming {
	const char *scheduler; /* of the stack; NULL = none */
	bool extension;        /* of the peer */
};
static const struct naming *naming; /* of the child */

static void choose_scheduler(struct socket *so)
{
	policy_choose(so, SCTP_CMT_SCHEDULER, naming->scheduler);
}

/* An address of somebody else in the INIT, of a peer without and with the extension. */
static const struct raw_options victim[] = {{.n_paths = 2,
                                             .parameters = {RAW_ADDRESS(0), RAW_ADDRESS(1)},
                                             .parameters_bytes = 16,
                                             .configure = choose_scheduler},
                                            {.n_paths = 2,
                                             .parameters = {RAW_ADDRESS(0), RAW_ADDRESS(1), RAW_SPEAKS_OURS},
                                             .parameters_bytes = 16 + RAW_SPEAKS_OURS_BYTES,
                                             .configure = choose_scheduler}};

struct asked {
	unsigned while_silent, while_sending; /* HEARTBEATs to it */
};

enum { SILENT_US = 6000000, SENDING_US = 20000000, BETWEEN_US = 500000 };

static unsigned asked_since(const struct raw *r, unsigned since)
{
	unsigned n = 0;
	struct chunk c;

	for (unsigned i = since; i < r->n_heard; i++)
		n += r->heard[i].path == 1 &&
		     packet_find(r->heard[i].bytes, r->heard[i].len, CHUNK_HEARTBEAT, &c);
	return n;
}

static void name_a_victim(const void *job, void *outcome)
{
	struct asked *o = outcome;
	struct packet_draft d;
	unsigned since;
	struct raw r;

	naming = job;
	raw_listen(&r, &victim[naming->extension]);
	raw_ask_cookie(&r);
	raw_begin_cookie_echo(&r, &d);
	raw_send(&r, 0, &d);
	raw_run(&r, SILENT_US);
	o->while_silent = asked_since(&r, 0);
	since = r.n_heard;
	for (uint16_t i = 0; i < SENDING_US / BETWEEN_US; i++) {
		raw_begin(&r, &d);
		raw_add_data(&r, &d, 0, i, 100);
		raw_send(&r, 0, &d);
		raw_run(&r, BETWEEN_US);
	}
	o->while_sending = asked_since(&r, since);
	raw_close(&r);
}

static void who_names_a_victim_and_goes_silent_causes_one_heartbeat(void **state)
{
	const char *scheduler = NULL;

	(void)state;
	for (unsigned i = 0; i == 0 || scheduler != NULL; scheduler = usrsctp_cmt_scheduler_name(i++)) {
		for (int extension = 0; extension < 2; extension++) {
			const struct naming job = {.scheduler = scheduler, .extension = extension};
			struct asked o;

			isolate_run(name_a_victim, &job, &o, sizeof(o));
			printf("%s, extension %d: %u HEARTBEATs to a silent peer's address, %u while it "
			       "sends\n",
			       scheduler != NULL ? scheduler : "none", extension, o.while_silent,
			       o.while_sending);
			assert_int_equal(o.while_silent, 1);
			assert_in_range(o.while_sending, 1, SENDING_US / BETWEEN_US);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(without_a_tag_nothing_is_believed),
	    cmocka_unit_test(lies_about_one_path_cost_no_more_than_that_path),
	    cmocka_unit_test(an_address_that_nobody_confirmed_gets_no_data),
	    cmocka_unit_test(who_names_a_victim_and_goes_silent_causes_one_heartbeat),
	    cmocka_unit_test(stamps_of_associations_have_nothing_in_common),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
