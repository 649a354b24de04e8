/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The last packets of a transfer are lost, behind which nothing comes that would tell. A probe goes (RFC
 * 8985, section 7); its acknowledgement shows what was lost before it, also where the probe is short and so
 * takes less than any round trip before: nobody waits for T3. */
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
	MESSAGE_BYTES = 1000,
	MESSAGES = 23,
	LAST_MESSAGE_BYTES = 600,
	LOST_MESSAGES = 3,
	RTT_US = 20 * MS,
	WAIT_US = 3000 * MS
};

struct outcome {
	uint64_t done_us, dropped_pkts, timeouts;
};

static void run(const void *options, void *outcome)
{
	const struct pair_options *o = options;
	struct outcome *out = outcome;
	struct sctp_cmt_path_stats paths[USRSCTP_CMT_SIM_MAX_PATHS];
	struct pair pair;

	pair_open(&pair, o);
	pair_run(&pair, WAIT_US);
	REQUIRE(pair.complete && pair.intact);
	out->done_us = pair.done_us;
	out->dropped_pkts = pair_links(&pair).dropped_pkts;
	for (int i = pair_path_stats(pair.client, paths) - 1; i >= 0; i--)
		out->timeouts += paths[i].timeouts;
	pair_close(&pair);
}

static void assert_done(const struct pair_options *o, uint64_t least_dropped_pkts, uint64_t most_us)
{
	struct outcome out = {.done_us = 0};

	isolate_run(run, o, &out, sizeof(out));
	print_message("%.1f ms of %.1f, %u packets dropped\n", (double)out.done_us / MS, (double)most_us / MS,
	              (unsigned)out.dropped_pkts);
	assert_true(out.dropped_pkts >= least_dropped_pkts);
	assert_int_equal(out.timeouts, 0);
	assert_in_range(out.done_us, 0, most_us);
}

/* Whatever carries one of the last messages for the first time is lost. */
static void lose_the_last(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *packet, void *arg)
{
	static uint32_t n_messages;
	struct usrsctp_cmt_sim_link link;
	struct chunk c;

	(void)arg;
	if (packet->event != USRSCTP_CMT_SIM_SENT || packet->direction != 0)
		return;
	if (packet_find(packet->packet, packet->packet_bytes, CHUNK_DATA, &c))
		n_messages++;
	REQUIRE(usrsctp_cmt_sim_get_link(sim, packet->path, 0, &link) == 0);
	link.down = n_messages > MESSAGES - LOST_MESSAGES && n_messages <= MESSAGES;
	REQUIRE(usrsctp_cmt_sim_set_link(sim, packet->path, 0, &link) == 0);
}

/* Handshake, three windows, the time to a probe, and two round trips for that and what it shows. */
static void a_short_probe_shows_what_was_lost_before_it(void **state)
{
	const struct usrsctp_cmt_sim_link link = {.rate_bps = 10000000, .delay_us = RTT_US / 2};
	const struct pair_options o = {.bytes = (MESSAGES - 1) * MESSAGE_BYTES + LAST_MESSAGE_BYTES,
	                               .message_bytes = MESSAGE_BYTES,
	                               .scheduler = "auto",
	                               .seed = 1,
	                               .n_paths = 1,
	                               .forward = {link},
	                               .backward = {link},
	                               .tap = lose_the_last};

	(void)state;
	assert_done(&o, LOST_MESSAGES, (2 + 3 + 2 + 2) * RTT_US);
}

/* A network of conext17, 256 kB. */
static void assert_conext17_done(struct usrsctp_cmt_sim_link first, struct usrsctp_cmt_sim_link second,
                                 uint64_t least_dropped_pkts, uint64_t most_us)
{
	const struct pair_options o = {.bytes = 256000,
	                               .message_bytes = 1400,
	                               .rcvbuf_bytes = 6000000,
	                               .scheduler = "auto",
	                               .seed = 1,
	                               .n_paths = 2,
	                               .forward = {first, second},
	                               .backward = {first, second}};

	assert_done(&o, least_dropped_pkts, most_us);
}

/* low-bdp 160: the end of its only window does not fit into the queue of the slower path. */
static void so_it_does_beside_another_path(void **state)
{
	const struct usrsctp_cmt_sim_link slow = {
	    .rate_bps = 26290000, .delay_us = 8600, .queue_bytes = 10000};
	const struct usrsctp_cmt_sim_link fast = {
	    .rate_bps = 58170000, .delay_us = 4900, .queue_bytes = 51000};

	(void)state;
	assert_conext17_done(slow, fast, 2, 140 * MS);
}

/* low-bdp 112: the queue of the thin path takes two packets, and its last one is lost. The wide path has
 * nothing left to send: it carries a copy. 470 ms without. */
static void another_path_that_idles_carries_a_copy(void **state)
{
	const struct usrsctp_cmt_sim_link wide = {
	    .rate_bps = 18900000, .delay_us = 24700, .queue_bytes = 194000};
	const struct usrsctp_cmt_sim_link thin = {.rate_bps = 430000, .delay_us = 5300, .queue_bytes = 3000};

	(void)state;
	assert_conext17_done(wide, thin, 5, 420 * MS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_short_probe_shows_what_was_lost_before_it),
	    cmocka_unit_test(so_it_does_beside_another_path),
	    cmocka_unit_test(another_path_that_idles_carries_a_copy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
