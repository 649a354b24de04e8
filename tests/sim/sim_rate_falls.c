/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One of two paths becomes eighty times slower with data under way on it. Neither window nor send buffer
 * fills: what is late there holds up the reader alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/transfer.h"

enum { FAST, FALLS, N_PATHS };
enum { N_INSTANTS = 5, FIRST_US = 2000000, APART_US = 37000, LASTS_MAX_US = 5000000 };

static uint64_t falls_us;

static struct transfer_message message(int host, uint32_t index)
{
	(void)host;
	(void)index;
	return (struct transfer_message){.bytes = 1400};
}

static const struct usrsctp_cmt_sim_link fast = {
    .rate_bps = 16000000, .delay_us = 20000, .queue_bytes = 300000};
static const struct usrsctp_cmt_sim_link falls = {
    .rate_bps = 16000000, .delay_us = 50000, .queue_bytes = 1000000};

static void fall(struct usrsctp_cmt_sim *sim, void *transfer)
{
	struct usrsctp_cmt_sim_link link = falls;

	(void)transfer;
	link.rate_bps = 200000;
	REQUIRE(usrsctp_cmt_sim_set_link(sim, FALLS, 0, &link) == 0);
}

static void fall_later(struct transfer *t)
{
	transfer_after(t, falls_us, fall);
}

static void what_is_late_is_sent_again_though_the_window_is_open(void **state)
{
	(void)state;
	for (unsigned i = 0; i < N_INSTANTS; i++) {
		const struct transfer_job job = {.scheduler = "auto",
		                                 .seed = 1,
		                                 .n_paths = N_PATHS,
		                                 .links = {[FAST] = fast, [FALLS] = falls},
		                                 .message = message,
		                                 .n_messages = {8000},
		                                 .rcvbuf_bytes = 16000000,
		                                 .sndbuf_bytes = 16000000,
		                                 .on_up = fall_later};
		struct transfer_outcome o;

		falls_us = FIRST_US + i * APART_US;
		o = transfer_run(&job);
		transfer_assert_arrived(&job, &o);
		print_message("all has arrived after %llu us, %llu copies\n", (unsigned long long)o.last_us,
		              (unsigned long long)o.stats[TRANSFER_CLIENT].copies);
		assert_in_range(o.last_us, 0, LASTS_MAX_US);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_is_late_is_sent_again_though_the_window_is_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
