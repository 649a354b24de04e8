/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A fixed transfer over two lossy, unequal paths of which one fails for a while, packet by packet on stdout:
 * with hooks and fixes compiled out the stack must print what pristine upstream prints. The test proper only
 * makes sure that the transfer exercises gaps, fast retransmissions and timeouts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "support/isolate.h"
#include "support/packet.h"
#include "support/pair.h"
#include "support/tsn_log.h"

#define FNV_OFFSET UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME  UINT64_C(0x100000001b3)

struct outcome {
	struct tsn_log log;
	uint32_t gap_sacks, timeouts;
	bool delivered;
};

static uint64_t hash(const uint8_t *bytes, size_t len)
{
	uint64_t h = FNV_OFFSET;

	for (size_t i = 0; i < len; i++)
		h = (h ^ bytes[i]) * FNV_PRIME;
	return h;
}

static void print_packet(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *packet, void *arg)
{
	struct outcome *o = arg;
	struct chunk sack;

	(void)sim;
	tsn_log_packet(&o->log, packet);
	if (packet->event != USRSCTP_CMT_SIM_SENT)
		return;
	if (packet_find(packet->packet, packet->packet_bytes, CHUNK_SACK, &sack))
		o->gap_sacks += packet_get16(sack.bytes + 12) > 0;
	printf("%llu %d%c %zu %016llx\n", (unsigned long long)packet->at_us, packet->path,
	       packet->direction == 0 ? '>' : '<', packet->packet_bytes,
	       (unsigned long long)hash(packet->packet, packet->packet_bytes));
}

static void fail_first_path(struct usrsctp_cmt_sim *sim, void *arg)
{
	for (int direction = 0; direction < 2; direction++) {
		struct usrsctp_cmt_sim_link link;

		REQUIRE(usrsctp_cmt_sim_get_link(sim, 0, direction, &link) == 0);
		link.down = *(const bool *)arg;
		REQUIRE(usrsctp_cmt_sim_set_link(sim, 0, direction, &link) == 0);
	}
}

static void transfer(const void *job, void *outcome)
{
	const struct usrsctp_cmt_sim_link fast = {
	    .rate_bps = 4000000, .delay_us = 10000, .queue_pkts = 50, .loss = 0.02};
	const struct usrsctp_cmt_sim_link slow = {
	    .rate_bps = 1000000, .delay_us = 40000, .queue_pkts = 50, .loss = 0.03};
	struct outcome *o = outcome;
	struct pair_options options = {.family = *(const int *)job,
	                               .seed = 11,
	                               .n_paths = 2,
	                               .forward = {fast, slow},
	                               .backward = {fast, slow},
	                               .bytes = 300000,
	                               .sysctl_cmt = true,
	                               .tap = print_packet,
	                               .arg = outcome};
	bool down = true, up = false;
	struct sctpstat stats;
	struct pair p;

	pair_open(&p, &options);
	REQUIRE(usrsctp_cmt_sim_at(p.sim, 400000, fail_first_path, &down) == 0);
	REQUIRE(usrsctp_cmt_sim_at(p.sim, 1900000, fail_first_path, &up) == 0);
	pair_run(&p, UINT64_C(600000000));
	o->delivered = p.complete && p.intact;
	usrsctp_get_stat(&stats);
	o->timeouts = stats.sctps_timodata;
	pair_close(&p);
}

static void check_family(int family)
{
	static struct outcome o;

	isolate_run(transfer, &family, &o, sizeof(o));
	assert_true(o.delivered);
	assert_in_range(o.log.data_pkts, 300, 600);
	assert_in_range(o.gap_sacks, 30, 400);
	assert_in_range(tsn_log_losses(&o.log), 5, 50);
	assert_in_range(tsn_log_retransmissions(&o.log), 5, 200);
	assert_in_range(o.timeouts, 1, 50);
}

static void a_lossy_transfer_over_ipv4(void **state)
{
	(void)state;
	check_family(AF_INET);
}

static void a_lossy_transfer_over_ipv6(void **state)
{
	(void)state;
	check_family(AF_INET6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_lossy_transfer_over_ipv4),
	    cmocka_unit_test(a_lossy_transfer_over_ipv6),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
