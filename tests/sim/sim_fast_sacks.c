/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How often SACKs come on fast links: for every fourth packet, on slower ones for every second, and for the
 * last one as soon as a tick later. Links whose queues hold a few packets are filled all the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/packet.h"
#include "support/transfer.h"

enum { BYTES = 1400, WIRE_BYTES = 1464, SETTLED_US = 200000, TICK_US = 1000 };

/* marks */
enum { DATA, SACKS, LAST_DATA_US, LAST_SACK_US, LATEST_SACK_US /* behind the data */ };

static struct transfer_message message(int host, uint32_t index)
{
	(void)host;
	(void)index;
	return (struct transfer_message){.bytes = BYTES};
}

static void count(struct transfer *t, const struct usrsctp_cmt_sim_packet *packet)
{
	uint64_t *marks = t->outcome->marks;

	if (packet->event == USRSCTP_CMT_SIM_DELIVERED && packet->direction == 0 &&
	    packet_has(packet->packet, packet->packet_bytes, CHUNK_DATA)) {
		marks[DATA] += packet->at_us >= SETTLED_US;
		marks[LAST_DATA_US] = packet->at_us;
	}
	if (packet->event == USRSCTP_CMT_SIM_SENT && packet->direction == 1 &&
	    packet_has(packet->packet, packet->packet_bytes, CHUNK_SACK)) {
		marks[SACKS] += packet->at_us >= SETTLED_US;
		marks[LAST_SACK_US] = packet->at_us;
		if (packet->at_us - marks[LAST_DATA_US] > marks[LATEST_SACK_US])
			marks[LATEST_SACK_US] = packet->at_us - marks[LAST_DATA_US];
	}
}

/* Of the link, by what was delivered. */
static double part_of_link(const struct transfer_job *job, const struct transfer_outcome *o)
{
	const double bits = 8.0 * WIRE_BYTES * job->n_messages[TRANSFER_CLIENT];

	return bits / ((double)job->links[0].rate_bps * (double)(o->last_us - o->up_us) / 1e6);
}

static struct transfer_outcome run(uint64_t rate_bps, uint32_t delay_us, uint32_t queue_pkts,
                                   uint32_t sndbuf_bytes, uint32_t messages, double least_part)
{
	const struct transfer_job job = {
	    .scheduler = "auto",
	    .seed = 1,
	    .n_paths = 1,
	    .links = {{.rate_bps = rate_bps, .delay_us = delay_us, .queue_pkts = queue_pkts}},
	    .message = message,
	    .n_messages = {[TRANSFER_CLIENT] = messages},
	    .sndbuf_bytes = sndbuf_bytes,
	    .rcvbuf_bytes = 4000000,
	    .configure = transfer_take_many_chunks,
	    .tap = count};
	const struct transfer_outcome o = transfer_run(&job);

	transfer_assert_arrived(&job, &o);
	print_message(
	    "%u Mbit/s: %llu SACKs for %llu packets, the last one %llu us after the data; %.3f of the link\n",
	    (unsigned)(rate_bps / 1000000), (unsigned long long)o.marks[SACKS],
	    (unsigned long long)o.marks[DATA],
	    (unsigned long long)(o.marks[LAST_SACK_US] - o.marks[LAST_DATA_US]), part_of_link(&job, &o));
	assert_true(part_of_link(&job, &o) >= least_part);
	return o;
}

/* Also where the application writes what its send buffer takes, so that no message waits unsent. */
static void on_a_fast_link_every_fourth_packet_is_acknowledged(void **state)
{
	const uint32_t sndbufs_bytes[] = {4000000, 800000};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		const struct transfer_outcome o =
		    run(1000000000, 5000, 1000, sndbufs_bytes[i], 60001, i == 0 ? 0.9 : 0.5);

		assert_in_range(o.marks[SACKS] * 100 / o.marks[DATA], 20, 28);
		assert_in_range(o.marks[LAST_SACK_US] - o.marks[LAST_DATA_US], 0, 2 * TICK_US);
	}
}

static void on_a_slower_one_every_second_is(void **state)
{
	const struct transfer_outcome o = run(100000000, 5000, 1000, 4000000, 6001, 0.9);

	(void)state;
	assert_in_range(o.marks[SACKS] * 100 / o.marks[DATA], 45, 60);
	assert_in_range(o.marks[LAST_SACK_US] - o.marks[LAST_DATA_US], 0, 2 * TICK_US);
}

/* By a peer that waits for a fourth packet which waits for the peer. */
static void a_few_packets_do_not_stand_still(void **state)
{
	(void)state;
	(void)run(300000000, 50, 2, 4000000, 20000, 0.75);
}

static struct transfer_message many_packets_then_two(int host, uint32_t index)
{
	(void)host;
	return (struct transfer_message){.bytes = index == 0 ? TRANSFER_MESSAGE_MAX_BYTES : 2 * BYTES - 100};
}

/* The link is fast, but not what goes over it: nothing follows that would let a SACK go. */
static void who_sends_now_and_then_is_acknowledged_at_once(void **state)
{
	const struct transfer_job job = {
	    .scheduler = "auto",
	    .seed = 1,
	    .n_paths = 1,
	    .links = {{.rate_bps = 1000000000, .delay_us = 5000, .queue_pkts = 1000}},
	    .message = many_packets_then_two,
	    .n_messages = {[TRANSFER_CLIENT] = 60},
	    .interval_us = 500000,
	    .sndbuf_bytes = 4000000,
	    .rcvbuf_bytes = 4000000,
	    .configure = transfer_take_many_chunks,
	    .tap = count};
	const struct transfer_outcome o = transfer_run(&job);

	(void)state;
	transfer_assert_arrived(&job, &o);
	print_message("%llu SACKs for %llu packets, at most %llu us late\n",
	              (unsigned long long)o.marks[SACKS], (unsigned long long)o.marks[DATA],
	              (unsigned long long)o.marks[LATEST_SACK_US]);
	assert_in_range(o.marks[LATEST_SACK_US], 0, 2 * TICK_US);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(on_a_fast_link_every_fourth_packet_is_acknowledged),
	    cmocka_unit_test(on_a_slower_one_every_second_is),
	    cmocka_unit_test(a_few_packets_do_not_stand_still),
	    cmocka_unit_test(who_sends_now_and_then_is_acknowledged_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
