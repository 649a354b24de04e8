/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An application wishes for small fragments (SCTP_MAXSEG; RFC 6458, section 8.1.16), smaller than what else
 * takes room in a packet. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/packet.h"
#include "support/pair.h"
#include "support/variant.h"

enum { OPTION_INTERLEAVING_SUPPORTED = 0x1206 }; /* missing in the public header */

struct job {
	uint32_t wish_bytes;
	bool interleaved;
	const char *scheduler;
};

struct outcome {
	bool complete, intact;
	size_t largest_bytes; /* fragment */
};

static struct outcome seen;

static void configure(struct socket *so, int host, void *arg)
{
	const struct job *job = arg;
	const struct sctp_assoc_value wish = {.assoc_id = SCTP_FUTURE_ASSOC, .assoc_value = job->wish_bytes},
	                              on = {.assoc_id = SCTP_FUTURE_ASSOC, .assoc_value = 1};
	const int level = 2;

	(void)host;
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_MAXSEG, &wish, sizeof(wish)) == 0);
	if (!job->interleaved)
		return;
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_FRAGMENT_INTERLEAVE, &level, sizeof(level)) == 0);
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, OPTION_INTERLEAVING_SUPPORTED, &on, sizeof(on)) == 0);
}

static void measure(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *packet, void *arg)
{
	const struct job *job = arg;
	size_t offset = 0, header_bytes = job->interleaved ? 20 : 16;
	struct chunk c;

	(void)sim;
	while (packet_next_chunk(packet->packet, packet->packet_bytes, &offset, &c)) {
		if (chunk_is_data(&c) && c.len - header_bytes > seen.largest_bytes)
			seen.largest_bytes = c.len - header_bytes;
	}
}

static void transfer(const void *arg, void *outcome)
{
	const struct usrsctp_cmt_sim_link link = {.rate_bps = 10000000, .delay_us = 10000};
	struct job job = *(const struct job *)arg;
	const struct pair_options options = {.n_paths = 2,
	                                     .forward = {link, link},
	                                     .backward = {link, link},
	                                     .bytes = 1000,
	                                     .message_bytes = 100,
	                                     .scheduler = job.scheduler,
	                                     .configure = configure,
	                                     .tap = measure,
	                                     .arg = &job};
	struct pair pair;

	pair_open(&pair, &options);
	pair_run(&pair, 60000000);
	seen.complete = pair.complete;
	seen.intact = pair.intact;
	*(struct outcome *)outcome = seen;
	pair_close(&pair);
}

static void fragments_may_be_as_small_as_wished(void **state)
{
	(void)state;
	for (uint32_t wish_bytes = 1; wish_bytes <= 40; wish_bytes += wish_bytes < 8 ? 1 : 4) {
		for (unsigned kind = 0; kind < 4; kind++) {
			const struct job job = {.wish_bytes = wish_bytes,
			                        .interleaved = (kind & 1) != 0,
			                        .scheduler =
			                            CMT_TEST_FIXED && (kind & 2) != 0 ? "auto" : NULL};
			struct outcome o;

			isolate_run(transfer, &job, &o, sizeof(o));
			if (!CMT_TEST_FIXED) {
				assert_int_equal(o.complete, wish_bytes >= (job.interleaved ? 8 : 4));
				continue;
			}
			assert_true(o.complete && o.intact);
			assert_int_equal(o.largest_bytes, wish_bytes);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(fragments_may_be_as_small_as_wished)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
