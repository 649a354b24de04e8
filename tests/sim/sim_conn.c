/* SPDX-License-Identifier: BSD-3-Clause
 *
 * WebRTC's way to use the stack (support/conn.h) under every scheduler: a path that is neither IPv4 nor IPv6
 * carries what it can.
 *
 * cost: 4 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "support/conn.h"
#include "support/policy.h"

enum { TOTAL_BYTES = 2 << 20, RATE_BPS = 20000000, LOSS_PPM = 10000 };
/* libdatachannel's benchmark sends 45 MB/s of messages of 64 kB without a scheduler. */
enum { FAST_RATE_BPS = 1000000000, FAST_TOTAL_BYTES = 64 << 20, FAST_AT_LEAST_BPS = 45 * 8 * 1000000 };
static const uint32_t message_bytes[] = {1 << 10, 3 << 10, 64 << 10, 256 << 10};
enum { N_SIZES = sizeof(message_bytes) / sizeof(message_bytes[0]) };

/* By end; the first one sends. */
struct schedulers {
	const char *names[2];
};

static void choose(struct socket *so, int end, const void *arg)
{
	const struct schedulers *schedulers = arg;

	policy_choose(so, SCTP_CMT_SCHEDULER, schedulers->names[end]);
}

/* What the sender's socket says of its path, at the end. */
struct view {
	struct sctp_cmt_stats stats;
	struct sctp_cmt_path_stats path;
	struct sctp_cmt_path use;
	int use_error;
};
_Static_assert(sizeof(struct view) <= sizeof(((struct conn_outcome *)NULL)->seen), "fits");

static void look(struct socket *so, void *out)
{
	struct view *v = out;
	socklen_t stats_len = sizeof(v->stats), path_len = sizeof(v->path), use_len = sizeof(v->use);

	v->stats.size = sizeof(v->stats);
	REQUIRE(usrsctp_getsockopt(so, IPPROTO_SCTP, SCTP_CMT_STATS, &v->stats, &stats_len) == 0);
	v->path.size = sizeof(v->path);
	REQUIRE(usrsctp_getsockopt(so, IPPROTO_SCTP, SCTP_CMT_PATH_STATS, &v->path, &path_len) == 0);
	v->use = (struct sctp_cmt_path){.size = sizeof(v->use), .address = v->path.remote};
	v->use_error = usrsctp_getsockopt(so, IPPROTO_SCTP, SCTP_CMT_PATH, &v->use, &use_len);
}

static struct conn_outcome run(struct schedulers schedulers, uint32_t bytes, uint32_t loss_ppm)
{
	const struct conn_job job = {.seed = 1,
	                             .rate_bps = RATE_BPS,
	                             .delay_us = 10000,
	                             .queue_bytes = 60000,
	                             .loss_ppm = loss_ppm,
	                             .message_bytes = bytes,
	                             .n_messages = TOTAL_BYTES / bytes,
	                             .limit_us = 60000000,
	                             .configure = choose,
	                             .look = look,
	                             .arg = &schedulers};
	const struct conn_outcome o = conn_run(&job);

	printf("%s, %u bytes, loss %u ppm: %.1f Mbit/s\n",
	       schedulers.names[0] != NULL ? schedulers.names[0] : "none", bytes, loss_ppm,
	       (double)conn_goodput_bps(&o) / 1e6);
	assert_true(o.intact);
	assert_int_equal(o.received_messages, job.n_messages);
	return o;
}

/* Each scheduler there is, with messages of each size, beside none. */
static void compare(uint32_t loss_ppm, uint64_t at_least_bps)
{
	for (unsigned s = 0; s < N_SIZES; s++) {
		const struct conn_outcome none =
		    run((struct schedulers){{NULL, NULL}}, message_bytes[s], loss_ppm);
		const char *scheduler;

		for (unsigned i = 0; (scheduler = usrsctp_cmt_scheduler_name(i)) != NULL; i++) {
			const struct conn_outcome o =
			    run((struct schedulers){{scheduler, scheduler}}, message_bytes[s], loss_ppm);

			assert_true(conn_goodput_bps(&o) >= at_least_bps);
			assert_true(conn_goodput_bps(&o) >= conn_goodput_bps(&none) / 100 * 97);
		}
	}
}

static void every_scheduler_fills_the_link_whatever_the_messages(void **state)
{
	(void)state;
	compare(0, RATE_BPS / 100 * 80);
}

static void every_scheduler_is_as_good_as_none_where_packets_are_lost(void **state)
{
	(void)state;
	compare(LOSS_PPM, 0);
}

static void a_fast_link_carries_large_messages_under_auto(void **state)
{
	const struct schedulers schedulers = {{"auto", "auto"}};
	const struct conn_job job = {.seed = 1,
	                             .rate_bps = FAST_RATE_BPS,
	                             .delay_us = 100,
	                             .queue_bytes = 256000,
	                             .message_bytes = 64 << 10,
	                             .n_messages = FAST_TOTAL_BYTES / (64 << 10),
	                             .limit_us = 60000000,
	                             .configure = choose,
	                             .look = look,
	                             .arg = &schedulers};
	const struct conn_outcome o = conn_run(&job);

	(void)state;
	print_message("1 Gbit/s: %.1f MB/s\n", (double)conn_goodput_bps(&o) / 8e6);
	assert_true(o.intact);
	assert_int_equal(o.received_messages, job.n_messages);
	assert_true(conn_goodput_bps(&o) >= FAST_AT_LEAST_BPS);
}

static void the_path_is_measured_and_known_by_its_address(void **state)
{
	const struct conn_outcome o = run((struct schedulers){{"auto", "auto"}}, 64 << 10, 0);
	const struct view *v = (const struct view *)o.seen;

	(void)state;
	assert_int_equal(v->stats.extension, 1);
	assert_int_equal(v->stats.paths, 1);
	assert_int_equal(v->stats.illegal_decisions, 0);
	assert_true(v->path.samples > 500);
	assert_in_range(v->path.rate_bps, RATE_BPS / 10 * 7, RATE_BPS / 10 * 13);
	assert_int_equal(v->path.remote.ss_family, AF_CONN);
	assert_int_equal(v->use_error, 0);
}

/* Both ends call at once: the INIT of one of them lists the extension, and the other's INIT-ACK does. */
static void a_scheduler_at_the_sender_is_enough(void **state)
{
	const struct conn_outcome o = run((struct schedulers){{"auto", NULL}}, 64 << 10, 0);
	const struct view *v = (const struct view *)o.seen;

	(void)state;
	assert_int_equal(v->stats.extension, 1);
	assert_true(v->path.samples > 500);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_scheduler_fills_the_link_whatever_the_messages),
	    cmocka_unit_test(every_scheduler_is_as_good_as_none_where_packets_are_lost),
	    cmocka_unit_test(a_fast_link_carries_large_messages_under_auto),
	    cmocka_unit_test(the_path_is_measured_and_known_by_its_address),
	    cmocka_unit_test(a_scheduler_at_the_sender_is_enough),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
