/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A peer that lists more addresses than an association uses as paths, in a false copy ahead of its INIT-ACK:
 * the extra ones are counted and carry nothing, as do those that answer no HEARTBEAT. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "support/isolate.h"
#include "support/packet.h"
#include "support/pair.h"

enum { PATHS = 2, PARAMETER_IPV4_ADDRESS = 5, ADDRESS_PARAMETER_BYTES = 8 };
enum { TEST_NET_1 = 0xC0000200 }; /* RFC 5737: belongs to nobody */

struct job {
	unsigned extra_addresses;
	const char *scheduler;
};

struct outcome {
	uint16_t paths, paths_ignored;
	uint64_t illegal_decisions;
	unsigned forged;
	bool delivered;
};

struct liar {
	const struct job *job;
	struct outcome *o;
	bool injecting;
};

static void list_more_addresses(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *packet,
                                void *arg)
{
	struct liar *l = arg;
	struct packet_draft d;
	struct chunk init_ack;

	if (packet->event != USRSCTP_CMT_SIM_SENT || l->injecting ||
	    !packet_find(packet->packet, packet->packet_bytes, CHUNK_INIT_ACK, &init_ack))
		return;
	REQUIRE(packet->packet_bytes + l->job->extra_addresses * ADDRESS_PARAMETER_BYTES <= sizeof(d.bytes));
	memcpy(d.bytes, packet->packet, packet->packet_bytes);
	d.len = packet->packet_bytes;
	for (unsigned i = 0; i < l->job->extra_addresses; i++) {
		packet_put16(d.bytes + d.len, PARAMETER_IPV4_ADDRESS);
		packet_put16(d.bytes + d.len + 2, ADDRESS_PARAMETER_BYTES);
		packet_put32(d.bytes + d.len + 4, TEST_NET_1 + 1 + i);
		d.len += ADDRESS_PARAMETER_BYTES;
	}
	packet_put16(d.bytes + COMMON_HEADER_BYTES + 2, (uint16_t)(d.len - COMMON_HEADER_BYTES));
	packet_finish(&d);
	l->injecting = true;
	REQUIRE(usrsctp_cmt_sim_inject(sim, packet->path, PAIR_SERVER, d.bytes, d.len) == 0);
	l->injecting = false;
	l->o->forged++;
}

static void transfer(const void *job, void *outcome)
{
	const struct usrsctp_cmt_sim_link link = {.rate_bps = 4000000, .delay_us = 10000, .queue_pkts = 100};
	struct liar l = {.job = job, .o = outcome};
	struct pair_options options = {.seed = 5,
	                               .n_paths = PATHS,
	                               .forward = {link, link},
	                               .backward = {link, link},
	                               .bytes = 500000,
	                               .scheduler = l.job->scheduler,
	                               .tap = list_more_addresses,
	                               .arg = &l};
	struct sctp_cmt_stats stats;
	struct pair p;

	pair_open(&p, &options);
	pair_run(&p, UINT64_C(600000000));
	l.o->delivered = p.complete && p.intact;
	stats = pair_stats(p.client);
	l.o->paths = stats.paths;
	l.o->paths_ignored = stats.paths_ignored;
	l.o->illegal_decisions = stats.illegal_decisions;
	pair_close(&p);
}

static void addresses_beyond_the_limit_are_counted_and_not_used(void **state)
{
	const char *const schedulers[] = {"rr", "lcm", "arrival"};
	const unsigned extra[] = {0, SCTP_CMT_MAX_PATHS - PATHS, SCTP_CMT_MAX_PATHS - PATHS + 1, 20};

	(void)state;
	for (unsigned s = 0; s < 3; s++) {
		for (unsigned i = 0; i < 4; i++) {
			struct job job = {.scheduler = schedulers[s], .extra_addresses = extra[i]};
			unsigned all = PATHS + extra[i];
			struct outcome o;

			isolate_run(transfer, &job, &o, sizeof(o));
			printf("%s, %u addresses: %u paths, %u ignored\n", job.scheduler, all, o.paths,
			       o.paths_ignored);
			assert_int_equal(o.forged, PATHS);
			assert_true(o.delivered);
			assert_int_equal(o.paths, all < SCTP_CMT_MAX_PATHS ? all : SCTP_CMT_MAX_PATHS);
			assert_int_equal(o.paths + o.paths_ignored, all);
			assert_int_equal(o.illegal_decisions, 0);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(addresses_beyond_the_limit_are_counted_and_not_used),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
