/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Paths behind NATs that forget what is silent for 30 s: both are there after 120 s without data, and at
 * once. Where there is no NAT, or the peer does not speak the extension, silence costs what it did. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/content.h"
#include "support/isolate.h"
#include "support/packet.h"
#include "support/pair.h"

enum { S = 1000000, BYTES = 1000000, MESSAGE_BYTES = 1000, IDLE_US = 120 * S, N_PATHS = 2, DELAY_US = 20000 };

struct job {
	int family;
	bool nats, plain_peer, plain_ip,
	    busy_first; /* plain_ip: not in UDP; busy_first: path 0 carries data meanwhile */
	uint64_t seed;
};

struct outcome {
	bool complete, ended;
	unsigned idle_pkts[N_PATHS];          /* sent by both while no data are */
	uint64_t longest_silence_us[N_PATHS]; /* of the client */
	uint64_t made_mappings, dropped_pkts; /* of both NATs */
	uint64_t resumed_us[N_PATHS];         /* first data delivered there afterwards, from then */
	uint64_t resumed_bytes[N_PATHS];
	unsigned aborts;
};

static const struct job *job;
static struct outcome *outcome;
static struct pair pair;
static struct pair_options options;
static uint64_t idle_since_us, idle_until_us;
static uint64_t sent_us[N_PATHS];

static void build(struct usrsctp_cmt_sim *sim, void *arg)
{
	static const struct usrsctp_cmt_sim_nat nat = {
	    .mapping = USRSCTP_CMT_SIM_NAT_ADDRESS_AND_PORT_DEPENDENT,
	    .filtering = USRSCTP_CMT_SIM_NAT_ADDRESS_AND_PORT_DEPENDENT,
	    .timeout_us = 30 * S};

	(void)arg;
	REQUIRE(usrsctp_cmt_sim_share_address(sim, 1, PAIR_SERVER, 0) == 0);
	for (int path = 0; path < N_PATHS && job->nats; path++) {
		REQUIRE(usrsctp_cmt_sim_add_nat(sim, PAIR_CLIENT, &nat) == path);
		REQUIRE(usrsctp_cmt_sim_behind(sim, path, path) == 0);
	}
}

static void configure(struct socket *so, int host, void *arg)
{
	const struct sctp_assoc_value never = {.assoc_value = SCTP_CMT_EXTENSION_NEVER},
	                              none = {.assoc_value = SCTP_CMT_INIT_ADDRESSES_NONE};

	(void)arg;
	if (!job->plain_ip)
		REQUIRE(usrsctp_cmt_sim_encapsulate(pair.sim, so, PAIR_SERVER,
		                                    host == PAIR_SERVER ? -1 : 0) == 0);
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_CMT_INIT_ADDRESSES, &none, sizeof(none)) == 0);
	if (host == PAIR_SERVER && job->plain_peer)
		REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_CMT_EXTENSION, &never, sizeof(never)) == 0);
}

static bool has_data(const struct usrsctp_cmt_sim_packet *p)
{
	return packet_has(p->packet, p->packet_bytes, CHUNK_DATA) ||
	       packet_has(p->packet, p->packet_bytes, CHUNK_IDATA);
}

static void watch(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *p, void *arg)
{
	(void)sim;
	(void)arg;
	if (p->event == USRSCTP_CMT_SIM_DELIVERED) {
		outcome->aborts += packet_has(p->packet, p->packet_bytes, CHUNK_ABORT);
		if (idle_until_us != 0 && p->at_us >= idle_until_us && p->direction == PAIR_CLIENT &&
		    has_data(p)) {
			if (outcome->resumed_us[p->path] == 0)
				outcome->resumed_us[p->path] = p->at_us - idle_until_us;
			outcome->resumed_bytes[p->path] += p->packet_bytes;
		}
	}
	if (p->event != USRSCTP_CMT_SIM_SENT || idle_since_us == 0 || idle_until_us != 0)
		return;
	outcome->idle_pkts[p->path]++;
	if (p->direction != PAIR_CLIENT)
		return;
	if (p->at_us - sent_us[p->path] > outcome->longest_silence_us[p->path])
		outcome->longest_silence_us[p->path] = p->at_us - sent_us[p->path];
	sent_us[p->path] = p->at_us;
}

/* `bytes` more, as far as they fit into the send buffer. */
static void give(uint32_t bytes)
{
	options.bytes += bytes;
	pair.complete = false;
	while (pair.sent_bytes < options.bytes) {
		if (usrsctp_sendv(pair.client, content_of_stream(pair.sent_bytes, MESSAGE_BYTES),
		                  MESSAGE_BYTES, NULL, 0, NULL, 0, SCTP_SENDV_NOINFO, 0) <= 0)
			break;
		pair.sent_bytes += MESSAGE_BYTES;
	}
}

static void be_idle(void)
{
	const uint64_t from_us = usrsctp_cmt_sim_now_us(pair.sim);

	pair_linger(&pair, from_us + S);
	idle_since_us = usrsctp_cmt_sim_now_us(pair.sim);
	for (int path = 0; path < N_PATHS; path++)
		sent_us[path] = idle_since_us;
	while (usrsctp_cmt_sim_now_us(pair.sim) < idle_since_us + IDLE_US) {
		if (job->busy_first)
			give(1000);
		pair_linger(&pair, usrsctp_cmt_sim_now_us(pair.sim) + S);
	}
	idle_until_us = usrsctp_cmt_sim_now_us(pair.sim);
}

static void run(const void *what, void *out)
{
	static const struct usrsctp_cmt_sim_link link = {
	    .rate_bps = 8000000, .delay_us = DELAY_US, .queue_pkts = 100};

	job = what;
	outcome = out;
	options = (struct pair_options){.seed = job->seed,
	                                .family = job->family,
	                                .n_paths = N_PATHS,
	                                .bytes = BYTES,
	                                .scheduler = "auto",
	                                .build = build,
	                                .configure = configure,
	                                .tap = watch};
	for (int path = 0; path < N_PATHS; path++)
		options.forward[path] = options.backward[path] = link;
	pair_open(&pair, &options);
	pair_run(&pair, 30 * S);
	REQUIRE(pair.complete);
	be_idle();
	give(BYTES);
	pair_run(&pair, idle_until_us + 30 * S);
	outcome->complete = pair.complete && pair.intact;
	outcome->ended = pair.ended;
	for (int nat = 0; nat < N_PATHS && job->nats; nat++) {
		struct usrsctp_cmt_sim_nat_stats s;

		REQUIRE(usrsctp_cmt_sim_nat_stats(pair.sim, nat, &s) == 0);
		outcome->made_mappings += s.made_mappings;
		outcome->dropped_pkts += s.dropped_filtered_pkts + s.dropped_unmapped_pkts;
	}
	pair_close(&pair);
}

static struct outcome run_isolated(struct job what)
{
	struct outcome o;

	isolate_run(run, &what, &o, sizeof(o));
	print_message(
	    "%s%s%s%s: idle for %d s: %u and %u packets, %.1f and %.1f s of silence; data again after "
	    "%.0f and %.0f ms; %llu mappings\n",
	    what.nats ? "NATs" : "no NATs", what.plain_peer ? ", plain peer" : "",
	    what.plain_ip ? ", in IP" : "", what.busy_first ? ", data on and off" : "", IDLE_US / S,
	    o.idle_pkts[0], o.idle_pkts[1], (double)o.longest_silence_us[0] / S,
	    (double)o.longest_silence_us[1] / S, (double)o.resumed_us[0] / 1000,
	    (double)o.resumed_us[1] / 1000, (unsigned long long)o.made_mappings);
	assert_true(o.complete);
	assert_false(o.ended);
	assert_int_equal(o.aborts, 0);
	return o;
}

static const int families[] = {AF_INET, AF_INET6};

static void both_uplinks_carry_data_at_once_after_two_minutes_behind_nats(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 3; seed++) {
		for (int busy = 0; busy < 2; busy++) {
			struct outcome o = run_isolated((struct job){.family = families[seed % 2],
			                                             .nats = true,
			                                             .busy_first = busy != 0,
			                                             .seed = seed});

			assert_int_equal(o.made_mappings, N_PATHS);
			assert_int_equal(o.dropped_pkts, 0);
			for (int path = 0; path < N_PATHS; path++) {
				assert_in_range(o.longest_silence_us[path], S, 20 * S);
				assert_in_range(o.resumed_us[path], DELAY_US, DELAY_US + 20000);
				assert_true(o.resumed_bytes[path] > BYTES / 4);
			}
		}
	}
}

/* What a path begins with may come 12 s sooner, no more often. */
static void without_a_nat_silence_costs_what_it_did(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 3; seed++) {
		struct outcome udp = run_isolated((struct job){.family = families[seed % 2], .seed = seed}),
		               ip = run_isolated((struct job){
		                   .family = families[seed % 2], .plain_ip = true, .seed = seed});

		for (int path = 0; path < N_PATHS; path++) {
			assert_in_range(udp.idle_pkts[path], 1, ip.idle_pkts[path]);
			assert_true(udp.longest_silence_us[path] > 25 * S);
		}
	}
}

static void a_peer_without_the_extension_hears_no_more_than_before(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 3; seed++) {
		struct outcome udp = run_isolated((struct job){.plain_peer = true, .seed = seed}),
		               ip = run_isolated(
		                   (struct job){.plain_peer = true, .plain_ip = true, .seed = seed});

		assert_int_equal(udp.idle_pkts[0], ip.idle_pkts[0]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(both_uplinks_carry_data_at_once_after_two_minutes_behind_nats),
	    cmocka_unit_test(without_a_nat_silence_costs_what_it_did),
	    cmocka_unit_test(a_peer_without_the_extension_hears_no_more_than_before),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
