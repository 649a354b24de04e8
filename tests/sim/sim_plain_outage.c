/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A peer without our extension, and outages: what was acknowledged waits in no queue, however slow the window
 * that a timeout leaves makes the path look. A scheduler that believed in such a queue would send a packet per
 * round trip until it has drained.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/transfer.h"

enum {
	N_MESSAGES = 4000,
	MESSAGE_BYTES = 1400,
	RATE_BPS = 20000000,
	QUEUE_PKTS = 200,
	QUEUE_US = QUEUE_PKTS * 1500 * 8 / (RATE_BPS / 1000000),
	OUTAGE_FROM_US = 600000,
	OUTAGE_US = 500000,
	PAUSE_US = 100000,
	WATCH_US = 10000,
	WATCH_UNTIL_US = 2200000
};

static struct transfer_message message(int host, uint32_t index)
{
	(void)host;
	(void)index;
	return (struct transfer_message){.bytes = MESSAGE_BYTES};
}

static void without_extension(struct socket *so)
{
	const struct sctp_assoc_value never = {.assoc_id = SCTP_FUTURE_ASSOC,
	                                       .assoc_value = SCTP_CMT_EXTENSION_NEVER};

	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_CMT_EXTENSION, &never, sizeof(never)) == 0);
}

static void watch(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct sctp_cmt_path_stats paths[USRSCTP_CMT_SIM_MAX_PATHS];
	int n = transfer_path_stats(arg, paths);

	for (int i = 0; i < n; i++)
		REQUIRE(paths[i].queue_us <= QUEUE_US);
	if (usrsctp_cmt_sim_now_us(sim) < WATCH_UNTIL_US)
		transfer_after(arg, WATCH_US, watch);
}

/* The first path is gone for good. */
static void begin(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)sim;
	transfer_set_down(arg, 0, true);
	transfer_set_down(arg, 1, true);
}

static void end(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)sim;
	transfer_set_down(arg, 1, false);
}

static void plan(struct transfer *t)
{
	watch(t->sim, t);
	for (unsigned i = 0; i < 2; i++) {
		transfer_after(t, OUTAGE_FROM_US + i * (OUTAGE_US + PAUSE_US), begin);
		transfer_after(t, OUTAGE_FROM_US + i * (OUTAGE_US + PAUSE_US) + OUTAGE_US, end);
	}
}

static void no_queue_is_longer_than_the_links(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 3; seed++) {
		const struct transfer_job job = {
		    .scheduler = "auto",
		    .seed = seed,
		    .n_paths = 2,
		    .links = {{.rate_bps = RATE_BPS, .delay_us = 5000, .queue_pkts = QUEUE_PKTS},
		              {.rate_bps = RATE_BPS, .delay_us = 15000, .queue_pkts = QUEUE_PKTS}},
		    .message = message,
		    .n_messages = {N_MESSAGES},
		    .configure = without_extension,
		    .on_up = plan,
		    .sndbuf_bytes = 1 << 20,
		    .rcvbuf_bytes = 1 << 20,
		    .limit_us = 60000000};
		struct transfer_outcome o = transfer_run(&job);

		transfer_assert_arrived(&job, &o);
		assert_true(o.timeouts > 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(no_queue_is_longer_than_the_links)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
