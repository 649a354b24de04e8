/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The first windows of a transfer. A path begins with ten packets (RFC 9002, section 7.2). In slow start
 * nothing follows the packet that fills a window, and where it is an odd one its SACK would be delayed until
 * the next window comes: it is asked for (RFC 7053), and the window grows a round trip sooner. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/pair.h"
#include "support/policy.h"

enum {
	MS = 1000,
	RTT_US = 10 * MS,
	MESSAGE_BYTES = 1400,
	HANDSHAKE_RTTS = 2,
	WAIT_US = 1000 * MS
};

struct start {
	uint32_t bytes;
	const char *control; /* of SCTP_CMT_CC, with these options */
	const char *options;
};

static void configure(struct socket *so, int host, void *arg)
{
	const struct start *const s = arg;
	const int at_once = 1;

	(void)host;
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_NODELAY, &at_once, sizeof(at_once)) == 0);
	REQUIRE(policy_set(so, SCTP_CMT_CC, SCTP_FUTURE_ASSOC, s->control, s->options) == 0);
}

static void run(const void *job, void *done_us)
{
	struct start start = *(const struct start *)job;
	const struct usrsctp_cmt_sim_link link = {.rate_bps = 100000000,
	                                          .delay_us = RTT_US / 2,
	                                          .queue_pkts = 100};
	const struct pair_options o = {.bytes = start.bytes,
	                               .message_bytes = MESSAGE_BYTES,
	                               .seed = 1,
	                               .scheduler = "auto",
	                               .n_paths = 1,
	                               .forward = {link},
	                               .backward = {link},
	                               .configure = configure,
	                               .arg = &start};
	struct pair pair;

	pair_open(&pair, &o);
	pair_run(&pair, WAIT_US);
	REQUIRE(pair.complete && pair.intact);
	*(uint64_t *)done_us = pair.done_us;
	pair_close(&pair);
}

static void assert_windows(const char *control, const char *options, uint32_t messages, uint64_t windows)
{
	const struct start start = {
	    .bytes = messages * MESSAGE_BYTES, .control = control, .options = options};
	/* The last window takes half a round trip, and 0.12 ms for a packet. */
	const uint64_t least_us = (HANDSHAKE_RTTS + windows - 1) * RTT_US + RTT_US / 2;
	const uint64_t most_us = least_us + 3 * MS;
	uint64_t done_us = 0;

	isolate_run(run, &start, &done_us, sizeof(done_us));
	print_message("%u messages, %s:%s: %.1f ms of %.1f\n", messages, control, options,
	              (double)done_us / MS, (double)most_us / MS);
	assert_in_range(done_us, least_us, most_us);
}

static void the_first_window_has_ten_packets(void **state)
{
	(void)state;
	assert_windows("veno", "", 7, 1);
	assert_windows("veno", "", 9, 2);
	assert_windows("veno", "initial_pkts=3", 7, 2);
	assert_windows("veno", "initial_pkts=20", 14, 1);
	assert_windows("stock", "", 7, 2);
}

/* A SACK opens the window by a packet (RFC 9260, section 7.2.1), be it of two or, at the end, of one. */
static void an_odd_packet_that_fills_a_window_opens_the_next(void **state)
{
	(void)state;
	assert_windows("veno", "initial_pkts=4", 11, 2);
	assert_windows("veno", "initial_pkts=4", 26, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_first_window_has_ten_packets),
	    cmocka_unit_test(an_odd_packet_that_fills_a_window_opens_the_next),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
