/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An application takes an address away from an association that is full of data. It is the source of no packet
 * any more, not even of the ASCONF that says so, which the peer would refuse (RFC 5061, section 5.3): nothing
 * stands still. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/packet.h"
#include "support/pair.h"

enum {
	MS = 1000,
	RTT_US = 20 * MS,
	N_PATHS = 2,
	RATE_BPS = 10000000,
	BYTES = 3000000,
	DROP_US = 300 * MS,
	STEP_US = 5 * MS,
	DROPS = 20,
	WAIT_US = 20000 * MS
};

struct outcome {
	bool complete;
	uint64_t done_us, gap_us; /* the longest time in which the receiver read nothing */
	unsigned acks;            /* ASCONF-ACKs */
};

static struct outcome *outcome;
static uint64_t drop_us, last_us;
static struct pair pair;

static void watch(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *p, void *arg)
{
	static uint32_t read_bytes;

	(void)sim;
	(void)arg;
	if (p->event == USRSCTP_CMT_SIM_DELIVERED)
		outcome->acks += packet_has(p->packet, p->packet_bytes, CHUNK_ASCONF_ACK);
	if (pair.received_bytes == read_bytes)
		return;
	read_bytes = pair.received_bytes;
	if (last_us > drop_us && p->at_us - last_us > outcome->gap_us)
		outcome->gap_us = p->at_us - last_us;
	last_us = p->at_us;
}

static void drop(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct sockaddr_storage address;

	(void)arg;
	REQUIRE(usrsctp_cmt_sim_address(sim, PAIR_CLIENT, 0, 0, &address) == 0);
	REQUIRE(usrsctp_bindx(pair.client, (struct sockaddr *)&address, 1, SCTP_BINDX_REM_ADDR) == 0);
}

static void run(const void *at_us, void *out)
{
	const struct usrsctp_cmt_sim_link link = {
	    .rate_bps = RATE_BPS, .delay_us = RTT_US / 2, .queue_pkts = 100};
	const struct pair_options o = {.bytes = BYTES,
	                               .seed = 1,
	                               .scheduler = "auto",
	                               .n_paths = N_PATHS,
	                               .forward = {link, link},
	                               .backward = {link, link},
	                               .tap = watch};

	outcome = out;
	drop_us = *(const uint64_t *)at_us;
	pair_open(&pair, &o);
	REQUIRE(usrsctp_cmt_sim_at(pair.sim, drop_us, drop, NULL) == 0);
	pair_run(&pair, WAIT_US);
	outcome->complete = pair.complete && pair.intact;
	outcome->done_us = pair.done_us;
	pair_close(&pair);
}

static void it_is_no_source_any_more(void **state)
{
	/* As long as it would take on both paths, and half as long again. */
	const uint64_t most_us = (uint64_t)BYTES * 8 * 1000000 / RATE_BPS / N_PATHS * 3 / 2;

	(void)state;
	for (int i = 0; i < DROPS; i++) {
		const uint64_t at_us = DROP_US + (uint64_t)i * STEP_US;
		struct outcome o;

		isolate_run(run, &at_us, &o, sizeof(o));
		print_message("dropped at %.0f ms: %.0f ms, nothing read for %.1f ms\n", (double)at_us / MS,
		              (double)o.done_us / MS, (double)o.gap_us / MS);
		assert_true(o.complete);
		assert_int_equal(o.acks, 1);
		assert_in_range(o.gap_us, 0, 5 * RTT_US);
		assert_in_range(o.done_us, 0, most_us);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(it_is_no_source_any_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
