/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which of our addresses a peer is told, and when: an INIT names none unless asked to, and the paths from the
 * others are there all the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/packet.h"
#include "support/pair.h"
#include "support/policy.h"

enum { S = 1000000, BYTES = 6000000, N_PATHS = 2, PARAMETER_IPV4 = 5, PARAMETER_IPV6 = 6 };
enum { WAIT_US = 30 * S, LEAVE = 9 };

/* What the server understands. */
enum peer { OURS, STOCK, STOCK_WITHOUT_ASCONF };

struct job {
	enum peer peer;
	uint32_t init_addresses; /* SCTP_CMT_INIT_ADDRESSES; LEAVE: not set */
	int family;
	bool plain;           /* the client has no scheduler */
	bool first_init_lost; /* so that another goes to, and from, another address */
	uint64_t seed;
};

struct outcome {
	bool complete, ended, named;
	unsigned inits, asconfs, aborts;
	uint64_t up_us, done_us;
	uint64_t sent_bytes[N_PATHS];
	/* What left from the address that the peer did not know, while it was not asked to agree and did. */
	uint64_t early_pkts, own_pkts; /* and altogether */
	uint64_t second_data_us;       /* first data on the other path */
};

static const struct job *job;
static struct outcome *outcome;
static struct pair pair;
static int known = -1; /* path of the client's address that the peer knows: which was answered first */
static bool agreed;    /* to the other */

static void set_value(struct socket *so, int option, uint32_t value)
{
	const struct sctp_assoc_value v = {.assoc_value = value};

	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, option, &v, sizeof(v)) == 0);
}

static void configure(struct socket *so, int host, void *arg)
{
	(void)arg;
	if (host == PAIR_CLIENT && job->init_addresses != LEAVE)
		set_value(so, SCTP_CMT_INIT_ADDRESSES, job->init_addresses);
	if (host == PAIR_CLIENT && !job->plain)
		policy_choose(so, SCTP_CMT_SCHEDULER, "auto");
	if (host == PAIR_SERVER && job->peer != OURS)
		set_value(so, SCTP_CMT_EXTENSION, SCTP_CMT_EXTENSION_NEVER);
	if (host == PAIR_SERVER && job->peer == STOCK_WITHOUT_ASCONF)
		set_value(so, SCTP_ASCONF_SUPPORTED, 0);
}

/* Sent by the client from its own address on that path. */
static uint64_t count_from(struct usrsctp_cmt_sim *sim, int path)
{
	struct usrsctp_cmt_sim_link_stats s;

	REQUIRE(usrsctp_cmt_sim_link_stats(sim, path, PAIR_CLIENT, &s) == 0);
	return s.sent_pkts - s.misrouted_pkts;
}

static void lose(struct usrsctp_cmt_sim *sim, int path, bool on)
{
	struct usrsctp_cmt_sim_link link;

	REQUIRE(usrsctp_cmt_sim_get_link(sim, path, PAIR_CLIENT, &link) == 0);
	link.down = on;
	REQUIRE(usrsctp_cmt_sim_set_link(sim, path, PAIR_CLIENT, &link) == 0);
}

static void on_sent(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *p)
{
	struct chunk c, parameter;

	if (packet_find(p->packet, p->packet_bytes, CHUNK_INIT, &c)) {
		outcome->named |= packet_find_parameter(&c, PARAMETER_IPV4, &parameter) ||
		                  packet_find_parameter(&c, PARAMETER_IPV6, &parameter);
		for (int path = 0; path < N_PATHS; path++)
			lose(sim, path, job->first_init_lost && outcome->inits == 0);
		outcome->inits++;
	}
	outcome->asconfs += packet_has(p->packet, p->packet_bytes, CHUNK_ASCONF);
	if (known >= 0 && p->path != known && outcome->second_data_us == 0 &&
	    (packet_has(p->packet, p->packet_bytes, CHUNK_DATA) ||
	     packet_has(p->packet, p->packet_bytes, CHUNK_IDATA)))
		outcome->second_data_us = p->at_us;
}

/* At the client. */
static void on_arrived(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *p)
{
	static uint64_t sent_before;

	if (known < 0 && packet_has(p->packet, p->packet_bytes, CHUNK_INIT_ACK)) {
		known = p->path;
		sent_before = count_from(sim, 1 - known);
	}
	if (packet_has(p->packet, p->packet_bytes, CHUNK_COOKIE_ACK))
		outcome->up_us = p->at_us;
	if (packet_has(p->packet, p->packet_bytes, CHUNK_ASCONF_ACK))
		agreed = true;
	if (known >= 0 && !agreed)
		outcome->early_pkts = count_from(sim, 1 - known) - sent_before;
}

static void watch(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *p, void *arg)
{
	(void)arg;
	if (p->event == USRSCTP_CMT_SIM_SENT && p->direction == PAIR_CLIENT)
		on_sent(sim, p);
	if (p->event != USRSCTP_CMT_SIM_DELIVERED)
		return;
	outcome->aborts += packet_has(p->packet, p->packet_bytes, CHUNK_ABORT);
	if (p->direction == PAIR_CLIENT)
		outcome->sent_bytes[p->path] += p->packet_bytes;
	else
		on_arrived(sim, p);
}

static void run(const void *what, void *out)
{
	static const struct usrsctp_cmt_sim_link link = {
	    .rate_bps = 8000000, .delay_us = 20000, .queue_pkts = 100};
	struct pair_options o = {.n_paths = N_PATHS,
	                         .bytes = BYTES,
	                         .rcvbuf_bytes = 1000000,
	                         .configure = configure,
	                         .tap = watch};

	job = what;
	outcome = out;
	o.seed = job->seed;
	o.family = job->family;
	for (int path = 0; path < N_PATHS; path++)
		o.forward[path] = o.backward[path] = link;
	pair_open(&pair, &o);
	pair_run(&pair, WAIT_US);
	outcome->complete = pair.complete && pair.intact;
	outcome->ended = pair.ended;
	outcome->done_us = pair.done_us;
	outcome->own_pkts = count_from(pair.sim, 1 - known);
	pair_close(&pair);
}

static struct outcome run_isolated(struct job what)
{
	struct outcome o;

	isolate_run(run, &what, &o, sizeof(o));
	print_message(
	    "peer %d, addresses %u: INIT %s them, %u ASCONF, %llu packets early; %.2f s, %llu and %llu "
	    "bytes, data on both %.0f ms after it was up\n",
	    (int)what.peer, what.init_addresses, o.named ? "names" : "does not name", o.asconfs,
	    (unsigned long long)o.early_pkts, (double)o.done_us / S, (unsigned long long)o.sent_bytes[0],
	    (unsigned long long)o.sent_bytes[1],
	    o.second_data_us > 0 ? ((double)o.second_data_us - (double)o.up_us) / 1000 : -1.0);
	return o;
}

static const int families[] = {AF_INET, AF_INET6};

/* Sum of both links: 6 MB in 3 s. */
static void assert_both_used(const struct outcome *o)
{
	assert_true(o->complete);
	assert_false(o->ended);
	assert_int_equal(o->aborts, 0);
	assert_true(o->sent_bytes[0] > BYTES * 2 / 5);
	assert_true(o->sent_bytes[1] > BYTES * 2 / 5);
}

static void a_peer_with_the_extension_hears_of_the_other_address_by_a_packet_from_there(void **state)
{
	(void)state;
	for (unsigned f = 0; f < 2; f++) {
		struct outcome o = run_isolated((struct job){.peer = OURS,
		                                             .init_addresses = SCTP_CMT_INIT_ADDRESSES_NONE,
		                                             .family = families[f],
		                                             .seed = 1 + f});

		assert_both_used(&o);
		assert_false(o.named);
		assert_int_equal(o.asconfs, 0);
		assert_in_range(o.second_data_us - o.up_us, 0, 120000);
	}
}

static void a_stock_peer_is_asked_to_agree_first(void **state)
{
	(void)state;
	for (unsigned f = 0; f < 2; f++) {
		for (int lost = 0; lost < 2; lost++) {
			struct outcome o =
			    run_isolated((struct job){.peer = STOCK,
			                              .init_addresses = SCTP_CMT_INIT_ADDRESSES_NONE,
			                              .family = families[f],
			                              .first_init_lost = lost != 0,
			                              .seed = 3 + f});

			assert_both_used(&o);
			assert_false(o.named);
			assert_int_equal(o.asconfs, 1);
			assert_int_equal(o.early_pkts, 0);
			assert_true(o.own_pkts > 1000);
		}
	}
}

static void one_that_cannot_be_asked_sees_one_address_only(void **state)
{
	(void)state;
	for (int lost = 0; lost < 2; lost++) {
		struct outcome o = run_isolated((struct job){.peer = STOCK_WITHOUT_ASCONF,
		                                             .init_addresses = SCTP_CMT_INIT_ADDRESSES_NONE,
		                                             .first_init_lost = lost != 0,
		                                             .seed = 5});

		assert_true(o.complete);
		assert_int_equal(o.aborts, 0);
		assert_int_equal(o.asconfs, 0);
		assert_in_range(o.own_pkts, 1, 1 + lost);
	}
}

static void addresses_are_named_on_request_and_without_a_scheduler(void **state)
{
	static const struct job jobs[] = {
	    {.peer = STOCK, .init_addresses = SCTP_CMT_INIT_ADDRESSES_ALL},
	    {.peer = STOCK, .init_addresses = LEAVE},
	    {.peer = OURS, .init_addresses = LEAVE},
	    {.peer = OURS, .init_addresses = SCTP_CMT_INIT_ADDRESSES_NONE, .plain = true},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		struct job what = jobs[i];
		struct outcome o;

		what.seed = 6 + i;
		o = run_isolated(what);
		assert_true(o.complete);
		assert_true(o.named);
		assert_int_equal(o.asconfs, 0);
		assert_int_equal(o.aborts, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_peer_with_the_extension_hears_of_the_other_address_by_a_packet_from_there),
	    cmocka_unit_test(a_stock_peer_is_asked_to_agree_first),
	    cmocka_unit_test(one_that_cannot_be_asked_sees_one_address_only),
	    cmocka_unit_test(addresses_are_named_on_request_and_without_a_scheduler),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
