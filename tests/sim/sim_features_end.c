/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How associations end while there is still something to send: in order with unsent data, and by ABORT; and
 * how often a SHUTDOWN goes that nobody hears. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/packet.h"
#include "support/transfer.h"

static const char *const schedulers[] = {"rr", "lcm", "arrival"};
enum { N_SCHEDULERS = sizeof(schedulers) / sizeof(schedulers[0]) };

static struct transfer_message kilobyte(int host, uint32_t index)
{
	(void)host;
	return (struct transfer_message){.bytes = 1000, .stream = (uint16_t)(index % 3)};
}

/* All of it fits into the send buffer, so that shutdown comes before the first packet is acknowledged. */
static void shutdown_with_unsent_data_delivers_them(void **state)
{
	(void)state;
	for (unsigned s = 0; s < N_SCHEDULERS; s++) {
		for (uint64_t seed = 1; seed <= 4; seed++) {
			struct transfer_job job = transfer_two_paths(schedulers[s], seed);
			struct transfer_outcome o;

			job.message = kilobyte;
			job.n_messages[TRANSFER_CLIENT] = 400;
			job.sndbuf_bytes = 1000000;
			job.shutdown_at_once = true;
			job.links[0].loss = job.links[1].loss = seed > 2 ? 0.03 : 0;
			o = transfer_run(&job);
			transfer_assert_delivered(&job, &o);
		}
	}
}

/* Closing with SO_LINGER of zero seconds is how an application asks for ABORT. */
static void abort_now(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct transfer *t = arg;
	int host = (int)t->outcome->marks[0];
	struct linger linger = {.l_onoff = 1, .l_linger = 0};
	struct socket *so = t->sides[host].so;

	(void)sim;
	REQUIRE(usrsctp_setsockopt(so, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger)) == 0);
	usrsctp_set_upcall(so, NULL, NULL);
	usrsctp_close(so);
	t->sides[host].so = NULL;
	t->outcome->end[host] = TRANSFER_FAILED;
}

static void abort_from_client(struct transfer *t)
{
	t->outcome->marks[0] = TRANSFER_CLIENT;
	transfer_after(t, 300000, abort_now);
}

static void abort_from_server(struct transfer *t)
{
	t->outcome->marks[0] = TRANSFER_SERVER;
	transfer_after(t, 300000, abort_now);
}

static void an_abort_in_mid_transfer_is_told_to_the_other_end(void **state)
{
	(void)state;
	for (unsigned s = 0; s < N_SCHEDULERS; s++) {
		for (unsigned i = 0; i < 2; i++) {
			struct transfer_job job = transfer_two_paths(schedulers[s], 1 + i);
			struct transfer_outcome o;

			job.message = kilobyte;
			job.n_messages[TRANSFER_CLIENT] = job.n_messages[TRANSFER_SERVER] = 2000;
			job.on_up = i == 0 ? abort_from_client : abort_from_server;
			o = transfer_run(&job);
			assert_int_equal(o.wrong, 0);
			assert_int_equal(o.end[TRANSFER_CLIENT], TRANSFER_FAILED);
			assert_int_equal(o.end[TRANSFER_SERVER], TRANSFER_FAILED);
			assert_true(o.chunks[CHUNK_ABORT] > 0);
			assert_in_range(o.arrived[TRANSFER_CLIENT], 20, 1000);
			assert_in_range(o.last_us - o.up_us, 250000, 450000);
		}
	}
}

/* marks */
enum { SHUTDOWNS, NEWEST_US, NEWEST_GAP_US, TOO_LONG };

/* The link fails with the first SHUTDOWN. Each goes after twice the time of the one before (RFC 9260, section
 * 6.3.3, rule E2), though HEARTBEATs on the path that failed have no answer either. */
static void watch_shutdowns(struct transfer *t, const struct usrsctp_cmt_sim_packet *packet)
{
	uint64_t *marks = t->outcome->marks, now_us = usrsctp_cmt_sim_now_us(t->sim), gap_us;

	if (packet->event != USRSCTP_CMT_SIM_SENT || packet->direction != 0 ||
	    !packet_has(packet->packet, packet->packet_bytes, CHUNK_SHUTDOWN))
		return;
	if (marks[SHUTDOWNS]++ == 0)
		transfer_set_down(t, 0, true);
	gap_us = marks[SHUTDOWNS] > 1 ? now_us - marks[NEWEST_US] : 0;
	marks[TOO_LONG] += marks[SHUTDOWNS] > 2 && gap_us > marks[NEWEST_GAP_US] * 5 / 2;
	marks[NEWEST_US] = now_us;
	marks[NEWEST_GAP_US] = gap_us;
}

static void a_shutdown_goes_again_after_twice_the_time(void **state)
{
	struct transfer_job job = {.scheduler = "auto",
	                           .seed = 1,
	                           .n_paths = 1,
	                           .links = {{.rate_bps = 8000000, .delay_us = 10000, .queue_pkts = 100}},
	                           .message = kilobyte,
	                           .n_messages = {10},
	                           .tap = watch_shutdowns,
	                           .limit_us = 40000000};
	const struct transfer_outcome o = transfer_run(&job);

	(void)state;
	print_message("%u SHUTDOWNs, %u too late\n", (unsigned)o.marks[SHUTDOWNS],
	              (unsigned)o.marks[TOO_LONG]);
	assert_in_range(o.marks[SHUTDOWNS], 6, 12);
	assert_int_equal(o.marks[TOO_LONG], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(shutdown_with_unsent_data_delivers_them),
	    cmocka_unit_test(an_abort_in_mid_transfer_is_told_to_the_other_end),
	    cmocka_unit_test(a_shutdown_goes_again_after_twice_the_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
