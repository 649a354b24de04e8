/* SPDX-License-Identifier: BSD-3-Clause
 *
 * In slow start nothing follows the packet that fills a window, and where it is an odd one its SACK would be
 * delayed until the next window comes: it is asked for (RFC 7053), and the window grows a round trip sooner. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/pair.h"

enum {
	MS = 1000,
	RTT_US = 10 * MS,
	MESSAGE_BYTES = 1400,
	HANDSHAKE_RTTS = 2,
	WAIT_US = 1000 * MS
};

static void run(const void *bytes, void *done_us)
{
	const struct usrsctp_cmt_sim_link link = {.rate_bps = 100000000,
	                                          .delay_us = RTT_US / 2,
	                                          .queue_pkts = 100};
	const struct pair_options o = {.bytes = *(const uint32_t *)bytes,
	                               .message_bytes = MESSAGE_BYTES,
	                               .seed = 1,
	                               .scheduler = "auto",
	                               .n_paths = 1,
	                               .forward = {link},
	                               .backward = {link}};
	struct pair pair;

	pair_open(&pair, &o);
	pair_run(&pair, WAIT_US);
	REQUIRE(pair.complete && pair.intact);
	*(uint64_t *)done_us = pair.done_us;
	pair_close(&pair);
}

static void assert_windows(uint32_t messages, uint64_t windows)
{
	const uint32_t bytes = messages * MESSAGE_BYTES;
	/* The last window takes half a round trip, and 0.12 ms for a packet. */
	const uint64_t most_us = (HANDSHAKE_RTTS + windows) * RTT_US - RTT_US / 2 + 3 * MS;
	uint64_t done_us = 0;

	isolate_run(run, &bytes, &done_us, sizeof(done_us));
	print_message("%u messages: %.1f ms of %.1f\n", messages, (double)done_us / MS, (double)most_us / MS);
	assert_in_range(done_us, 0, most_us);
}

/* A SACK opens the window by a packet (RFC 9260, section 7.2.1), be it of two or, at the end, of one. */
static void an_odd_packet_that_fills_a_window_opens_the_next(void **state)
{
	(void)state;
	assert_windows(11, 2);
	assert_windows(26, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_odd_packet_that_fills_a_window_opens_the_next),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
