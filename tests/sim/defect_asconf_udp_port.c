/* SPDX-License-Identifier: BSD-3-Clause
 *
 * SCTP in UDP (RFC 6951): an address that the peer takes back and adds again (ASCONF) is reached in UDP, as
 * it was before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <unistd.h>

#include "support/isolate.h"
#include "support/packet.h"
#include "support/pair.h"
#include "support/variant.h"

enum { S = 1000000, PATHS = 2, BYTES = 20000, IP_BYTES = 40, THREAD_US = 200000 };

struct outcome {
	bool complete, ended;
	unsigned asconfs, bare_pkts; /* bare: not in UDP */
};

static struct pair pair;
static struct outcome seen;

static void watch(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *p, void *arg)
{
	(void)sim;
	(void)arg;
	if (p->event != USRSCTP_CMT_SIM_SENT)
		return;
	seen.asconfs += packet_has(p->packet, p->packet_bytes, CHUNK_ASCONF);
	seen.bare_pkts += p->wire_bytes == p->packet_bytes + IP_BYTES;
}

static void put_in_udp(struct socket *so, int host, void *arg)
{
	(void)arg;
	REQUIRE(usrsctp_cmt_sim_encapsulate(pair.sim, so, PAIR_SERVER, host == PAIR_SERVER ? -1 : 0) == 0);
}

/* Upstream leaves the ASCONF to a thread. */
static void change(bool add)
{
	REQUIRE(usrsctp_cmt_sim_rebind(pair.sim, pair.client, PAIR_CLIENT, 1, add) == 0);
	if (!CMT_TEST_FIXED)
		(void)usleep(THREAD_US);
	pair_linger(&pair, usrsctp_cmt_sim_now_us(pair.sim) + 2 * S);
}

static void go_and_come(const void *job, void *outcome)
{
	static const struct usrsctp_cmt_sim_link link = {.rate_bps = 10000000, .delay_us = 5000};
	/* Over IPv4 upstream takes nothing back. */
	const struct pair_options options = {.family = AF_INET6,
	                                     .n_paths = PATHS,
	                                     .forward = {link, link},
	                                     .backward = {link, link},
	                                     .bytes = BYTES,
	                                     .configure = put_in_udp,
	                                     .tap = watch};

	(void)job;
	pair_open(&pair, &options);
	pair_run(&pair, 10 * S);
	pair_linger(&pair, usrsctp_cmt_sim_now_us(pair.sim) + S);
	seen.complete = pair.complete && pair.intact;
	REQUIRE(seen.bare_pkts == 0);
	change(false);
	change(true);
	seen.ended = pair.ended;
	*(struct outcome *)outcome = seen;
	pair_close(&pair);
}

static void an_address_that_is_added_is_reached_in_udp(void **state)
{
	struct outcome o;

	(void)state;
	do
		isolate_run(go_and_come, NULL, &o, sizeof(o));
	while (!CMT_TEST_FIXED && o.asconfs < 2);
	print_message("%u ASCONFs, %u packets outside of UDP\n", o.asconfs, o.bare_pkts);
	assert_true(o.complete);
	assert_false(o.ended);
	assert_true(o.asconfs >= 2);
	assert_int_equal(o.bare_pkts == 0, CMT_TEST_FIXED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(an_address_that_is_added_is_reached_in_udp)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
