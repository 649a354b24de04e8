/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A path that failed is asked whether it is back, from time to time; while the association shuts down it is
 * not, and that keeps nobody awake. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <usrsctp_cmt.h>

#include "support/isolate.h"
#include "support/raw.h"

enum { STEPS = 500, MESSAGE_BYTES = 1000 };
#define STEP_US     UINT64_C(10000)
#define FAILS_IN_US UINT64_C(10000000)

static void choose_scheduler(struct socket *so)
{
	const struct sctp_cmt_policy policy = {
	    .size = sizeof(policy), .assoc_id = SCTP_FUTURE_ASSOC, .name = "arrival"};

	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_CMT_SCHEDULER, &policy, sizeof(policy)) == 0);
}

static struct raw r;
static const struct raw_options options = {.configure = choose_scheduler,
                                           .n_paths = 2,
                                           .parameters = {RAW_ADDRESS(0), RAW_ADDRESS(1)},
                                           .parameters_bytes = 16};

struct outcome {
	unsigned failed_paths, at_once; /* how often something was due within a millisecond */
};

static unsigned failed_paths(void)
{
	struct sctp_cmt_path_stats paths[2] = {{.size = sizeof(paths[0]), .assoc_id = SCTP_FUTURE_ASSOC}};
	socklen_t len = sizeof(paths);
	unsigned n = 0;

	REQUIRE(usrsctp_getsockopt(r.so, IPPROTO_SCTP, SCTP_CMT_PATH_STATS, paths, &len) == 0);
	for (unsigned i = 0; i < len / sizeof(paths[0]); i++)
		n += paths[i].state == SCTP_CMT_PATH_FAILED;
	return n;
}

/* Nobody answers until a path has failed; then what was sent is acknowledged, and the SHUTDOWN is not. */
static void shut_down(const void *job, void *outcome)
{
	struct outcome *o = outcome;

	(void)job;
	raw_accepted(&r, &options);
	raw_write(&r, MESSAGE_BYTES);
	raw_run(&r, FAILS_IN_US);
	o->failed_paths = failed_paths();
	raw_acknowledge(&r);
	REQUIRE(usrsctp_shutdown(r.so, SHUT_WR) == 0);
	raw_run(&r, FAILS_IN_US);
	REQUIRE(raw_count(&r, 0, CHUNK_SHUTDOWN) > 0);
	for (unsigned i = 0; i < STEPS; i++) {
		raw_run(&r, STEP_US);
		o->at_once += usrsctp_cmt_next_timeout() <= 1;
	}
	raw_close(&r);
}

static void a_failed_path_keeps_nobody_awake_while_the_association_ends(void **state)
{
	struct outcome o;

	(void)state;
	isolate_run(shut_down, NULL, &o, sizeof(o));
	print_message("%u paths failed; due at once %u of %u times\n", o.failed_paths, o.at_once, STEPS);
	assert_true(o.failed_paths > 0);
	assert_in_range(o.at_once, 0, STEPS / 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_failed_path_keeps_nobody_awake_while_the_association_ends)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
