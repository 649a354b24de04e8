/* SPDX-License-Identifier: BSD-3-Clause
 *
 * No path whose links keep the order is taken for one that reorders, whatever is lost, copied, or left out of
 * SACKs that are full: loss detection there would wait a round trip more (core/recovery/cmt_rack.h).
 *
 * cost: 8 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "look.h"
#include "isolate.h"
#include "pair.h"

#define UNTIL_US UINT64_C(8000000)

struct job {
	const char *scheduler;
	uint64_t seed;
};

struct outcome {
	unsigned reordering, received_bytes;
	uint64_t dropped_pkts;
};

static struct usrsctp_cmt_sim_link link_of(double mbit, uint64_t delay_ms, uint64_t jitter_ms,
                                           uint32_t queue_pkts, double loss)
{
	return (struct usrsctp_cmt_sim_link){.rate_bps = (uint64_t)(mbit * 1e6),
	                                     .delay_us = delay_ms * 1000,
	                                     .jitter = USRSCTP_CMT_SIM_JITTER_NORMAL,
	                                     .jitter_us = jitter_ms * 1000,
	                                     .queue_pkts = queue_pkts,
	                                     .loss = loss};
}

static void set_send_buffer(struct socket *so, int host, void *arg)
{
	const int bytes = 13000000;

	(void)arg;
	if (host == PAIR_CLIENT)
		REQUIRE(usrsctp_setsockopt(so, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof(bytes)) == 0);
}

static void transfer(const void *job, void *outcome)
{
	const struct job *const j = job;
	/* Mbit/s, ms, ms of jitter that keeps the order, packets, loss. */
	const struct usrsctp_cmt_sim_link links[] = {
	    link_of(12.6, 46, 1, 100, 0.003), link_of(6.2, 62, 12, 100, 0.003),
	    link_of(13.6, 235, 35, 266, 0.009), link_of(3.1, 191, 13, 100, 0.003),
	    link_of(38.9, 108, 1, 349, 0.009)};
	struct pair_options options = {.seed = j->seed,
	                               .n_paths = 5,
	                               .bytes = 100000000,
	                               .message_bytes = 1400,
	                               .rcvbuf_bytes = 3400000,
	                               .scheduler = j->scheduler,
	                               .configure = set_send_buffer};
	struct outcome *o = outcome;
	struct pair p;

	memcpy(options.forward, links, sizeof(links));
	memcpy(options.backward, links, sizeof(links));
	pair_open(&p, &options);
	pair_run(&p, UNTIL_US);
	o->reordering = look_reordering_paths(p.client);
	o->received_bytes = p.received_bytes;
	o->dropped_pkts = pair_links(&p).dropped_pkts;
}

static void no_path_reorders(void **state)
{
	static const char *const schedulers[] = {"auto", "arrival", "osia", "minrtt"};

	(void)state;
	for (unsigned i = 0; i < 8; i++) {
		const struct job job = {.scheduler = schedulers[i % 4], .seed = 1 + i / 4};
		struct outcome o = {.reordering = 0};

		isolate_run(transfer, &job, &o, sizeof(o));
		printf("%s: %u bytes, %llu packets lost, %u paths that reorder\n", job.scheduler,
		       o.received_bytes, (unsigned long long)o.dropped_pkts, o.reordering);
		assert_int_equal(o.reordering, 0);
		assert_true(o.received_bytes > 4000000 && o.dropped_pkts > 50);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(no_path_reorders)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
