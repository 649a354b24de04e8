/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where all paths have failed one is used all the same (RFC 7829, section 4.2). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/policy.h"
#include "support/raw.h"

enum { SILENCE_US = 800000, MESSAGE_BYTES = 100 };

static const char *const policies[] = {"stock", "rr", "lcm", "arrival", "auto"};
enum { N_POLICIES = sizeof(policies) / sizeof(policies[0]) };

static const char *scheduler;
static struct raw r;

static void use_scheduler(struct socket *so)
{
	const int on = 1;

	policy_choose(so, SCTP_CMT_SCHEDULER, scheduler);
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_NODELAY, &on, sizeof(on)) == 0);
}

static void ask(uint16_t number)
{
	struct packet_draft d;

	raw_begin(&r, &d);
	raw_add_data(&r, &d, 0, number, MESSAGE_BYTES);
	raw_send(&r, 0, &d);
}

/* The application echoes; `*outcome`: how long the second echo took, UINT64_MAX for longer than 5 s. */
static void echo_after_a_silence(const void *job, void *outcome)
{
	const struct raw_options options = {.configure = use_scheduler};
	uint64_t *waited_us = outcome, asked_us;
	unsigned since;

	scheduler = *(const char *const *)job;
	raw_accepted(&r, &options);
	ask(0);
	raw_write(&r, MESSAGE_BYTES);
	raw_run(&r, SILENCE_US);
	raw_acknowledge(&r);
	since = r.n_heard;
	ask(1);
	asked_us = usrsctp_cmt_sim_now_us(r.sim);
	raw_write(&r, MESSAGE_BYTES);
	*waited_us = UINT64_MAX;
	for (unsigned ms = 0; ms < 5000 && *waited_us == UINT64_MAX; ms++) {
		if (raw_count(&r, since, CHUNK_DATA) > 0)
			*waited_us = usrsctp_cmt_sim_now_us(r.sim) - asked_us;
		raw_run(&r, 1000);
	}
	raw_close(&r);
}

static void data_leave_on_the_only_path_though_it_is_potentially_failed(void **state)
{
	(void)state;
	for (unsigned i = 0; i < N_POLICIES; i++) {
		uint64_t waited_us;

		isolate_run(echo_after_a_silence, &policies[i], &waited_us, sizeof(waited_us));
		print_message("%s: %.0f ms\n", policies[i], (double)waited_us / 1e3);
		assert_in_range(waited_us, 0, 25000);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(data_leave_on_the_only_path_though_it_is_potentially_failed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
