/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How many messages of a stream were given up (SCTP_PR_STREAM_STATUS) is still known after the application
 * has asked for more streams. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "support/isolate.h"
#include "support/raw.h"
#include "support/variant.h"

enum { ALL_POLICIES = 15, GIVEN_UP = 3, MORE_STREAMS = 500 };

static struct raw r;

static void take_requests(struct socket *so)
{
	const struct sctp_assoc_value requests = {.assoc_id = SCTP_FUTURE_ASSOC,
	                                          .assoc_value = SCTP_ENABLE_CHANGE_ASSOC_REQ};

	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_ENABLE_STREAM_RESET, &requests, sizeof(requests)) ==
	        0);
}

static uint64_t given_up(void)
{
	struct sctp_prstatus status = {.sprstat_policy = ALL_POLICIES};
	socklen_t bytes = sizeof(status);

	REQUIRE(usrsctp_getsockopt(r.so, IPPROTO_SCTP, SCTP_PR_STREAM_STATUS, &status, &bytes) == 0);
	return status.sprstat_abandoned_sent + status.sprstat_abandoned_unsent;
}

static void ask_for_streams(const void *job, void *outcome)
{
	const struct raw_options options = {
	    .n_paths = 1,
	    .parameters = {0xc0, 0, 0, 4, 0x80, 8, 0, 6, CHUNK_RECONFIG, CHUNK_FORWARD_TSN, 0, 0},
	    .parameters_bytes = 12,
	    .configure = take_requests};
	struct sctp_sendv_spa info = {.sendv_flags = SCTP_SEND_PRINFO_VALID,
	                              .sendv_prinfo = {.pr_policy = SCTP_PR_SCTP_RTX}};
	const struct sctp_add_streams more = {.sas_outstrms = MORE_STREAMS};
	uint64_t *counts = outcome;

	(void)job;
	raw_accepted(&r, &options);
	for (int i = 0; i < GIVEN_UP; i++)
		REQUIRE(usrsctp_sendv(r.so, "message", 7, NULL, 0, &info, sizeof(info), SCTP_SENDV_SPA, 0) ==
		        7);
	raw_run(&r, 30000000);
	counts[0] = given_up();
	REQUIRE(usrsctp_setsockopt(r.so, IPPROTO_SCTP, SCTP_ADD_STREAMS, &more, sizeof(more)) == 0);
	counts[1] = given_up();
	raw_close(&r);
}

static void more_streams_change_no_count(void **state)
{
	uint64_t counts[2];

	(void)state;
	isolate_run(ask_for_streams, NULL, counts, sizeof(counts));
	printf("%llu given up, then %llu\n", (unsigned long long)counts[0], (unsigned long long)counts[1]);
	assert_int_equal(counts[0], GIVEN_UP);
	assert_int_equal(counts[1] == counts[0], CMT_TEST_FIXED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(more_streams_change_no_count)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
