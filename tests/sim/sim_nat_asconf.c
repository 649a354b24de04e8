/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A NAT gives an idle host another address, and what the host says next is an ASCONF: one of its addresses is
 * gone. The ASCONF names an address that the peer cannot know, and comes from one that it does not know yet.
 * It is no packet out of the blue. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/packet.h"
#include "support/pair.h"

enum { S = 1000000, PATHS = 2, BYTES = 200000, IDLE_US = 5 * S };

struct outcome {
	bool complete, ended, survives;
	unsigned asconfs, answers, aborts; /* answers: ASCONF-ACKs that arrived */
};

static struct pair pair;
static struct outcome *seen;

static void watch(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *p, void *arg)
{
	(void)sim;
	(void)arg;
	if (p->event != USRSCTP_CMT_SIM_DELIVERED)
		return;
	seen->asconfs += packet_has(p->packet, p->packet_bytes, CHUNK_ASCONF);
	seen->answers += packet_has(p->packet, p->packet_bytes, CHUNK_ASCONF_ACK);
	seen->aborts += packet_has(p->packet, p->packet_bytes, CHUNK_ABORT);
}

static void build(struct usrsctp_cmt_sim *sim, void *arg)
{
	static const struct usrsctp_cmt_sim_nat nat = {.filtering =
	                                                   USRSCTP_CMT_SIM_NAT_ADDRESS_AND_PORT_DEPENDENT};

	(void)arg;
	for (int path = 0; path < PATHS; path++) {
		REQUIRE(usrsctp_cmt_sim_add_nat(sim, PAIR_CLIENT, &nat) == path);
		REQUIRE(usrsctp_cmt_sim_behind(sim, path, path) == 0);
	}
}

static void configure(struct socket *so, int host, void *arg)
{
	const struct sctp_assoc_value none = {.assoc_id = SCTP_FUTURE_ASSOC,
	                                      .assoc_value = SCTP_CMT_INIT_ADDRESSES_NONE};

	(void)arg;
	REQUIRE(usrsctp_cmt_sim_encapsulate(pair.sim, so, PAIR_SERVER, host == PAIR_SERVER ? -1 : 0) == 0);
	if (host == PAIR_CLIENT)
		REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_CMT_INIT_ADDRESSES, &none, sizeof(none)) ==
		        0);
}

static void linger(uint64_t for_us)
{
	pair_linger(&pair, usrsctp_cmt_sim_now_us(pair.sim) + for_us);
}

static void rebind_and_remove(const void *job, void *outcome)
{
	static const struct usrsctp_cmt_sim_link link = {.rate_bps = 8000000, .delay_us = 10000};
	const bool new_address = *(const bool *)job;
	const struct pair_options options = {.n_paths = PATHS,
	                                     .forward = {link, link},
	                                     .backward = {link, link},
	                                     .bytes = BYTES,
	                                     .scheduler = "auto",
	                                     .build = build,
	                                     .configure = configure,
	                                     .tap = watch};

	seen = outcome;
	pair_open(&pair, &options);
	pair_run(&pair, 20 * S);
	seen->complete = pair.complete && pair.intact;
	linger(IDLE_US);
	REQUIRE(usrsctp_cmt_sim_rebind_nat(pair.sim, 0, new_address) == 0);
	REQUIRE(usrsctp_cmt_sim_rebind(pair.sim, pair.client, PAIR_CLIENT, 1, false) == 0);
	linger(IDLE_US);
	seen->ended = pair.ended;
	seen->survives =
	    !pair.ended && usrsctp_sendv(pair.client, "x", 1, NULL, 0, NULL, 0, SCTP_SENDV_NOINFO, 0) == 1;
	pair_close(&pair);
}

static void an_asconf_from_behind_a_nat_that_has_changed_ends_nothing(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		const bool new_address = i == 1;
		struct outcome o;

		isolate_run(rebind_and_remove, &new_address, &o, sizeof(o));
		print_message("%u ASCONFs, %u answers, %u ABORTs\n", o.asconfs, o.answers, o.aborts);
		assert_true(o.complete);
		assert_int_equal(o.aborts, 0);
		assert_false(o.ended);
		assert_true(o.survives);
		assert_in_range(o.asconfs, 1, 3);
		assert_in_range(o.answers, 1, o.asconfs);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_asconf_from_behind_a_nat_that_has_changed_ends_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
